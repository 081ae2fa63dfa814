import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoredCounters } from '../../../src/platform/rate-limits/stored-counters.ts';

/** A whole minute, in seconds; real time starts here too. */
const NOW = 1_773_156_600;
const MINUTE = 60;
const DAY = 86_400;

/** Storage of an object that survives its eviction, with a count of writes. */
function fakeStorage() {
  const data = new Map<string, unknown>();
  const state = { writes: 0, alarm: null as number | null };
  const storage = {
    kv: { get: (key: string) => structuredClone(data.get(key)) },
    put: async (key: string, value: unknown) => {
      state.writes += 1;
      data.set(key, structuredClone(value));
    },
    delete: async (key: string) => data.delete(key),
  };
  const setAlarm = (at: number) => {
    state.alarm = at;
  };
  return { data, state, live: () => new StoredCounters(storage as unknown as DurableObjectStorage, setAlarm) };
}

describe('StoredCounters', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW * 1000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('writes nothing while requests arrive, and once after a pause of three seconds', () => {
    const { state, live } = fakeStorage();
    const counters = live();
    for (let second = 0; second < 20; second += 1) {
      counters.consume('c', 100, MINUTE, NOW + second);
      vi.advanceTimersByTime(1000);
    }
    expect(state.writes).toBe(0);
    vi.advanceTimersByTime(5000);
    expect(state.writes).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(state.writes).toBe(1);
    expect(live().used('c', MINUTE, NOW)).toBe(20);
  });

  it('writes three seconds after the last request, before an idle object is evicted', () => {
    const { live } = fakeStorage();
    const counters = live();
    counters.consume('c', 100, MINUTE, NOW);
    vi.advanceTimersByTime(2999);
    counters.consume('c', 100, MINUTE, NOW);
    vi.advanceTimersByTime(3000);
    expect(live().used('c', MINUTE, NOW)).toBe(2);
  });

  it('writes at once when a limit is used up', () => {
    const { state, live } = fakeStorage();
    const counters = live();
    counters.consume('c', 2, MINUTE, NOW);
    expect(state.writes).toBe(0);
    counters.consume('c', 2, MINUTE, NOW);
    expect(state.writes).toBe(1);
    expect(live().consume('c', 2, MINUTE, NOW)).toBe(3);
  });

  it('writes nothing for refused requests', () => {
    const { state, live } = fakeStorage();
    const counters = live();
    for (let request = 0; request < 100; request += 1) counters.consume('c', 1, DAY, NOW);
    vi.advanceTimersByTime(10_000);
    expect(state.writes).toBe(1);
  });

  it.each([3600, DAY])('writes every request at once for a window of %i s', (windowSeconds) => {
    const { live } = fakeStorage();
    const counters = live();
    counters.consume('c', 100, windowSeconds, NOW);
    expect(live().used('c', windowSeconds, NOW)).toBe(1);
    counters.consume('c', 100, windowSeconds, NOW);
    expect(live().used('c', windowSeconds, NOW)).toBe(2);
  });

  it('writes an addition at once, regardless of the limit', () => {
    const { state, live } = fakeStorage();
    const counters = live();
    counters.consume('c', 1, 300, NOW);
    counters.add('c', 300, NOW);
    expect(live().used('c', 300, NOW)).toBe(2);
    expect(state.alarm).toBe((NOW + 300 + 1) * 1000);
  });

  it('restores every open window of every counter, including those of other clocks', () => {
    const { live } = fakeStorage();
    const counters = live();
    counters.consume('token', 5, MINUTE, NOW);
    counters.consume('token-codexes', 5, MINUTE, NOW);
    counters.consume('token-codexes', 5, MINUTE, NOW);
    counters.consume('token', 5, MINUTE, NOW + DAY);
    vi.advanceTimersByTime(6000);
    const next = live();
    expect([next.used('token', MINUTE, NOW), next.used('token-codexes', MINUTE, NOW), next.used('token', MINUTE, NOW + DAY)]).toEqual([
      1, 2, 1,
    ]);
  });

  it('sets its alarm one second after the last reset', () => {
    const { state, live } = fakeStorage();
    const counters = live();
    counters.consume('c', 1, MINUTE, NOW + 15);
    expect(state.alarm).toBe((NOW + 45 + 1) * 1000);
    counters.consume('d', 1, 300, NOW);
    expect(state.alarm).toBe((NOW + 300 + 1) * 1000);
  });

  it('deletes everything after the last window, and sets the alarm again while a window is open', async () => {
    const { data, state, live } = fakeStorage();
    const counters = live();
    counters.consume('short', 1, MINUTE, NOW);
    counters.consume('long', 1, 300, NOW);
    vi.setSystemTime((NOW + 61) * 1000);
    expect(await counters.deleteExpired()).toBe(false);
    expect(state.alarm).toBe((NOW + 301) * 1000);
    vi.setSystemTime((NOW + 301) * 1000);
    expect(await counters.deleteExpired()).toBe(true);
    expect(data.size).toBe(0);
    expect(counters.used('long', 300, NOW)).toBe(0);
  });

  it('keeps a long window from before an eviction when a short one closes', async () => {
    const { live } = fakeStorage();
    live().consume('long', 5, DAY, NOW);
    const counters = live();
    counters.consume('short', 1, MINUTE, NOW);
    vi.setSystemTime((NOW + 61) * 1000);
    expect(await counters.deleteExpired()).toBe(false);
    expect(counters.used('long', DAY, NOW)).toBe(1);
  });
});
