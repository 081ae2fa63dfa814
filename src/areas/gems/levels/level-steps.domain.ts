import { roundTo } from '../../../platform/values/rounding.ts';
import type { CostRow } from '../simulator/gem.domain.ts';
import {
  BOOSTERS,
  type BoosterId,
  ELEMENTS,
  type ElementId,
  FLUX,
  type Item,
  KARMA_MAX,
  MYSTIC_SHARD,
  PRIMAL_SHARD,
  TIERS,
  type TierId,
  type TypeId,
} from '../simulator/gem-lookups.data.ts';
import { type ScheduleRow, scheduleOf } from './level-schedule.data.ts';

/** Attempt at `level`: chances 0-1 including the booster, and the materials, spent in any case. */
export interface LevelStep {
  level: number;
  chance: number;
  doubleChance: number;
  karmaPerFail: number;
  cost: readonly CostRow[];
}

export interface GemKind {
  tier: TierId;
  type: TypeId;
  element: ElementId;
}

/** Attempts of a kind of gem at the levels after `fromLevel`, up to the tier's last. */
export function levelStepsAfter(kind: GemKind, fromLevel: number, booster: BoosterId | null): LevelStep[] {
  const { maxLevel } = TIERS[kind.tier];
  return scheduleOf(kind.tier, kind.type, kind.element)
    .map((row, index) => ({ row, level: index + 2 }))
    .filter(({ level }) => level > fromLevel && level <= maxLevel)
    .map(({ row, level }) => toLevelStep(row, level, kind.element, booster));
}

/** The attempt at one level; null past the tier's last. */
export function levelStepAt(kind: GemKind, level: number, booster: BoosterId | null): LevelStep | null {
  const row = scheduleOf(kind.tier, kind.type, kind.element)[level - 2];
  return row === undefined ? null : toLevelStep(row, level, kind.element, booster);
}

/** Failures fill the bar by what they nearly were: the whole percents of both chances together, at least 1. */
export function karmaOf(chance: number, doubleChance: number): number {
  return Math.floor(roundTo(100 * (chance + doubleChance), 6));
}

/** Attempts after which the karma bar, empty at the start, has forced the level. */
export function maxAttemptsOf({ chance, karmaPerFail }: LevelStep): number {
  return chance >= 1 ? 1 : Math.ceil(KARMA_MAX / karmaPerFail);
}

/** Adds `times` the rows of one cost to a sum that keeps the order of first appearance. */
export function addCost(sum: Map<string, CostRow>, cost: readonly CostRow[], times: number): void {
  for (const { item, name, count } of cost) {
    const before = sum.get(name)?.count ?? 0;
    sum.set(name, { item, name, count: before + count * times });
  }
}

function toLevelStep(row: ScheduleRow, level: number, element: ElementId, booster: BoosterId | null): LevelStep {
  const [rowChance, rowDouble] = row;
  const factors = booster === null ? { chance: 1, double: 1 } : BOOSTERS[booster];
  const chance = Math.min(1, rowChance * factors.chance);
  const doubleChance = Math.min(1, rowDouble * factors.double);
  return { level, chance, doubleChance, karmaPerFail: karmaOf(chance, doubleChance), cost: costOf(row, element, booster) };
}

function costOf(row: ScheduleRow, element: ElementId, booster: BoosterId | null): CostRow[] {
  const [, , flux, primalShards, mysticShards, dust, spark] = row;
  const { dust: dustItem, spark: sparkItem } = ELEMENTS[element];
  const amounts: [Item, number][] = [
    [FLUX, flux],
    [PRIMAL_SHARD, primalShards],
    [MYSTIC_SHARD, mysticShards],
    [dustItem, dust],
    [sparkItem, spark],
  ];
  if (booster !== null) amounts.push([BOOSTERS[booster], 1]);
  return amounts.filter(([, count]) => count > 0).map(([{ item, name }, count]) => ({ item, name, count }));
}
