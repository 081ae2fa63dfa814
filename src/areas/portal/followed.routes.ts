import { z } from '@hono/zod-openapi';
import { optionalTokenAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { pagesRateLimit } from './layout/html-page.routes.ts';

const MAX_FOLLOWED = 12;
const MAX_NAME_LENGTH = 200;
const SEPARATOR = '|';

const FollowedQuery = z.object({
  items: z
    .string()
    .max(MAX_FOLLOWED * (MAX_NAME_LENGTH + 1))
    .default('')
    .openapi({ description: `Names of items, separated by ${SEPARATOR}; the first ${MAX_FOLLOWED} count.`, example: 'Sun Sap|Shapestone' }),
  player: z.string().max(MAX_NAME_LENGTH).default('').openapi({ description: 'Name of a player.', example: 'Nimbus' }),
});

const FollowedBody = z
  .object({
    items: z.array(
      z.object({
        name: z.string().openapi({ description: 'Name as sent.', example: 'Sun Sap' }),
        price: z.number().nullable().openapi({
          description: 'Median price of one piece of the active listings; null without one.',
          example: 1.25,
        }),
      }),
    ),
    player: z
      .object({
        name: z.string().openapi({ description: 'Name of the player.', example: 'Nimbus' }),
        rank: z.number().int().openapi({ description: 'The best of the latest ranks.', example: 3 }),
        board: z.string().openapi({ description: 'Title of its board.', example: 'Trove Mastery Points' }),
      })
      .nullable(),
  })
  .openapi('Followed');

type FollowedPorts = Pick<Ports, 'boardPages' | 'marketPrice'>;

/** Null for an unknown player, and while no board has a capture. */
function nullIfUnknown(error: unknown): null {
  if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'service_unavailable')) return null;
  throw error;
}

/** Prices and places of what a device follows, for the row on the front page and the page of the market. */
export function createFollowedEndpoint({ boardPages, marketPrice }: FollowedPorts): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/portal/followed',
    operationId: 'getFollowed',
    tag: 'Portal',
    summary: 'Get followed prices and places',
    description: 'Returns the prices of items, and the best place of a player. Nothing is stored.',
    access: optionalTokenAccess(pagesRateLimit),
    surface: 'portal',
    hidden: true,
    query: FollowedQuery,
    ok: { description: 'Prices and place.', schema: FollowedBody },
  }).handle(async ({ query, settings, now }) => {
    const names = query.items.split(SEPARATOR).map((name) => name.trim());
    const followed = [...new Set(names)].filter((name) => name !== '').slice(0, MAX_FOLLOWED);
    const playerOf = async () => {
      if (query.player.trim() === '' || !settings.featureLeaderboardsEnabled) return null;
      const found = await boardPages.player(query.player, settings).catch(nullIfUnknown);
      const [best] = found?.rows.toSorted((one, other) => one.latestRank - other.latestRank) ?? [];
      return found && best ? { name: found.name, rank: best.latestRank, board: best.name } : null;
    };
    const [prices, player] = await Promise.all([Promise.all(followed.map((name) => marketPrice(name, settings, now))), playerOf()]);
    return json({ items: followed.map((name, index) => ({ name, price: prices[index]?.active?.medianEach ?? null })), player });
  });
}
