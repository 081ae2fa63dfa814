import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { createRandomInts } from '../../platform/kit/random.ts';
import { gemsScopes } from './gems.scopes.ts';

export const gemsArea = defineArea({
  scopes: gemsScopes,
  tags: {
    Gems: 'Gem simulator, evaluator and build optimizer. Stateless: clients store the gem and send it back.',
  },
  create() {
    const random = createRandomInts();
    return {
      endpoints: [
        lazyRoutes(['/v1/gems'], async () => {
          const [{ buildEndpoints }, { evaluateEndpoints }, { gemTableEndpoints }, { createGemToolEndpoints }] = await Promise.all([
            import('./builds/builds.routes.ts'),
            import('./evaluator/evaluate.routes.ts'),
            import('./simulator/gem-tables.routes.ts'),
            import('./simulator/gem-tools.routes.ts'),
          ]);
          return [...gemTableEndpoints, ...createGemToolEndpoints(random), ...evaluateEndpoints, ...buildEndpoints];
        }),
      ],
    };
  },
});
