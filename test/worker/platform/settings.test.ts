import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../src/platform/kit/errors/api-error.ts';
import { createSettingsStore } from '../../../src/platform/settings/settings.store.ts';
import { createSettingsCache } from '../../../src/platform/settings/settings-cache.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS, SETTINGS } from '../../support/declarations.ts';
import { advancingTimers } from '../../support/eventually.ts';
import { bearer, call, type Fetch } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { testApp } from './test-app.ts';

const NOW = 1_773_156_600;
const repository = createSettingsStore(createDatabase(env.DB), SETTINGS);

const set = (key: string, value: unknown, more: { now?: number; userId?: string | null } = {}) =>
  repository.set({ key, value, now: NOW, userId: 'u1', ...more });

/** Status, code and message of the error that a promise rejects with. */
async function failureOf(run: Promise<unknown>): Promise<[number, string, string]> {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error('no ApiError was thrown');
  return [error.status, error.code, error.message];
}

const audit = async () =>
  (await env.DB.prepare('SELECT key, old_value, new_value, changed_at, changed_by_user_id FROM setting_changes ORDER BY id').all()).results;

afterEach(async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM setting_overrides'), env.DB.prepare('DELETE FROM setting_changes')]);
});

describe('settings repository', () => {
  it('stores only changed settings and returns defaults for the rest', async () => {
    expect(await repository.overrides()).toEqual([]);
    await set('api_rate_limit_max', 7);
    await set('feature_delves_enabled', true);
    const settings = await createSettingsCache(repository.overrides, SETTINGS).current();
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, apiRateLimitMax: 7, featureDelvesEnabled: true });
  });

  it('returns the default after a setting is cleared, and accepts clearing an unset setting', async () => {
    await set('api_rate_limit_max', 7);
    await repository.clear({ key: 'api_rate_limit_max', now: NOW, userId: 'u1' });
    await repository.clear({ key: 'api_rate_limit_max', now: NOW, userId: 'u1' });
    expect(await repository.overrides()).toEqual([]);
  });

  it('rejects unknown keys, wrong types and values out of bounds, and stores none of them', async () => {
    expect(await failureOf(set('no_such_setting', 1))).toEqual([404, 'not_found', 'setting not found: no_such_setting']);
    expect((await failureOf(repository.clear({ key: 'no_such_setting', now: NOW, userId: null })))[0]).toBe(404);
    expect(await failureOf(set('api_rate_limit_max', '7'))).toEqual([400, 'bad_request', 'api_rate_limit_max must be a number']);
    expect((await failureOf(set('api_rate_limit_max', true)))[0]).toBe(400);
    expect(await failureOf(set('api_rate_limit_max', 0))).toEqual([400, 'bad_request', 'api_rate_limit_max must be between 1 and 100000']);
    expect((await failureOf(set('feature_delves_enabled', 1)))[0]).toBe(400);
    expect(await repository.overrides()).toEqual([]);
    expect(await audit()).toEqual([]);
  });

  it('records who changed a setting, when, and both values', async () => {
    await set('api_rate_limit_max', 7);
    await set('api_rate_limit_max', 8, { now: NOW + 5, userId: 'u2' });
    await repository.clear({ key: 'api_rate_limit_max', now: NOW + 9, userId: null });
    const change = (old_value: string | null, new_value: string | null, changed_at: number, changed_by_user_id: string | null) => ({
      key: 'api_rate_limit_max',
      old_value,
      new_value,
      changed_at,
      changed_by_user_id,
    });
    expect(await audit()).toEqual([change(null, '7', NOW, 'u1'), change('7', '8', NOW + 5, 'u2'), change('8', null, NOW + 9, null)]);
  });

  it('returns the default for an invalid row', async () => {
    await env.DB.prepare("INSERT INTO setting_overrides (key, value, updated_at) VALUES ('api_rate_limit_max', 'seven', 0)").run();
    expect((await createSettingsCache(repository.overrides, SETTINGS).current()).apiRateLimitMax).toBe(120);
  });
});

