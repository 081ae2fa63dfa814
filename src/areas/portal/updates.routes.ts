import { z } from '@hono/zod-openapi';
import { BRANCH_NAMES, LIVE_BRANCH } from '../../game/branches.data.ts';
import { tokenlessAccess, visitorAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { choice } from '../../platform/http/pipeline/query-schemas.ts';
import { ACCOUNT_ROWS, htmlPage, pagesRateLimit } from './layout/html-page.routes.ts';
import { isSignedIn, type PageMaker, plainPageReply, visitorReply } from './layout/layout.page.tsx';
import { updatePage, updatesPage } from './updates.pages.tsx';

const branch = choice(BRANCH_NAMES, { description: 'Branch of the game.', example: LIVE_BRANCH });
const VersionParams = z.object({
  branch,
  ordinal: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a number')
    .transform(Number)
    .openapi({ type: 'integer', description: 'Number of the version.', example: 1 }),
});

/** `/updates` and the page of a version, which shows the changed files to signed-in accounts. */
export function createUpdatePageEndpoints(site: PageMaker, { updatePages }: Pick<Ports, 'updatePages'>): Endpoint[] {
  const shared = { ...htmlPage, feature: 'featureUpdatesEnabled' } as const;
  return [
    defineRoute({
      ...shared,
      path: '/updates',
      operationId: 'getUpdatesPage',
      summary: 'Game updates page',
      description: 'The archived versions of a branch.',
      access: tokenlessAccess('updates:read', pagesRateLimit),
      query: z.object({ branch: branch.default(LIVE_BRANCH) }),
      errors: ['not_found'],
    }).handle(async ({ query }) =>
      plainPageReply(site, updatesPage(query.branch, updatePages.branches, await updatePages.versions(query.branch))),
    ),
    defineRoute({
      ...shared,
      path: '/updates/{branch}/{ordinal}',
      operationId: 'getUpdatePage',
      summary: 'Page of a game update',
      description: 'A version with the numbers of its changes; for a signed-in account with the changed files.',
      access: visitorAccess('updates:read', pagesRateLimit),
      params: VersionParams,
      errors: ['not_found'],
    }).handle(async ({ params, caller }) => {
      const isFull = isSignedIn(caller);
      const version = await updatePages.version(params.branch, params.ordinal, isFull ? ACCOUNT_ROWS : 1);
      return visitorReply(site, caller, updatePage(version, isFull));
    }),
  ];
}
