import { countBoosts } from '../../../gems/gem-figures.domain.ts';

/** Boosts on the three stats of a gem. */
export type BoostSplit = readonly [number, number, number];

/** Distributions of boosts over three stats, such as `[3, 0, 0]`, most on the first stat first. */
export function splitsOf(boosts: number): BoostSplit[] {
  const splits: BoostSplit[] = [];
  for (let first = boosts; first >= 0; first -= 1)
    for (let second = boosts - first; second >= 0; second -= 1) splits.push([first, second, boosts - first - second]);
  return splits;
}

export const splitLabel = (split: readonly number[]) => split.join(' · ');

/** The split, if a gem of the level has as many boosts; otherwise one that takes from the last stats first, or adds to the first. */
export function fitSplit(split: BoostSplit, level: number): BoostSplit {
  let left = countBoosts(level);
  const [first, second, third] = split.map((count) => {
    const own = Math.min(count, left);
    left -= own;
    return own;
  }) as [number, number, number];
  return [first + left, second, third];
}
