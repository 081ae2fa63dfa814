import { checkInteger, InputError } from '../../../platform/kit/errors/input-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { pick, type RandomSource, randomBelow, randomUnit, type Seed, seededRandom } from '../../../platform/kit/values/random-source.ts';
import { type Container, countContainers, type Gem, MAX_CONTAINERS, newContainer, type StatPosition, withStat } from './gem.domain.ts';
import type { Maybe } from './gem-ids.domain.ts';

/** Random source and id generator of an operation. */
export interface Rolls {
  random: RandomSource;
  newId: () => number;
}

/** Random part of an id: six digits after the seconds. */
const ID_RANDOM_RANGE = 1e6;
const MAX_SEED_LENGTH = 64;

/** Rolls of a random source; ids are Unix seconds followed by six random digits, below 2^53. */
export function randomRolls(random: RandomSource, now: UnixSeconds): Rolls {
  return { random, newId: () => now * ID_RANDOM_RANGE + randomBelow(random, ID_RANDOM_RANGE) };
}

/** Seeded rolls if the request has a seed, otherwise random ones. */
export function rollsFor(seed: Maybe<Seed>, random: RandomSource, now: UnixSeconds): Rolls {
  return seed === null || seed === undefined ? randomRolls(random, now) : seededRolls(seed);
}

/** Repeatable rolls, including ids. A seed is an integer or a text of 1 to 64 characters. */
export function seededRolls(seed: Seed): Rolls {
  const random = seededRandom(checkSeed(seed));
  return { random, newId: () => randomBelow(random, 2 ** 31) * ID_RANDOM_RANGE + randomBelow(random, ID_RANDOM_RANGE) };
}

export const POSITIONS: readonly StatPosition[] = [0, 1, 2];

/** New container at the fixed roll of the gem, or at a random one. */
export function rollContainer(augmentation: number | null, random: RandomSource): Container {
  return newContainer(augmentation ?? randomUnit(random));
}

/** Adds a container to a random stat; a gem with `MAX_CONTAINERS` is unchanged. */
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
