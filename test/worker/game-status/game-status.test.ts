import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { GameStatusBody, GameStatusHistoryBody } from '../../../src/areas/game-status/game-status.schemas.ts';
import { statusSegments, statusSnapshot } from '../../../src/areas/game-status/game-status.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { call, FIRST_INSTANT } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';
import { type Game, gameServers, gameStatusArea, HOST, SAFE_HOLD_SECONDS } from './game-servers.ts';

const PATH = '/v1/misc/game-status';
const NOW = FIRST_INSTANT;
const MINUTE = 60;

/** Deletes all stored status data. */
async function forgetAll(): Promise<void> {
  const db = createDatabase(env.DB);
  await db.batch([db.delete(statusSegments), db.delete(statusSnapshot)]);
  await env.CACHE.delete('game-status');
}

let callers = 0;
/** A new IP address per request, to stay within the rate limit. */
function nextCaller(): string {
  callers += 1;
  return `10.9.${callers >> 8}.${callers & 255}`;
}

async function statusNow(fetch = testApp()) {
  const answer = await call(PATH, { now: NOW, address: nextCaller() }, fetch);
  expect(answer.status).toBe(200);
  return { ...answer, body: GameStatusBody.parse(JSON.parse(answer.text)) };
}

async function history(query: string, now: number) {
  const answer = await call(`${PATH}/history${query}`, { now, address: nextCaller() }, testApp());
  expect(answer.status, answer.text).toBe(200);
  return { ...answer, body: GameStatusHistoryBody.parse(JSON.parse(answer.text)) };
}

const shortSegments = (body: { segments: { status: string; started_at: number; ended_at: number | null }[] }) =>
  body.segments.map((segment) => [segment.status, segment.started_at, segment.ended_at]);

describe('GET /v1/misc/game-status before the first probe', () => {
  it('returns unknown for everything', async () => {
    await forgetAll();
    const { body, headers } = await statusNow();
    const unknown = { status: 'unknown', online: false, game: null };
    expect(body).toEqual({ overall: 'unknown', auth: null, environments: { eu: unknown, us: unknown, pts: unknown }, checked_at: null });
    expect(headers.get('Cache-Control')).toBe('public, max-age=30');
    const state = await gameStatusArea().source.stateAt(NOW, DEFAULT_SETTINGS);
    expect([state?.signature, JSON.parse(state?.body.text ?? '')]).toEqual([null, body]);
    expect((await history('', NOW)).body).toMatchObject({
      env: 'eu',
      days: 30,
      uptime: null,
      covered_seconds: 0,
      segments: [],
      outages: [],
    });
  });
});

