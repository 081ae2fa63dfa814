import { z } from '@hono/zod-openapi';
import { tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import type { Scope } from '../../../platform/access/policy/scopes.ts';
import type { Site } from '../../../platform/http/pages/site-header.tsx';
import { type AnyRouteSpec, defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { htmlPage, pagesRateLimit } from '../layout/html-page.routes.ts';
import { plainPageReply } from '../layout/layout.page.tsx';
import { buildsToolPage } from './builds/builds.page.tsx';
import { characterToolPage } from './character/character.page.tsx';
import { EXAMPLE_GEM_CODE, MAX_GEM_CODE_LENGTH } from './gems/gem-code.domain.ts';
import { gemsToolPage } from './gems/gems.page.tsx';
import { toolsPage } from './index.page.tsx';
import { statsToolPage } from './stats/stats.page.tsx';
import { timeToolPage } from './time/time.page.tsx';
import { tmodToolPage } from './tmod/tmod.page.tsx';

/** Declaration of the page of a tool. `scope`: that of the endpoints that compute the same. */
function toolRoute(path: string, operationId: string, summary: string, scope: Scope) {
  return {
    ...htmlPage,
    path,
    operationId,
    summary,
    description: `${summary}.`,
    access: tokenlessAccess(scope, pagesRateLimit),
  } as const satisfies Partial<AnyRouteSpec>;
}

const GemsToolQuery = z.object({
  gem: z
    .string()
    .max(MAX_GEM_CODE_LENGTH)
    .optional()
    .openapi({ description: 'A gem as in the link of the page, for a link with a preview.', example: EXAMPLE_GEM_CODE }),
});

/** `/tools` and the page of each tool. The pages are identical for all clients; a script of each computes in the browser. */
export function createToolPageEndpoints(site: Site & { captchaSiteKey: string | null }): Endpoint[] {
  return [
    defineRoute(toolRoute('/tools', 'getToolsPage', 'List of tools', 'misc:read')).handle(({ baseUrl }) =>
      plainPageReply(site, toolsPage(baseUrl)),
    ),
    defineRoute(toolRoute('/tools/character', 'getCharacterToolPage', 'Character sheet reader', 'ocr:read')).handle(
      ({ baseUrl, settings }) => plainPageReply(site, characterToolPage(baseUrl, site.captchaSiteKey, settings)),
    ),
    defineRoute({
      ...toolRoute('/tools/gems', 'getGemsToolPage', 'Gem simulator and evaluator', 'gems:read'),
      query: GemsToolQuery,
      addresses: () => ['/tools/gems'],
    }).handle(({ baseUrl, query }) => plainPageReply(site, gemsToolPage(baseUrl, query.gem))),
    defineRoute(toolRoute('/tools/builds', 'getBuildsToolPage', 'Build optimizer', 'gems:read')).handle(({ baseUrl }) =>
      plainPageReply(site, buildsToolPage(baseUrl)),
    ),
    defineRoute(toolRoute('/tools/time', 'getTimeToolPage', 'Game time converter', 'misc:read')).handle(({ baseUrl, settings }) =>
      plainPageReply(site, timeToolPage(baseUrl, settings)),
    ),
    defineRoute(toolRoute('/tools/stats', 'getStatsToolPage', 'Stat checklists', 'stats:read')).handle(({ baseUrl }) =>
      plainPageReply(site, statsToolPage(baseUrl)),
    ),
    defineRoute(toolRoute('/tools/tmod', 'getTmodToolPage', 'Mod file editor', 'mods:read')).handle(({ baseUrl }) =>
      plainPageReply(site, tmodToolPage(baseUrl)),
    ),
  ];
}
