import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes, type Routes } from '../../platform/http/pipeline/route-groups.ts';
import { createSigilRenderer } from './sigil-renderer.service.ts';
import { statsScopes } from './stats.scopes.ts';

/** Endpoints of `/v1/stats`. */
function createStatsArea(): { endpoints: Routes[] } {
  return {
    endpoints: [
      lazyRoutes(['/v1/stats'], async () => {
        const [{ createSigilEndpoint }, { statsEndpoints }] = await Promise.all([import('./sigil.routes.ts'), import('./stats.routes.ts')]);
        return [...statsEndpoints, createSigilEndpoint(createSigilRenderer())];
      }),
    ],
  };
}

export const statsArea = defineArea({
  scopes: statsScopes,
  tags: {
    Stats: 'Stat sources, playable classes, the coefficient calculator and the sigil image.',
  },
  create: createStatsArea,
});
