import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BiomeRotationRules,
  biomeNamed,
  biomeRotationsAt,
  biomeRotationsNextChangeAt,
  biomesOfWindow,
} from '../../../../src/areas/rotations/schedules/computed.domain.ts';
import {
  biomesRules,
  parentBiomes,
  stampyRules,
  subBiomes,
  wildManaRules,
} from '../../../../src/areas/rotations/schedules/schedules.data.ts';

const day = 86_400;
const week = 7 * day;
const anyInstant = fc.integer({ min: -2_000_000_000, max: 6_000_000_000 });
const names = (index: number, rules: BiomeRotationRules) => biomesOfWindow(index, rules).map((biome) => biome.name);

function expectSteps({ current, upcoming }: ReturnType<typeof biomeRotationsAt>, everySeconds: number, openSeconds: number, count: number) {
  expect(upcoming).toHaveLength(count);
  [current, ...upcoming].forEach((rotation, position) => {
    expect(rotation.starts_at).toBe(current.starts_at + position * everySeconds);
    expect(rotation.ends_at - rotation.starts_at).toBe(openSeconds);
  });
}

describe('biome table', () => {
  it('contains every name of the sequences', () => {
    for (const rules of [biomesRules, wildManaRules, stampyRules]) {
      for (const { sequence } of rules.tracks) for (const name of sequence) expect(rules.lookup.has(name), name).toBe(true);
    }
  });

  it('has 30 sub-biomes and 13 parents', () => {
    expect([subBiomes.size, parentBiomes.size]).toEqual([30, 13]);
  });

  it('falls back to the name itself for an unknown name', () => {
    expect(biomeNamed('constructor', subBiomes)).toEqual({ name: 'constructor', final_name: 'constructor', icon: 'unknown' });
  });

  it('returns the map name', () => {
    expect(biomeNamed('Data Spires', subBiomes)).toEqual({ name: 'Data Spires', final_name: 'Neon City', icon: 'neon' });
    expect(biomeNamed('Neon City', parentBiomes)).toEqual({ name: 'Neon City', final_name: 'Neon City', icon: 'neon' });
  });
});

describe('3-hour biome rotation', () => {
  const { anchorAt } = biomesRules.cycle;

  it('combines three lists of 12, 11 and 14 entries', () => {
    expect(biomesRules.tracks.map((track) => track.sequence.length)).toEqual([12, 11, 14]);
    expect(names(0, biomesRules)).toEqual(['Sundered Uplands', 'Cursed Vale', 'Sugar Steppes']);
    expect(names(-1, biomesRules)).toEqual(['Abandoned Boneyard', 'Uncanny Valley', 'Data Spires']);
    expect(names(12, biomesRules)).toEqual(['Sundered Uplands', 'Hollow Dunes', 'The Lost Isles']);
  });

  it('repeats every 924 slots and not sooner', () => {
    const slots = Array.from({ length: 924 }, (_, index) => names(index, biomesRules).join('|'));
    const repeated = Array.from({ length: 924 }, (_, index) => names(index + 924, biomesRules).join('|'));
    expect(repeated).toEqual(slots);
    const divisors = [2, 3, 4, 6, 7, 11, 12, 14, 21, 22, 28, 33, 42, 44, 66, 77, 84, 132, 154, 231, 308, 462];
    for (const shorter of divisors) {
      expect(slots.every((slot, index) => slot === slots[(index + shorter) % 924])).toBe(false);
    }
  });

  it('changes every three hours', () => {
    const starts = [-1, 0, 10_799, 10_800].map((second) => biomeRotationsAt(anchorAt + second, biomesRules).current.starts_at - anchorAt);
    expect(starts).toEqual([-10_800, 0, 0, 10_800]);
  });

  it('contains the current slot and the next 48 hours at any time', () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        const rotations = biomeRotationsAt(now, biomesRules);
        expectSteps(rotations, 10_800, 10_800, 16);
        expect(rotations.current.starts_at).toBeLessThanOrEqual(now);
        expect(rotations.current.ends_at).toBeGreaterThan(now);
        expect(biomeRotationsNextChangeAt(now, biomesRules)).toBe(rotations.current.ends_at);
        expect(rotations.upcoming.every((rotation) => rotation.biomes.length === 3)).toBe(true);
      }),
    );
  });
});

describe('wild mana', () => {
  it('contains the newest biome and the two before it', () => {
    expect(names(0, wildManaRules)).toEqual(['Neon City', 'Candoria', 'Fae Forest']);
    expect(names(1, wildManaRules)).toEqual(['Jurassic Jungle', 'Neon City', 'Candoria']);
    expect(names(2, wildManaRules)).toEqual(['Dragonfire Peaks', 'Jurassic Jungle', 'Neon City']);
    expect(names(-1, wildManaRules)).toEqual(['Candoria', 'Fae Forest', 'Desert Frontier']);
  });

  it('repeats every 11 weeks and changes on Monday 11:00 UTC', () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        const rotations = biomeRotationsAt(now, wildManaRules);
        expectSteps(rotations, week, week, 7);
        expect(new Date(rotations.current.starts_at * 1000).toUTCString()).toMatch(/^Mon.*11:00:00 GMT$/);
        expect(biomeRotationsAt(now + 11 * week, wildManaRules).current.biomes).toEqual(rotations.current.biomes);
        expect(biomeRotationsNextChangeAt(now, wildManaRules)).toBe(rotations.current.ends_at);
      }),
    );
  });
});

describe('stampy', () => {
  const { anchorAt } = stampyRules.cycle;
  const at = (now: number) => biomeRotationsAt(now, stampyRules);

  it('returns the open window, or the next visit between windows', () => {
    const starts = [-1, 0, 2 * day - 1, 2 * day, week - 1, week].map((second) => at(anchorAt + second).current.starts_at - anchorAt);
    expect(starts).toEqual([0, 0, 0, week, week, week]);
  });

  it('changes at the start and end of a window', () => {
    const changes = [-1, 0, 2 * day - 1, 2 * day].map((second) => biomeRotationsNextChangeAt(anchorAt + second, stampyRules) - anchorAt);
    expect(changes).toEqual([0, 2 * day, 2 * day, week]);
  });

  it('cycles through 13 biomes, one per week', () => {
    expect(at(anchorAt).current.biomes).toEqual([{ name: 'Desert Frontier', final_name: 'Desert Frontier', icon: 'frontier' }]);
    expect(at(anchorAt + 13 * week).current.biomes).toEqual(at(anchorAt).current.biomes);
    expect(new Set(Array.from({ length: 13 }, (_, index) => names(index, stampyRules)[0])).size).toBe(13);
  });

  it('starts on Saturdays, lasts 48 hours and never returns a past window', () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        const rotations = at(now);
        expectSteps(rotations, week, 2 * day, 7);
        expect(rotations.current.ends_at).toBeGreaterThan(now);
        expect(rotations.current.ends_at - now).toBeLessThanOrEqual(week);
        expect(new Date(rotations.current.starts_at * 1000).toUTCString()).toMatch(/^Sat.*11:00:00 GMT$/);
      }),
    );
  });
});
