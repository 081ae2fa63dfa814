import { describe, expect, it } from 'vitest';
import { serializeBuildResults } from '../../../src/areas/gems/builds/builds.bodies.ts';
import { type BuildResponse, type BuildRow, calculateBuilds } from '../../../src/areas/gems/builds/builds-calculate.domain.ts';
import type { BuildType } from '../../../src/areas/gems/builds/builds-request.domain.ts';
import { seededRandom } from '../../../src/platform/kit/random.ts';
import { randomBuild } from './support/random-builds.ts';

const expectSameText = (answer: BuildResponse) => expect(serializeBuildResults(answer).text === JSON.stringify(answer)).toBe(true);

describe('serializeBuildResults', () => {
  it('returns the text of JSON.stringify for each type of build', () => {
    const random = seededRandom('written');
    const types: BuildType[] = ['Light', 'Farm', 'Health'];
    for (let made = 0; made < 90; made += 1) expectSameText(calculateBuilds(randomBuild(random, types[made % 3] ?? 'Light')));
  });

  it('returns the text of JSON.stringify for arbitrary figures', () => {
    const [row] = calculateBuilds({}).results as [BuildRow];
    const figures = [
      0,
      -0,
      0.01,
      0.1,
      0.07,
      0.29,
      1.005,
      1.999,
      0.999,
      -0.5,
      -3.25,
      1e-7,
      4.35,
      99.99,
      1e12 + 0.25,
      123456789012.34,
      1e21,
      5e-324,
    ];
    expectSameText({ results: figures.map((base_dmg) => ({ ...row, base_dmg, coefficient: base_dmg * 3 })), count: figures.length });
    expectSameText({ results: [], count: 0 });
  });
});
