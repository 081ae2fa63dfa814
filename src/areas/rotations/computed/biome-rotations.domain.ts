import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import {
  type Cycle,
  cycleWindow,
  cyclicAt,
  indexEndingAfter,
  indicesFrom,
  type NonEmpty,
  nextEdgeAfter,
  type TimeWindow,
} from './cycle.domain.ts';

/** `finalName`: name on the map, often the parent biome. `icon`: a token such as `neon`, not a URL. */
export type Biome = { name: string; finalName: string; icon: string };
export type BiomeLookup = ReadonlyMap<string, Biome>;

/** One biome position of a rotation: window `k` has entry `k + shift` of the sequence, which repeats. */
type BiomeTrack = { sequence: NonEmpty<string>; shift: number };
export type BiomeRotationRules = {
  cycle: Cycle;
  upcomingItems: number;
  tracks: NonEmpty<BiomeTrack>;
  lookup: BiomeLookup;
};

export type BiomeRotation = TimeWindow & { biomes: readonly Biome[] };
export type BiomeRotations = { current: BiomeRotation; upcoming: readonly BiomeRotation[] };

/**
 * Rotation at `now`: the first window that ends after `now`, and the following ones. With gaps between windows (stampy), `current` is the
 * next window during a gap.
 */
export function biomeRotationsAt(now: UnixSeconds, rules: BiomeRotationRules): BiomeRotations {
  const first = indexEndingAfter(now, rules.cycle);
  return {
    current: biomeRotation(first, rules),
    upcoming: indicesFrom(first + 1, rules.upcomingItems).map((index) => biomeRotation(index, rules)),
  };
}

/** Next start or end of a window. */
export function biomeRotationsNextChangeAt(now: UnixSeconds, rules: BiomeRotationRules): UnixSeconds {
  return nextEdgeAfter(now, rules.cycle);
}

/** Biomes of window `index` in track order. */
export function biomesOfWindow(index: number, rules: Pick<BiomeRotationRules, 'tracks' | 'lookup'>): Biome[] {
  return rules.tracks.map((track) => biomeNamed(cyclicAt(track.sequence, index + track.shift), rules.lookup));
}

/** Biome by name. For unknown names, `finalName` is the name itself. */
export function biomeNamed(name: string, lookup: BiomeLookup): Biome {
  return lookup.get(name) ?? { name, finalName: name, icon: 'unknown' };
}

function biomeRotation(index: number, rules: BiomeRotationRules): BiomeRotation {
  return { ...cycleWindow(index, rules.cycle), biomes: biomesOfWindow(index, rules) };
}
