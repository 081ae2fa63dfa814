import type { UnixSeconds } from '../../../platform/time/clock.ts';
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

/** `finalName` is what the map shows, often the parent biome; `icon` is a token such as `neon`, not an address. */
export type Biome = { name: string; finalName: string; icon: string };
export type BiomeLookup = ReadonlyMap<string, Biome>;

/** One place of a rotation: window `k` shows entry `k + shift` of the sequence, read cyclically. */
export type BiomeTrack = { sequence: NonEmpty<string>; shift: number };
export type BiomeRotationRules = {
  cycle: Cycle;
  upcomingItems: number;
  tracks: NonEmpty<BiomeTrack>;
  lookup: BiomeLookup;
};

export type BiomeRotation = TimeWindow & { biomes: readonly Biome[] };
export type BiomeRotations = { current: BiomeRotation; upcoming: readonly BiomeRotation[] };

/**
 * Rotation at `now`: the first window that ends after `now`, and those that follow it. Where windows leave gaps
 * (stampy), `current` is the next visit while none is open, so clients compare its start with the clock.
 */
export function biomeRotationsAt(now: UnixSeconds, rules: BiomeRotationRules): BiomeRotations {
  const first = indexEndingAfter(now, rules.cycle);
  return {
    current: biomeRotation(first, rules),
    upcoming: indicesFrom(first + 1, rules.upcomingItems).map((index) => biomeRotation(index, rules)),
  };
}

/** When a window opens or closes next: the current window's start while that lies ahead, else its end. */
export function biomeRotationsNextChangeAt(now: UnixSeconds, rules: BiomeRotationRules): UnixSeconds {
  return nextEdgeAfter(now, rules.cycle);
}

/** Biomes of window `index`, in the order of the tracks. */
export function biomesOfWindow(index: number, rules: Pick<BiomeRotationRules, 'tracks' | 'lookup'>): Biome[] {
  return rules.tracks.map((track) => biomeNamed(cyclicAt(track.sequence, index + track.shift), rules.lookup));
}

/** Biome by name; unknown names fall back to the name itself. */
export function biomeNamed(name: string, lookup: BiomeLookup): Biome {
  return lookup.get(name) ?? { name, finalName: name, icon: 'unknown' };
}

function biomeRotation(index: number, rules: BiomeRotationRules): BiomeRotation {
  return { ...cycleWindow(index, rules.cycle), biomes: biomesOfWindow(index, rules) };
}
