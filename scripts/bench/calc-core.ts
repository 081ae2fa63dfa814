import { calculateBuilds } from '../../src/areas/gems/builds-calculate.domain.ts';
import { optimizeHealth } from '../../src/areas/gems/builds-health.domain.ts';
import type { BuildRequest, BuildType } from '../../src/areas/gems/builds-request.domain.ts';
import { evaluateGem } from '../../src/areas/gems/evaluate.domain.ts';
import { seededRandom } from '../../src/game/random.domain.ts';
import { naiveBuilds } from '../../test/unit/gems/support/builds-oracle.ts';
import { naiveHealth } from '../../test/unit/gems/support/health-oracle.ts';
import { randomBuild, randomHealthRequest } from '../../test/unit/gems/support/random-builds.ts';

/**
 * CPU time of the calculators themselves, against sorting all layouts. `--verify` also compares both over 2,000 random
 * configurations of every build type, which takes minutes.
 */
const CONFIGURATIONS = 2000;
const LEAST_RATIO = 40;

interface Measure {
  name: string;
  run: () => unknown;
  rounds: number;
  /** Median that is allowed, in milliseconds. */
  target?: number;
}

const farm: BuildRequest = { build_type: 'Farm', character: 'Knight', subclass: 'Ice Sage', light: 10_000 };
const guessed = {
  tier: 3,
  type: 1,
  level: 20,
  auto_guess_procs: true,
  stats: [
    { type: 1, value: 16_000 },
    { type: 3, value: 150 },
    { type: 6, value: 400 },
  ],
};

const measures: Measure[] = [
  { name: 'calculate Farm, light target', run: () => calculateBuilds(farm), rounds: 1000, target: 3 },
  { name: 'calculate Farm', run: () => calculateBuilds({ ...farm, light: 0 }), rounds: 500, target: 3 },
  {
    name: 'calculate Farm, high precision',
    run: () => calculateBuilds({ ...farm, light: 0, high_precision: true }),
    rounds: 500,
    target: 3,
  },
  { name: 'calculate Light', run: () => calculateBuilds({}), rounds: 2000, target: 0.3 },
  { name: 'calculate Health', run: () => calculateBuilds({ build_type: 'Health' }), rounds: 2000, target: 0.3 },
  { name: 'health-optimizer', run: () => optimizeHealth({}), rounds: 2000, target: 0.3 },
  { name: 'evaluate, split guessed', run: () => evaluateGem(guessed), rounds: 5000, target: 0.1 },
  { name: 'all layouts sorted: Farm, light target', run: () => naiveBuilds(farm), rounds: 15 },
];

/** Milliseconds of the middle round, after as many again to warm up (at least one, at most 200). */
function medianOf({ run, rounds }: Measure): number {
  for (let warm = 0; warm < Math.min(200, Math.ceil(rounds / 10)); warm += 1) run();
  const times = Array.from({ length: rounds }, () => {
    const start = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - start) / 1e6;
  });
  return times.sort((left, right) => left - right)[Math.floor(rounds / 2)] ?? 0;
}

/** Random configurations that come out differently. */
function differences(): number {
  const random = seededRandom('verify');
  const types: BuildType[] = ['Farm', 'Light', 'Health'];
  let different = 0;
  for (let made = 0; made < CONFIGURATIONS; made += 1) {
    const request = randomBuild(random, types[made % 3] ?? 'Farm');
    if (JSON.stringify(calculateBuilds(request)) !== JSON.stringify(naiveBuilds(request))) different += 1;
    const health = randomHealthRequest(random);
    if (JSON.stringify(optimizeHealth(health)) !== JSON.stringify(naiveHealth(health))) different += 1;
  }
  return different;
}

const medians = measures.map((measure) => ({ ...measure, median: medianOf(measure) }));
for (const { name, median, target } of medians) {
  const verdict = target === undefined ? '' : `  target ${target} ms  ${median <= target ? 'ok' : 'MISSED'}`;
  console.log(`${name.padEnd(40)} ${median.toFixed(4).padStart(10)} ms${verdict}`);
}
const ratio = (medians.at(-1)?.median ?? 0) / (medians[0]?.median ?? 1);
console.log(`ratio ${ratio.toFixed(0)}x  at least ${LEAST_RATIO}x  ${ratio >= LEAST_RATIO ? 'ok' : 'MISSED'}`);
if (process.argv.includes('--verify')) {
  const different = differences();
  console.log(`${CONFIGURATIONS} random configurations: ${different} differ`);
  if (different > 0) process.exitCode = 1;
}
