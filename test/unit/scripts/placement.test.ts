import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { enableReplicas } from '../../../scripts/deploy/placement.ts';

const ACCOUNT = '0123456789abcdef0123456789abcdef';
const DATABASE = '00000000-0000-0000-0000-000000000000';

describe('enableReplicas', () => {
  it('switches on read replication by the REST API', async () => {
    const requests: { target: string; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const chunks = await request.toArray();
      requests.push({ target: `${request.method} ${request.url}`, body: Buffer.concat(chunks).toString() });
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ success: true, errors: [], messages: [], result: {} }));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await enableReplicas(DATABASE, {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
      CLOUDFLARE_API_TOKEN: 'loopback',
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
    });
    server.close();
    const target = `PUT /client/v4/accounts/${ACCOUNT}/d1/database/${DATABASE}`;
    expect(requests).toEqual([{ target, body: JSON.stringify({ read_replication: { mode: 'auto' } }) }]);
  });

  it('prints the step without a token', async () => {
    const print = vi.spyOn(console, 'log').mockImplementation(() => {});
    await enableReplicas(DATABASE, {});
    expect(print.mock.calls.flat().join(' ')).toContain('switch on read replication');
    print.mockRestore();
  });
});
