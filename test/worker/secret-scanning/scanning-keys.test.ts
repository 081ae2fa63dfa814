import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKeySource, createScanningKeys } from '../../../src/areas/secret-scanning/scanning-keys.service.ts';
import { createKeysStore } from '../../../src/areas/secret-scanning/scanning-keys.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createPartnerKey } from '../../support/scanning-partner.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { testUpstream } from '../../support/upstreams/test-upstream.ts';

const DAY = 86_400;
const db = createDatabase(env.DB);
const first = await createPartnerKey('aaaa');
const second = await createPartnerKey('bbbb');

/** Isolates with one database, one partner stub and a settable clock. */
async function isolates() {
  const partner = upstreamSession('scanning-keys');
  await partner.order({ state: { keys: [first.listed] } });
  const url = partner.vars.SECRET_SCANNING_KEYS_URL ?? '';
  const time = { now: 1_800_000_000 };
  const isolate = (pause = async (_milliseconds: number) => {}) => {
    const upstream = testUpstream();
    const keysStore = createKeysStore(db, url);
    return createScanningKeys({ store: keysStore, source: createKeySource(upstream, url), nowSeconds: () => time.now, pause });
  };
  return { partner, time, isolate, asked: async () => (await partner.calls()).length };
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('createScanningKeys', () => {
  it('fetches keys once for all isolates and refreshes them after a day', async () => {
    const { isolate, time, asked: requested } = await isolates();
    const [here, there] = [isolate(), isolate()];
    for (const store of [here, here, there, isolate()]) expect(await store.find('aaaa')).toBe(first.listed.key);
    expect(await requested()).toBe(1);
    time.now += DAY - 1;
    expect(await here.find('aaaa')).toBe(first.listed.key);
    expect(await requested()).toBe(1);
    time.now += 1;
    for (const store of [here, there, isolate()]) expect(await store.find('aaaa')).toBe(first.listed.key);
    expect(await requested()).toBe(2);
  });

  it('fetches keys again for an unknown id, once per minute across isolates', async () => {
    const { isolate, time, asked: requested, partner } = await isolates();
    const [here, there] = [isolate(), isolate()];
    for (let count = 0; count < 5; count += 1) {
      for (const store of [here, there, isolate()]) expect(await store.find(`none-${count}`)).toBeNull();
    }
    expect(await requested()).toBe(1);
    await partner.order({ state: { keys: [first.listed, second.listed] } });
    time.now += 59;
    expect(await there.find('bbbb')).toBeNull();
    expect(await requested()).toBe(1);
    time.now += 1;
    expect(await there.find('bbbb')).toBe(second.listed.key);
    expect(await here.find('bbbb')).toBe(second.listed.key);
    expect(await here.find('aaaa')).toBe(first.listed.key);
    expect(await requested()).toBe(2);
  });

  it('forgets keys within a day after their removal from the list', async () => {
    const { isolate, time, partner } = await isolates();
    const store = isolate();
    expect(await store.find('aaaa')).toBe(first.listed.key);
    await partner.order({ state: { keys: [second.listed] } });
    time.now += DAY;
    expect(await store.find('aaaa')).toBeNull();
    expect(await store.find('bbbb')).toBe(second.listed.key);
  });

  it.each(['error-500', 'html', 'reset', 'busy-429'] as const)('keeps keys while the partner is unavailable: %s', async (fault) => {
    const { isolate, time, partner, asked: requested } = await isolates();
    const store = isolate();
    await store.find('aaaa');
    await partner.order({ fault });
    time.now += 3 * DAY;
    for (const one of [store, isolate()]) expect(await one.find('aaaa')).toBe(first.listed.key);
    expect(await store.find('bbbb')).toBeNull();
    const tries = await requested();
    expect(tries).toBeLessThanOrEqual(3);
    await partner.order({ fault: null, state: { keys: [second.listed] } });
    time.now += 59;
    expect(await store.find('aaaa')).toBe(first.listed.key);
    expect(await requested()).toBe(tries);
  });

  it('keeps keys when the list is empty or invalid', async () => {
    const { isolate, time, partner } = await isolates();
    const store = isolate();
    await store.find('aaaa');
    for (const keys of [[], [{ key_identifier: 'x y', key: 'k' }], [{ key_identifier: 'cccc' }], [null, 7]]) {
      await partner.order({ state: { keys } });
      time.now += DAY;
      expect(await store.find('aaaa')).toBe(first.listed.key);
    }
  });

  it('returns null until the first successful fetch', async () => {
    const { isolate, time, partner } = await isolates();
    await partner.order({ fault: 'error-404' });
    const store = isolate();
    expect(await store.find('aaaa')).toBeNull();
    await partner.order({ fault: null });
    expect(await store.find('aaaa')).toBeNull();
    time.now += 60;
    expect(await store.find('aaaa')).toBe(first.listed.key);
  });

  it('waits while another isolate fetches the keys', async () => {
    const { isolate, partner, asked: requested } = await isolates();
    const url = partner.vars.SECRET_SCANNING_KEYS_URL ?? '';
    const repository = createKeysStore(db, url);
    expect(await repository.claim(1_800_000_000)).toBe(true);
    let polls = 0;
    const store = isolate(async () => {
      polls += 1;
      if (polls === 3) await repository.save([{ id: 'aaaa', pem: first.listed.key }], 1_800_000_000);
    });
    expect(await store.find('aaaa')).toBe(first.listed.key);
    expect([polls, await requested()]).toEqual([3, 0]);
  });

  it('stores keys per source URL', async () => {
    const { isolate } = await isolates();
    await isolate().find('aaaa');
    const otherIsolate = createScanningKeys({
      store: createKeysStore(db, ''),
      source: null,
      nowSeconds: () => 1_800_000_000,
      pause: async () => {},
    });
    expect(await otherIsolate.find('aaaa')).toBeNull();
  });
});
