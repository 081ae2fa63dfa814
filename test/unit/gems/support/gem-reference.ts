import { REFERENCE_ROLLS } from './gem-reference.data.ts';

/*
 * A second implementation of the figures of gems, from their description: with its own tables, without the functions of the service. Numbers
 * are added in the described order, so that results are equal to the last digit.
 */

interface ReferenceContainer {
  base: number;
  augments: readonly { type: number; count: number }[];
}

export interface ReferenceGem {
  tier: number;
  type: number;
  element: number;
  restriction: number | null;
  ability: number | null;
  level: number;
  stats: readonly { type: number; containers: readonly ReferenceContainer[] }[];
}

const MAX_LEVELS = [0, 23, 25, 30, 35];
const TIER_NAMES = ['', 'Radiant', 'Stellar', 'Crystal', 'Mystic'];
const STAT_NAMES = ['', 'Physical Damage', 'Magic Damage', 'Critical Damage', 'Critical Hit', 'Max Health', 'Max Health %', 'Light'];
const ABILITY_NAMES = [
  ...['', 'Stinging Curse', 'Volatile Velocity', 'Spirit Surge', 'Mired Mojo', 'Stunburst', 'Pyrodisc', 'Explosive Epilogue'],
  ...['Cubic Curtain', 'Berserk Battler', 'Empyrean Barrier', 'Flower Power', 'Vampirian Vanquisher'],
];
/** Percent of a container by augment. */
const AUGMENT_PERCENTS = [0, 2.5, 5, 12.5];
const RANK_BASES = [0, 3, 5, 7, 9];
const CONTAINER_RANKS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [
    [0, 0],
    [85, 113],
    [150, 200],
    [175, 250],
    [200, 260],
  ],
  2: [
    [0, 0],
    [113, 150],
    [200, 266],
    [220, 280],
    [240, 300],
  ],
};

/** Rounds to the nearest, ties to even, by the exact value of the double. */
export function roundExactly(value: number, decimals: number): number {
  if (!Number.isFinite(value)) return value;
  let [numerator, exponent] = [value, 0n];
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    exponent += 1n;
  }
  const denominator = 2n ** exponent;
  const scaled = BigInt(Math.abs(numerator)) * 10n ** BigInt(decimals);
  const [whole, rest] = [scaled / denominator, (scaled % denominator) * 2n];
  const rounded = rest > denominator || (rest === denominator && whole % 2n === 1n) ? whole + 1n : whole;
  const digits = rounded.toString().padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return Number(value < 0 && rounded > 0n ? `-${text}` : text);
}

/** Stat steps up to a level: 1 a level, 2 from level 16 on, 5 at 20, 25, 30 and 35, none at 5, 10 and 15. */
export function stepsAt(tier: number, level: number): number {
  let steps = 0;
  for (let at = 2; at <= Math.min(level, MAX_LEVELS[tier] ?? 0); at += 1) steps += at < 16 ? Number(at % 5 !== 0) : at % 5 === 0 ? 5 : 2;
  return steps;
}

export const boostsAt = (level: number): number => Math.floor(Math.min(level, 15) / 5);

function rollOf(tier: number, type: number, element: number, stat: number): readonly [number, number, number] {
  const [min = 0, max = 0, step = 0] = REFERENCE_ROLLS[`${type}.${tier}`]?.[stat === 2 ? 1 : stat] ?? [];
  return type === 2 && tier === 4 && stat === 6 && element === 4 ? [236.25, max, step] : [min, max, step];
}

function figuresOf(gem: Pick<ReferenceGem, 'tier' | 'type' | 'element'>, stat: number) {
  const [min, max, step] = rollOf(gem.tier, gem.type, gem.element, stat);
  const base = step / (RANK_BASES[gem.tier] ?? 0);
  return { base, lo: roundExactly(min / base, 9), hi: roundExactly(max / base, 9) };
}

function rankOf({ tier, type, level }: Pick<ReferenceGem, 'tier' | 'type' | 'level'>, shares: readonly number[]): number {
  let rank = type === 2 ? 100 : 0;
  for (const share of shares) rank += share;
  return rank + 3 * (RANK_BASES[tier] ?? 0) * stepsAt(tier, level);
}

function shareOf({ tier, type }: Pick<ReferenceGem, 'tier' | 'type'>, containers: number, progress: number): number {
  const [lo, hi] = CONTAINER_RANKS[type]?.[tier] ?? [0, 0];
  return containers * (lo + (hi - lo) * progress);
}

