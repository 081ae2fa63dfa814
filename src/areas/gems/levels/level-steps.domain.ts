import { roundTo } from '../../../platform/kit/values/rounding.ts';
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

/** Attempt at `level`: chances (0 to 1) including the booster, and the materials, spent on success and failure. */
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

/** Attempts of a kind of gem at the levels after `fromLevel`, up to the maximum of the tier. */
export function listLevelSteps(kind: GemKind, fromLevel: number, booster: BoosterId | null): LevelStep[] {
  const { maxLevel } = TIERS[kind.tier];
  return scheduleOf(kind.tier, kind.type, kind.element)
    .map((row, index) => ({ row, level: index + 2 }))
    .filter(({ level }) => level > fromLevel && level <= maxLevel)
    .map(({ row, level }) => toLevelStep(row, level, kind.element, booster));
}

/** Attempt at one level; null above the maximum of the tier. */
export function getLevelStep(kind: GemKind, level: number, booster: BoosterId | null): LevelStep | null {
  const row = scheduleOf(kind.tier, kind.type, kind.element)[level - 2];
  return row === undefined ? null : toLevelStep(row, level, kind.element, booster);
}

/** Karma of a failure: the sum of both chances in percent, rounded down; at least 1 for every schedule. */
export function calculateKarma(chance: number, doubleChance: number): number {
  return Math.floor(roundTo(100 * (chance + doubleChance), 6));
}

/** Attempts until the karma bar, initially empty, forces the level. */
export function countMaxAttempts({ chance, karmaPerFail }: LevelStep): number {
  return chance >= 1 ? 1 : Math.ceil(KARMA_MAX / karmaPerFail);
}

/** Adds `times` a cost to a sum; rows are in order of first appearance. */
export function addCost(sum: Map<string, CostRow>, cost: readonly CostRow[], times: number): void {
  for (const { item, name, count } of cost) {
    const previous = sum.get(name)?.count ?? 0;
    sum.set(name, { item, name, count: previous + count * times });
  }
}

function toLevelStep(row: ScheduleRow, level: number, element: ElementId, booster: BoosterId | null): LevelStep {
  const [rowChance, rowDouble] = row;
  const factors = booster === null ? { chance: 1, double: 1 } : BOOSTERS[booster];
  const chance = Math.min(1, rowChance * factors.chance);
  const doubleChance = Math.min(1, rowDouble * factors.double);
  return { level, chance, doubleChance, karmaPerFail: calculateKarma(chance, doubleChance), cost: costOf(row, element, booster) };
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
