import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CALENDAR_EVENT_TYPES,
  type CalendarEventType,
  calendarAt,
  calendarEventsKeyAt,
  calendarRules,
} from '../../../../src/areas/rotations/calendar/calendar.domain.ts';
import { weeklyBuffRules } from '../../../../src/areas/rotations/computed/buffs.data.ts';
import { biomeRotationsAt, fluxionAt, weeklyBuffsAt } from '../../../../src/areas/rotations/schedules/computed.domain.ts';
import type { Cycle } from '../../../../src/areas/rotations/schedules/cycle.domain.ts';
import { fluxionRules, stampyRules, wildManaRules } from '../../../../src/areas/rotations/schedules/schedules.data.ts';

const unix = (iso: string) => Date.parse(iso) / 1000;
const day = 86_400;
const half = 365 * day;
const reset = unix('2026-03-10T11:00:00Z');
const eventsAt = (now: number) => calendarAt(now, calendarRules).events;
const anyInstant = fc.integer({ min: -2_000_000_000, max: 6_000_000_000 });
const anyReset = fc.integer({ min: -20_000, max: 60_000 }).map((dayNumber) => dayNumber * day + 39_600);

const cycles: Record<CalendarEventType, Cycle> = {
  corruxion: calendarRules.corruxion.cycle,
  fluxion: calendarRules.fluxion.cycle,
  gardening_2: calendarRules.twoDayPlants.cycle,
  gardening_3: calendarRules.threeDayPlants.cycle,
  mana: calendarRules.wildMana.cycle,
  stampy: calendarRules.stampy.cycle,
  weekly_buff: calendarRules.weeklyBuffs.cycle,
};

/** Type and start of every overlapping occurrence, found by testing every possible start. */
function bruteForce(now: number): string[] {
  const occurrences: string[] = [];
  const firstReset = Math.floor((now - half - 39_600) / day) * day + 39_600;
  for (let startsAt = firstReset - 8 * day; startsAt <= now + half + day; startsAt += day) {
    for (const type of CALENDAR_EVENT_TYPES) {
      const { anchorAt, periodSeconds, offsetSeconds, durationSeconds } = cycles[type];
      const isStart = Math.abs((startsAt - anchorAt - offsetSeconds) % periodSeconds) === 0;
      if (isStart && startsAt + durationSeconds > now - half && startsAt < now + half) occurrences.push(`${startsAt} ${type}`);
    }
  }
  return occurrences;
}

describe('calendarAt', () => {
  it('covers 365 days before and after the reference time', () => {
    const now = reset + 12_345;
    expect(calendarAt(now, calendarRules)).toMatchObject({ starts_at: now - 31_536_000, ends_at: now + 31_536_000, generatedAt: now });
  });

  it('contains exactly the overlapping occurrences, by start, then type', () => {
    fc.assert(
      fc.property(fc.oneof(anyInstant, anyReset), (now) => {
        expect(eventsAt(now).map((event) => `${event.starts_at} ${event.type}`)).toEqual(bruteForce(now));
      }),
      { numRuns: 60 },
    );
  });

  it('never clips an occurrence', () => {
    for (const { type, starts_at: startsAt, ends_at: endsAt } of eventsAt(reset + 5000)) {
      if (type !== 'luxion') expect(endsAt - startsAt).toBe(cycles[type].durationSeconds);
    }
  });

  it('excludes occurrences that only touch the window', () => {
    for (const now of [reset, reset + day, reset + 2 * day, reset + 5 * day]) {
      for (const event of eventsAt(now)) {
        expect(event.ends_at).toBeGreaterThan(now - half);
        expect(event.starts_at).toBeLessThan(now + half);
      }
    }
  });

  it('has between 1079 and 1085 events', () => {
    const counts = new Set<number>();
    for (let dayNumber = 0; dayNumber < 400; dayNumber += 1) {
      for (const second of [0, 1, 40_000]) counts.add(eventsAt(reset + dayNumber * day + second).length);
    }
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1079);
    expect(Math.max(...counts)).toBeLessThanOrEqual(1085);
  });

  it('is constant for the same key', () => {
    fc.assert(
      fc.property(anyReset, fc.integer({ min: 1, max: day - 1 }), fc.integer({ min: 1, max: day - 1 }), (start, one, other) => {
        expect(calendarEventsKeyAt(start + one)).toBe(calendarEventsKeyAt(start + other));
        expect(eventsAt(start + one)).toEqual(eventsAt(start + other));
        expect(calendarEventsKeyAt(start)).not.toBe(calendarEventsKeyAt(start + one));
        expect(calendarEventsKeyAt(start + day)).not.toBe(calendarEventsKeyAt(start + one));
      }),
      { numRuns: 30 },
    );
  });

  it('handles the first second of a game day', () => {
    const sizes = (start: number) => [-1, 0, 1].map((second) => eventsAt(start + second).length);
    const seen = Array.from({ length: 14 }, (_, dayNumber) => sizes(reset + dayNumber * day));
    expect(seen.some(([before, at]) => before !== at)).toBe(true);
    expect(seen.some(([, at, after]) => at !== after)).toBe(true);
  });
});

describe('calendar event', () => {
  const events = eventsAt(reset + 1);
  const keysOf = (type: CalendarEventType) => [
    ...new Set(events.filter((event) => event.type === type).map((event) => Object.keys(event).sort().join())),
  ];

  it.each([
    ['weekly_buff', 'color,ends_at,name,starts_at,type'],
    ['corruxion', 'ends_at,name,starts_at,type'],
    ['fluxion', 'color,ends_at,name,starts_at,state,type'],
    ['gardening_2', 'color,ends_at,name,starts_at,type'],
    ['gardening_3', 'color,ends_at,name,starts_at,type'],
    ['stampy', 'biomes,ends_at,name,starts_at,type'],
    ['mana', 'biomes,ends_at,name,starts_at,type'],
  ] as const)('has only the applicable keys for type %s', (type, keys) => {
    expect(keysOf(type)).toEqual([keys]);
  });

  it('agrees with the rotations', () => {
    for (const { type, name, starts_at: startsAt, color, state, biomes } of events) {
      if (type === 'weekly_buff') {
        const buff = weeklyBuffsAt(startsAt, weeklyBuffRules).current;
        expect([name, color]).toEqual([buff.name, buff.color]);
      } else if (type === 'fluxion') {
        const fluxion = fluxionAt(startsAt, fluxionRules);
        const voting = fluxion.state === 'voting';
        expect([state, name, color]).toEqual([
          fluxion.state,
          voting ? 'Fluxion (Voting)' : 'Fluxion (Selling)',
          voting ? '5ca8cc' : '02679e',
        ]);
      } else if (type === 'stampy' || type === 'mana') {
        const { current } = biomeRotationsAt(startsAt, type === 'mana' ? wildManaRules : stampyRules);
        expect(current.starts_at).toBe(startsAt);
        expect(biomes).toEqual(current.biomes.map((biome) => ({ name: biome.name, icon: biome.icon })));
      } else {
        const looks = { corruxion: 'Corruxion', luxion: undefined, gardening_2: '2-day plants 8bc34a', gardening_3: '3-day plants 4caf50' };
        expect([name, color].join(' ').trim()).toBe(looks[type]);
      }
    }
  });

  it('has types in alphabetical order', () => {
    expect([...CALENDAR_EVENT_TYPES].sort()).toEqual([...CALENDAR_EVENT_TYPES]);
  });
});
