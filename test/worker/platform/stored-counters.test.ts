import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoredCounters } from '../../../src/platform/access/limits/stored-counters.ts';

/** A whole minute, in seconds; real time starts here too. */
const NOW = 1_773_156_600;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Storage of an object that survives its eviction, with a count of writes. */
function fakeStorage() {
  const data = new Map<string, unknown>();
  const state = { writes: 0, alarms: 0, alarm: null as number | null };
  const storage = {
    kv: { get: (key: string) => structuredClone(data.get(key)), delete: (key: string) => data.delete(key) },
    put: async (key: string, value: unknown) => {
      state.writes += 1;
      data.set(key, structuredClone(value));
    },
  };
  const setAlarm = (at: number) => {
    state.alarms += 1;
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

  it('writes once per eighth of the limit, and when the limit is used up', () => {
    const { state, live } = fakeStorage();
    const counters = live();
    const writtenAt = Array.from({ length: 120 }, () => {
      const before = state.writes;
      const used = counters.consume('c', 120, MINUTE, NOW);
      return state.writes > before ? used : 0;
    });
    expect(writtenAt.filter((used) => used > 0)).toEqual([15, 30, 45, 60, 75, 90, 105, 120]);
  });

  it.each([1, 7, 30])('forgets less than an eighth of a limit of %i in an eviction at any moment', (limit) => {
    for (let admitted = 1; admitted <= limit; admitted += 1) {
      const { live } = fakeStorage();
      const counters = live();
      for (let request = 0; request < admitted; request += 1) counters.consume('c', limit, MINUTE, NOW);
      expect(admitted - live().used('c', MINUTE, NOW)).toBeLessThan(limit / 8);
    }
  });

  it('sets no timer and no alarm for a window under an hour', () => {
    const { state, live } = fakeStorage();
    const counters = live();
    for (let request = 0; request < 30; request += 1) counters.consume('c', 30, MINUTE, NOW);
    counters.add('d', 300, NOW);
    expect([vi.getTimerCount(), state.alarms, counters.expiresAt, live().expiresAt]).toEqual([0, 0, null, null]);
  });

  it('continues from the count that the isolate saw when it is larger', () => {
    const { live } = fakeStorage();
    const counters = live();
    for (let request = 0; request < 20; request += 1) counters.consume('c', 120, MINUTE, NOW);
    const next = live();
    expect(next.used('c', MINUTE, NOW)).toBe(15);
    expect([next.consume('c', 120, MINUTE, NOW, 20), next.consume('c', 120, MINUTE, NOW, 3)]).toEqual([21, 22]);
  });

  it('writes nothing for refused requests', () => {
    const { state, live } = fakeStorage();
    const counters = live();
    for (let request = 0; request < 100; request += 1) counters.consume('c', 1, DAY, NOW);
    expect(state.writes).toBe(1);
  });

  it('overwrites the counts of windows that have ended', () => {
    const { data, live } = fakeStorage();
    const counters = live();
    for (let minute = 0; minute < 1000; minute += 1) counters.consume('c', 1, MINUTE, NOW + minute * MINUTE);
    expect(data.size).toBe(1);
    expect((data.get('counters') as { windows: unknown[] }).windows.length).toBeLessThanOrEqual(16);
  });

  it.each([HOUR, DAY])('writes every request at once for a window of %i s', (windowSeconds) => {
    const { live } = fakeStorage();
    const counters = live();
    counters.consume('c', 100, windowSeconds, NOW);
    expect(live().used('c', windowSeconds, NOW)).toBe(1);
    counters.consume('c', 100, windowSeconds, NOW);
    expect(live().used('c', windowSeconds, NOW)).toBe(2);
  });

  it('writes an addition at once, regardless of the limit', () => {
    const { live } = fakeStorage();
    const counters = live();
    counters.consume('c', 1, 300, NOW);
    counters.add('c', 300, NOW);
    expect(live().used('c', 300, NOW)).toBe(2);
  });

  it('restores every open window of every counter, including those of other clocks', () => {
    const { live } = fakeStorage();
    const counters = live();
    counters.consume('token', 5, MINUTE, NOW);
    counters.consume('token-codexes', 5, MINUTE, NOW);
    counters.consume('token-codexes', 5, MINUTE, NOW);
    counters.consume('token', 5, MINUTE, NOW + DAY);
    const next = live();
    expect([next.used('token', MINUTE, NOW), next.used('token-codexes', MINUTE, NOW), next.used('token', MINUTE, NOW + DAY)]).toEqual([
      1, 2, 1,
    ]);
  });

  it('sets its alarm two seconds after the last reset of a long window', () => {
    const { state, live } = fakeStorage();
    const counters = live();
    counters.consume('c', 1, HOUR, NOW + 15);
    expect(state.alarm).toBe((NOW + (HOUR - ((NOW + 15) % HOUR)) + 2) * 1000);
    counters.consume('d', 1, DAY, NOW);
    expect(state.alarm).toBe((NOW + (DAY - (NOW % DAY)) + 2) * 1000);
  });

  it('sets its alarm once per long window, also after an eviction', () => {
    const { state, live } = fakeStorage();
    for (let request = 0; request < 20; request += 1) {
      vi.setSystemTime(NOW * 1000 + request * 330);
      live().consume('c', 100, HOUR, NOW + Math.floor((request * 330) / 1000));
    }
    expect([state.writes, state.alarms]).toEqual([20, 1]);
  });

  it('deletes everything after the last window, and keeps it while a window is open', () => {
    const { data, state, live } = fakeStorage();
    const counters = live();
    counters.consume('short', 1, MINUTE, NOW);
    counters.consume('long', 1, HOUR, NOW);
    vi.setSystemTime((NOW + 61) * 1000);
    counters.deleteExpired();
    expect([counters.isExpired, counters.used('long', HOUR, NOW), counters.expiresAt]).toEqual([false, 1, state.alarm]);
    vi.setSystemTime(state.alarm ?? 0);
    counters.deleteExpired();
    expect([data.size, counters.isExpired, counters.used('long', HOUR, NOW), counters.expiresAt]).toEqual([0, true, 0, null]);
  });

  it('keeps a long window from before an eviction when a short one closes', () => {
    const { live } = fakeStorage();
    live().consume('long', 5, DAY, NOW);
    const counters = live();
    counters.consume('short', 1, MINUTE, NOW);
    vi.setSystemTime((NOW + 61) * 1000);
    counters.deleteExpired();
    expect(counters.used('long', DAY, NOW)).toBe(1);
  });
});