type Rows = { key: string; value: string }[];

/** A cache over a table of the test, with a clock that the test sets. A read waits while `pause` is set. */
function fixture() {
  const table = { rows: [] as Rows, reads: 0, fails: false, pause: null as Promise<void> | null };
  const time = { milliseconds: 1_000_000 };
  const cache = createSettingsCache(
    async () => {
      table.reads += 1;
      await table.pause;
      if (table.fails) throw new Error('out of reach');
      return table.rows;
    },
    SETTINGS,
    () => time.milliseconds,
  );
  const pauseReads = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    table.pause = promise;
    return resolve;
  };
  return { table, time, cache, pauseReads };
}

const limit = (value: number): Rows => [{ key: 'api_rate_limit_max', value: String(value) }];

/** Lets started reads without I/O finish. */
async function settle() {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('settings cache', () => {
  it('reads once and then returns without waiting or reading for 15 seconds', async () => {
    const { table, time, cache } = fixture();
    table.rows = limit(7);
    const loaded = await cache.current();
    expect(loaded.apiRateLimitMax).toBe(7);
    table.rows = limit(8);
    time.milliseconds += 14_999;
    expect(cache.current()).toBe(loaded);
    expect(table.reads).toBe(1);
  });

  it('returns the old values at once after 15 seconds and reads in the background', async () => {
    const { table, time, cache, pauseReads } = fixture();
    const old = await cache.current();
    table.rows = limit(8);
    time.milliseconds += 15_000;
    const resume = pauseReads();
    for (let request = 0; request < 5; request += 1) expect(cache.current()).toBe(old);
    expect(table.reads).toBe(2);
    resume();
    await settle();
    expect(cache.current()).toMatchObject({ apiRateLimitMax: 8 });
  });

  it('waits for one read when the values are older than 30 seconds', async () => {
    const { table, time, cache } = fixture();
    await cache.current();
    table.rows = limit(8);
    time.milliseconds += 600_000;
    expect((await cache.current()).apiRateLimitMax).toBe(8);
    expect(table.reads).toBe(2);
  });

  it('returns the old values without waiting while a read does not end', async () => {
    const { table, time, cache, pauseReads } = fixture();
    const old = await cache.current();
    const resume = pauseReads();
    time.milliseconds += 15_000;
    expect(cache.current()).toBe(old);
    for (let hour = 0; hour < 5; hour += 1) {
      time.milliseconds += 3_600_000;
      expect(cache.current()).toBe(old);
    }
    expect(table.reads).toBeGreaterThan(2);
    resume();
  });

  it('keeps the old values while reads fail, and reads the new ones afterwards', async () => {
    const { table, time, cache } = fixture();
    table.rows = limit(7);
    const old = await cache.current();
    table.fails = true;
    for (let minute = 0; minute < 10; minute += 1) {
      time.milliseconds += 60_000;
      expect(await cache.current()).toBe(old);
      await settle();
    }
    table.fails = false;
    table.rows = limit(8);
    time.milliseconds += 60_000;
    await cache.current();
    await settle();
    expect((await cache.current()).apiRateLimitMax).toBe(8);
  });

  it('reads again at once after an invalidation', async () => {
    const { table, cache } = fixture();
    await cache.current();
    table.rows = limit(9);
    cache.invalidate();
    expect((await cache.current()).apiRateLimitMax).toBe(9);
  });

  it('returns the last values when the read after an invalidation fails', async () => {
    const { table, cache } = fixture();
    table.rows = limit(7);
    await cache.current();
    table.fails = true;
    cache.invalidate();
    expect((await cache.current()).apiRateLimitMax).toBe(7);
  });
});

describe('settings cache without a first copy', () => {
  it('returns the defaults and rejects the use of feature switches when the read fails', async () => {
    const { table, cache } = fixture();
    table.fails = true;
    const settings = await cache.current();
    expect(settings.apiRateLimitMax).toBe(DEFAULT_SETTINGS.apiRateLimitMax);
    expect(settings.updatesArchiverEnabled).toBe(false);
    for (const name of ['featureMarketEnabled', 'featureDelvesEnabled'] as const) {
      expect(() => settings[name]).toThrow(expect.objectContaining({ code: 'service_unavailable', status: 503 }));
    }
  });

  it('waits at most one second, once, and then returns the defaults at once', async () => {
    const { table, time, cache, pauseReads } = fixture();
    const resume = pauseReads();
    const first = cache.current();
    expect(first).toBeInstanceOf(Promise);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await first).apiRateLimitMax).toBe(120);
    for (let request = 0; request < 5; request += 1) expect(cache.current()).not.toBeInstanceOf(Promise);
    expect(table.reads).toBe(1);
    time.milliseconds += 1000;
    for (let request = 0; request < 5; request += 1) expect(cache.current()).not.toBeInstanceOf(Promise);
    expect(table.reads).toBe(2);
    table.rows = limit(7);
    resume();
    await settle();
    expect(cache.current()).toMatchObject({ apiRateLimitMax: 7, featureMarketEnabled: true });
  });
});

