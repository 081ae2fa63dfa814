import { tokenlessAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import {
  createImageCache,
  type EmbeddedImage,
  IMAGE_SHAPES,
  ImageQuery,
  imageOk,
  imagesBudget,
} from '../../platform/http/replies/badge-reply.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { readableTime } from '../../platform/kit/time/readable.ts';
import type { ActiveItem } from './analytics.store.ts';
import { ItemParams } from './listings.schemas.ts';

/** The prices of an item; `item` is null without active listings. Throws 404 with the nearest names for an unknown item. */
export type FindItemPrices = (name: string, now: UnixSeconds) => Promise<{ name: string; item: ActiveItem | null; asOf: UnixSeconds }>;

const numberFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });
const priceText = (milli: number) => numberFormat.format(milli / 1000);

async function itemImage({ name, item, asOf }: Awaited<ReturnType<FindItemPrices>>): Promise<EmbeddedImage> {
  const rows = item
    ? [
        { label: 'Median', value: priceText(item.medianMilli) },
        { label: 'Lowest', value: priceText(item.minMilli) },
        { label: 'Listings', value: numberFormat.format(item.count) },
        { label: 'Pieces', value: numberFormat.format(item.totalStack) },
      ]
    : [{ label: 'Listings', value: 'none' }];
  return {
    badge: { label: name, value: item ? `${priceText(item.medianMilli)} each` : 'no listings', tone: item ? 'info' : 'none' },
    card: { kind: 'Market · price of one piece', title: name, rows, note: `As of ${readableTime(asOf)}` },
  };
}

/** Badge and card of the price of an item. */
export function createItemImageEndpoints(findPrices: FindItemPrices): Endpoint[] {
  const cached = createImageCache();
  return IMAGE_SHAPES.map((shape) =>
    defineRoute({
      method: 'get',
      tag: 'Market',
      access: tokenlessAccess('market:read', imagesBudget),
      feature: 'featureMarketEnabled',
      path: `/v1/market/items/{name}/${shape}.svg`,
      operationId: shape === 'badge' ? 'getMarketItemBadge' : 'getMarketItemCard',
      summary: `Get an item price ${shape}`,
      description: 'Returns the price of one piece of an item as an SVG image, for READMEs and forums. Cached for 5 minutes.',
      params: ItemParams,
      query: ImageQuery,
      errors: ['not_found'],
      ok: imageOk(shape),
    }).handle(({ params, query, now, waitUntil }) =>
      cached({ key: `item ${params.name.trim().toLowerCase()}`, shape, theme: query.theme, now, later: waitUntil }, async () =>
        itemImage(await findPrices(params.name, now)),
      ),
    ),
  );
}
