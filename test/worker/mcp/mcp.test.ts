import { env } from 'cloudflare:workers';
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { TOOLS } from '../../../src/areas/mcp/tools/all.tools.ts';
import { MAX_TEXT_CHARACTERS } from '../../../src/areas/mcp/tools/tool.domain.ts';
import { seedMarket, seedStorage } from '../../contract/seeds.ts';
import { countedObjects } from '../../support/counted-objects.ts';
import { ENDPOINTS } from '../../support/endpoints.ts';
import { bearer, call, type Fetch, freshInstant, HOME_ADDRESS, ORIGIN } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { exampleEvaluation } from '../../unit/gems/support/gems.ts';
import { testApp } from '../platform/test-app.ts';

const PATH = '/mcp';
const NOTHING: Record<string, unknown> = {};
const ENTRY_EXAMPLE = { type: 'mount', name: 'Cat', path: 'prefabs/collections/mount/cat.binfab' };
/** Input of each tool, and the text expected in its result for the stored examples. */
const CALLS: Readonly<Record<string, { input: Record<string, unknown>; expected: RegExp }>> = {
  whats_on_now: { input: NOTHING, expected: /^Now: 20\d\d-.*Daily bonus: .*Corruxion: .*Fluxion/s },
  when_is_next: { input: { what: 'daily_bonus', name: 'delve' }, expected: /^Delve Day \(Monday\).*(?:on now, ends|starts) / },
  search: {
    input: { query: 'sun sap', types: ['item', 'codex'] },
    expected: /^The text between .*\n<<<data\nHits: \d+\..*\/search\?q=sun/s,
  },
  search_codex: { input: { query: ENTRY_EXAMPLE.name, limit: 3 }, expected: /Entries: .*path prefabs\//s },
  get_item: { input: { type: ENTRY_EXAMPLE.type, path: ENTRY_EXAMPLE.path, image: true }, expected: /API: https:.*\/entry\?path=/s },
  crafting_cost: { input: { path: ENTRY_EXAMPLE.path, quantity: 2 }, expected: /^2 Cat.*Materials:.*\/codex\/crafting\?path=/s },
  patch_notes: { input: NOTHING, expected: /^Version 2: 0 added, 1 modified, 0 removed since version 1\..*mastery 25 to 50/s },
  market_overview: { input: NOTHING, expected: /^Active listings: .*Risers of 7 days:.*Deals:/s },
  price_history: { input: { item: 'Sun Sap', days: 7 }, expected: /^Sun Sap: / },
  player: { input: { name: 'nimbus' }, expected: /^The text between .*\n<<<data\nNimbus: boards 2,.*rank 1 \(best 1\), score 1,204,455/s },
  who_rose: { input: { board: 'trove mastery points', days: 7 }, expected: /^The text between .*\n<<<data\nTROVE MASTERY POINTS: / },
  server_status: { input: { region: 'us', days: 3 }, expected: /^Game servers: .*us, last 3 days: uptime/s },
  news: { input: { limit: 2 }, expected: /Patch notes.*https:\/\/news\.example\/1/s },
  optimize_build: { input: { character: 'Shadow Hunter', limit: 3 }, expected: /1\. \d+\/\d+\/\d+\/\d+: coefficient [\d,.]+.*3\. /s },
  evaluate_gem: { input: exampleEvaluation.request, expected: /Lesser gem, level 7: quality 67\.86 %.*Focus/s },
};

interface ConnectOptions {
  mode?: VersionNegotiationMode;
  authorization?: string | null;
  now?: number;
  fetch?: Fetch;
}

const highLimits = testApp({ settings: { publicAnonRateLimitMax: 1000, apiRateLimitMax: 1000 } });

/** Connects a client of the SDK through the application's own `fetch`. */
async function connect({
  mode = 'legacy',
  authorization = null,
  now = freshInstant(),
  fetch = highLimits,
}: ConnectOptions = {}): Promise<Client> {
  const headers: Record<string, string> = { 'X-Test-Now': String(now), 'CF-Connecting-IP': HOME_ADDRESS };
  if (authorization !== null) headers.Authorization = authorization;
  const transport = new StreamableHTTPClientTransport(new URL(ORIGIN + PATH), {
    requestInit: { headers },
    fetch: (url, init) => fetch(new Request(url, init)),
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

type ToolResult = Awaited<ReturnType<Client['callTool']>>;

function textOf({ content }: ToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

const FORBIDDEN_KEYWORDS = ['anyOf', 'oneOf', 'allOf', 'not', 'const', '$ref', '$defs', 'prefixItems', 'patternProperties'];

/** What a model provider would refuse in a schema: combinations, several types, enumerations of anything but text, a null default. */
function schemaFaults(schema: Record<string, unknown>, path = '#'): string[] {
  const faults = FORBIDDEN_KEYWORDS.filter((keyword) => keyword in schema);
  if (typeof schema.type !== 'string' || schema.type === 'null') faults.push('type');
  if (Array.isArray(schema.enum) && schema.enum.some((value) => typeof value !== 'string' || value === '')) faults.push('enum');
  if (schema.default === null) faults.push('default');
  const parts = Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>);
  if (schema.items) parts.push(['items', schema.items as Record<string, unknown>]);
  return [...faults.map((fault) => `${path}: ${fault}`), ...parts.flatMap(([name, part]) => schemaFaults(part, `${path}/${name}`))];
}

/** Posts one message without the SDK. */
const post = (body: unknown, headers: Record<string, string> = {}, fetch = highLimits) =>
  call(PATH, { method: 'POST', headers, json: body }, fetch);
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

let token = '';
beforeAll(async () => {
  await seedStorage();
  await seedMarket();
  token = bearer(await createToken());
});

describe.each<{ mode: VersionNegotiationMode; era: string }>([
  { mode: 'legacy', era: 'a client that begins with initialize' },
  { mode: { pin: '2026-07-28' }, era: 'a client of the revision 2026-07-28' },
])('POST /mcp for $era', ({ mode }) => {
  it('lists fifteen read-only tools', async () => {
    const client = await connect({ mode });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    expect(tools).toHaveLength(15);
    for (const tool of tools) expect([tool.annotations?.readOnlyHint, tool.inputSchema.type]).toEqual([true, 'object']);
    expect(client.getInstructions()).toContain('11:00 UTC');
    await client.close();
  });

  it.each(TOOLS.map(({ name }) => name))(
    'returns the result of %s as text within the maximum length, with absolute links',
    async (name) => {
      const client = await connect({ mode, authorization: token });
      const { input = NOTHING, expected = /^$/ } = CALLS[name] ?? {};
      const result = await client.callTool({ name, arguments: input });
      const text = textOf(result);
      expect(result.isError ?? false, text).toBe(false);
      expect(text).toMatch(expected);
      expect(text.length).toBeLessThan(MAX_TEXT_CHARACTERS + 2000);
      expect(text).toContain(`${ORIGIN}/`);
      await client.close();
    },
  );

  it('returns an error of an endpoint as an error result of the tool', async () => {
    const client = await connect({ mode });
    const closed = await client.callTool({ name: 'price_history', arguments: { item: 'Sun Sap' } });
    expect([closed.isError, textOf(closed)]).toEqual([true, expect.stringMatching(/^not_authenticated: .*API token/s)]);
    const unknown = await client.callTool({ name: 'search_codex', arguments: { type: 'mout' } });
    expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringMatching(/: query\.type: .*mount/s)]);
    for (const name of ['search_codex', 'search']) {
      const foreign = await client.callTool({ name, arguments: { query: 'cat', lang: 'xx' } });
      expect([foreign.isError, textOf(foreign)]).toEqual([true, expect.stringMatching(/: query\.lang: must be one of: en/)]);
    }
    await client.close();
  });

  it('logs no warning', async () => {
    const warn = vi.spyOn(console, 'warn');
    const client = await connect({ mode });
    await client.listTools();
    await client.callTool({ name: 'news', arguments: {} });
    await client.close();
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  });

  it('returns an error for arguments that do not match the input schema', async () => {
    const client = await connect({ mode });
    const outcome = await client.callTool({ name: 'when_is_next', arguments: { what: 'christmas' } }).then(
      (result) => (result.isError ? textOf(result) : 'accepted'),
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/what|christmas|Invalid/);
    await client.close();
  });
});

describe('tools/call', () => {
  const outcomeOf = async (name: string, input: Record<string, unknown>) => {
    const client = await connect({ authorization: token });
    const result = await client.callTool({ name, arguments: input });
    await client.close();
    return [result.isError ?? false, textOf(result)];
  };

  it.each([
    ['get_item', {}],
    ['get_item', { name: ' ' }],
    ['get_item', { path: ENTRY_EXAMPLE.path }],
    ['get_item', { type: 'mount' }],
  ])('returns an error of %s for the input %j, which names no entry', async (name, input) => {
    expect(await outcomeOf(name, input)).toEqual([true, 'validation_error: name is required, or type and path']);
  });

  it('says that the entry of get_item has another name', async () => {
    const [isError, text] = await outcomeOf('get_item', { name: ENTRY_EXAMPLE.name.slice(0, 2) });
    expect([isError, text]).toEqual([false, expect.stringMatching(/^No entry is named "Ca". The first entry that contains it:\n/)]);
  });

  it.each([
    ['price_history', { item: '.' }],
    ['price_history', { item: '..' }],
    ['player', { name: '.' }],
    ['player', { name: '..' }],
    ['get_item', { type: '..', path: 'a' }],
  ])('sends no request of %s with the input %j, which would reach another route', async (name, input) => {
    expect(await outcomeOf(name, input)).toEqual([true, expect.stringMatching(/^validation_error: "\.\.?" cannot stand in a URL/)]);
  });
});

describe('TOOLS', () => {
  it('uses only existing, read-only endpoints', () => {
    const specs = new Map(ENDPOINTS.map(({ spec }) => [`${spec.method.toUpperCase()} ${spec.path}`, spec]));
    for (const endpoint of TOOLS.flatMap(({ endpoints }) => endpoints)) {
      const spec = specs.get(endpoint);
      expect(spec, endpoint).toBeDefined();
      expect(spec?.method === 'get' || spec?.isStateless, endpoint).toBe(true);
    }
  });
});

describe('POST /mcp', () => {
  it('returns the image of an item when image is true', async () => {
    const client = await connect();
    const result = await client.callTool({ name: 'get_item', arguments: { name: ENTRY_EXAMPLE.name, image: true } });
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image']);
    const [, image] = result.content;
    expect(image).toMatchObject({ mimeType: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) });
    await client.close();
  });

  it('counts a tool call at the data center that received it', async () => {
    const { names, counted } = countedObjects(env.RATE_LIMITS);
    const app = testApp({ bindings: { RATE_LIMITS: counted } });
    const client = await connect({ fetch: (request) => app(new Request(request, { cf: { colo: 'FRA' } as RequestInitCfProperties })) });
    await client.callTool({ name: 'whats_on_now', arguments: {} });
    expect([...new Set(names)]).toEqual([expect.stringMatching(/^anon:FRA:\d$/)]);
  });

  it('counts a tool call against the rate limits of its endpoints, and other messages against none of them', async () => {
    const now = freshInstant();
    const client = await connect({ now, authorization: token });
    const used = async () => {
      const { budgets } = JSON.parse((await call('/v1/token', { authorization: token, now }, highLimits)).text);
      return budgets.map(({ limit, remaining }: { limit: number; remaining: number }) => limit - remaining);
    };
    await client.listTools();
    expect(await used()).toEqual([0, 0]);
    await client.callTool({ name: 'whats_on_now', arguments: {} });
    expect(await used()).toEqual([1, 0]);
    await client.callTool({ name: 'price_history', arguments: { item: 'Sun Sap' } });
    expect(await used()).toEqual([3, 0]);
    await client.callTool({ name: 'search_codex', arguments: { query: 'a' } });
    expect(await used()).toEqual([3, 1]);
    await client.close();
  });

  it('counts calls without a token by address, and includes the retry time when the limit is exceeded', async () => {
    const now = freshInstant();
    const fetch = testApp({ settings: { publicAnonRateLimitMax: 3 } });
    const client = await connect({ now, fetch });
    const results = [];
    for (let count = 0; count < 4; count += 1) results.push(await client.callTool({ name: 'news', arguments: {} }));
    expect(results.map(({ isError = false }) => isError)).toEqual([false, false, false, true]);
    expect(textOf(results[3] as ToolResult)).toMatch(/^rate_limited: more than 3 requests in 60 seconds\nRetry after \d+ seconds\./);
    expect((await call('/v1/feeds/news', { now }, fetch)).status).toBe(429);
    await client.close();
  });

  it('returns the missing scope of a token, and not_authenticated for a malformed token', async () => {
    const limitedClient = await connect({ authorization: bearer(await createToken({ scopes: 1 })) });
    const rejected = await limitedClient.callTool({ name: 'player', arguments: { name: 'Ana' } });
    expect([rejected.isError, textOf(rejected)]).toEqual([true, expect.stringMatching(/^insufficient_scope: .*leaderboards:read/)]);
    const broken = await connect({ authorization: 'Bearer broken' });
    const result = await broken.callTool({ name: 'news', arguments: {} });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/^not_authenticated: /)]);
  });

  it('sends no Mcp-Session-Id and ignores one that a client sends', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    };
    const { status, headers, text } = await post(initialize);
    expect([status, headers.get('Mcp-Session-Id'), headers.get('Content-Type')]).toEqual([200, null, 'application/json']);
    expect(JSON.parse(text).result.protocolVersion).toBe('2025-06-18');
    const list = await post({ ...PING, method: 'tools/list' }, { 'Mcp-Session-Id': 'other' });
    expect(JSON.parse(list.text).result.tools).toHaveLength(15);
  });

  it('returns 202 and no body for a notification', async () => {
    const { status, text } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([status, text]).toEqual([202, '']);
  });

  it('returns a JSON error for subscriptions/listen', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const listen = { ...PING, method: 'subscriptions/listen', params: { _meta, notifications: { toolsListChanged: true } } };
    const headers = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' };
    const response = await post(listen, headers);
    expect([response.headers.get('Content-Type'), JSON.parse(response.text).error.code]).toEqual(['application/json', expect.any(Number)]);
  });

  it.each([
    ['a batch', [PING, PING], 422],
    ['another version of JSON-RPC', { ...PING, jsonrpc: '1.0' }, 422],
    ['no method', { jsonrpc: '2.0', id: 1 }, 422],
    ['a message over 64 KiB', { ...PING, params: { text: 'x'.repeat(65_536) } }, 413],
  ])('rejects %s', async (_, body, expected) => {
    const { status, text } = await post(body);
    expect(status).toBe(expected);
    expect(JSON.parse(text).error.code).toMatch(/^(?:validation_error|bad_request)$/);
  });

  it.each(['GET', 'DELETE', 'PUT'])('returns 405 for %s', async (method) => {
    const { status, headers } = await call(PATH, { method }, highLimits);
    expect([status, headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it('accepts any origin on a configured https address, and elsewhere its own and those of loopback pages', async () => {
    const origins = [ORIGIN, 'http://localhost:6274', 'https://assistant.example', 'null', `${ORIGIN}.evil.example`];
    const statusesAt = (fetch: Fetch) => Promise.all(origins.map(async (origin) => (await post(PING, { Origin: origin }, fetch)).status));
    expect(await statusesAt(testApp({ bindings: { BASE_URL: ORIGIN } }))).toEqual([200, 200, 200, 200, 200]);
    expect(await statusesAt(testApp({ bindings: { BASE_URL: '' } }))).toEqual([200, 200, 403, 403, 403]);
  });

  it('accepts null parameters, null arguments and a null cursor', async () => {
    const resultOf = async (message: object) => JSON.parse((await post({ ...PING, ...message })).text).result;
    expect((await resultOf({ method: 'tools/list', params: null })).tools).toHaveLength(15);
    expect((await resultOf({ method: 'tools/list', params: { cursor: null } })).tools).toHaveLength(15);
    const news = await resultOf({ method: 'tools/call', params: { name: 'news', arguments: null } });
    expect([news.isError ?? false, news.content[0].text]).toEqual([false, expect.stringContaining('/v1/feeds/news?limit=5')]);
    const two = await resultOf({ method: 'tools/call', params: { name: 'news', arguments: { limit: '2' } } });
    expect(two.content[0].text).toContain('/v1/feeds/news?limit=2');
  });

  it('describes its tools with the JSON Schema that every model provider accepts', async () => {
    const { tools } = JSON.parse((await post({ ...PING, method: 'tools/list' })).text).result;
    for (const { name, inputSchema } of tools) expect([name, ...schemaFaults(inputSchema)]).toEqual([name]);
  });

  it('allows 300 messages per window from an address', async () => {
    const now = freshInstant();
    const { headers } = await call(PATH, { method: 'POST', now, json: PING }, highLimits);
    expect([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')]).toEqual(['300', '299']);
  });
});
