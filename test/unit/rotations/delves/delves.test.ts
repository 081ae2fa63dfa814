import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cycleWindow } from '../../../../src/areas/rotations/schedules/cycle.domain.ts';
import { delveWeekAt, isDelveRefreshHour, parseDelveFloors } from '../../../../src/areas/rotations/schedules/delves.domain.ts';
import { delveRules } from '../../../../src/areas/rotations/schedules/schedules.data.ts';

const unix = (iso: string) => Date.parse(iso) / 1000;
const week = 604_800;

describe('delveWeekAt', () => {
  const first = unix('2025-11-03T11:00:00Z');

  it.each([
    [first - 1, 0],
    [first, 1],
    [first + week - 1, 1],
    [first + week, 2],
    // The week does not change at midnight.
    [unix('2026-03-16T00:00:00Z'), 19],
    [unix('2026-03-16T10:59:59Z'), 19],
    [unix('2026-03-16T11:00:00Z'), 20],
    [first - 10 * week, -9],
  ])('returns at %i the week %i', (now, id) => {
    expect(delveWeekAt(now, delveRules)).toBe(id);
  });

  const windowOf = (week: number) => cycleWindow(week - delveRules.firstWeekId, delveRules.cycle);

  it('returns a week whose window contains the time', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000_000_000, max: 6_000_000_000 }), (now) => {
        const { starts_at: startsAt, ends_at: endsAt } = windowOf(delveWeekAt(now, delveRules));
        expect(startsAt <= now && now < endsAt).toBe(true);
        expect(endsAt - startsAt).toBe(week);
      }),
    );
    expect(windowOf(1).starts_at).toBe(first);
  });
});

describe('isDelveRefreshHour', () => {
  it.each([
    ['2026-03-09T10:00:00Z', false], // game Sunday
    ['2026-03-09T11:00:00Z', true],
    ['2026-03-09T12:00:00Z', true],
    ['2026-03-10T00:00:00Z', true],
    ['2026-03-10T10:59:59Z', true],
    ['2026-03-10T11:00:00Z', true], // daily hour
    ['2026-03-10T11:59:59Z', true],
    ['2026-03-10T12:00:00Z', false],
    ['2026-03-15T11:00:00Z', true],
    ['2026-03-15T23:00:00Z', false],
  ])('returns at %s: %s', (now, due) => {
    expect(isDelveRefreshHour(unix(now))).toBe(due);
  });

  it('returns true 24 times on the game day Monday and once on every other game day', () => {
    const monday = unix('2026-03-09T11:00:00Z');
    const perDay = Array.from({ length: 7 }, (_, dayNumber) =>
      Array.from({ length: 24 }, (_unused, hour) => monday + dayNumber * 86_400 + hour * 3600).filter(isDelveRefreshHour),
    );
    expect(perDay.map((hours) => hours.length)).toEqual([24, 1, 1, 1, 1, 1, 1]);
  });
});

describe('parseDelveFloors', () => {
  const floor = { id: 1, depth: 110, biome: 'Pure Midnight', roomDetails: [{ e: 0 }, null, []], isVaultFloor: 1, somethingNew: { a: [1] } };

  it('returns floors unchanged', () => {
    const parsed = parseDelveFloors({ depths: [floor, { id: 2 }], total: 150, page: 1 }, 19);
    expect(parsed).toEqual({ total: 150, depths: [floor, { id: 2 }] });
    expect(parsed?.depths[0]).toBe(floor);
  });

  it.each<unknown>([undefined, null, '150', 1.5, Number.NaN, -1, [150], true])('counts the floors when the total is %j', (total) => {
    expect(parseDelveFloors({ depths: [floor], total }, 19)).toEqual({ total: 1, depths: [floor] });
  });

  it('accepts a total of zero', () => {
    expect(parseDelveFloors({ depths: [floor], total: 0 }, 19)?.total).toBe(0);
  });

  it.each<unknown>([null, undefined, 'x', 5, [], [floor], {}, { depths: null }, { depths: { 0: floor } }, { data: [floor] }, { data: {} }])(
    'returns no floors for %j',
    (payload) => {
      expect(parseDelveFloors(payload, 19)).toEqual({ total: 0, depths: [] });
    },
  );

  it('unwraps data', () => {
    expect(parseDelveFloors({ ok: true, data: { depths: [floor], total: 9 } }, 19)).toEqual({ total: 9, depths: [floor] });
  });

  it('skips invalid floor records', () => {
    expect(parseDelveFloors({ depths: [null, floor, 3, 'x', [floor]] }, 19)).toEqual({ total: 1, depths: [floor] });
  });

  it.each<unknown>([19, '19', ' 19 ', null, undefined])('accepts a response for week %j', (weekNumber) => {
    expect(parseDelveFloors({ depths: [floor], weekNumber }, 19)?.depths).toEqual([floor]);
    expect(parseDelveFloors({ data: { depths: [floor], weekNumber } }, 19)?.depths).toEqual([floor]);
  });

  it.each<unknown>([18, '20', 'nineteen', '', 19.5, {}, { toString: 1 }, [19], false])('rejects a response for week %j', (weekNumber) => {
    expect(parseDelveFloors({ depths: [floor], weekNumber }, 19)).toBeNull();
    expect(parseDelveFloors({ data: { depths: [floor], weekNumber } }, 19)).toBeNull();
    expect(parseDelveFloors({ weekNumber, data: { depths: [floor] } }, 19)).toBeNull();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (payload) => {
        for (const wrapped of [payload, { data: payload }, { depths: payload, total: payload, weekNumber: payload }]) {
          const parsed = parseDelveFloors(wrapped, 19);
          if (parsed !== null) expect(parsed.total).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