describe('game status prober', () => {
  it('records a segment for each of online, maintenance, down and online', async () => {
    await forgetAll();
    const game = await gameServers(SAFE_HOLD_SECONDS);
    const { probe, told, source } = gameStatusArea();
    const rounds = [
      { expected: 'online', prepare: async () => {} },
      { expected: 'online', prepare: async () => {} },
      { expected: 'maintenance', prepare: () => game.socketsBehave({ eu: 'dropped', us: 'refused' }) },
      { expected: 'maintenance', prepare: () => game.socketsBehave({ eu: 'dropped-after-reply', us: 'dropped' }) },
      { expected: 'down', prepare: () => game.authBehaves('bare') },
      { expected: 'down', prepare: () => game.socketsBehave({ eu: 'floods', us: 'floods' }) },
      { expected: 'online', prepare: () => game.authBehaves('login') },
    ];
    const signatures: (string | null | undefined)[] = [];
    for (const [index, { expected, prepare }] of rounds.entries()) {
      await prepare();
      await probe(game.settings, NOW + index * MINUTE);
      const { body } = await statusNow();
      expect(body.overall, `round ${index}`).toBe(expected);
      expect(body.checked_at).toBe(NOW + index * MINUTE);
      source.refresh?.();
      const state = await source.stateAt(NOW, DEFAULT_SETTINGS);
      signatures.push(state?.signature);
      expect(JSON.parse(state?.body.text ?? '')).toEqual(body);
    }
    expect(new Set(signatures).size).toBe(3);
    expect(told).toEqual(rounds.map((_, index) => ['server_status', NOW + index * MINUTE]));
    for (const environment of ['eu', 'us']) {
      const { body } = await history(`?env=${environment}&days=1`, NOW + 7 * MINUTE);
      expect(shortSegments(body)).toEqual([
        ['online', NOW, NOW + 2 * MINUTE],
        ['maintenance', NOW + 2 * MINUTE, NOW + 4 * MINUTE],
        ['down', NOW + 4 * MINUTE, NOW + 6 * MINUTE],
        ['online', NOW + 6 * MINUTE, null],
      ]);
      expect(body).toMatchObject({ covered_seconds: 420, uptime: 0.42857 });
      expect(shortSegments({ segments: body.outages })).toEqual(shortSegments(body).slice(1, 3));
    }
    expect(shortSegments((await history('?env=pts', NOW + 7 * MINUTE)).body).map(([status]) => status)).toEqual([
      'online',
      'down',
      'online',
    ]);
  });

  it('returns the result of every check', async () => {
    await forgetAll();
    const game = await gameServers(SAFE_HOLD_SECONDS);
    await game.socketsBehave({ us: 'dropped' });
    await gameStatusArea().probe({ ...game.settings, gameStatusPtsHost: '' }, NOW);
    const { body } = await statusNow();
    expect(body).toMatchObject({
      overall: 'maintenance',
      auth: { online: true, http_status: 400, error: null },
      environments: {
        eu: { status: 'online', online: true, game: { online: true, host: '127.0.0.1', port: game.ports.eu, error: null, probe: 'deep' } },
        us: { status: 'maintenance', online: false, game: { online: false, error: 'dropped' } },
        pts: {
          status: 'unknown',
          online: false,
          game: { online: false, host: '', latency_ms: null, error: 'not_configured', probe: 'connect' },
        },
      },
    });
    const openers = await game.opened();
    expect(openers.map(({ environment }) => environment).sort()).toEqual(['eu', 'us']);
    for (const { opener } of openers) expect(opener).toMatch(/^2000000000[0-9a-f]{64}$/);
    expect(new Set(openers.map(({ opener }) => opener)).size).toBe(2);
  });

  it.each([
    ['nothing responds', async (game: Game) => game.authFails({ fault: 'reset' })],
    ['a network in between responds to everything', async (game: Game) => game.authBehaves('bare')],
  ])('discards a round when everything fails and no anchor responds: %s', async (_, fail) => {
    await forgetAll();
    const game = await gameServers();
    const closed = await gameServers();
    await closed.socketsBehave({ eu: 'refused', us: 'refused' });
    const offline = { ...game.settings, gameStatusAnchors: `${HOST}:${closed.ports.eu}, ${HOST}:${closed.ports.us}` };
    const { probe, told } = gameStatusArea();
    for (const minute of [0, 1]) await probe(offline, NOW + minute * MINUTE);
    await game.socketsBehave({ eu: 'refused', us: 'refused', pts: 'refused' });
    await fail(game);
    for (const minute of [2, 3]) await probe(offline, NOW + minute * MINUTE);
    expect((await statusNow()).body).toMatchObject({ overall: 'online', checked_at: NOW + MINUTE });
    expect(told).toHaveLength(2);
    const covered = { segments: [{ status: 'online', started_at: NOW, ended_at: null }], outages: [] };
    expect((await history('?days=1', NOW + 4 * MINUTE)).body).toMatchObject({ ...covered, covered_seconds: 4 * MINUTE, uptime: 1 });
    expect((await history('?days=1', NOW + 360 * MINUTE)).body).toMatchObject({ ...covered, covered_seconds: 6 * MINUTE, uptime: 1 });

    await game.authFails({ fault: null });
    await game.authBehaves('header');
    await game.socketsBehave({ eu: 'floods', us: 'floods', pts: 'floods' });
    await probe(offline, NOW + 7 * MINUTE);
    const { body } = await history('?days=1', NOW + 8 * MINUTE);
    expect(shortSegments(body)).toEqual([
      ['online', NOW, NOW + MINUTE],
      ['online', NOW + 7 * MINUTE, null],
    ]);
    expect(body).toMatchObject({ covered_seconds: 2 * MINUTE, uptime: 1, outages: [] });
  });

  it.each([
    ['an anchor responds', (game: Game) => `${HOST}:1,${game.settings.gameStatusAnchors}`],
    ['no anchor is configured', () => ''],
  ])('records a failed round while %s', async (_, anchorsOf) => {
    await forgetAll();
    const game = await gameServers();
    await game.socketsBehave({ eu: 'refused', us: 'refused', pts: 'refused' });
    await game.authFails({ fault: 'reset' });
    await gameStatusArea().probe({ ...game.settings, gameStatusAnchors: anchorsOf(game) }, NOW);
    expect((await statusNow()).body).toMatchObject({ overall: 'down', checked_at: NOW });
  });

  it('distinguishes unresolvable names from refused connections', async () => {
    await forgetAll();
    const game = await gameServers();
    await game.resolverKnows({ 'us.invalid': { A: '127.0.0.1' }, 'pts.invalid': { AAAA: '::1' } });
    const hosts = { gameStatusEuHost: 'eu.invalid', gameStatusUsHost: 'us.invalid', gameStatusPtsHost: 'pts.invalid' };
    await gameStatusArea().probe({ ...game.settings, ...hosts, gameStatusAuthUrl: 'http://auth.invalid/auth' }, NOW);
    const { body } = await statusNow();
    const { eu, us, pts } = body.environments;
    expect([body.auth?.error, eu.game?.error, us.game?.error, pts.game?.error]).toEqual(['dns', 'dns', 'refused', 'refused']);
    const asked = (await game.lookups()).map(({ query }) => `${query.name} ${query.type}`);
    expect(asked.sort()).toEqual([
      ...['auth.invalid. A', 'auth.invalid. AAAA', 'eu.invalid. A', 'eu.invalid. AAAA'],
      ...['pts.invalid. A', 'pts.invalid. AAAA', 'us.invalid. A'],
    ]);
  });

  it('does not query the resolver for IP addresses or when none is configured', async () => {
    await forgetAll();
    const game = await gameServers();
    await game.socketsBehave({ eu: 'refused' });
    const settings = { ...game.settings, gameStatusUsHost: 'us.invalid' };
    for (const gameStatusResolverUrl of ['', 'http://127.0.0.1:9/dns-query', 'nonsense']) {
      await gameStatusArea().probe({ ...settings, gameStatusResolverUrl }, NOW);
      expect((await statusNow()).body.environments).toMatchObject({
        eu: { game: { error: 'refused' } },
        us: { game: { error: 'refused' } },
      });
      await forgetAll();
    }
    expect(await game.lookups()).toEqual([]);
  });

  it('leaves a gap in the history while it does not run', async () => {
    await forgetAll();
    const game = await gameServers();
    const { probe } = gameStatusArea();
    for (const minute of [0, 1, 2, 60]) await probe(game.settings, NOW + minute * MINUTE);
    const { body } = await history('?days=1', NOW + 61 * MINUTE);
    expect(shortSegments(body)).toEqual([
      ['online', NOW, NOW + 2 * MINUTE],
      ['online', NOW + 60 * MINUTE, null],
    ]);
    expect(body).toMatchObject({ covered_seconds: 3 * MINUTE, uptime: 1, outages: [] });
  });

  it('triggers each minute of an outage once, up to its end', async () => {
    await forgetAll();
    const game = await gameServers();
    const { probe, outages } = gameStatusArea();
    await probe(game.settings, NOW);
    await game.socketsBehave({ eu: 'refused' });
    for (const seconds of [60, 90, 120, 300]) await probe(game.settings, NOW + seconds, true);
    await game.authBehaves('bare');
    await game.socketsBehave({ eu: 'floods' });
    await probe(game.settings, NOW + 400, true);
    await game.authBehaves('header');
    await probe(game.settings, NOW + 460, true);
    const of = (server: string) => outages.flatMap(({ body }) => ('server' in body && body.server === server ? [body] : []));
    expect(of('eu').map((body) => [body.status, body.down_since, body.previous_minutes, body.minutes])).toEqual([
      ['maintenance', NOW + 60, 0, 1],
      ['maintenance', NOW + 60, 1, 4],
      ['down', NOW + 60, 4, 5],
    ]);
    expect(of('us')).toEqual([]);
  });

  it('triggers an outage at once although the copy of the status cannot be written', async () => {
    await forgetAll();
    const game = await gameServers();
    const put = () => Promise.reject(new Error('KV PUT failed: 500'));
    const { probe, outages } = gameStatusArea({ bindings: { CACHE: { put } as unknown as KVNamespace } });
    await game.socketsBehave({ eu: 'refused' });
    for (const minute of [0, 1]) await probe(game.settings, NOW + minute * MINUTE).catch(() => {});
    expect(outages).toHaveLength(1);
  });

  it('ignores a round older than the stored one', async () => {
    await forgetAll();
    const game = await gameServers();
    const { probe, told } = gameStatusArea();
    await probe(game.settings, NOW);
    await game.authBehaves('bare');
    await probe(game.settings, NOW - MINUTE);
    expect((await statusNow()).body).toMatchObject({ overall: 'online', checked_at: NOW });
    expect(told).toHaveLength(1);
  });

  it('waits for a longer configured interval, except for manual runs', async () => {
    await forgetAll();
    const game = await gameServers();
    const { probe, told } = gameStatusArea();
    const settings = { ...game.settings, gameStatusProbeIntervalSeconds: 300 };
    for (let minute = 0; minute <= 11; minute += 1) await probe(settings, NOW + minute * MINUTE);
    expect(told.map(([, at]) => (at - NOW) / MINUTE)).toEqual([0, 5, 10]);
    expect(shortSegments((await history('', NOW + 11 * MINUTE)).body)).toEqual([['online', NOW, null]]);
    await probe(settings, NOW + 12 * MINUTE, true);
    expect((await statusNow()).body).toMatchObject({ checked_at: NOW + 12 * MINUTE });
  });
});

