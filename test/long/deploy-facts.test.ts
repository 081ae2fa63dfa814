import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFacts } from '../../scripts/deploy/facts.ts';

const ACCOUNT = '0123456789abcdef0123456789abcdef';
/** The placeholder of the committed configuration. */
const DATABASE = '00000000-0000-0000-0000-000000000000';

/** State of the mocked API. */
const stored = { hasWorker: true, secrets: ['SESSION_SECRET'], tables: true };
let server: Server;

/** Mocks the requests of the platform's API with which wrangler lists secrets and queries a database. */
function respond(method: string, path: string, body: string): { status: number; body: unknown } {
  const ok = (result: unknown) => ({ status: 200, body: { success: true, errors: [], messages: [], result } });
  const failed = (status: number, code: number, message: string) => ({
    status,
    body: { success: false, errors: [{ code, message }], messages: [], result: null },
  });
  if (path.endsWith('/secrets')) {
    return stored.hasWorker
      ? ok(stored.secrets.map((name) => ({ name, type: 'secret_text' })))
      : failed(404, 10007, 'This Worker does not exist on your account.');
  }
  if (path.includes('/d1/database') && method === 'GET') {
    const database = { uuid: DATABASE, name: 'game-data-api', running_in_region: 'WEUR', read_replication: { mode: 'auto' } };
    return ok(path.endsWith(DATABASE) ? database : [database]);
  }
  if (path.includes('/d1/database') && method === 'POST') {
    if (!stored.tables) return failed(400, 7500, 'no such table: d1_migrations: SQLITE_ERROR');
    const results = body.includes('count(*)') ? [{ n: 2 }] : [{ name: '0000_schema.sql' }];
    return ok([{ success: true, results, meta: { duration: 1 } }]);
  }
  if (path.endsWith('/user')) return ok({ id: 'u', email: 'operator@example.test' });
  if (path.includes('/memberships')) return ok([{ id: 'm', account: { id: ACCOUNT, name: 'Test' } }]);
  if (path.endsWith('/accounts')) return ok([{ id: ACCOUNT, name: 'Test' }]);
  return ok({ id: 'x', status: 'active', email: 'operator@example.test' });
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const path = (request.url ?? '').split('?', 1)[0] ?? '';
      const reply = respond(request.method ?? '', path, body);
      response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    CLOUDFLARE_API_TOKEN: 'loopback',
    CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
  });
});

afterAll(() => {
  for (const name of ['CLOUDFLARE_API_BASE_URL', 'CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID']) delete process.env[name];
  server.close();
});

describe('readFacts', () => {
  it('reads secrets, applied migrations and superusers through wrangler', async () => {
    expect(await readFacts('production', null, true)).toEqual({
      secrets: ['SESSION_SECRET'],
      database: { applied: ['0000_schema.sql'], superusers: 2 },
      placement: { region: 'weur', hasReplicas: true },
    });
  }, 60_000);

  it('reports no secrets and no migrations for an account without a Worker and without tables', async () => {
    Object.assign(stored, { hasWorker: false, tables: false });
    expect(await readFacts('production', null, true)).toEqual({
      secrets: [],
      database: { applied: [], superusers: 0 },
      placement: { region: 'weur', hasReplicas: true },
    });
  }, 60_000);
});
