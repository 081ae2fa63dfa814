import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { composeApp } from '../../src/composition.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { validRequest } from '../contract/inputs.ts';
import { prepare } from '../contract/prepare.ts';
import { MOUNT_PATH } from '../support/codex/seeded-codex.ts';
import { ENDPOINTS } from '../support/endpoints.ts';
import { withoutEqualPreviews } from '../support/equal-previews.ts';
import { bearer, type CallOptions, call, type Fetch, FIRST_INSTANT, freshInstant, type TestResponse } from '../support/requests.ts';
import { createSession } from '../support/sessions.ts';
import { createSuperuserToken, createToken, readToken } from '../support/tokens.ts';
import { simulator } from './entry.ts';
import { type Hop, hopsInSequence, hopsWithin, longestChain, type Trip } from './simulator.ts';

await prepare();

type PublicTrip = Trip<TestResponse>;

const SERVER_TIME = '/v1/rotations/server-time';
const SETTINGS_READ = 'select "key", "value" from "setting_overrides"';
/** A background write that nothing waits for: a total that all isolates share. */
const SHARED_TOTAL = 'INSERT OR REPLACE INTO codex_totals';
const EXPIRED_MS = 20_000;
const QUIET_MS = 60_000;
/** One of so many routes has a request that refreshes the settings in the background. */
const ROUTES_PER_REFRESH = 4;

/** Kinds of access of what a client without a session reads. */
const PUBLIC_KINDS = ['open', 'page', 'public', 'tokenless', 'address', 'optional-token', 'token', 'any-token'];
const WITHOUT_TOKEN = ['open', 'page', 'public', 'tokenless', 'address', 'optional-token'];
/** Needs a development server: shows what it mailed. */
const EXCLUDED = ['getMailboxPage'];

/**
 * Sequential reads of D1 of routes that read more than one: each row of a player is compared with a capture of its board before that
 * game day, which D1 finds for the rows that the R2 objects contain. The price of an entry is found by its English name.
 */
const MORE_READS: Readonly<Record<string, number>> = { listPlayerHistory: 2, getPlayerProfile: 2, getCodexEntryPage: 2 };

/** Routes that wait once for D1 even in a cold isolate: search, crafting, patch notes, bulk prices, and their pages. */
const ONE_READ = [
  'search',
  'suggestNames',
  'getSearchPage',
  'getCraftingTree',
  'getCraftingPage',
  'listCodexBuilds',
  'listCodexBuildChanges',
  'getCodexChangesFeed',
  'getPatchNotesPage',
  'getVersionPatchNotesPage',
  'listMarketSummaries',
  'getMarketOverview',
  'getMarketPage',
  'getMarketItemPage',
];
const MAX_ONE_READ_MS = 120;

/** What reads D1, of the most requested routes and pages. */
const LISTS = [
  '/v1/codexes/mount',
  '/v1/codexes/search?q=dragon',
  '/v1/market/listings',
  '/v1/leaderboards',
  '/v1/mods',
  '/servers',
  '/activity',
  '/codex',
  '/codex?q=cat',
  '/codex/mount',
];
/** The settings, the counting object and one read. */
const MAX_LIST_MS = 38;
/** Waits for its recipe and its price besides. */
const ENTRY_PAGE = `/codex/mount/entry?path=${encodeURIComponent(MOUNT_PATH)}`;
const MAX_ENTRY_MS = 60;

const ROUTES = withoutEqualPreviews(ENDPOINTS).filter(
  ({ spec }) => spec.method === 'get' && PUBLIC_KINDS.includes(spec.access.kind) && !spec.streams && !EXCLUDED.includes(spec.operationId),
);

const isD1 = ({ place }: Hop) => place === 'primary' || place === 'replica';
const placesOf = (hops: readonly Hop[]) => hops.map(({ place }) => place).join(' ');

/** An isolate without cached data. Its background work goes on after the response. */
function isolate(): Fetch {
  const app = createApp(composeApp(simulator.wrap(env)));
  return async (request) => {
    const context = createExecutionContext();
    const response = await app.fetch(request, env, context);
    const complete = new Response(response.body && (await response.arrayBuffer()), response);
    void waitOnExecutionContext(context);
    return complete;
  };
}

const send = (path: string, options: CallOptions, fetch: Fetch): Promise<PublicTrip> =>
  simulator.run(() => call(path, { now: freshInstant(), ...options }, fetch));

/** What a trip must not have: hops to the primary, and more than one read of D1 in sequence besides that of the settings. */
function faultsOf({ spec }: Endpoint, scenario: string, trip: PublicTrip): string[] {
  const { result, endedAt, hops } = trip;
  const name = `${spec.path}, ${scenario}`;
  const waited = hops.filter(({ startedAt }) => startedAt < endedAt);
  // Objects may refresh what they know in the background.
  const inObjects = hopsInSequence(trip).flatMap((hop) => hopsWithin(hop, trip));
  const primary = [...hops.filter(({ fromObject }) => !fromObject), ...inObjects].filter(
    ({ place, what }) => place === 'primary' && !what.startsWith(SHARED_TOTAL),
  );
  const reads = waited.filter((hop) => isD1(hop) && !hop.fromObject && !hop.what.startsWith(SETTINGS_READ));
  const chain = longestChain(reads);
  const allowed = MORE_READS[spec.operationId] ?? 1;
  return [
    ...(result.status < 400 ? [] : [`${name}: status ${result.status}`]),
    ...(primary.length === 0 ? [] : [`${name}: reads the primary: ${primary.map(({ what }) => what).join('; ')}`]),
    ...(chain <= allowed
      ? []
      : [`${name}: ${chain} reads in sequence (${placesOf(hopsInSequence(trip))}): ${reads.map(({ what }) => what).join('; ')}`]),
  ];
}

