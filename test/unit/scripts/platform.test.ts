import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Platform, startPlatform } from '../../support/upstreams/platform/platform.ts';
import { ACCOUNT_ID } from '../../support/upstreams/platform/routes.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
  platform.save();
});
afterAll(() => platform.stop());
beforeEach(() => platform.restore());

interface Reply {
  status: number;
  success: boolean;
  errors: { code: number; message: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: the result of any endpoint
  result: any;
  result_info?: object;
}

async function send(method: string, path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`${platform.api}/accounts/${ACCOUNT_ID}${path}`, {
    method,
    headers: { Authorization: `Bearer ${platform.env.CLOUDFLARE_API_TOKEN}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) };
}

const upload = (metadata: object) => `--x\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n${JSON.stringify(metadata)}\r\n--x--`;
const secret = (name: string, text: string) => ({ name, type: 'secret_text', text });

describe('stand-in of the platform', () => {
  it('returns lists in pages with their total', async () => {
    for (const name of ['a', 'b', 'c']) await send('POST', '/d1/database', { name });
    const second = await send('GET', '/d1/database?page=2&per_page=2');
    expect(second.result.map(({ name }: { name: string }) => name)).toEqual(['c']);
    expect(second.result_info).toEqual({ page: 2, per_page: 2, count: 1, total_count: 3 });
  });

  it('refuses a second resource with the same name', async () => {
    for (const [path, body, code] of [
      ['/d1/database', { name: 'x' }, 7502],
      ['/storage/kv/namespaces', { title: 'x' }, 10014],
      ['/r2/buckets', { name: 'x' }, 10004],
    ] as const) {
      expect((await send('POST', path, body)).success).toBe(true);
      expect((await send('POST', path, body)).errors[0]?.code).toBe(code);
    }
  });

  it('runs SQL in SQLite, all statements of a request or none', async () => {
    const { result } = await send('POST', '/d1/database', { name: 'x' });
    const query = (sql: string, params: unknown[] = []) => send('POST', `/d1/database/${result.uuid}/query`, { sql, params });
    const sql =
      "CREATE TABLE t (a); -- ; \nCREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t WHERE a = ';'; END; INSERT INTO t VALUES (1)";
    expect((await query(sql)).result).toHaveLength(3);
    expect((await query('INSERT INTO t VALUES (2); INSERT INTO missing VALUES (3)')).errors[0]?.message).toContain(
      'no such table: missing',
    );
    expect((await query('SELECT a FROM t WHERE a < ?', [9])).result[0].results).toEqual([{ a: 1 }]);
  });

  it('deploys versions, shows names of secrets, and refuses to go back past a changed secret', async () => {
    expect((await send('GET', '/workers/scripts/w/deployments')).errors[0]?.code).toBe(10007);
    await send('PUT', '/workers/scripts/w', upload({ bindings: [{ name: 'A', type: 'plain_text', text: '1' }, secret('KEY', 'old')] }));
    await send('PUT', '/workers/scripts/w/secrets', secret('KEY', 'new'));
    const { items } = (await send('GET', '/workers/scripts/w/versions')).result;
    const older = items[1].id;
    const shown = await send('GET', `/workers/scripts/w/versions/${older}`);
    expect(shown.result.resources.bindings).toEqual([
      { name: 'A', type: 'plain_text', text: '1' },
      { name: 'KEY', type: 'secret_text' },
    ]);
    const back = { strategy: 'percentage', versions: [{ version_id: older, percentage: 100 }] };
    expect((await send('POST', '/workers/scripts/w/deployments', back)).errors[0]).toEqual({
      code: 10220,
      message: 'A secret has been changed since this version was deployed. The following secrets have changed: KEY',
    });
    expect((await send('POST', '/workers/scripts/w/deployments?force=true', back)).success).toBe(true);
    expect(await (await fetch(`${platform.origin}/health`)).json()).toEqual({ status: 'ok', version: older });
    expect((await send('PUT', '/workers/scripts/w/secrets', secret('KEY', 'newer'))).errors[0]?.code).toBe(10215);
  });

  it('fails a request before or after its effect', async () => {
    platform.fail({ at: 0, fault: 'error-500' });
    expect((await fetch(`${platform.api}/user`)).status).toBe(500);
    platform.fail({ at: 0, fault: 'busy-429' });
    expect((await fetch(`${platform.api}/user`)).headers.get('Retry-After')).toBe('3600');
    platform.fail({ at: 1, fault: 'reset' });
    await send('GET', '/r2/buckets');
    await expect(send('POST', '/r2/buckets', { name: 'x' })).rejects.toThrow();
    expect(platform.account.buckets).toEqual([]);
    platform.fail({ at: 0, fault: 'cut' });
    await expect(send('POST', '/r2/buckets', { name: 'x' })).rejects.toThrow();
    expect(platform.account.buckets).toEqual(['x']);
  });

  it('refuses another token and an unknown path as the platform does', async () => {
    expect((await fetch(`${platform.api}/user`)).status).toBe(401);
    expect((await send('GET', '/unknown')).errors[0]?.code).toBe(7003);
  });

  it('serves the address of the service over https with its certificate', async () => {
    const ca = readFileSync(platform.certificate);
    const status = await new Promise((resolve, reject) => {
      get(`${platform.secureOrigin}/health`, { ca }, (response) => resolve(response.statusCode)).on('error', reject);
    });
    expect(status).toBe(522);
  });
});
