import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/platform/kit/errors/api-error.ts';
import { EVENTS } from '../../support/declarations.ts';
import { ENDPOINTS } from '../../support/endpoints.ts';
import { call, type TestResponse } from '../../support/requests.ts';
import { type TestAppOptions, testApp } from '../platform/test-app.ts';

const NOW = 1_773_156_600;

const defaults = testApp({ settings: {} });
const get = (path: string, headers: Record<string, string> = {}) => call(path, { headers, now: NOW }, defaults);

function summaryOf({ status, headers }: TestResponse) {
  return [status, headers.get('Content-Type'), headers.get('Cache-Control')];
}

describe.each([
  ['/openapi.json', 'application/json', 'public, max-age=300'],
  ['/openapi-3.0.json', 'application/json', 'public, max-age=300'],
  ['/openapi/client-app.json', 'application/json', 'public, max-age=300'],
  ['/llms.txt', 'text/plain; charset=utf-8', 'public, max-age=300'],
  ['/.well-known/api-catalog', 'application/linkset+json', 'public, max-age=3600'],
  ['/.well-known/security.txt', 'text/plain; charset=utf-8', 'public, max-age=3600'],
])('GET %s', (path, type, caching) => {
  it('returns its media type and Cache-Control, and 304 for a matching ETag', async () => {
    const first = await get(path);
    expect(summaryOf(first)).toEqual([200, type, caching]);
    const etag = first.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{16}"$/);
    const again = await get(path, { 'If-None-Match': etag });
    expect([again.status, again.text, again.headers.get('ETag'), again.headers.get('Cache-Control')]).toEqual([304, '', etag, caching]);
  });

  it('ignores credentials and counts against no rate limit', async () => {
    const response = await call(path, { authorization: 'Bearer nonsense' }, defaults);
    expect([response.status, response.headers.get('X-RateLimit-Limit')]).toEqual([200, null]);
  });
});

describe('GET /openapi.json', () => {
  const documentOf = async (fetch = defaults) => JSON.parse((await call('/openapi.json', { now: NOW }, fetch)).text);

  it('describes every visible operation of a switched-on feature in OpenAPI 3.1', async () => {
    const document = await documentOf();
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers[0].url).toBe('https://api.test');
    const visible = ENDPOINTS.filter(({ spec }) => !spec.hidden && spec.feature !== 'featureDelvesEnabled');
    const described = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).toEqual(visible.map(({ spec }) => `${spec.method} ${spec.path}`).sort());
  });

  it('omits operations of switched-off features and the components that only they use', async () => {
    const off = await documentOf();
    const on = await documentOf(testApp({ settings: { featureDelvesEnabled: true } }));
    expect(Object.keys(off.paths)).not.toContain('/v1/rotations/delves');
    expect(Object.keys(on.paths)).toContain('/v1/rotations/delves');
    expect(Object.keys(off.components.schemas)).not.toContain('DelveWeeks');
    expect(Object.keys(on.components.schemas)).toContain('DelveWeeks');
  });

  it('shows the configured rate limits', async () => {
    const document = await documentOf(testApp({ settings: { publicAnonRateLimitMax: 7, ingestCooldownMax: 3 } }));
    expect(document.paths['/v1/rotations/server-time'].get['x-rate-limit'].anonymous).toEqual({ limit: 7, window_seconds: 60 });
    expect(document.paths['/v1/rotations/challenge/insert'].post['x-rate-limit'].ingest).toEqual({ limit: 3, window_seconds: 300 });
  });

  it('marks public, token, superuser and open operations', async () => {
    const { paths } = await documentOf();
    expect(paths['/v1/rotations/biomes'].get).toMatchObject({ 'x-access': 'public', security: [{ APIToken: [] }, {}] });
    expect(paths['/v1/token'].get).toMatchObject({ 'x-access': 'any-token', security: [{ APIToken: [] }] });
    expect(paths['/v1/rotations/challenge/insert'].post).toMatchObject({ 'x-access': 'master', security: [{ APIToken: [] }] });
    expect(paths['/health'].get).toMatchObject({ 'x-access': 'open', security: [] });
  });

  it('declares 412 for reads, 415 for writes and 406 for the stream, with their headers', async () => {
    const { paths, components } = await documentOf();
    const operations = Object.values<Record<string, { responses: Record<string, { $ref: string }> }>>(paths).flatMap(Object.entries);
    for (const [method, { responses }] of operations) {
      expect(Object.keys(responses).filter((status) => status === '412' || status === '415')).toEqual([method === 'get' ? '412' : '415']);
    }
    const withoutType = Object.entries<Record<string, { responses: object }>>(paths).filter(
      ([, { get }]) => '406' in (get?.responses ?? {}),
    );
    expect(withoutType.map(([path]) => path)).toEqual(['/v1/events/stream']);
    const { precondition_failed, encoded_body } = components.responses;
    expect([precondition_failed.headers, encoded_body.headers]).toMatchObject([{ ETag: {} }, { 'Accept-Encoding': {} }]);
  });

  it('declares 206 and 416 for files, with Content-Range', async () => {
    const { paths, components } = await documentOf();
    const files = Object.entries<Record<string, { responses: Record<string, { headers: object }> }>>(paths).filter(
      ([, { get }]) => '206' in (get?.responses ?? {}),
    );
    expect(files.map(([path]) => path).sort()).toEqual([
      '/v1/codexes/dump',
      '/v1/codexes/render',
      '/v1/market/archive/{month}',
      '/v1/mods/images/{sha256}',
      '/v1/mods/{handle}/{slug}/releases/{id}/download',
      '/v1/updates/{branch}/file',
    ]);
    for (const [, { get }] of files) {
      expect(get?.responses['416']).toEqual({ $ref: '#/components/responses/range_not_satisfiable' });
      expect(get?.responses['206']?.headers).toHaveProperty('Content-Range');
    }
    expect(components.responses.range_not_satisfiable.headers).toHaveProperty('Content-Range');
  });

  it('declares Token-Ignored where a token is optional, and Codex-Ordinal of a dump', async () => {
    const { paths } = await documentOf();
    const headersOf = (path: string) => Object.keys(paths[path].get.responses['200'].headers);
    expect(headersOf('/v1/rotations/biomes')).toContain('Token-Ignored');
    expect(headersOf('/v1/token')).not.toContain('Token-Ignored');
    expect(headersOf('/v1/codexes/dump')).toContain('Codex-Ordinal');
  });

  it('lists no empty value, although a build accepts one', async () => {
    const { components } = await documentOf();
    const schemas = Object.entries<{ enum?: unknown[] }>(components.schemas);
    expect(schemas.filter(([, schema]) => schema.enum?.includes('')).map(([name]) => name)).toEqual([]);
  });

  it('uses BASE_URL as the server URL when it is configured', async () => {
    const fetch = testApp({ bindings: { BASE_URL: 'https://public.test' }, settings: {} });
    expect((await documentOf(fetch)).servers[0].url).toBe('https://public.test');
    expect((await call('/llms.txt', {}, fetch)).text).toContain('https://public.test/openapi.json');
    expect((await call('/.well-known/security.txt', {}, fetch)).text).toContain('Canonical: https://public.test/.well-known/security.txt');
  });
});

