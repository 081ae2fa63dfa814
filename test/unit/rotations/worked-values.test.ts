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

const noCapture = { name: null, type: null, captured_at: null };

describe('rotation domain functions', () => {
  it('return the documented values of Tuesday 2026-03-10 15:30:00 UTC', () => {
    expect(allAt(1_773_156_600)).toEqual({
      serverTime: {
        now_unix: 1_773_156_600,
        now_iso: '2026-03-10T15:30:00.000Z',
        game_day: 'Tuesday',
        daily_reset_at: 1_773_226_800,
        weekly_reset_at: 1_773_658_800,
      },
      buffs: ['Gathering Day', 'Fast Invasions'],
      corruxion: { active: false, starts_at: 1_774_004_400, ends_at: 1_774_263_600, seconds_remaining: 847_800 },
      fluxion: { active: true, state: 'voting', starts_at: 1_773_140_400, ends_at: 1_773_399_600, seconds_remaining: 243_000 },
      twoDay: [1_773_140_400, true],
      threeDay: [1_773_313_200, false],
      chaosWeek: { starts_at: 1_773_140_400, ends_at: 1_773_745_200 },
      challenge: {
        starts_at: 1_773_154_800,
        ends_at: 1_773_156_000,
        is_friday_window: false,
        active: false,
        seconds_remaining: 0,
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
      serverTime: {
        now_unix: 1_766_660_400,
        now_iso: '2025-12-25T11:00:00.000Z',
        game_day: 'Thursday',
        daily_reset_at: 1_766_746_800,
        weekly_reset_at: 1_767_006_000,
      },
      buffs: ['Adventure Day', 'Double Star Bar'],
      corruxion: { active: false, starts_at: 1_766_746_800, ends_at: 1_767_006_000, seconds_remaining: 86_400 },
      fluxion: { active: true, state: 'selling', starts_at: 1_766_487_600, ends_at: 1_766_746_800, seconds_remaining: 86_400 },
      twoDay: [1_766_746_800, false],
      threeDay: [1_766_833_200, false],
      chaosWeek: { starts_at: 1_766_487_600, ends_at: 1_767_092_400 },
      challenge: {
        starts_at: 1_766_660_400,
        ends_at: 1_766_661_600,
        is_friday_window: false,
        active: true,
        seconds_remaining: 1200,
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