describe('GET /v1/misc/game-status', () => {
  it('reads from KV and falls back to the database', async () => {
    await forgetAll();
    const game = await gameServers();
    await gameStatusArea().probe(game.settings, NOW);
    const cached = await env.CACHE.get('game-status');
    expect((await statusNow()).text).toBe(cached);
    await env.CACHE.delete('game-status');
    expect((await statusNow()).text).toBe(cached);
    const broken = { get: () => Promise.reject(new Error('out of reach')) } as unknown as KVNamespace;
    expect((await statusNow(testApp({ bindings: { CACHE: broken } }))).text).toBe(cached);
  });

  it('is cached in the isolate for five seconds', async () => {
    await forgetAll();
    const game = await gameServers();
    await gameStatusArea().probe(game.settings, NOW);
    let reads = 0;
    const counted = {
      get: (...given: Parameters<KVNamespace['get']>) => {
        reads += 1;
        return env.CACHE.get(...given);
      },
    } as unknown as KVNamespace;
    const fetch = testApp({ bindings: { CACHE: counted } });
    for (let request = 0; request < 20; request += 1) await statusNow(fetch);
    expect(reads).toBe(1);
  });

  it('returns 304 when the ETag matches', async () => {
    await forgetAll();
    const game = await gameServers();
    await gameStatusArea().probe(game.settings, NOW);
    const { headers } = await statusNow();
    const again = await call(
      PATH,
      { now: NOW + 10, address: nextCaller(), headers: { 'If-None-Match': headers.get('ETag') ?? '' } },
      testApp(),
    );
    expect(again.status).toBe(304);
  });

  it('is part of the snapshot on request', async () => {
    const { text } = await statusNow();
    const snapshot = await call('/v1/snapshot?include=game-status', { now: NOW, address: nextCaller() }, testApp());
    expect(snapshot.text).toBe(`{"parts":{"game-status":${text}}}`);
    expect((await call('/v1/snapshot', { now: NOW, address: nextCaller() }, testApp())).text).not.toContain('game-status');
  });

  it('returns 404 while the feature is disabled, also for the history', async () => {
    const fetch = testApp({ settings: { featureServerStatusEnabled: false } });
    expect((await call(PATH, {}, fetch)).status).toBe(404);
    expect((await call(`${PATH}/history`, {}, fetch)).status).toBe(404);
    expect((await call('/v1/snapshot?include=game-status', {}, fetch)).text).toBe('{"parts":{"game-status":null}}');
  });
});

