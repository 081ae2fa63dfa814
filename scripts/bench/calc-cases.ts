import { calculateBuilds } from '../../src/areas/gems/builds/builds-calculate.domain.ts';
import { optimizeHealth } from '../../src/areas/gems/builds/builds-health.domain.ts';
import type { BuildRequest, BuildType } from '../../src/areas/gems/builds/builds-request.domain.ts';
import { evaluateGem } from '../../src/areas/gems/evaluator/evaluate.domain.ts';
import { createGemsArea } from '../../src/areas/gems/index.ts';
import { classesBody } from '../../src/areas/stats/stats.bodies.ts';
import { CLASS_NAMES } from '../../src/game/classes.domain.ts';
import { validate } from '../../src/platform/http/pipeline/validation.ts';
import type { Representation } from '../../src/platform/http/replies/reply.ts';
import { type RandomSource, seededRandom } from '../../src/platform/values/random-source.ts';
import { naiveBuilds } from '../../test/unit/gems/support/builds-oracle.ts';
import { naiveHealth } from '../../test/unit/gems/support/health-oracle.ts';
import { randomBuild, randomHealthRequest } from '../../test/unit/gems/support/random-builds.ts';

/** One thing to time. */
export interface CalcCase {
  name: string;
  run: () => unknown;
  /** Median that is allowed, in milliseconds; absent: only to compare with. */
  target?: number;
}

const FARM: BuildRequest = { build_type: 'Farm', character: 'Knight', subclass: 'Ice Sage', light: 10_000 };

/** A gem whose boosts must be guessed, which is the dearer way. */
export const GUESSED_GEM = {
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

const { endpoints } = createGemsArea({ random: seededRandom('bench') });

/** So many builds in turn that no response to one of them is still kept when it comes up again. */
function everyClass(build: BuildRequest): BuildRequest[] {
  return CLASS_NAMES.flatMap((character) => CLASS_NAMES.map((subclass) => ({ ...build, character, subclass })));
}

/** Bodies of builds that all differ, for loads that no kept response can help. */
export const DIFFERENT_BUILDS: readonly string[] = everyClass({ food: 'zephyr_rune' }).map((build) => JSON.stringify(build));

const utf8 = new TextEncoder();

/** All that an endpoint does beside HTTP, from the text of a body to the bytes of the response; for each body in turn. */
function answering(path: string, bodies: readonly unknown[]): () => Uint8Array {
  const endpoint = endpoints.find(({ spec }) => spec.path === path);
  if (!endpoint?.spec.body) throw new Error(`calculator not found: ${path}`);
  const { spec, handler } = endpoint;
  const texts = bodies.map((body) => JSON.stringify(body));
  let turn = 0;
  return () => {
    const text = texts[turn++ % texts.length] ?? '';
    const reply = handler({ body: validate(spec.body as never, 'body', JSON.parse(text)), now: 0 } as never) as Representation;
    return utf8.encode(reply.text);
  };
}

export const ORACLE = 'all layouts made and sorted: Farm, light target';
export const COMPARED = 'calculate Farm, light target';

export const CASES: readonly CalcCase[] = [
  { name: COMPARED, run: () => calculateBuilds(FARM), target: 3 },
  { name: 'calculate Farm', run: () => calculateBuilds({ ...FARM, light: 0 }), target: 3 },
  { name: 'calculate Farm, high precision', run: () => calculateBuilds({ ...FARM, light: 0, high_precision: true }), target: 3 },
  { name: 'calculate Light', run: () => calculateBuilds({}), target: 0.3 },
  { name: 'calculate Health', run: () => calculateBuilds({ build_type: 'Health' }), target: 0.3 },
  { name: 'health-optimizer', run: () => optimizeHealth({}), target: 0.3 },
  { name: 'evaluate, boosts guessed', run: () => evaluateGem(GUESSED_GEM), target: 0.1 },
  { name: 'classes, kept bytes', run: classesBody, target: 0.001 },
  { name: 'with JSON: calculate Farm, light target', run: answering('/v1/gems/builds/calculate', everyClass(FARM)), target: 3 },
  { name: 'with JSON: calculate Light', run: answering('/v1/gems/builds/calculate', everyClass({})), target: 0.3 },
  { name: 'with JSON: health-optimizer', run: answering('/v1/gems/builds/health-optimizer', [{}]), target: 0.3 },
  { name: 'with JSON: evaluate, boosts guessed', run: answering('/v1/gems/evaluate', [GUESSED_GEM]), target: 0.1 },
  { name: ORACLE, run: () => naiveBuilds(FARM) },
];

const BUILD_TYPES: readonly BuildType[] = ['Farm', 'Light', 'Health'];

/** Number of random configurations with another result when all layouts are built and sorted. */
export function countDifferences(seed: string, configurations: number): number {
  const random = seededRandom(seed);
  let different = 0;
  for (let made = 0; made < configurations; made += 1) {
    if (differs(random, BUILD_TYPES[made % BUILD_TYPES.length] ?? 'Farm')) different += 1;
  }
  return different;
}

function differs(random: RandomSource, type: BuildType): boolean {
  const build = randomBuild(random, type);
  const health = randomHealthRequest(random);
  const ours = JSON.stringify([calculateBuilds(build), optimizeHealth(health)]);
  return ours !== JSON.stringify([naiveBuilds(build), naiveHealth(health)]);
}
