import { tokenlessAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { InterestItemsBody, SupportersBody, toInterestItemsBody, toSupportersBody } from './name-lists.schemas.ts';
import { INTEREST_ITEMS_TTL_SECONDS, type NameListService, SUPPORTERS_TTL_SECONDS } from './name-lists.service.ts';

export interface NameLists {
  interestItems: NameListService;
  supporters: NameListService;
}

const shared = { method: 'get', tag: 'Misc', access: tokenlessAccess('misc:read') } as const;

/** Public interest items and supporters. */
export function createNameListEndpoints({ interestItems, supporters }: NameLists): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/misc/interest-items',
      operationId: 'listInterestItems',
      summary: 'List tracked items',
      description: 'Lists the items whose market listings are stored. Changes are visible within a minute.',
      ok: { description: 'The names.', schema: InterestItemsBody },
    }).handle(async () => json(toInterestItemsBody(await interestItems.cachedNames()), { maxAge: INTEREST_ITEMS_TTL_SECONDS })),

    defineRoute({
      ...shared,
      path: '/v1/misc/supporters',
      operationId: 'listSupporters',
      summary: 'List supporters',
      description: 'Lists the supporters of the service. Changes are visible within ten minutes.',
      ok: { description: 'The names.', schema: SupportersBody },
    }).handle(async () => json(toSupportersBody(await supporters.cachedNames()), { maxAge: SUPPORTERS_TTL_SECONDS })),
  ];
}