/** The computed fields of a gem. */
export function referenceView(gem: ReferenceGem) {
  const steps = (RANK_BASES[gem.tier] ?? 0) * stepsAt(gem.tier, gem.level);
  const reals = gem.stats.map(({ containers }) =>
    containers.map(({ base, augments }) => {
      let increase = 0;
      for (const { type, count } of augments) increase += ((AUGMENT_PERCENTS[type] ?? 0) / 100) * count;
      return base + increase;
    }),
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const progress = reals.map((values) => Math.min(1, sum(values) / values.length));
  const capped = reals.flat().map((real) => Math.min(real, 1));
  const ability = gem.ability === null ? null : (ABILITY_NAMES[gem.ability] ?? null);
  const prefix = gem.restriction === null ? '' : gem.restriction === 1 ? 'Fierce ' : 'Arcane ';
  return {
    quality: roundExactly((sum(capped) / capped.length) * 100, 1) / 100,
    power_rank: roundExactly(
      rankOf(
        gem,
        reals.map((values, index) => shareOf(gem, values.length, progress[index] ?? 0)),
      ),
      0,
    ),
    is_max_level: gem.level === MAX_LEVELS[gem.tier],
    ability_name: ability,
    gem_name: gem.type === 2 ? ability : `${prefix}${TIER_NAMES[gem.tier]} Gem`,
    progress,
    values: gem.stats.map(({ type, containers }, index): [string, number] => {
      const { base, lo, hi } = figuresOf(gem, type);
      return [STAT_NAMES[type] ?? '', base * (lo + (hi - lo) * (progress[index] ?? 0)) * containers.length + base * steps];
    }),
  };
}

const clamp = (value: number) => Math.min(Math.max(value, 0), 1);

export interface EnteredStat {
  type: number;
  value: number;
  extra_containers: number;
}

/** Evaluates displayed values of a gem. */
export function referenceEvaluation(tier: number, type: number, level: number, stats: readonly EnteredStat[], guesses: boolean) {
  const available = boostsAt(level);
  const element = stats.some((stat) => stat.type === 7) ? 4 : 1;
  const steps = (RANK_BASES[tier] ?? 0) * stepsAt(tier, level);
  const measure = ({ type: stat, value }: EnteredStat, extra: number) => {
    const { base, lo, hi } = figuresOf({ tier, type, element }, stat);
    const threshold = (value / base - steps) / (1 + extra);
    const raw = (threshold - lo) / (hi - lo);
    return { n: 1 + extra, threshold, raw, progress: clamp(raw) };
  };
  let split = stats.map(({ extra_containers: extra }) => extra);
  if (guesses || split.reduce((total, extra) => total + extra, 0) !== available) {
    let lowest = Number.POSITIVE_INFINITY;
    for (let a = 0; a <= available; a += 1) {
      for (let b = 0; b <= available; b += 1) {
        for (let c = 0; c <= available; c += 1) {
          if (a + b + c !== available) continue;
          const measured = [a, b, c].map((extra, index) => measure(stats[index] as EnteredStat, extra));
          const raws = measured.map(({ raw }) => roundExactly(raw, 4));
          const progresses = measured.map(({ progress }) => roundExactly(progress, 4));
          let score = 0;
          for (const raw of raws) score += (raw - clamp(raw)) ** 2;
          score += 0.25 * (Math.max(...progresses) - Math.min(...progresses)) ** 2;
          score = roundExactly(score, 9);
          if (score < lowest) [lowest, split] = [score, [a, b, c]];
        }
      }
    }
  }
  const measured = stats.map((stat, index) => measure(stat, split[index] ?? 0));
  const containers = measured.reduce((total, { n }) => total + n, 0);
  const quality = measured.reduce((total, { n, progress }) => total + progress * n, 0) / containers;
  const shares = measured.map(({ n, progress }) => shareOf({ tier, type }, n, progress));
  return {
    element,
    split,
    quality: roundExactly(quality, 4),
    quality_percent: roundExactly(100 * quality, 2),
    power_rank: roundExactly(rankOf({ tier, type, level }, shares), 0),
    stats: measured.map(({ threshold, raw, progress }, index) => ({
      progress: roundExactly(progress, 4),
      raw_progress: roundExactly(raw, 4),
      threshold_progress: roundExactly(threshold, 4),
      estimated_pr_contribution: roundExactly(shares[index] ?? 0, 2),
      is_within_range: raw >= -0.05 && raw <= 1.05,
    })),
    focuses: referenceFocuses(measured),
  };
}

/** Superior, precise and rough focuses that fill the containers, by strategy. */
function referenceFocuses(needs: readonly { n: number; progress: number }[]) {
  const plan = (sizes: readonly [number, number, number]) => {
    const counts = [0, 0, 0];
    for (const { n, progress } of needs) {
      let units = Math.ceil((100 - roundExactly(100 * progress, 2) - 1e-9) / 2.5);
      for (const [index, size] of sizes.entries()) {
        while (size > 0 && units >= size) {
          units -= size;
          counts[index] = (counts[index] ?? 0) + n;
        }
      }
    }
    return counts;
  };
  return { optimized_all: plan([5, 2, 1]), optimized_precise_rough: plan([0, 2, 1]), rough_only: plan([0, 0, 1]) };
}

/** The band of the containers, and where a Power Rank lies in it. */
export function referenceSimple(tier: number, type: number, level: number, rank: number) {
  const band = (boosts: number) => {
    const [lo, hi] = CONTAINER_RANKS[type]?.[tier] ?? [0, 0];
    const constant = 3 * (RANK_BASES[tier] ?? 0) * stepsAt(tier, level) + (type === 2 ? 100 : 0);
    return { boosts, min: (3 + boosts) * lo + constant, max: (3 + boosts) * hi + constant };
  };
  const full = band(boostsAt(level));
  const fewer = Array.from({ length: full.boosts }, (_, index) => band(full.boosts - 1 - index));
  const found = rank < full.min ? (fewer.find(({ min, max }) => rank >= min && rank <= max) ?? full) : full;
  const progress = clamp((rank - found.min) / (found.max - found.min));
  return {
    ...found,
    quality: roundExactly(progress, 4),
    distance: rank < found.min ? found.min - rank : rank > found.max ? rank - found.max : 0,
    focuses: referenceFocuses([{ n: 3 + found.boosts, progress }]),
  };
}