describe('GET /v1/misc/game-status/history', () => {
  it('is cacheable for a minute and keeps its ETag until a segment changes', async () => {
    await forgetAll();
    const game = await gameServers();
    const { probe } = gameStatusArea();
    await probe(game.settings, NOW);
    const first = await history('', NOW + 10);
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=60');
    const etag = first.headers.get('ETag') ?? '';
    const ask = () => call(`${PATH}/history`, { now: NOW + 100, address: nextCaller(), headers: { 'If-None-Match': etag } }, testApp());
    await probe(game.settings, NOW + MINUTE);
    expect((await ask()).status).toBe(304);
    await game.authBehaves('bare');
    await probe(game.settings, NOW + 2 * MINUTE);
    expect((await ask()).status).toBe(200);
  });

  it('changes its ETag when the uptime changes', async () => {
    await forgetAll();
    const game = await gameServers();
    const { probe } = gameStatusArea();
    await probe(game.settings, NOW);
    await game.authBehaves('bare');
    for (let minute = 1; minute <= 5; minute += 1) await probe(game.settings, NOW + minute * MINUTE);
    const etagAt = async (now: number) => {
      const { headers, body } = await history('?days=1', now);
      return [headers.get('ETag'), body.uptime];
    };
    const [first, soon, later] = [await etagAt(NOW + 61), await etagAt(NOW + 61), await etagAt(NOW + 360)];
    expect(soon).toEqual(first);
    expect([first[1], later[1]]).toEqual([0.98361, 0.16667]);
    expect(later[0]).not.toBe(first[0]);
  });

  it('changes its ETag when probes are missing and the covered time ends', async () => {
    await forgetAll();
    const game = await gameServers();
    const { probe } = gameStatusArea();
    await probe(game.settings, NOW);
    await probe(game.settings, NOW + MINUTE);
    const at = async (now: number) => {
      const { headers, body } = await history('?days=1', now);
      return { etag: headers.get('ETag'), uptime: body.uptime, covered: body.covered_seconds };
    };
    const first = await at(NOW + 2 * MINUTE);
    expect(first).toMatchObject({ uptime: 1, covered: 120 });
    expect((await at(NOW + 3 * MINUTE)).etag).toBe(first.etag);
    const later = await at(NOW + 6 * 3600);
    expect(later).toMatchObject({ uptime: 1, covered: 360 });
    expect(later.etag).not.toBe(first.etag);
    expect((await at(NOW + 7 * 3600)).etag).toBe(later.etag);
  });

  it.each(['?env=asia', '?days=0', '?days=91', '?days=x', '?days=1.5', '?env=eu&env=us'])('returns 422 for %s', async (query) => {
    expect((await call(`${PATH}/history${query}`, {}, testApp())).status).toBe(422);
  });
});
