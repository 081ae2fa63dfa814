import { defineArea } from '../../platform/area.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { createRandomInts } from '../../platform/random.ts';
import type { RandomSource } from '../../platform/values/random-source.ts';
import { buildEndpoints } from './builds/builds.routes.ts';
import { evaluateEndpoints } from './evaluator/evaluate.routes.ts';
import { gemsScopes } from './gems.scopes.ts';
import { gemTableEndpoints } from './simulator/gem-tables.routes.ts';
import { createGemToolEndpoints } from './simulator/gem-tools.routes.ts';

/** Endpoints of `/v1/gems`. */
export function createGemsArea({ random }: { random: RandomSource }): { endpoints: Endpoint[] } {
  return { endpoints: [...gemTableEndpoints, ...createGemToolEndpoints(random), ...evaluateEndpoints, ...buildEndpoints] };
}

export const gemsArea = defineArea({
  scopes: gemsScopes,
  tags: {
    Gems: 'Gem simulator, evaluator and build optimizer. Stateless: clients store the gem and send it back.',
  },
  create: () => createGemsArea({ random: createRandomInts() }),
});
