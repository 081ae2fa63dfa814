import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WindowCounters } from '../../../src/platform/access/limits/stored-counters.ts';
import { windowStart } from '../../../src/platform/access/limits/window.ts';

const NOW = 1_718_200_000;

/** Three counters with clocks that jump within a few windows each: fewer windows than are stored. */
const requests = fc.array(
  fc.record({
    counter: fc.constantFrom('token', 'token-codexes', 'other'),
    now: fc.integer({ min: NOW, max: NOW + 200 }),
  }),
  { maxLength: 200 },
);

describe('WindowCounters', () => {
  it('counts exactly the admitted requests per window and counter when clocks are out of order', () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 12 }), (all, limit) => {
        const counters = new WindowCounters();
        const model = new Map<string, number>();
        for (const { counter, now } of all) {
          const key = `${counter} ${windowStart(now, 60)}`;
          const before = model.get(key) ?? 0;
          expect(counters.consume(counter, limit, 60, now)).toBe(before < limit ? before + 1 : limit + 1);
          model.set(key, Math.min(limit, before + 1));
          expect(counters.used(counter, 60, now)).toBe(model.get(key));
        }
      }),
    );
  });

  it('does not count refused requests: a raised limit applies at once', () => {
    const counters = new WindowCounters();
    const consume = (limit: number) => counters.consume('c', limit, 60, NOW);
    expect([consume(2), consume(2), consume(2), consume(2)]).toEqual([1, 2, 3, 3]);
    expect([consume(4), consume(4), consume(4)]).toEqual([3, 4, 5]);
    expect(consume(2)).toBe(3);
    expect(counters.used('c', 60, NOW)).toBe(4);
  });

  it('counts windows of different lengths separately', () => {
    const counters = new WindowCounters();
    counters.consume('c', 10, 60, NOW);
    counters.consume('c', 10, 3600, NOW);
    counters.consume('c', 10, 3600, NOW + 60);
    expect(counters.used('c', 60, NOW)).toBe(1);
    expect(counters.used('c', 3600, NOW)).toBe(2);
  });

  it('starts at zero in a new window and leaves the previous window unchanged', () => {
    const counters = new WindowCounters();
    counters.consume('c', 1, 60, NOW);
    expect(counters.consume('c', 1, 60, NOW + 20)).toBe(1);
    expect(counters.consume('c', 1, 60, NOW)).toBe(2);
  });

  it('restores a snapshot without sharing state with it', () => {
    const counters = new WindowCounters();
    counters.consume('c', 5, 60, NOW);
    const stored = structuredClone(counters.snapshot());
    const restored = new WindowCounters();
    restored.restore(stored);
    expect(restored.consume('c', 5, 60, NOW)).toBe(2);
    expect(stored[0]?.count).toBe(1);
    expect(counters.used('c', 60, NOW)).toBe(1);
  });

  it('drops old windows beyond a fixed number', () => {
    const counters = new WindowCounters();
    for (let minute = 0; minute < 1000; minute += 1) counters.consume('c', 5, 60, NOW + minute * 60);
    expect(counters.snapshot().length).toBeLessThanOrEqual(16);
    expect(counters.used('c', 60, NOW + 999 * 60)).toBe(1);
  });
});

describe('WindowCounters with members of a network', () => {
  const limits = { member: 3, network: 5 };

  it('counts each member up to its own limit and all members up to the limit of the network', () => {
    const counters = new WindowCounters();
    const consume = (member: string) => counters.consumeMember('c', member, limits, 60, NOW);
    expect([consume('a'), consume('a'), consume('a')].map(({ used }) => used)).toEqual([1, 2, 3]);
    expect(consume('a')).toEqual({ used: 4, refusedBy: 'member' });
    expect([consume('b'), consume('b')].map(({ used }) => used)).toEqual([1, 2]);
    expect(consume('b')).toEqual({ used: 6, refusedBy: 'network' });
    expect(consume('c')).toEqual({ used: 6, refusedBy: 'network' });
    expect(counters.consumeMember('c', 'c', limits, 60, NOW + 60)).toEqual({ used: 1, refusedBy: null });
  });

  it('returns the usage of a member and of all members', () => {
    const counters = new WindowCounters();
    for (const member of ['a', 'a', 'a', 'b']) counters.consumeMember('c', member, limits, 60, NOW);
    expect([counters.used('c', 60, NOW, 'a'), counters.used('c', 60, NOW, 'z'), counters.used('c', 60, NOW)]).toEqual([3, 0, 4]);
  });

  it('restores the members of a snapshot without sharing them', () => {
    const counters = new WindowCounters();
    for (const member of ['a', 'a']) counters.consumeMember('c', member, limits, 60, NOW);
    const restored = new WindowCounters();
    restored.restore(counters.snapshot());
    restored.consumeMember('c', 'a', limits, 60, NOW);
    expect(counters.consumeMember('c', 'a', limits, 60, NOW)).toEqual({ used: 3, refusedBy: null });
  });

  it('stores at most 4,096 members and still limits the network', () => {
    const counters = new WindowCounters();
    const wide = { member: 1, network: 6000 };
    let granted = 0;
    for (let member = 0; member < 10_000; member += 1) {
      if (counters.consumeMember('c', `m${member}`, wide, 60, NOW).refusedBy === null) granted += 1;
    }
    expect(granted).toBe(6000);
    const sizes = counters.snapshot().map(({ members }) => members?.size ?? 0);
    expect(sizes).toEqual([4096]);
  });
});
