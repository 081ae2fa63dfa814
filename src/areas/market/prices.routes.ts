import type { ArchiveBudget } from '../../platform/access/limits/archive-budget.ts';
import { tokenAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { decodeCursor, encodeCursor, nextPageLink } from '../../platform/http/replies/page.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import type { ItemNames } from './item-names.service.ts';
import { ItemParams } from './listings.schemas.ts';
import { HistoryBody, HistoryQuery, TimelineBody, TimelineQuery, toHistoryBody, toTimelineBody } from './prices.schemas.ts';
import type { HistoryEnd, PriceHistoryService } from './prices.service.ts';

const shared = { method: 'get', tag: 'Market', access: tokenAccess('market:read'), feature: 'featureMarketEnabled' } as const;

function decodeHistoryEnd(cursor: string): HistoryEnd {
  const [createdAt, id] = decodeCursor(cursor, ['number', 'string']);
  return { createdAt: Number(createdAt), id: String(id) };
}

/** Endpoints of the price history of an item. */
export function createPriceHistoryEndpoints(service: PriceHistoryService, archive: ArchiveBudget, itemNames: ItemNames): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/market/items/{name}/history',
      operationId: 'getMarketPriceHistory',
      summary: 'Get item price history',
      description:
        'Lists the listings of an item created in the window, oldest first, without price outliers. Returns 404 with the nearest names for an unknown item.',
      params: ItemParams,
      query: HistoryQuery,
      errors: ['bad_request', 'not_found'],
      ok: { description: 'The history.', schema: HistoryBody },
      table: listTable(HistoryBody, 'points'),
    }).handle(async ({ params, query, ...input }) => {
      const after = query.cursor === undefined ? null : decodeHistoryEnd(query.cursor);
      const headers = query.include_expired ? await archive.charge(input.caller, input.settings, input.now) : {};
      const options = { days: query.days, includeExpired: query.include_expired, keepOutliers: query.keep_outliers, after };
      const { value: history } = await itemNames.read(params.name, (name) => service.history({ ...options, name }, input.now));
      const next = nextPageLink(input.request.url, history.next && encodeCursor(history.next.createdAt, history.next.id));
      return json(toHistoryBody(history), { headers: { ...headers, ...next } });
    }),

    defineRoute({
      ...shared,
      path: '/v1/market/items/{name}/timeline',
      operationId: 'getMarketTimeline',
      summary: 'Get item price timeline',
      description:
        'Returns quartiles of the unit price per bucket, over the listings created in it, including expired ones. Returns 404 with the nearest names for an unknown item.',
      params: ItemParams,
      query: TimelineQuery,
      errors: ['not_found'],
      ok: { description: 'The timeline.', schema: TimelineBody },
      table: listTable(TimelineBody, 'points'),
    }).handle(async ({ params, query, now }) => {
      const { name, value } = await itemNames.read(params.name, (item) => service.timeline(item, query.days, query.bucket_hours, now));
      return json(toTimelineBody(query, name, value));
    }),
  ];
}
