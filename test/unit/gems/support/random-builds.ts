import { ALLIES, FOODS, GEAR_LINES } from '../../../../src/areas/gems/builds/builds.data.ts';
import type { HealthRequest } from '../../../../src/areas/gems/builds/builds-health.domain.ts';
import type { BuildRequest, BuildType } from '../../../../src/areas/gems/builds/builds-request.domain.ts';
import { STAR_CHART_NODES } from '../../../../src/areas/gems/builds/star-chart.data.ts';
import { CLASS_NAMES } from '../../../../src/game/classes.domain.ts';
import { happens, pick, type RandomSource, randomBelow } from '../../../../src/platform/kit/random.ts';

const flip = (random: RandomSource) => happens(random, 0.5);

/** Star chart code of up to 40 nodes, or none. */
function randomChart(random: RandomSource): string | null {
  if (flip(random)) return null;
  const ids = Array.from({ length: 1 + randomBelow(random, 40) }, () => randomBelow(random, STAR_CHART_NODES.length));
  return `SC:${btoa(String.fromCharCode(...ids))}`.replaceAll('+', '-').replaceAll('/', '_');
}

export function randomBuild(random: RandomSource, buildType: BuildType): BuildRequest {
  return {
    build_type: buildType,
    character: pick(random, CLASS_NAMES),
    subclass: pick(random, CLASS_NAMES),
    food: pick(random, ['', ...FOODS.map(({ key }) => key)]),
    ally: pick(random, ALLIES).key,
    critical_damage_count: randomBelow(random, 4),
    no_face: flip(random),
    subclass_active: flip(random),
    litany: flip(random),
    berserker_battler: flip(random),
    light: flip(random) ? 0 : 7000 + randomBelow(random, 9000),
    star_chart: randomChart(random),
    ally_buff: flip(random),
    bounty_hunt: flip(random),
    high_precision: happens(random, 0.2),
  };
}

export function randomHealthRequest(random: RandomSource): HealthRequest {
  const lines = Object.keys(GEAR_LINES).map((line) => [line, flip(random)]);
  return {
    character: pick(random, CLASS_NAMES),
    star_chart: randomChart(random),
    high_precision: happens(random, 0.2),
    ...Object.fromEntries(lines),
  };
}
