import type { RandomSource } from '../../game/random.domain.ts';
import type { Endpoint } from '../../platform/http/define-route.ts';
import { buildEndpoints } from './builds.routes.ts';
import { evaluateEndpoints } from './evaluate.routes.ts';
import { gemTableEndpoints } from './gem-tables.routes.ts';
import { createGemToolEndpoints } from './gem-tools.routes.ts';

/** Everything under `/v1/gems`. */
export function createGemsArea({ random }: { random: RandomSource }): { endpoints: Endpoint[] } {
  return { endpoints: [...gemTableEndpoints, ...createGemToolEndpoints(random), ...evaluateEndpoints, ...buildEndpoints] };
}