/** The database as one isolate reaches it: its reads of the settings can be held back, or fail. */
function reachedDatabase() {
  const state = { mode: 'up' as 'up' | 'slow' | 'down', settingReads: [] as string[], release: () => {} };
  let gate = Promise.resolve();
  const guarded = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        if (property === 'bind') return (...values: unknown[]) => guarded(target.bind(...values));
        return async (...input: unknown[]) => {
          if (state.mode === 'down') throw new Error('D1_ERROR: Network connection lost');
          if (state.mode === 'slow') await gate;
          return value.apply(target, input);
        };
      },
    });
  const binding = new Proxy(env.DB, {
    get(target, property) {
      if (property !== 'withSession') return Reflect.get(target, property);
      return (constraint?: string) => {
        const session = target.withSession(constraint);
        return {
          prepare(text: string) {
            const statement = session.prepare(text);
            if (!text.includes('setting_overrides')) return statement;
            state.settingReads.push(constraint ?? '');
            return guarded(statement);
          },
          batch: (statements: D1PreparedStatement[]) => session.batch(statements),
          getBookmark: () => session.getBookmark(),
        };
      };
    },
  });
  return {
    state,
    binding,
    set(mode: typeof state.mode) {
      state.mode = mode;
      state.release();
      if (mode === 'slow') {
        const { promise, resolve } = Promise.withResolvers<void>();
        gate = promise;
        state.release = resolve;
      }
    },
  };
}

