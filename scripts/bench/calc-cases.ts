import { calculateBuilds } from '../../src/areas/gems/builds/builds-calculate.domain.ts';
import { optimizeHealth } from '../../src/areas/gems/builds/builds-health.domain.ts';
import type { BuildRequest, BuildType } from '../../src/areas/gems/builds/builds-request.domain.ts';
import { evaluateGem } from '../../src/areas/gems/evaluator/evaluate.domain.ts';
import { createGemsArea } from '../../src/areas/gems/index.ts';
import { classesBody } from '../../src/areas/stats/stats.routes.ts';
import { CLASS_NAMES } from '../../src/game/classes.domain.ts';
import { loadRoutes } from '../../src/platform/http/pipeline/route-groups.ts';
import { validate } from '../../src/platform/http/pipeline/validation.ts';
import type { Representation } from '../../src/platform/http/replies/reply.ts';
import { type RandomSource, seededRandom } from '../../src/platform/kit/values/random-source.ts';
import { naiveBuilds } from '../../test/unit/gems/support/builds-oracle.ts';
import { naiveHealth } from '../../test/unit/gems/support/health-oracle.ts';
import { randomBuild, randomHealthRequest } from '../../test/unit/gems/support/random-builds.ts';

/** A calculation to measure. */
export interface CalcCase {
  name: string;
  run: () => unknown;
  /** Maximum median in milliseconds; absent: no target. */
  target?: number;
}

const FARM: BuildRequest = { build_type: 'Farm', character: 'Knight', subclass: 'Ice Sage', light: 10_000 };

/** A gem without boosts: the evaluator searches for them, which is the slower path. */
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

const endpoints = await loadRoutes(createGemsArea({ random: seededRandom('bench') }).endpoints);

/** Builds of every class: more than the response cache holds, so that a repeated build is never cached. */
function everyClass(build: BuildRequest): BuildRequest[] {
  return CLASS_NAMES.flatMap((character) => CLASS_NAMES.map((subclass) => ({ ...build, character, subclass })));
}

/** Bodies of different builds, for load tests without cache hits. */
export const DIFFERENT_BUILDS: readonly string[] = everyClass({ food: 'zephyr_rune' }).map((build) => JSON.stringify(build));

const utf8 = new TextEncoder();

/** Runs an endpoint without HTTP, from the request text to the response bytes, with each body in turn. */
function handling(path: string, bodies: readonly unknown[]): () => Uint8Array {
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

export const ORACLE = 'build and sort all layouts: Farm, light target';
export const COMPARED = 'calculate Farm, light target';

export const CASES: readonly CalcCase[] = [
  { name: COMPARED, run: () => calculateBuilds(FARM), target: 3 },
  { name: 'calculate Farm', run: () => calculateBuilds({ ...FARM, light: 0 }), target: 3 },
  { name: 'calculate Farm, high precision', run: () => calculateBuilds({ ...FARM, light: 0, high_precision: true }), target: 3 },
  { name: 'calculate Light', run: () => calculateBuilds({}), target: 0.3 },
  { name: 'calculate Health', run: () => calculateBuilds({ build_type: 'Health' }), target: 0.3 },
  { name: 'health-optimizer', run: () => optimizeHealth({}), target: 0.3 },
  { name: 'evaluate, unknown boosts', run: () => evaluateGem(GUESSED_GEM), target: 0.1 },
  { name: 'classes, cached bytes', run: classesBody, target: 0.001 },
  { name: 'with JSON: calculate Farm, light target', run: handling('/v1/gems/builds/calculate', everyClass(FARM)), target: 3 },
  { name: 'with JSON: calculate Light', run: handling('/v1/gems/builds/calculate', everyClass({})), target: 0.3 },
  { name: 'with JSON: health-optimizer', run: handling('/v1/gems/builds/health-optimizer', [{}]), target: 0.3 },
  { name: 'with JSON: evaluate, unknown boosts', run: handling('/v1/gems/evaluate', [GUESSED_GEM]), target: 0.1 },
  { name: ORACLE, run: () => naiveBuilds(FARM) },
];

const BUILD_TYPES: readonly BuildType[] = ['Farm', 'Light', 'Health'];

/** Counts random configurations whose result differs from that of building and sorting all layouts. */
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
