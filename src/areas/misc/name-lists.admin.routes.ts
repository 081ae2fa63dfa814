import type { z } from '@hono/zod-openapi';
import { adminAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { NameLists } from './name-lists.routes.ts';
import {
  InterestItemsBody,
  ListNameInput,
  ListNameParams,
  ListNamesInput,
  SupportersBody,
  toInterestItemsBody,
  toSupportersBody,
} from './name-lists.schemas.ts';
import type { NameListService } from './name-lists.service.ts';

const shared = { tag: 'Administration', access: adminAccess, surface: 'portal', hidden: true } as const;

interface AdminList<Schema extends z.ZodType> {
  path: string;
  itemPath: string;
  /** Singular and plural, for operation ids and texts. */
  singular: string;
  plural: string;
  list: NameListService;
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
      ...shared,
      method: 'get',
      path,
      operationId: `list${many}ForAdmin`,
      summary: `List stored ${label(many)}`,
      description: 'Returns the stored list, bypassing the cache.',
      ok,
    }).handle(async () => json(toBody(await list.names()))),

    defineRoute({
      ...shared,
      method: 'post',
      path,
      operationId: `add${one}`,
      summary: `Add to ${label(many)}`,
      description: 'Adds a name. Returns 409 if the name is already listed.',
      body: ListNameInput,
      ok: { ...ok, status: 201 },
    }).handle(async ({ body }) => json(toBody(await list.add(body.name)))),

    defineRoute({
      ...shared,
      method: 'put',
      path,
      operationId: `replace${many}`,
      summary: `Replace ${label(many)}`,
      description: 'Replaces the whole list. The new list must not be empty.',
      body: ListNamesInput,
      ok,
    }).handle(async ({ body }) => json(toBody(await list.replace(body.names)))),

    defineRoute({
      ...shared,
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