describe('GET /openapi.json with optional features', () => {
  const documentWith = async (settings: TestAppOptions['settings']) =>
    JSON.parse((await call('/openapi.json', { now: NOW }, testApp({ settings }))).text);
  const partsOf = ({ components: { schemas } }: ReturnType<typeof JSON.parse>) => ({
    parts: schemas.SnapshotPart.enum,
    types: schemas.StreamEventType.enum,
    messages: Object.keys(schemas.StreamMessage.discriminator.mapping),
    bodies: Object.keys(schemas.Snapshot.properties.parts.properties),
  });

  it('omits parts, event types, messages and webhooks of switched-off features', async () => {
    const off = await documentWith({ featureServerStatusEnabled: false, featureUpdatesEnabled: false, featureWebhooksEnabled: false });
    const { parts, types, messages, bodies } = partsOf(off);
    for (const list of [parts, bodies]) expect(list).not.toContain('game-status');
    for (const list of [types, messages]) expect(list).not.toContain('server_status');
    expect(types).not.toContain('game_update');
    expect(off.components.schemas).not.toHaveProperty('ServerStatusMessage');
    expect(off.webhooks).toEqual({});
  });

  it('includes parts, event types, messages and webhooks of switched-on features', async () => {
    const on = await documentWith({ featureServerStatusEnabled: true, featureUpdatesEnabled: true, featureWebhooksEnabled: true });
    const { parts, types, messages, bodies } = partsOf(on);
    for (const list of [parts, bodies]) expect(list).toContain('game-status');
    for (const list of [types, messages]) expect(list).toEqual(expect.arrayContaining(['server_status', 'game_update']));
    expect(Object.keys(on.webhooks)).toEqual([...EVENTS.chatTypes, 'signed_event']);
  });
});

describe('GET /openapi-3.0.json', () => {
  it('has the same operations and schemas without keywords that 3.0 lacks', async () => {
    const document = JSON.parse((await get('/openapi.json')).text);
    const { text } = await get('/openapi-3.0.json');
    const older = JSON.parse(text);
    expect(older.openapi).toBe('3.0.3');
    expect(older.info.license).toEqual({ name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' });
    expect(Object.keys(older.paths)).toEqual(Object.keys(document.paths));
    expect(text).not.toMatch(/"type":"null"|"const":|"prefixItems":|"type":\[|"webhooks":/);
    expect(document.components.schemas.Challenge.properties.type).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/ChallengeType' }, { type: 'null' }],
    });
    expect(older.components.schemas.Challenge.properties.type).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/ChallengeType' }, { type: 'string', nullable: true, enum: [null] }],
    });
    expect(older.components.schemas.ChaosChest.properties.item).toMatchObject({
      type: 'object',
      allOf: [{ $ref: '#/components/schemas/ChaosChestItem' }],
      nullable: true,
    });
    expect(older.components.schemas.Challenge.properties.name).toMatchObject({ type: 'string', nullable: true });
  });
});

