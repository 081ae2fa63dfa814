import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { createGuides, type Guides } from './guides.store.ts';
import { createDocsSearchSource } from './search-entries.service.ts';

declare module '../../platform/area/area.ts' {
  interface Ports {
    guides: Guides;
  }
}

/** `/docs`: guides, recipes, reference. */
export const docsArea = defineArea({
  create({ env, environment, scopes, ports, service }) {
    const guides = createGuides(env.ASSETS);
    return {
      endpoints: [
        lazyRoutes(['/docs'], async () => {
          const { createDocsEndpoints } = await import('./docs.routes.tsx');
          const { tagDocument, listTools } = ports;
          return createDocsEndpoints({
            appName: env.APP_NAME,
            isDemo: environment.isDemo,
            env,
            guides,
            service,
            scopes,
            tagDocument,
            listTools,
          });
        }),
      ],
      searchSources: [createDocsSearchSource(guides, service)],
      provides: { guides },
    };
  },
});
