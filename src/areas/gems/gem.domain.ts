import { roundTo } from '../../platform/kit/values/numbers.ts';
import {
  ABILITIES,
  type AbilityId,
  AUGMENTS,
  type AugmentId,
  type ElementId,
  EMPOWERED,
  type Item,
  RESTRICTIONS,
  type RestrictionId,
  type RollStatId,
  STATS,
  TIERS,
  type TierId,
  type TypeId,
} from './gem.data.ts';
import { calculatePowerRank, calculateStatValue, getFigures, incrementAt, powerRankShare } from './gem-figures.domain.ts';

export interface Augment {
  type: AugmentId;
  count: number;
}

/** A base slot or a boost of a stat. `base` (0 to 1) is the initial position in the roll range; `augments` has all three types. */
export interface Container {
  base: number;
  augments: [Augment, Augment, Augment];
}

export interface GemStat {
  type: RollStatId;
  locked: boolean;
  containers: Container[];
}

export const POSITIONS = [0, 1, 2] as const;
export type StatPosition = (typeof POSITIONS)[number];
export type ThreeStats = [GemStat, GemStat, GemStat];

/** Maximum containers of a gem. Rolled gems have at most six; gems in requests can have more. */
export const MAX_CONTAINERS = 16;

/** A gem as stored and sent by clients. */
export interface Gem {
  id: number;
  tier: TierId;
  type: TypeId;
  element: ElementId;
  restriction: RestrictionId | null;
  ability: AbilityId | null;
  level: number;
  stats: ThreeStats;
  /** Base roll of every new container; null for random. */
  augmentation: number | null;
  /** Level-up attempts made. */
  attempts: number;
  karma: number;
  /** Level-up materials used so far, by item name. */
  spent: Record<string, number>;
}

/** An item used by an operation, with its quantity. */
export type CostRow = Item & { count: number };

interface ContainerView extends Container {
  increase: number;
  real_value: number;
  value: number;
}

interface GemStatView extends GemStat {
  containers: ContainerView[];
  augmentation_progress: number;
}

/** A gem with derived fields, as in responses. */
export interface GemView extends Gem {
  stats: [GemStatView, GemStatView, GemStatView];
  ability_name: string | null;
  gem_name: string | null;
  is_max_level: boolean;
  quality: number;
  power_rank: number;
  stat_values: Record<string, number>[];
}

export function viewGem(gem: Gem): GemView {
  const stats = mapStats(gem.stats, viewStat);
  const abilityName = gem.ability === null ? null : ABILITIES[gem.ability];
  return {
    ...gem,
    stats,
    ability_name: abilityName,
    gem_name: gem.type === EMPOWERED ? abilityName : lesserName(gem),
    is_max_level: gem.level === TIERS[gem.tier].maxLevel,
    quality: qualityOf(stats),
    power_rank: powerRankOf(gem, stats),
    stat_values: stats.map((stat) => ({ [STATS[stat.type]]: displayedValue(gem, stat) })),
  };
}

/** Position of a container in its roll range; can exceed 1. */
export function realValue(container: Container): number {
  return container.base + increaseOf(container);
}

/** Mean of the containers, at most 1; overflow of a container counts for the others. */
export function progressOf(stat: GemStat): number {
  const sum = stat.containers.reduce((total, container) => total + realValue(container), 0);
  return Math.min(sum / stat.containers.length, 1);
}

export function countContainers(stats: readonly GemStat[]): number {
  return stats.reduce((sum, stat) => sum + stat.containers.length, 0);
}

function mapStats<T>(stats: ThreeStats, map: (stat: GemStat) => T): [T, T, T] {
  return [map(stats[0]), map(stats[1]), map(stats[2])];
}

/** Returns the gem with one stat replaced. */
export function withStat(gem: Gem, position: StatPosition, stat: GemStat): Gem {
  const stats: ThreeStats = [...gem.stats];
  stats[position] = stat;
  return { ...gem, stats };
}

function increaseOf(container: Container): number {
  return container.augments.reduce((sum, { type, count }) => sum + (AUGMENTS[type].percent / 100) * count, 0);
}

function viewContainer(container: Container): ContainerView {
  const increase = increaseOf(container);
  const real = container.base + increase;
  return { ...container, increase, real_value: real, value: Math.min(real, 1) };
}

function viewStat(stat: GemStat): GemStatView {
  return { ...stat, containers: stat.containers.map(viewContainer), augmentation_progress: progressOf(stat) };
}

function lesserName(gem: Gem): string {
  const prefix = gem.restriction === null ? '' : `${RESTRICTIONS[gem.restriction].name} `;
  return `${prefix}${TIERS[gem.tier].name} Gem`;
}

/** Mean of all containers, each capped at 1, rounded to 0.1 percent. */
function qualityOf(stats: readonly GemStatView[]): number {
  const values = stats.flatMap((stat) => stat.containers.map((container) => container.value));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return roundTo(mean * 100, 1) / 100;
}

function powerRankOf(gem: Gem, stats: readonly GemStatView[]): number {
  const shares = stats.map((stat) => powerRankShare(gem.tier, gem.type, stat.containers.length, stat.augmentation_progress));
  return roundTo(calculatePowerRank(gem.tier, gem.type, gem.level, shares), 0);
}

function displayedValue(gem: Gem, stat: GemStatView): number {
  const figures = getFigures(gem.tier, gem.type, gem.element, stat.type);
  if (figures === null) throw new RangeError(`${STATS[stat.type]} is not allowed on this gem`);
  return calculateStatValue(figures, stat.containers.length, stat.augmentation_progress, incrementAt(gem.tier, gem.level));
}
