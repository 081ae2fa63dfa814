/**
 * Runs the TypeScript client through a proxy that drops, delays and reorders by a seed, over every status and text it branches on.
 * `npm run clients` starts the service and the proxy. check_faults.py has the same checks for Python.
 */
import assert from 'node:assert/strict';
import { EventStreamError } from '../../clients/typescript/dist/index.js';
import { asMaster, BASE_URL, client, MASTER_TOKEN, proxy, report, runChecks, SEED, until } from './support.ts';

const seed = Number(SEED);
const STATUSES = [400, 401, 403, 404, 405, 408, 409, 410, 413, 416, 422, 429, 500, 501, 502, 503, 504];
const RETRIED = [429, 502, 503, 504];
/** Statuses after which a stream reconnects. */
const RECONNECTED = STATUSES.filter((status) => status >= 500 || status === 408 || status === 429);
const COEFFICIENT = { critical_damage: 100, physical_damage: 1000 };
const READS = 16;
const WRITES = 12;
const EVENTS = 15;

/** Paths whose responses do not depend on the time: pages, an unknown entry (404) and a wrong value (422). */
const PATHS = Array.from({ length: READS }, (_, index) => [
  `/v1/codexes/mount?limit=3&offset=${index}`,
  `/v1/codexes/search?q=a&limit=2&offset=${index}`,
  `/v1/codexes/mount/entry?path=none-${index}`,
  `/v1/codexes/mount?limit=${1000 + index}`,
]).flat();

