import { z } from '@hono/zod-openapi';
import { BRANCH_NAMES, LIVE_BRANCH } from '../../game/branches.data.ts';
import { pageAccess, tokenlessAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { choice } from '../../platform/http/pipeline/query-schemas.ts';
import { boardPage, playerPage } from './boards/boards.pages.tsx';
import { BoardParams, PlayerQuery } from './boards/boards.routes.ts';
import { ITEM_NAME } from './charts/charts.routes.ts';
import { ITEM_WINDOWS, marketItemPage } from './charts/market.page.tsx';
import { htmlPage, pagesBudget } from './html-page.routes.ts';
import { type OpenPage, type PageMaker, pageReply, plainPageReply, viewerOf } from './layout.page.tsx';
import { renewalPage } from './sign-in.pages.tsx';
import { updatePage, updatesPage } from './updates.pages.tsx';

/** Rows of lists on pages for signed-in accounts. */
const FULL_ROWS = 100;
const DEFAULT_GAIN_DAYS = 7;

type ExplorePorts = Pick<Ports, 'updatePages' | 'marketItemPrices' | 'boardPages'>;

const branch = choice(BRANCH_NAMES, { description: 'Branch of the game.', example: LIVE_BRANCH });
const VersionParams = z.object({
  branch,
  ordinal: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a number')
    .transform(Number)
    .openapi({ type: 'integer', description: 'Number of the version.', example: 1 }),
});

/** `/updates`, and the complete forms of public pages below `/portal/explore`. */
export function createExploreEndpoints(site: PageMaker, ports: ExplorePorts): Endpoint[] {
  return [...updateEndpoints(site, ports), ...fullPageEndpoints(site, ports)];
}

function updateEndpoints(site: PageMaker, { updatePages }: ExplorePorts): Endpoint[] {
  const shared = { ...htmlPage, access: tokenlessAccess('updates:read', pagesBudget), feature: 'featureUpdatesEnabled' } as const;
  return [
    defineRoute({
      ...shared,
      path: '/updates',
      operationId: 'getUpdatesPage',
      summary: 'Game updates page',
      description: 'The archived versions of a branch.',
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
      description: 'A version with the numbers of its changes.',
      params: VersionParams,
      errors: ['not_found'],
    }).handle(async ({ params }) => plainPageReply(site, updatePage(await updatePages.version(params.branch, params.ordinal, 1), false))),
  ];
}

/**
 * Complete forms of public pages. Requests count for the account. Without a session the page renews it or leads to the sign-in; nothing is
 * read before.
 */
function fullPageEndpoints(site: PageMaker, { updatePages, marketItemPrices, boardPages }: ExplorePorts): Endpoint[] {
  const shared = { ...htmlPage, access: pageAccess } as const;
  const days = choice(ITEM_WINDOWS, { description: 'Length of the window in days.', example: 30 }).default(30);
  const gainDays = choice(boardPages.gainDays, { description: 'Length of the period in days.', example: DEFAULT_GAIN_DAYS });
  const reply = async (caller: Parameters<typeof viewerOf>[0], content: () => Promise<OpenPage>) => {
    const viewer = viewerOf(caller);
    if (viewer.name === null) return pageReply(site, renewalPage(), viewer);
    return pageReply(site, { ...(await content()), worksWithoutScript: true }, viewer);
  };
  return [
    defineRoute({
      ...shared,
      path: '/portal/explore/market/item',
      operationId: 'getFullMarketItemPage',
      summary: 'Complete market item page',
      description: 'Prices and active listings of an item.',
      feature: 'featureMarketEnabled',
      query: z.object({ name: ITEM_NAME, days }),
      addresses: () => [],
      errors: ['not_found'],
    }).handle(({ caller, query, now, baseUrl }) =>
      reply(caller, async () => marketItemPage(await marketItemPrices(query.name, query.days, now, FULL_ROWS), baseUrl, true)),
    ),
    defineRoute({
      ...shared,
      path: '/portal/explore/leaderboards/{uuid}',
      operationId: 'getFullBoardPage',
      summary: 'Complete leaderboard page',
      description: 'The first hundred of a board, and the ranks of the first ten over a week.',
      feature: 'featureLeaderboardsEnabled',
      params: BoardParams,
      query: z.object({ days: gainDays.default(DEFAULT_GAIN_DAYS) }),
      addresses: () => [],
      errors: ['not_found', 'service_unavailable'],
    }).handle(({ caller, params: { uuid }, query, settings, now, baseUrl }) =>
      reply(caller, async () => {
        const [figures, history] = await Promise.all([
          boardPages.board(uuid, query.days, settings, true),
          boardPages.boardHistory(uuid, settings, now),
        ]);
        return boardPage(figures, boardPages.gainDays, baseUrl, history);
      }),
    ),
    defineRoute({
      ...shared,
      path: '/portal/explore/players',
      operationId: 'getFullPlayerPage',
      summary: 'Complete player page',
      description: 'Every board of a player, and the ranks over a week.',
      feature: 'featureLeaderboardsEnabled',
      query: PlayerQuery,
      addresses: () => [],
      errors: ['not_found', 'service_unavailable'],
    }).handle(({ caller, query: { name = '' }, settings, now, baseUrl }) =>
      reply(caller, async () => {
        if (name.trim() === '') return playerPage(null, baseUrl, null);
        const [player, history] = await Promise.all([
          boardPages.player(name, settings, true),
          boardPages.playerHistory(name, settings, now),
        ]);
        return playerPage(player, baseUrl, history);
      }),
    ),
    defineRoute({
      ...shared,
      path: '/portal/explore/updates/{branch}/{ordinal}',
      operationId: 'getFullUpdatePage',
      summary: 'Complete page of a game update',
      description: 'A version with its changed files.',
      feature: 'featureUpdatesEnabled',
      params: VersionParams,
      errors: ['not_found'],
    }).handle(({ caller, params }) =>
      reply(caller, async () => updatePage(await updatePages.version(params.branch, params.ordinal, FULL_ROWS), true)),
    ),
  ];
}
