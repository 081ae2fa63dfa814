import { expect, it } from 'vitest';
import { calendarAt, calendarRules } from '../../../src/areas/rotations/calendar/calendar.domain.ts';
import { dailyBuffs, weeklyBuffRules } from '../../../src/areas/rotations/computed/buffs.data.ts';
import {
  biomeRotationsAt,
  corruxionAt,
  dailyBuffsAt,
  fluxionAt,
  gardeningAt,
  weeklyBuffsAt,
} from '../../../src/areas/rotations/schedules/computed.domain.ts';
import { serverTimeAt } from '../../../src/areas/rotations/schedules/cycle.domain.ts';
import { delveWeekAt } from '../../../src/areas/rotations/schedules/delves.domain.ts';
import { challengeAt, chaosChestWeekAt } from '../../../src/areas/rotations/schedules/reports.domain.ts';
import {
  biomesRules,
  challengeRules,
  chaosChestWeek,
  corruxionRules,
  delveRules,
  fluxionRules,
  gardeningRules,
  resetRules,
  stampyRules,
  wildManaRules,
} from '../../../src/areas/rotations/schedules/schedules.data.ts';
import { RESET, TUESDAY } from './worked-values.data.ts';

/** Every rotation at a time, reduced to the values that differ. */
function allAt(now: number) {
  const gardening = gardeningAt(now, gardeningRules);
  const biomeNames = (rules: typeof biomesRules) => {
    const { current } = biomeRotationsAt(now, rules);
    return [current.starts_at, ...current.biomes.map((biome) => biome.name)];
  };
  const { schedule: _corruxionSchedule, ...corruxion } = corruxionAt(now, corruxionRules);
  const { schedule: _fluxionSchedule, ...fluxion } = fluxionAt(now, fluxionRules);
  return {
    serverTime: serverTimeAt(now, resetRules),
    buffs: [dailyBuffsAt(now, dailyBuffs).current.name, weeklyBuffsAt(now, weeklyBuffRules).current.name],
    corruxion,
    fluxion,
    twoDay: [gardening.two_day.starts_at, gardening.two_day.active],
    threeDay: [gardening.three_day.starts_at, gardening.three_day.active],
    chaosWeek: chaosChestWeekAt(now, chaosChestWeek),
    challenge: challengeAt(now, null, challengeRules),
    biomes: biomeNames(biomesRules),
    wildMana: biomeNames(wildManaRules),
    stampy: biomeNames(stampyRules),
    delveWeek: delveWeekAt(now, delveRules),
    calendarCount: calendarAt(now, calendarRules).events.length,
  };
}

it.each([TUESDAY, RESET])('rotation domain functions return the documented values of $serverTime.now_iso', (values) => {
  expect(allAt(values.serverTime.now_unix)).toEqual(values);
});
