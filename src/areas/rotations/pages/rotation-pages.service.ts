import { gameDayStart, gameWeekStart, SECONDS_PER_DAY, SECONDS_PER_WEEK, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { dailyBuffs, weeklyBuffRules } from '../computed/buffs.data.ts';
import type { LuxionStore } from '../luxion/luxion.store.ts';
import type { ReportsStore } from '../reports/reports.store.ts';
import {
  type BiomeRotation,
  type BiomeRotationRules,
  biomesOfWindow,
  type DailyBuff,
  dailyBuffsAt,
  type FluxionWindowState,
  fluxionStateOfWindow,
  type WeeklyBuff,
  weeklyBuffsAt,
} from '../schedules/computed.domain.ts';
import { type Cycle, cycleWindow, indexEndingAfter, indicesFrom, type TimeWindow } from '../schedules/cycle.domain.ts';
import type { Luxion } from '../schedules/luxion.domain.ts';
import { challengeEndsAt } from '../schedules/reports.domain.ts';
import {
  biomesRules,
  challengeRules,
  corruxionRules,
  fluxionRules,
  gardeningRules,
  stampyRulesOf,
  wildManaRules,
} from '../schedules/schedules.data.ts';

/** A visit of a merchant; `state` only of Fluxion. */
export type PageVisit = TimeWindow & { state?: FluxionWindowState };

/** The rotations of a game day. Windows are not clipped to the day. */
export interface GameDay extends TimeWindow {
  daily: DailyBuff;
  weekly: WeeklyBuff;
  corruxion: PageVisit[];
  fluxion: PageVisit[];
  stampy: BiomeRotation[];
  wildMana: BiomeRotation[];
  /** Names of the plants that can be harvested. */
  plants: string[];
}

const CHESTS = 12;

/** Indices of the windows of a cycle that overlap a span. */
function indicesWithin({ starts_at: startsAt, ends_at: endsAt }: TimeWindow, cycle: Cycle): number[] {
  const first = indexEndingAfter(startsAt, cycle);
  return indicesFrom(first, indexEndingAfter(endsAt - 1, cycle) - first + 1).filter(
    (index) => cycleWindow(index, cycle).starts_at < endsAt,
  );
}

const rotationsWithin = (span: TimeWindow, rules: BiomeRotationRules): BiomeRotation[] =>
  indicesWithin(span, rules.cycle).map((index) => ({ ...cycleWindow(index, rules.cycle), biomes: biomesOfWindow(index, rules) }));

const fluxionVisit = (index: number): PageVisit => ({
  ...cycleWindow(index, fluxionRules.cycle),
  state: fluxionStateOfWindow(index, fluxionRules),
});
const corruxionVisit = (index: number): PageVisit => cycleWindow(index, corruxionRules.cycle);

/** The game day that contains a time. */
export function gameDayOf(at: UnixSeconds, { stampyPeriod }: Pick<Settings, 'stampyPeriod'>): GameDay {
  const startsAt = gameDayStart(at);
  const day = { starts_at: startsAt, ends_at: startsAt + SECONDS_PER_DAY };
  const { twoDay, threeDay } = gardeningRules;
  return {
    ...day,
    daily: dailyBuffsAt(startsAt, dailyBuffs).current,
    weekly: weeklyBuffsAt(startsAt, weeklyBuffRules).current,
    corruxion: indicesWithin(day, corruxionRules.cycle).map(corruxionVisit),
    fluxion: indicesWithin(day, fluxionRules.cycle).map(fluxionVisit),
    stampy: rotationsWithin(day, stampyRulesOf[stampyPeriod]),
    wildMana: rotationsWithin(day, wildManaRules),
    plants: [twoDay, threeDay].filter(({ cycle }) => indicesWithin(day, cycle).length > 0).map(({ name }) => name),
  };
}

/** Rotations for pages. */
export function createRotationPages({ reports, luxion }: { reports: ReportsStore; luxion: Pick<LuxionStore, 'luxion'> }) {
  return {
    /** The visit that is open or comes next, and those after it, `count` of each merchant. */
    visits(now: UnixSeconds, count: number): { corruxion: PageVisit[]; fluxion: PageVisit[] } {
      const next = ({ cycle }: { cycle: Cycle }) => indicesFrom(indexEndingAfter(now, cycle), count);
      return { corruxion: next(corruxionRules).map(corruxionVisit), fluxion: next(fluxionRules).map(fluxionVisit) };
    },
    luxion: (now: UnixSeconds): Promise<Luxion> => luxion.luxion(now),
    day: gameDayOf,
    /** The seven game days of the week that contains a time, Monday first. */
    week(at: UnixSeconds, settings: Pick<Settings, 'stampyPeriod'>): GameDay[] {
      const start = gameWeekStart(at);
      return indicesFrom(0, SECONDS_PER_WEEK / SECONDS_PER_DAY).map((day) => gameDayOf(start + day * SECONDS_PER_DAY, settings));
    },
    /** The three-hour biomes of a day. */
    biomes: (day: TimeWindow): BiomeRotation[] => rotationsWithin(day, biomesRules),
    /** The newest reported challenges, newest first. */
    async challenges(limit: number): Promise<{ name: string; startsAt: UnixSeconds; endsAt: UnixSeconds }[]> {
      const { rows } = await reports.challengeHistory({ limit, start: { offset: 0 } });
      return rows.map(({ name, windowAnchorAt }) => ({
        name,
        startsAt: windowAnchorAt,
        endsAt: challengeEndsAt(windowAnchorAt, challengeRules),
      }));
    },
    /** The newest reported items of the chaos chest, newest first. */
    async chaosChests(): Promise<{ name: string; startsAt: UnixSeconds }[]> {
      const { rows } = await reports.chaosChestHistory({ limit: CHESTS, start: { offset: 0 } });
      return rows.map(({ name, weekAnchorAt }) => ({ name, startsAt: weekAnchorAt }));
    },
  };
}

declare module '../../../platform/area/area.ts' {
  interface Ports {
    /** Visits of merchants, and the rotations of days and weeks, for pages. */
    rotationPages: ReturnType<typeof createRotationPages>;
  }
}
