import { checkInteger, InputError } from '../../../platform/errors/input-error.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { pick, type RandomSource, randomBelow, randomUnit, type Seed, seededRandom } from '../../../platform/values/random-source.ts';
import { type Container, countContainers, type Gem, MAX_CONTAINERS, newContainer, type StatPosition, withStat } from './gem.domain.ts';
import type { Maybe } from './gem-ids.domain.ts';

/** Random source and id generator of an operation. */
export interface Rolls {
  random: RandomSource;
  newId: () => number;
}

/** Room in an id for hundredths of a second, which the clock leaves to chance, and four more random digits. */
const ID_DIGITS = 1e6;
const MAX_SEED_LENGTH = 64;

/** Unpredictable rolls; ids are unix time in 1/100 s followed by random digits, below 2^53. */
export function freshRolls(random: RandomSource, now: UnixSeconds): Rolls {
  return { random, newId: () => now * ID_DIGITS + randomBelow(random, ID_DIGITS) };
}

/** Seeded when a request brings a seed, else fresh. */
export function rollsFor(seed: Maybe<Seed>, random: RandomSource, now: UnixSeconds): Rolls {
  return seed === null || seed === undefined ? freshRolls(random, now) : seededRolls(seed);
}

/** Rolls that the same seed repeats, ids included. A seed is an integer or a text of 1 to 64 characters. */
export function seededRolls(seed: Seed): Rolls {
  const random = seededRandom(checkSeed(seed));
  return { random, newId: () => randomBelow(random, 2 ** 31) * ID_DIGITS + randomBelow(random, ID_DIGITS) };
}

export const POSITIONS: readonly StatPosition[] = [0, 1, 2];

/** A container at the gem's fixed roll, or at a drawn one. */
export function rollContainer(augmentation: number | null, random: RandomSource): Container {
  return newContainer(augmentation ?? randomUnit(random));
}

/** The gem with one more container on a stat drawn at random; a gem that is full stays as it is. */
export function addContainer(gem: Gem, random: RandomSource): Gem {
  if (countContainers(gem.stats) >= MAX_CONTAINERS) return gem;
  const position = pick(random, POSITIONS);
  const stat = gem.stats[position];
  return withStat(gem, position, { ...stat, containers: [...stat.containers, rollContainer(gem.augmentation, random)] });
}

function checkSeed(seed: Seed): Seed {
  if (typeof seed !== 'string') return checkInteger(seed, ['seed'], -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  if (seed.length < 1 || seed.length > MAX_SEED_LENGTH) {
    throw new InputError('invalid', ['seed'], `must have 1 to ${MAX_SEED_LENGTH} characters`);
  }
  return seed;
}
