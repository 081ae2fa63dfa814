import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { enableReplicas } from '../../../scripts/deploy/placement.ts';
import { deployVersions, platformId, readDeployments, readVersion, requestPlatform } from '../../../scripts/deploy/platform-api.ts';
import { cleanOutput } from '../../../scripts/lib/clean-output.ts';
import { UserError } from '../../../scripts/lib/main.ts';

const ACCOUNT = { id: '0123456789abcdef0123456789abcdef', token: 'loopback-token' };
const ESCAPES = '\u001b]0;title\u0007\u001b[2J\u009b1A\u202eok';
let server: Server;
let base: string;
let targets: string[];
let respond: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    targets.push(`${request.url} ${request.headers.authorization ?? ''}`);
    respond(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  targets = [];
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', base);
});
afterEach(() => vi.unstubAllEnvs());

const bodies: Record<string, string> = {
  HTML: `<html>${ESCAPES}</html>`,
  nothing: '',
  null: 'null',
  'a list': '[]',
  'no result': '{"success":true}',
  'a result of another type': '{"success":true,"result":[1]}',
  'lists of other types': '{"success":true,"result":{"deployments":{"0":1},"resources":{"bindings":"x"}}}',
  'errors of other types': '{"success":false,"errors":"x"}',
  'errors with escapes': JSON.stringify({ success: false, errors: [{ code: 'x', message: ESCAPES.repeat(1000) }, null, 3] }),
  'deep lists': '['.repeat(100_000),
  'a hostile version': JSON.stringify({ success: true, result: { deployments: [{ versions: [{ version_id: '../../../x?y' }] }] } }),
  'more than 8 MiB': `"${'x'.repeat(9 * 1024 * 1024)}"`,
};

describe('requests to the platform', () => {
  it.each(Object.entries(bodies))('fail with a short message, or read nothing, when the response is %s', async (_, body) => {
    respond = (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    const reads = [
      readDeployments(ACCOUNT, 'worker'),
      readVersion(ACCOUNT, 'worker', 'v1'),
      deployVersions(ACCOUNT, 'worker', { shares: [{ version_id: 'v1', percentage: 100 }], message: 'x' }),
    ];
    for (const result of await Promise.allSettled(reads)) {
      if (result.status === 'fulfilled') continue;
      expect(result.reason).toBeInstanceOf(UserError);
      expect(String(result.reason.message).length).toBeLessThan(1000);
    }
  });

  it.each([301, 302, 307, 308])('do not follow a redirect with status %d', async (status) => {
    respond = (response) => response.writeHead(status, { Location: `http://localhost:${new URL(base).port}/stolen` }).end();
    await expect(requestPlatform(`${base}/graphql`, 'loopback-token', { method: 'POST', body: {} })).rejects.toThrow(
      `redirects (${status})`,
    );
    await expect(readDeployments(ACCOUNT, 'worker')).rejects.toThrow(`redirects (${status})`);
    await expect(enableReplicas(ACCOUNT, '00000000-0000-0000-0000-000000000000')).rejects.toThrow(`redirects (${status})`);
    expect(targets.filter((target) => target.startsWith('/stolen'))).toEqual([]);
    expect(targets).toHaveLength(3);
  });

  it('accept no id that is an option, a path or a text of wrangler.toml', () => {
    for (const id of ['--yes', '..', 'a/b', 'a" \nx = "', '$(x)', "'", '', null, 3, ['a'], 'x'.repeat(101)]) {
      expect(() => platformId(id, 'id'), String(id)).toThrow(UserError);
    }
    expect(platformId('11111111-1111-4111-8111-111111111111', 'id')).toBe('11111111-1111-4111-8111-111111111111');
  });
});

describe('cleanOutput', () => {
  it('removes what controls a terminal, and keeps lines, tabs and bytes', () => {
    const written: unknown[] = [];
    const stream = {
      write: (chunk: unknown) => {
        written.push(chunk);
        return true;
      },
    };
    cleanOutput(stream);
    const bytes = new Uint8Array([27]);
    stream.write(`a\tb\r\nfailed\rok ${ESCAPES}\n`);
    stream.write(bytes);
    expect(written).toEqual([`a\tb\r\nfailedok ]0;title[2J1Aok\n`, bytes]);
  });
});
