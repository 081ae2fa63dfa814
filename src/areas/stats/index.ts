import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { statsScopes } from './stats.scopes.ts';

export const statsArea = defineArea({
  scopes: statsScopes,
  tags: {
    Stats: 'Stat sources, playable classes, the coefficient calculator and the sigil image.',
  },
  create: ({ ports }) => ({
    endpoints: [
      lazyRoutes(['/v1/stats'], async () => {
        const [{ createSigilEndpoint, createSigilRenderer }, { createStatsEndpoints }] = await Promise.all([
          import('./sigil.routes.ts'),
          import('./stats.routes.ts'),
        ]);
        return [...createStatsEndpoints(() => ports.classFigures()), createSigilEndpoint(createSigilRenderer())];
      }),
    ],
  }),
});