/** Starts faults by the seed; returns the counts of the previous faults. */
const startFaults = (name: number) => proxy({ seed: seed + name });
const stopFaults = () => proxy({ seed: null });
/** openapi-fetch without types: paths with a query, and paths that are not in the package. */
const untyped = (api: unknown) =>
  api as Record<'GET' | 'POST', (path: string, init?: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>>;

const CHECKS: Record<string, () => Promise<void>> = {
  async 'reads the responses of the service while connections break and responses overtake each other'() {
    const direct = new Map<string, unknown>();
    for (const path of PATHS) direct.set(path, await (await fetch(BASE_URL + path)).json());
    const api = untyped(client({ timeoutMs: 1000 }));
    await startFaults(1);
    // Twice: the second time from the cache or with `If-None-Match`.
    for (let round = 0; round < 2; round += 1) {
      const queue = [...PATHS];
      const read = async () => {
        for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
          const { data, error, response } = await api.GET(path);
          assert.deepEqual(data ?? error, direct.get(path), `${path}: ${response.status}, seed ${seed}`);
        }
      };
      await Promise.all(Array.from({ length: 8 }, read));
    }
    const counts = await stopFaults();
    assert.ok(counts.faults > READS && counts.notModified > 0, JSON.stringify(counts));
  },

  async 'makes each write once, and returns its response'() {
    const api = untyped(client({ token: MASTER_TOKEN, timeoutMs: 1000 }));
    const now = Math.floor(Date.now() / 1000);
    const prize = { prize_name: 'Gift', prize_code: 'A-1', starts_at: now + 86_400, ends_at: now + 2 * 86_400 };
    const title = (index: number) => `ts ${seed} ${index}`;
    await startFaults(2);
    const created = await Promise.all(
      Array.from({ length: WRITES }, async (_, index) => {
        const headers = { 'Idempotency-Key': `${title(index)} ${now}` };
        const { data, error, response } = await api.POST('/admin/giveaways', { headers, body: { ...prize, title: title(index) } });
        assert.equal(response.status, 201, JSON.stringify(error));
        return (data as { id: string; title: string }).id;
      }),
    );
    const counts = await stopFaults();
    const { items } = (await asMaster('GET', '/admin/giveaways')) as { items: { id: string; title: string }[] };
    const stored = items.filter((item) => item.title.startsWith(`ts ${seed} `)).map(({ id }) => id);
    assert.deepEqual(stored.sort(), created.sort(), `seed ${seed}`);
    assert.ok(counts.faults > 0 && counts.inProgress > 0, JSON.stringify(counts));
  },

  async 'retries exactly the statuses that a retry can mend'() {
    const attemptsOf = async (faults: object, send: () => Promise<{ response: Response }>, status: number) => {
      await proxy({ fail: 9, retryAfter: 0, details: null, ...faults });
      assert.equal((await send()).response.status, status);
      return (await proxy({ fail: 0, retryAfter: null, details: null })).received;
    };
    const api = client({ retries: 2, cacheBytes: 0 });
    const path = '/v1/stats/coefficient';
    const keyed = () => api.POST(path, { body: COEFFICIENT, headers: { 'Idempotency-Key': 'a' } });
    for (const status of STATUSES) {
      const expected = RETRIED.includes(status) ? 3 : 1;
      assert.equal(await attemptsOf({ status }, () => api.GET('/v1/rotations/server-time'), status), expected, `GET ${status}`);
      assert.equal(await attemptsOf({ status }, keyed, status), expected, `keyed POST ${status}`);
      assert.equal(await attemptsOf({ status }, () => api.POST(path, { body: COEFFICIENT }), status), 1, `POST ${status}`);
    }
    const running = { status: 409, details: { in_progress: true } };
    assert.equal(await attemptsOf({ ...running, fail: 5 }, keyed, 200), 6, 'a running write');
    assert.equal(await attemptsOf(running, () => api.POST(path, { body: COEFFICIENT }), 409), 1, 'a running write without a key');
  },

  async 'reconnects the stream exactly after the statuses that a retry can mend'() {
    const first = async () => {
      for await (const event of client().events({ types: ['chaos'], maxDelayMs: 50 })) return event.type;
      return null;
    };
    for (const status of STATUSES) {
      await proxy({ fail: 1, status });
      if (RECONNECTED.includes(status)) assert.equal(await first(), 'chaos', String(status));
      else await assert.rejects(first, (error) => error instanceof EventStreamError && error.status === status);
      assert.equal((await proxy({ fail: 0 })).received, RECONNECTED.includes(status) ? 2 : 1, String(status));
    }
  },

  async 'yields every event once and in order over connections that break'() {
    const stop = new AbortController();
    const names: string[] = [];
    const types: string[] = [];
    const expected = Array.from({ length: EVENTS }, (_, index) => `ts-fault-${index}`);
    await startFaults(3);
    const reading = (async () => {
      for await (const event of client().events({ types: ['challenge', 'chaos'], signal: stop.signal, maxDelayMs: 100 })) {
        types.push(event.type);
        if (event.type === 'challenge') names.push(event.data.name ?? '');
      }
    })();
    await until('state', () => types.length >= 2);
    for (const name of expected) await report(name);
    const last = expected.at(-1) ?? '';
    await until(
      last,
      () => names.includes(last),
      () => names,
    );
    stop.abort();
    await reading;
    assert.deepEqual(
      names.filter((name) => name.startsWith('ts-fault')),
      expected,
      `seed ${seed}`,
    );
    assert.equal(types.filter((type) => type === 'chaos').length, 1, 'a state that did not change is not repeated');
    assert.ok((await stopFaults()).faults > 0);
  },

  async 'reports events that are no longer in the log, and yields the state again'() {
    const stop = new AbortController();
    const names: string[] = [];
    let gaps = 0;
    const onGap = () => {
      gaps += 1;
    };
    const reading = (async () => {
      for await (const event of client().events({ types: ['challenge'], signal: stop.signal, maxDelayMs: 100, onGap })) {
        if (event.type === 'challenge') names.push(event.data.name ?? '');
      }
    })();
    await until('state', () => names.length > 0);
    await report('ts-before');
    await until('event', () => names.includes('ts-before'));
    await proxy({ down: true, cut: true });
    await report('ts-lost');
    await proxy({ prune: true });
    await proxy({ down: false });
    await until(
      'state after the gap',
      () => names.includes('ts-lost'),
      () => names,
    );
    stop.abort();
    await reading;
    assert.equal(gaps, 1);
  },
};

await runChecks(CHECKS);
