import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../src/platform/errors/api-error.ts';
import { createSettingsRepository } from '../../../src/platform/settings/settings.repository.ts';
import { createSettingsCache } from '../../../src/platform/settings/settings-cache.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS, SETTINGS } from '../../support/declarations.ts';
import { call } from '../../support/requests.ts';
import { testApp } from './test-app.ts';

const NOW = 1_773_156_600;
const repository = createSettingsRepository(createDatabase(env.DB), SETTINGS);

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
    const settings = await createSettingsCache(repository, SETTINGS).current();
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
    expect((await createSettingsCache(repository, SETTINGS).current()).apiRateLimitMax).toBe(120);
  });
});

type Rows = { key: string; value: string }[];

/** A cache over a table of the test, with a clock that the test sets. */
function fixture() {
  const table = { rows: [] as Rows, reads: 0, fails: false };
  const time = { milliseconds: 1_000_000 };
  const cache = createSettingsCache(
    {
      overrides: async () => {
        table.reads += 1;
        if (table.fails) throw new Error('out of reach');
        return table.rows;
      },
    },
    SETTINGS,
    () => time.milliseconds,
  );
  return { table, time, cache };
}

const limit = (value: number): Rows => [{ key: 'api_rate_limit_max', value: String(value) }];

describe('settings cache', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('reads once and then returns without waiting for five seconds', async () => {
    const { table, time, cache } = fixture();
    table.rows = limit(7);
    const loaded = await cache.current();
    expect(loaded.apiRateLimitMax).toBe(7);
    table.rows = limit(8);
    time.milliseconds += 4999;
    expect(cache.current()).toBe(loaded);
    time.milliseconds += 1;
    expect((await cache.current()).apiRateLimitMax).toBe(8);
    expect(table.reads).toBe(2);
  });

  it('reads again at once after an invalidation', async () => {
    const { table, cache } = fixture();
    await cache.current();
    table.rows = limit(9);
    cache.invalidate();
    expect((await cache.current()).apiRateLimitMax).toBe(9);
  });

  it('lets one request load while the others receive the old values', async () => {
    const { table, time, cache } = fixture();
    const old = await cache.current();
    time.milliseconds += 5000;
    table.rows = limit(8);
    const loading = cache.current();
    expect(loading).toBeInstanceOf(Promise);
    expect(cache.current()).toBe(old);
    expect((await loading).apiRateLimitMax).toBe(8);
    expect(table.reads).toBe(2);
  });

  it('keeps the last values when the database is unavailable and retries after five seconds', async () => {
    const { table, time, cache } = fixture();
    table.rows = limit(7);
    await cache.current();
    time.milliseconds += 5000;
    table.fails = true;
    expect((await cache.current()).apiRateLimitMax).toBe(7);
    expect((await cache.current()).apiRateLimitMax).toBe(7);
    expect(table.reads).toBe(2);
    time.milliseconds += 5000;
    table.fails = false;
    table.rows = limit(8);
    expect((await cache.current()).apiRateLimitMax).toBe(8);
  });

  it('returns the defaults when the first read fails, without caching them', async () => {
    const { table, cache } = fixture();
    table.fails = true;
    expect(await cache.current()).toEqual(DEFAULT_SETTINGS);
    table.fails = false;
    table.rows = limit(7);
    expect((await cache.current()).apiRateLimitMax).toBe(7);
  });
});

describe('changed setting', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('applies within five seconds and keeps the counts of the current window', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const fetch = testApp();
    const path = '/v1/rotations/server-time';
    const options = { address: '192.0.2.50', now: NOW };
    const figures = async () => {
      const { status, headers } = await call(path, options, fetch);
      return [status, headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')];
    };
    expect(await figures()).toEqual([200, '30', '29']);
    expect(await figures()).toEqual([200, '30', '28']);
    await set('public_anon_rate_limit_max', 3);
    expect(await figures()).toEqual([200, '30', '27']);
    vi.setSystemTime(Date.now() + 5000);
    expect(await figures()).toEqual([429, '3', '0']);
    await set('public_anon_rate_limit_max', 5);
    vi.setSystemTime(Date.now() + 5000);
    expect(await figures()).toEqual([200, '5', '1']);
    await set('public_anon_rate_limit_window_seconds', 3600);
    vi.setSystemTime(Date.now() + 5000);
    expect(await figures()).toEqual([200, '5', '4']);
  });

  it('enables and disables an area', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const fetch = testApp();
    const status = async () => (await call('/v1/rotations/delves/weeks', {}, fetch)).status;
    expect(await status()).toBe(404);
    await set('feature_delves_enabled', true);
    vi.setSystemTime(Date.now() + 5000);
    expect(await status()).toBe(200);
    await repository.clear({ key: 'feature_delves_enabled', now: NOW, userId: null });
    vi.setSystemTime(Date.now() + 5000);
    expect(await status()).toBe(404);
  });
});