let restoreClock = () => {};
let token = '';

beforeAll(async () => {
  restoreClock = simulator.installClock();
  // The example listing was seen in the far future. An isolate expects a market without listings from the future.
  await env.DB.prepare('UPDATE market_state SET newest_seen = ?1').bind(FIRST_INSTANT).run();
  token = await createToken();
  // The first use of a token.
  await send(SERVER_TIME, { authorization: bearer(token) }, isolate());
});

afterAll(() => restoreClock());

describe('a reader far from the database', () => {
  it('reads every public route without the primary and with one sequential read of D1', async () => {
    expect(ROUTES.length).toBeGreaterThan(150);
    const faults: string[] = [];
    for (const [index, endpoint] of ROUTES.entries()) {
      const fetch = isolate();
      const { kind } = endpoint.spec.access;
      const anonymous = WITHOUT_TOKEN.includes(kind) ? null : bearer(token);
      const authorized = kind === 'open' || kind === 'page' ? null : bearer(token);
      const scenarios: [string, string | null, number][] = [
        ['isolate cold', authorized, 0],
        ['warm', anonymous, 1000],
        // All routes refresh the settings in the same way, and wait for them after a minute.
        ...(index % ROUTES_PER_REFRESH === 0 ? [['settings expired', authorized, EXPIRED_MS] as [string, string | null, number]] : []),
        ['after a quiet minute', anonymous, QUIET_MS],
      ];
      for (const [scenario, authorization, afterMs] of scenarios) {
        const { path, options } = await validRequest(endpoint);
        simulator.advanceClock(afterMs);
        faults.push(...faultsOf(endpoint, scenario, await send(path, { ...options, authorization }, fetch)));
      }
    }
    expect(faults).toEqual([]);
  }, 600_000);

  it.each(ONE_READ)('reads one statement of D1 in a cold isolate for %s', async (operationId) => {
    const endpoint = ROUTES.find(({ spec }) => spec.operationId === operationId);
    if (!endpoint) throw new Error(`no route ${operationId}`);
    const { path, options } = await validRequest(endpoint);
    const authorization = endpoint.spec.surface === 'page' ? null : bearer(token);
    // Without a query, the page of the search has nothing to read.
    const trip = await send(operationId === 'getSearchPage' ? '/search?q=cat' : path, { ...options, authorization }, isolate());
    const reads = trip.hops.filter((hop) => isD1(hop) && !hop.fromObject && !hop.what.startsWith(SETTINGS_READ));
    expect([trip.result.status, longestChain(reads), reads.some(({ place }) => place === 'primary')]).toEqual([200, 1, false]);
    expect(trip.endedAt - trip.startedAt).toBeLessThanOrEqual(MAX_ONE_READ_MS);
  });

  it('reads every public route without the primary after a write of the same isolate', async () => {
    const fetch = isolate();
    const master = bearer(await createSuperuserToken());
    const write = async (name: string) => {
      const headers = { 'Content-Type': 'application/json' };
      const options = { method: 'POST', authorization: master, headers, body: JSON.stringify({ name }) };
      expect((await send('/admin/supporters', options, fetch)).result.status).toBe(201);
    };
    const faults: string[] = [];
    for (const [index, endpoint] of ROUTES.entries()) {
      if (index % 10 === 0) await write(`Supporter ${index}`);
      const { path, options } = await validRequest(endpoint);
      const { kind } = endpoint.spec.access;
      const authorization = WITHOUT_TOKEN.includes(kind) ? null : bearer(token);
      faults.push(...faultsOf(endpoint, 'after a write', await send(path, { ...options, authorization }, fetch)));
    }
    expect(faults).toEqual([]);
  }, 600_000);

  it('waits for one object, near the reader, in a cold isolate and with a cold gate', async () => {
    const objectsOf = (trip: PublicTrip) => trip.hops.filter(({ place, startedAt }) => /near|far/.test(place) && startedAt < trip.endedAt);
    for (const path of [SERVER_TIME, '/v1/codexes/types', '/v1/token']) {
      const cold = await send(path, { authorization: bearer(token) }, isolate());
      expect([path, longestChain(objectsOf(cold)), placesOf(objectsOf(cold)).includes('far')]).toEqual([path, 1, false]);
      const gate = env.TOKEN_GATES.getByName(readToken(token).id) as unknown as { simulateEviction(): Promise<void> };
      await gate.simulateEviction().catch(() => {});
      const evicted = await send(path, { authorization: bearer(token) }, isolate());
      expect([path, longestChain(objectsOf(evicted)), evicted.endedAt - evicted.startedAt <= 38]).toEqual([path, 1, true]);
      expect(evicted.hops.filter(({ place }) => place === 'primary')).toEqual([]);
    }
  });

  const lists = [...LISTS.map((path) => [path, MAX_LIST_MS] as const), [ENTRY_PAGE, MAX_ENTRY_MS] as const];
  it.each(lists)('responds to %s within %i ms in a cold isolate and after a quiet minute', async (path, maxMs) => {
    const fetch = isolate();
    const authorization = path.startsWith('/v1/') ? bearer(token) : null;
    for (const afterMs of [0, QUIET_MS]) {
      simulator.advanceClock(afterMs);
      const { result, startedAt, endedAt } = await send(path, { authorization }, fetch);
      expect([result.status, endedAt - startedAt <= maxMs ? maxMs : endedAt - startedAt]).toEqual([200, maxMs]);
    }
  });

  it('reads no D1 for the codex page in a warm isolate, and old data while it reads new data', async () => {
    const fetch = isolate();
    expect((await send('/codex', {}, fetch)).result.status).toBe(200);
    for (const afterMs of [1000, 70_000]) {
      simulator.advanceClock(afterMs);
      // Without the read of the settings.
      const { result, endedAt, hops } = await send('/codex', {}, fetch);
      const waited = hops.filter((hop) => isD1(hop) && hop.endedAt <= endedAt && !hop.what.startsWith(SETTINGS_READ));
      expect([result.status, waited]).toEqual([200, []]);
    }
  });

  it('judges a request after a quiet minute by the current settings, and counts it once', async () => {
    const fetch = isolate();
    const change = (key: string, value: string) =>
      env.DB.prepare('INSERT OR REPLACE INTO setting_overrides (key, value, updated_at) VALUES (?1, ?2, 0)').bind(key, value).run();
    const limitOf = ({ result }: PublicTrip) => [
      result.status,
      result.headers.get('X-RateLimit-Limit'),
      result.headers.get('X-RateLimit-Remaining'),
    ];
    try {
      for (const authorization of [bearer(token), null]) {
        await env.DB.exec('DELETE FROM setting_overrides');
        simulator.advanceClock(QUIET_MS);
        expect((await send(SERVER_TIME, { authorization }, fetch)).result.status).toBe(200);
        await change('api_rate_limit_max', '50');
        await change('public_anon_rate_limit_max', '50');
        simulator.advanceClock(QUIET_MS);
        expect(limitOf(await send(SERVER_TIME, { authorization }, fetch))).toEqual([200, '50', '49']);
        expect(limitOf(await send(SERVER_TIME, { authorization }, isolate()))).toEqual([200, '50', '49']);
        await change('feature_codexes_enabled', 'false');
        simulator.advanceClock(QUIET_MS);
        expect((await send('/v1/codexes/types', { authorization }, fetch)).result.status).toBe(404);
      }
    } finally {
      await env.DB.exec('DELETE FROM setting_overrides');
    }
  });

  it('waits for the primary at the first use of a token only', async () => {
    const fresh = bearer(await createToken());
    const fetch = isolate();
    const primary = async () => (await send(SERVER_TIME, { authorization: fresh }, fetch)).hops.filter(({ place }) => place === 'primary');
    expect(await primary()).toMatchObject([{ fromObject: true }]);
    expect(await primary()).toEqual([]);
  });

  it('creates a token without its gate, and changes it with the gate', async () => {
    const authorization = bearer((await createSession()).credential);
    const fetch = isolate();
    const gates = (trip: PublicTrip) => trip.hops.filter(({ what }) => what.startsWith('TOKEN_GATES'));
    const write = (method: string, path: string, body: object) =>
      send(path, { method, authorization, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }, fetch);
    const minted = await write('POST', '/tokens', { name: 'first', scope_names: [] });
    expect([minted.result.status, gates(minted)]).toEqual([201, []]);
    const { id } = JSON.parse(minted.result.text) as { id: string };
    expect(gates(await write('PATCH', `/tokens/${id}`, { name: 'renamed' }))).toMatchObject([{ what: `TOKEN_GATES ${id} apply` }]);
  });

  it('waits once for the primary on a page and on a list of the portal', async () => {
    const { credential, userId } = await createSession();
    await createToken({ userId });
    const headers = { Cookie: `__Secure-portal_session=${credential}` };
    const trips = [
      await send('/portal/tokens', { headers }, isolate()),
      await send('/tokens', { authorization: bearer(credential) }, isolate()),
      await send('/auth/me', { authorization: bearer(credential) }, isolate()),
      await send('/auth/sessions', { authorization: bearer(credential) }, isolate()),
    ];
    for (const trip of trips) {
      expect(trip.result.status).toBe(200);
      expect(longestChain(trip.hops.filter(({ place }) => place === 'primary'))).toBe(1);
      expect(trip.endedAt - trip.startedAt).toBeLessThanOrEqual(350);
    }
  });
});
