import { describe, expect, it } from 'vitest';
import { calendarAt, calendarRules } from '../../../src/areas/rotations/calendar/calendar.domain.ts';
import { dailyBuffs, weeklyBuffRules } from '../../../src/areas/rotations/computed/buffs.data.ts';
import {
  biomeRotationsAt,
  corruxionAt,
  dailyBuffsAt,
  fluxionAt,
  gardeningAt,
  weeklyBuffsAt,
} from '../../../src/areas/rotations/computed/computed.domain.ts';
import { serverTimeAt } from '../../../src/areas/rotations/computed/cycle.domain.ts';
import { delveWeekAt } from '../../../src/areas/rotations/delves/delves.domain.ts';
import { challengeAt, chaosChestWeekAt } from '../../../src/areas/rotations/reports/reports.domain.ts';
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
} from '../../../src/areas/rotations/schedules.data.ts';

/** Every rotation at a time, reduced to the values that differ. */
function allAt(now: number) {
  const gardening = gardeningAt(now, gardeningRules);
  const biomeNames = (rules: typeof biomesRules) => {
    const { current } = biomeRotationsAt(now, rules);
    return [current.startsAt, ...current.biomes.map((biome) => biome.name)];
  };
  const { schedule: _corruxionSchedule, ...corruxion } = corruxionAt(now, corruxionRules);
  const { schedule: _fluxionSchedule, ...fluxion } = fluxionAt(now, fluxionRules);
  return {
    serverTime: serverTimeAt(now, resetRules),
    buffs: [dailyBuffsAt(now, dailyBuffs).current.name, weeklyBuffsAt(now, weeklyBuffRules).current.name],
    corruxion,
    fluxion,
    twoDay: [gardening.twoDay.startsAt, gardening.twoDay.active],
    threeDay: [gardening.threeDay.startsAt, gardening.threeDay.active],
    chaosWeek: chaosChestWeekAt(now, chaosChestWeek),
    challenge: challengeAt(now, null, challengeRules),
    biomes: biomeNames(biomesRules),
    wildMana: biomeNames(wildManaRules),
    stampy: biomeNames(stampyRules),
    delveWeek: delveWeekAt(now, delveRules),
    calendarCount: calendarAt(now, calendarRules).events.length,
  };
}

const noCapture = { name: null, type: null, capturedAt: null };

describe('rotation domain functions', () => {
  it('return the documented values of Tuesday 2026-03-10 15:30:00 UTC', () => {
    expect(allAt(1_773_156_600)).toEqual({
      serverTime: { now: 1_773_156_600, gameDay: 'Tuesday', dailyResetAt: 1_773_226_800, weeklyResetAt: 1_773_658_800 },
      buffs: ['Gathering Day', 'Fast Invasions'],
      corruxion: { active: false, startsAt: 1_774_004_400, endsAt: 1_774_263_600, secondsRemaining: 847_800 },
      fluxion: { active: true, state: 'voting', startsAt: 1_773_140_400, endsAt: 1_773_399_600, secondsRemaining: 243_000 },
      twoDay: [1_773_140_400, true],
      threeDay: [1_773_313_200, false],
      chaosWeek: { startsAt: 1_773_140_400, endsAt: 1_773_745_200 },
      challenge: {
        startsAt: 1_773_154_800,
        endsAt: 1_773_156_000,
        isFridayWindow: false,
        active: false,
        secondsRemaining: 0,
        ...noCapture,
      },
      biomes: [1_773_151_200, 'Cerise Sandsea', 'Primal Preserve', 'Volcanic Fields'],
      wildMana: [1_773_054_000, 'Candoria', 'Fae Forest', 'Desert Frontier'],
      stampy: [1_773_486_000, 'Jurassic Jungle'],
      delveWeek: 19,
      calendarCount: 1080,
    });
  });

  it('return the documented values of Thursday 2025-12-25 11:00:00 UTC, at a daily reset', () => {
    expect(allAt(1_766_660_400)).toEqual({
      serverTime: { now: 1_766_660_400, gameDay: 'Thursday', dailyResetAt: 1_766_746_800, weeklyResetAt: 1_767_006_000 },
      buffs: ['Adventure Day', 'Double Star Bar'],
      corruxion: { active: false, startsAt: 1_766_746_800, endsAt: 1_767_006_000, secondsRemaining: 86_400 },
      fluxion: { active: true, state: 'selling', startsAt: 1_766_487_600, endsAt: 1_766_746_800, secondsRemaining: 86_400 },
      twoDay: [1_766_746_800, false],
      threeDay: [1_766_833_200, false],
      chaosWeek: { startsAt: 1_766_487_600, endsAt: 1_767_092_400 },
      challenge: {
        startsAt: 1_766_660_400,
        endsAt: 1_766_661_600,
        isFridayWindow: false,
        active: true,
        secondsRemaining: 1200,
        ...noCapture,
      },
      biomes: [1_766_660_400, 'Sundered Uplands', 'Spellbound Thicket', 'The Lost Isles'],
      wildMana: [1_766_401_200, 'Candoria', 'Fae Forest', 'Desert Frontier'],
      stampy: [1_766_833_200, 'Desert Frontier'],
      delveWeek: 8,
      calendarCount: 1079,
    });
  });
});