describe('changed setting', () => {
  const PATH = '/v1/rotations/server-time';
  const limitOf = async (fetch: Fetch) => (await call(PATH, { address: '192.0.2.51', now: NOW }, fetch)).headers.get('X-RateLimit-Limit');

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });

  /** Lets `milliseconds` pass on the clock of the cache. */
  const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

  /** Sends requests until a background read that one of them started has ended. */
  async function becomes(result: () => Promise<unknown>, expected: unknown) {
    const results = [];
    do results.push(await result());
    while (results.at(-1) !== expected && results.length < 20);
    expect(results.at(-1)).toBe(expected);
  }

  async function twoIsolates() {
    const { credential } = await createSession({ isSuperuser: true });
    const [one, other] = [reachedDatabase(), reachedDatabase()];
    const isolates = { writer: testApp({ bindings: { DB: one.binding } }), reader: testApp({ bindings: { DB: other.binding } }) };
    const change = async (value: number) => {
      const options = { method: 'PUT', now: NOW, authorization: bearer(credential), json: { value } };
      const { status } = await call('/admin/config/public_anon_rate_limit_max', options, isolates.writer);
      expect(status).toBe(200);
    };
    return { ...isolates, change, database: { writer: one, reader: other } };
  }

  it('applies at once in the isolate that changed it and in others after 30 seconds at the latest', async () => {
    const { writer, reader, change, database } = await twoIsolates();
    expect(await limitOf(reader)).toBe('30');
    await change(40);
    expect(await limitOf(writer)).toBe('40');
    pass(14_000);
    expect(await limitOf(reader)).toBe('30');
    pass(16_000);
    expect(await limitOf(reader)).toBe('40');
    expect(database.reader.state.settingReads).not.toContain('first-primary');
  });

  it('does not delay any request of a warm isolate while the database is slow', async () => {
    const { writer, reader, change, database } = await twoIsolates();
    expect(await limitOf(reader)).toBe('30');
    await change(40);
    database.reader.set('slow');
    pass(20_000);
    for (let request = 0; request < 3; request += 1) expect(await limitOf(reader)).toBe('30');
    expect(database.reader.state.settingReads).toHaveLength(2);
    expect(await limitOf(writer)).toBe('40');
    database.reader.set('up');
    await becomes(() => limitOf(reader), '40');
  });

  it('keeps the values of each isolate while the database is down', async () => {
    const { writer, reader, change, database } = await twoIsolates();
    expect(await limitOf(reader)).toBe('30');
    await change(40);
    for (const isolate of Object.values(database)) isolate.set('down');
    for (let minute = 0; minute < 5; minute += 1) {
      pass(60_000);
      expect([await advancingTimers(limitOf(writer)), await advancingTimers(limitOf(reader))]).toEqual(['40', '30']);
    }
    for (const isolate of Object.values(database)) isolate.set('up');
    pass(60_000);
    await becomes(() => limitOf(reader), '40');
  });

  it('never opens a closed area in a new isolate while the database is down', async () => {
    await env.DB.prepare("INSERT INTO setting_overrides (key, value, updated_at) VALUES ('feature_market_enabled', 'false', 0)").run();
    const database = reachedDatabase();
    database.set('down');
    const fetch = testApp({ bindings: { DB: database.binding } });
    expect(await advancingTimers(limitOf(fetch))).toBe('30');
    const { status, headers, text } = await advancingTimers(call('/v1/market/items', { now: NOW }, fetch));
    expect([status, headers.get('Retry-After'), JSON.parse(text).error.code]).toEqual([503, '1', 'service_unavailable']);
    database.set('up');
    pass(5000);
    await becomes(async () => (await call('/v1/market/items', { now: NOW }, fetch)).status, 404);
  });

  it('keeps the counts of the current window', async () => {
    const fetch = testApp();
    const options = { address: '192.0.2.50', now: NOW };
    const figures = async () => {
      const { status, headers } = await call(PATH, options, fetch);
      return [status, headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')];
    };
    expect(await figures()).toEqual([200, '30', '29']);
    expect(await figures()).toEqual([200, '30', '28']);
    await set('public_anon_rate_limit_max', 3);
    expect(await figures()).toEqual([200, '30', '27']);
    pass(30_000);
    expect(await figures()).toEqual([429, '3', '0']);
    await set('public_anon_rate_limit_max', 5);
    pass(30_000);
    // The refused request was not counted.
    expect(await figures()).toEqual([200, '5', '1']);
    await set('public_anon_rate_limit_window_seconds', 3600);
    pass(30_000);
    expect(await figures()).toEqual([200, '5', '4']);
  });

  it('enables and disables an area', async () => {
    const fetch = testApp();
    const status = async () => (await call('/v1/rotations/delves/weeks', {}, fetch)).status;
    expect(await status()).toBe(404);
    await set('feature_delves_enabled', true);
    pass(30_000);
    expect(await status()).toBe(200);
    await repository.clear({ key: 'feature_delves_enabled', now: NOW, userId: null });
    pass(30_000);
    expect(await status()).toBe(404);
  });
});
