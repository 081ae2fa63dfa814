import { z } from '@hono/zod-openapi';
import { tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import type { Ports } from '../../../platform/area/area.ts';
import type { Site } from '../../../platform/http/pages/site-header.tsx';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { choice } from '../../../platform/http/pipeline/query-schemas.ts';
import { htmlPage, pagesBudget } from '../html-page.routes.ts';
import { plainPageReply } from '../layout.page.tsx';
import { boardPage, boardsPage, playerPage } from './boards.pages.tsx';

const DEFAULT_DAYS = 7;
/** The pages show the newest capture; captures are an hour apart. */
const MAX_AGE_SECONDS = 60;

const shared = {
  ...htmlPage,
  access: tokenlessAccess('leaderboards:read', pagesBudget),
  feature: 'featureLeaderboardsEnabled',
} as const;

export const BoardParams = z.object({
  uuid: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a leaderboard number')
    .transform(Number)
    .openapi({ type: 'integer', description: 'Number of the leaderboard.', example: 1 }),
});
export const PlayerQuery = z.object({
  name: z.string().max(200).optional().openapi({ description: 'Name of the player; case-insensitive, trimmed.', example: 'Nimbus' }),
});

/** `/leaderboards` and `/players`: the top of each board. Requests count against the rate limit of pages. */
export function createBoardPageEndpoints(site: Site, { boardPages }: Pick<Ports, 'boardPages'>): Endpoint[] {
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
    }).handle(async ({ now }) => ({ ...plainPageReply(site, boardsPage(await boardPages.list(now))), maxAge: MAX_AGE_SECONDS })),

    defineRoute({
      ...shared,
      path: '/leaderboards/{uuid}',
      operationId: 'getBoardPage',
      summary: 'Leaderboard page',
      description: 'The top of a board and the largest gains.',
      params: BoardParams,
      query: BoardQuery,
      errors: ['not_found', 'service_unavailable'],
      addresses: () => [],
    }).handle(async ({ params, query, settings, baseUrl }) => {
      const figures = await boardPages.board(params.uuid, query.days, settings);
      return { ...plainPageReply(site, boardPage(figures, boardPages.gainDays, baseUrl, null)), maxAge: MAX_AGE_SECONDS };
    }),

    defineRoute({
      ...shared,
      path: '/players',
      operationId: 'getPlayerPage',
      summary: 'Player page',
      description: 'The best ranks of a player.',
      query: PlayerQuery,
      errors: ['not_found', 'service_unavailable'],
    }).handle(async ({ query: { name = '' }, baseUrl, settings }) => {
      const player = name.trim() === '' ? null : await boardPages.player(name, settings);
      return { ...plainPageReply(site, playerPage(player, baseUrl, null)), maxAge: MAX_AGE_SECONDS };
    }),
  ];
}