describe('GET /openapi/{tag}.json', () => {
  it('returns the operations of the tag and the components that they use', async () => {
    const { paths, tags, components } = JSON.parse((await get('/openapi/market.json')).text);
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(['Market']);
    expect(Object.keys(paths).length).toBeGreaterThan(3);
    expect(Object.keys(paths).filter((path) => !path.startsWith('/v1/market/'))).toEqual([]);
    expect(components.schemas).toHaveProperty('MarketListing');
    expect(components.schemas).not.toHaveProperty('Corruxion');
  });

  it('returns 404 for an unknown tag', async () => {
    for (const name of ['nothing', 'Market', '..', 'rotations.json']) {
      const response = await get(`/openapi/${name}.json`);
      expect([name, response.status]).toEqual([name, 404]);
    }
    expect((await get('/openapi/market')).status).toBe(404);
  });
});

describe('GET /llms.txt', () => {
  it('lists the conventions, guides, error codes, scopes, and one line per operation', async () => {
    const { text } = await get('/llms.txt');
    for (const code of ERROR_CODES) expect(text).toContain(`- ${code} (`);
    expect(text).toContain('- rotations:read: ');
    expect(text).toContain('](https://api.test/docs/quickstart): ');
    expect(text).toContain('`npm install https://api.test/docs/assets/game-data-api.tgz` for TypeScript');
    expect(text).toContain('Do not call paths under /auth');
    expect(text).toMatch(/^- GET \/v1\/rotations\/corruxion\?at\? \[public rotations:read\] .+ -> \{active, .+schedule: \[\{…\}\]\}$/m);
    expect(text).toMatch(/^- POST \/v1\/rotations\/challenge\/insert \[master\] .+ body \{name\} -> \{anchor, name, refreshed\}$/m);
    expect(text).not.toContain('/v1/rotations/delves');
    expect(text).not.toMatch(/undefined|\[object/);
  });
});

describe('GET /openapi.json for generators', () => {
  it('has no default of null, which two generators stumble over', async () => {
    const faults: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('default' in value && value.default === null) faults.push(path);
      for (const [key, part] of Object.entries(value)) if (!key.startsWith('example')) visit(part, `${path}/${key}`);
    };
    visit(JSON.parse((await get('/openapi.json')).text), '#');
    expect(faults).toEqual([]);
  });
});

describe('GET /.well-known/*', () => {
  it('redirects change-password to the form', async () => {
    const { status, headers } = await get('/.well-known/change-password');
    expect([status, headers.get('Location')]).toEqual([303, 'https://api.test/portal/account#password-title']);
  });

  it('links to the descriptions of the API in api-catalog', async () => {
    const { text } = await get('/.well-known/api-catalog');
    expect(JSON.parse(text)).toEqual({
      linkset: [
        {
          anchor: 'https://api.test/v1',
          'service-desc': [
            { href: 'https://api.test/openapi.json', type: 'application/openapi+json' },
            { href: 'https://api.test/openapi-3.0.json', type: 'application/openapi+json' },
          ],
          'service-doc': [
            { href: 'https://api.test/docs', type: 'text/html' },
            { href: 'https://api.test/llms.txt', type: 'text/plain' },
          ],
          status: [{ href: 'https://api.test/v1/status', type: 'application/json' }],
        },
      ],
    });
    for (const path of ['/openapi.json', '/docs', '/llms.txt', '/health']) expect((await get(path)).status).toBe(200);
  });

  it('returns a security.txt that expires in less than a year and changes once a day', async () => {
    const fields = async (now: number) => {
      const { text } = await call('/.well-known/security.txt', { now }, defaults);
      return Object.fromEntries(
        text
          .trimEnd()
          .split('\n')
          .map((line) => line.split(': ') as [string, string]),
      );
    };
    const first = await fields(NOW);
    expect(first).toEqual({
      Contact: 'mailto:security@example.com',
      Expires: '2026-09-06T00:00:00.000Z',
      'Preferred-Languages': 'en',
      Canonical: 'https://api.test/.well-known/security.txt',
    });
    expect(await fields(Date.UTC(2026, 2, 10, 23, 59, 59) / 1000)).toEqual(first);
    expect(await fields(Date.UTC(2026, 2, 11) / 1000)).not.toEqual(first);
  });
});
