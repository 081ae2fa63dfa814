import { z } from '@hono/zod-openapi';
import { adminAccess, tokenlessAccess } from '../../platform/access/policy/policy.ts';
import { integer, string } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { type CachedNameList, INTEREST_ITEMS_TTL_SECONDS, SUPPORTERS_TTL_SECONDS } from './name-lists.store.ts';

/** Maximum length of a new list. */
const MAX_NAMES = 10_000;

const count = integer('Number of names.', 1);

const InterestItemsBody = z
  .object({
    items: z.array(z.string()).openapi({ description: 'Names in code point order, for exact matching.', example: ['Ancient Gears'] }),
    count,
  })
  .openapi('InterestItems', { description: 'Tracked market items.' });

const SupportersBody = z
  .object({
    supporters: z.array(z.string()).openapi({ description: 'Names in display order.', example: ['Somebody'] }),
    count,
  })
  .openapi('Supporters', { description: 'Supporters of the service.' });

function toInterestItemsBody(items: string[]): z.infer<typeof InterestItemsBody> {
  return { items, count: items.length };
}

function toSupportersBody(supporters: string[]): z.infer<typeof SupportersBody> {
  return { supporters, count: supporters.length };
}

const ListNameInput = z
  .object({
    name: string('Name to add; white space at both ends is trimmed.', 'Ancient Gears of the North'),
  })
  .openapi('ListNameInput', { description: 'A name to add to a list.' });

const ListNamesInput = z
  .object({
    names: z
      .array(z.string())
      .max(MAX_NAMES)
      .openapi({
        description: 'The complete new list. Names are trimmed and duplicates dropped.',
        example: ['Ancient Gears', 'Bardium'],
      }),
  })
  .openapi('ListNamesInput', { description: 'New names of a list.' });

const ListNameParams = z.object({
  name: string('Name on the list (exact match).', 'Ancient Gears'),
});

interface NameLists {
  interestItems: CachedNameList;
  supporters: CachedNameList;
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

const adminShared = { tag: 'Administration', access: adminAccess, surface: 'portal', hidden: true } as const;

interface AdminList<Schema extends z.ZodType> {
  path: string;
  itemPath: string;
  /** Singular and plural, for operation ids and texts. */
  singular: string;
  plural: string;
  list: CachedNameList;
  schema: Schema;
  toBody(names: string[]): z.output<Schema>;
}

/** Endpoints that read, extend, replace and shorten a list. */
function createListEndpoints<Schema extends z.ZodType>({
  path,
  itemPath,
  singular: one,
  plural: many,
  list,
  schema,
  toBody,
}: AdminList<Schema>): Endpoint[] {
  const label = (name: string) =>
    name
      .replaceAll(/([A-Z])/g, ' $1')
      .toLowerCase()
      .trim();
  const ok = { description: 'The updated list.', schema: schema as z.ZodType };
  return [
    defineRoute({
      ...adminShared,
      method: 'get',
      path,
      operationId: `list${many}ForAdmin`,
      summary: `List stored ${label(many)}`,
      description: 'Returns the stored list, bypassing the cache.',
      ok,
    }).handle(async () => json(toBody(await list.names()))),

    defineRoute({
      ...adminShared,
      method: 'post',
      path,
      operationId: `add${one}`,
      summary: `Add to ${label(many)}`,
      description: 'Adds a name. Returns 409 if the name is already listed.',
      body: ListNameInput,
      ok: { ...ok, status: 201 },
    }).handle(async ({ body }) => json(toBody(await list.add(body.name)))),

    defineRoute({
      ...adminShared,
      method: 'put',
      path,
      operationId: `replace${many}`,
      summary: `Replace ${label(many)}`,
      description: 'Replaces the whole list. The new list must not be empty.',
      body: ListNamesInput,
      ok,
    }).handle(async ({ body }) => json(toBody(await list.replace(body.names)))),

    defineRoute({
      ...adminShared,
      method: 'delete',
      path: itemPath,
      operationId: `remove${one}`,
      summary: `Remove from ${label(many)}`,
      description: 'Removes a name from the list.',
      params: ListNameParams,
      errors: ['not_found'],
      ok,
    }).handle(async ({ params }) => json(toBody(await list.remove(params.name)))),
  ];
}

/** `/admin/market/interest-items` and `/admin/supporters`. */
export function createNameListAdminEndpoints({ interestItems, supporters }: NameLists): Endpoint[] {
  return [
    ...createListEndpoints({
      path: '/admin/market/interest-items',
      itemPath: '/admin/market/interest-items/{name}',
      singular: 'InterestItem',
      plural: 'InterestItems',
      list: interestItems,
      schema: InterestItemsBody,
      toBody: toInterestItemsBody,
    }),
    ...createListEndpoints({
      path: '/admin/supporters',
      itemPath: '/admin/supporters/{name}',
      singular: 'Supporter',
      plural: 'Supporters',
      list: supporters,
      schema: SupportersBody,
      toBody: toSupportersBody,
    }),
  ];
}
