import { defineArea } from '../../platform/area.ts';
import { createDocsEndpoints } from './docs.routes.tsx';
import { createGuides, type Guides } from './guides.ts';
import { createDocsSearchSource } from './search-entries.ts';

declare module '../../platform/area.ts' {
  interface Ports {
    guides: Guides;
  }
}

/** `/docs`: guides, recipes, reference. */
export const docsArea = defineArea({
  create({ env, environment, scopes, ports, service }) {
    const guides = createGuides(env.ASSETS);
    return {
      endpoints: () =>
        createDocsEndpoints({
          appName: env.APP_NAME,
          isDemo: environment.isDemo,
          env,
          guides,
          service,
          scopes,
          tagDocument: ports.tagDocument,
        }),
      searchSources: [createDocsSearchSource(guides, service)],
      provides: { guides },
    };
  },
});
