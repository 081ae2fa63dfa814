import { defineArea } from '../../platform/area.ts';
import { createDocsEndpoints } from './docs.routes.tsx';
import { createGuides, type Guides } from './guides.ts';

declare module '../../platform/area.ts' {
  interface Ports {
    guides: Guides;
  }
}

/** `/docs`: guides, recipes, reference, search. */
export const docsArea = defineArea({
  create({ env, environment, scopes, ports, service }) {
    const guides = createGuides(env.ASSETS);
    return {
      endpoints: () =>
        createDocsEndpoints({
          ...{ appName: env.APP_NAME, isDemo: environment.isDemo, env, guides, service, scopes, assets: env.ASSETS },
          tagDocument: ports.tagDocument,
        }),
      provides: { guides },
    };
  },
});
