import { adminAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import {
  AdminGiveawayBody,
  AdminGiveawaysBody,
  AdminGiveawaysQuery,
  GiveawayChange,
  GiveawayInput,
  GiveawayParams,
  toAdminGiveawayBody,
  toTerms,
  toTermsChange,
} from './giveaways.schemas.ts';
import type { GiveawaysService } from './giveaways.service.ts';

const shared = { tag: 'Administration', access: adminAccess, surface: 'portal', hidden: true } as const;
const singleGiveaway = {
  params: GiveawayParams,
  errors: ['not_found', 'conflict', 'bad_request'],
  ok: { description: 'The updated giveaway.', schema: AdminGiveawayBody },
} as const;

/** `/admin/giveaways`. */
export function createGiveawayAdminEndpoints(service: GiveawaysService): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/admin/giveaways',
      operationId: 'listGiveawaysForAdmin',
      summary: 'List all giveaways',
      description: 'Lists giveaways of every state with their codes, newest first.',
      query: AdminGiveawaysQuery,
      ok: { description: 'The giveaways.', schema: AdminGiveawaysBody },
    }).handle(async ({ query }) => {
      const items = (await service.all(query.status)).map(toAdminGiveawayBody);
      return json({ items, count: items.length });
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/admin/giveaways',
      operationId: 'createGiveaway',
      summary: 'Create a giveaway',
      description: 'Schedules a giveaway, or opens it immediately if `starts_at` has passed.',
      body: GiveawayInput,
      ok: { ...singleGiveaway.ok, status: 201 },
    }).handle(async ({ body, now }) => json(toAdminGiveawayBody(await service.create(toTerms(body), now)))),

    defineRoute({
      ...shared,
      ...singleGiveaway,
      method: 'patch',
      path: '/admin/giveaways/{id}',
      operationId: 'changeGiveaway',
      summary: 'Update a giveaway',
      description: 'Updates any field of a scheduled giveaway, or title, description and end of an open one.',
      body: GiveawayChange,
    }).handle(async ({ params, body, now }) => json(toAdminGiveawayBody(await service.change(params.id, toTermsChange(body), now)))),

    defineRoute({
      ...shared,
      ...singleGiveaway,
      method: 'post',
      path: '/admin/giveaways/{id}/close',
      operationId: 'closeGiveaway',
      summary: 'Draw a winner now',
      description: 'Ends an open giveaway and draws its winner.',
    }).handle(async ({ params, now }) => json(toAdminGiveawayBody(await service.close(params.id, now)))),

    defineRoute({
      ...shared,
      ...singleGiveaway,
      method: 'post',
      path: '/admin/giveaways/{id}/cancel',
      operationId: 'cancelGiveaway',
      summary: 'Cancel a giveaway',
      description: 'Cancels a giveaway without a winner, which removes it from the public lists. Idempotent.',
    }).handle(async ({ params, now }) => json(toAdminGiveawayBody(await service.cancel(params.id, now)))),
  ];
}
