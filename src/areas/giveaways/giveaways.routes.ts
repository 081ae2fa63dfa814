import { publicAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { cutPage, nextPageLink, textOfCursor } from '../../platform/http/replies/page.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { DrawBody, DrawQuery, toDrawBody } from './draws.schemas.ts';
import { giveawaysBody } from './giveaways.bodies.ts';
import { EndedQuery, GiveawayParams, GiveawaysBody } from './giveaways.schemas.ts';
import type { GiveawaysService } from './giveaways.service.ts';

const shared = { method: 'get', tag: 'Giveaways', access: publicAccess('giveaways:read'), feature: 'featureGiveawaysEnabled' } as const;

/** Public endpoints of giveaways. */
export function createGiveawayEndpoints(service: GiveawaysService): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/giveaways/ongoing',
      operationId: 'listOngoingGiveaways',
      summary: 'List open giveaways',
      description: 'Lists giveaways that can be entered in the developer portal, earliest end first. Same body as the event `giveaways`.',
      ok: { description: 'The giveaways.', schema: GiveawaysBody },
    }).handle(async () => giveawaysBody(await service.ongoing())),

    defineRoute({
      ...shared,
      path: '/v1/giveaways/upcoming',
      operationId: 'listUpcomingGiveaways',
      summary: 'List upcoming giveaways',
      description: 'Lists giveaways that have not started, earliest start first.',
      ok: { description: 'The giveaways.', schema: GiveawaysBody },
    }).handle(async () => giveawaysBody(await service.upcoming())),

    defineRoute({
      ...shared,
      path: '/v1/giveaways/ended',
      operationId: 'listEndedGiveaways',
      summary: 'List ended giveaways',
      description: 'Lists giveaways that ended within the window, newest first. Those with a winner include the proof of the draw.',
      query: EndedQuery,
      ok: { description: 'The giveaways.', schema: GiveawaysBody },
    }).handle(async ({ query, now }) => giveawaysBody(await service.ended(query.days, now))),

    defineRoute({
      ...shared,
      path: '/v1/giveaways/{id}/draw',
      operationId: 'getGiveawayDraw',
      summary: 'Get a draw proof',
      description:
        'Returns the seed and the entry ids of a draw. Anyone can recompute their hash and the index of the winner from them. The `Link` header contains the URL of the next page. Returns 404 until the draw.',
      params: GiveawayParams,
      query: DrawQuery,
      errors: ['not_found', 'bad_request'],
      ok: { description: 'The draw.', schema: DrawBody },
    }).handle(async ({ params, query, request }) => {
      const { giveaway, ids } = await service.listDrawEntries(params.id, textOfCursor(query.cursor) ?? '', query.limit + 1);
      const { rows, nextCursor } = cutPage(ids, query.limit, (id) => id);
      return json(toDrawBody(giveaway, rows), { headers: nextPageLink(request.url, nextCursor) });
    }),
  ];
}
