import { z } from '@hono/zod-openapi';
import { tokenlessAccess, visitorAccess } from '../../../platform/access/policy/policy.ts';
import type { Ports } from '../../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { choice } from '../../../platform/http/pipeline/query-schemas.ts';
import { ApiError, notFound } from '../../../platform/kit/errors/api-error.ts';
import { htmlPage, pagesRateLimit } from '../layout/html-page.routes.ts';
import { isSignedIn, type PageMaker, plainPageReply, visitorReply } from '../layout/layout.page.tsx';
import { boardPage, boardsPage, playerChoicePage, playerPage, playersPage } from './boards.pages.tsx';

const DEFAULT_DAYS = 7;
/** The pages show the newest capture; captures are an hour apart. */
const MAX_AGE_SECONDS = 60;
/** Names that the search by a part of a name lists. */
const MAX_NAMES = 30;
const NOT_FOUND = 404;

/** For an unknown name the page lists similar ones. */
function onlyNotFound(error: unknown): null {
  if (error instanceof ApiError && error.status === NOT_FOUND) return null;
  throw error;
}

const shared = { ...htmlPage, feature: 'featureLeaderboardsEnabled' } as const;

const BoardParams = z.object({
  uuid: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a leaderboard number')
    .transform(Number)
    .openapi({ type: 'integer', description: 'Number of the leaderboard.', example: 1 }),
});
const PlayerQuery = z.object({
  name: z.string().max(200).optional().openapi({ description: 'Name of the player; case-insensitive, trimmed.', example: 'Nimbus' }),
});

/** `/leaderboards` and `/players`: the top of each board, and more for signed-in accounts. Requests count against the rate limit of pages. */
export function createBoardPageEndpoints(site: PageMaker, { boardPages, search }: Pick<Ports, 'boardPages' | 'search'>): Endpoint[] {
  const BoardQuery = z.object({
    days: choice(boardPages.gainDays, { description: 'Length of the period in days.', example: DEFAULT_DAYS }).default(DEFAULT_DAYS),
  });
  return [
    defineRoute({
      ...shared,
      path: '/leaderboards',
      operationId: 'getBoardsPage',
      summary: 'Leaderboards page',
      description: 'Every board of the newest capture.',
      access: tokenlessAccess('leaderboards:read', pagesRateLimit),
    }).handle(async ({ now }) => ({ ...plainPageReply(site, boardsPage(await boardPages.list(now))), maxAge: MAX_AGE_SECONDS })),

    defineRoute({
      ...shared,
      path: '/leaderboards/{uuid}',
      operationId: 'getBoardPage',
      summary: 'Leaderboard page',
      description: 'The top of a board and the largest gains; for a signed-in account the first hundred, with the ranks over a week.',
      access: visitorAccess('leaderboards:read', pagesRateLimit),
      params: BoardParams,
      query: BoardQuery,
      errors: ['not_found', 'service_unavailable'],
      addresses: () => [],
    }).handle(async ({ caller, params: { uuid }, query, settings, now, baseUrl }) => {
      const isFull = isSignedIn(caller);
      const [figures, history] = await Promise.all([
        boardPages.board(uuid, query.days, settings, isFull),
        isFull ? boardPages.boardHistory(uuid, settings, now) : null,
      ]);
      return visitorReply(site, caller, boardPage(figures, boardPages.gainDays, baseUrl, history), MAX_AGE_SECONDS);
    }),

    defineRoute({
      ...shared,
      path: '/players',
      operationId: 'getPlayerPage',
      summary: 'Player page',
      description: 'The best ranks of a player; for a signed-in account every board, with the ranks over a week.',
      access: visitorAccess('leaderboards:read', pagesRateLimit),
      query: PlayerQuery,
      errors: ['not_found', 'service_unavailable'],
    }).handle(async ({ caller, query: { name = '' }, settings, now, baseUrl }) => {
      if (name.trim() === '') return visitorReply(site, caller, playersPage(), MAX_AGE_SECONDS);
      const isFull = isSignedIn(caller);
      const [player, history] = await Promise.all([
        boardPages.player(name, settings, isFull).catch(onlyNotFound),
        boardPages.playerHistory(name, settings, now, isFull),
      ]);
      if (player !== null) return visitorReply(site, caller, playerPage(player, baseUrl, history, isFull), MAX_AGE_SECONDS);
      const hits = await search.hitsOf('player', name, MAX_NAMES);
      if (hits.length === 0) throw notFound('no player on the leaderboards has this name');
      return visitorReply(site, caller, playerChoicePage(name.trim(), [...new Set(hits.map((hit) => hit.name))]));
    }),
  ];
}
