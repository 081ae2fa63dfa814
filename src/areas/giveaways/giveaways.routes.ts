import type { Caller } from '../../platform/access/policy/admission.ts';
import { adminAccess, publicAccess, sessionAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { cutPage, nextPageLink, textOfCursor } from '../../platform/http/replies/page.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import {
  AdminGiveawayBody,
  AdminGiveawaysBody,
  AdminGiveawaysQuery,
  DrawBody,
  DrawQuery,
  EndedQuery,
  EnteredBody,
  GiveawayChange,
  GiveawayInput,
  GiveawayParams,
  GiveawaysBody,
  giveawaysBody,
  OwnEntriesBody,
  toAdminGiveawayBody,
  toDrawBody,
  toOwnEntriesBody,
  toTerms,
  toTermsChange,
  WithdrawnBody,
} from './giveaways.schemas.ts';
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

const entryShared = { tag: 'Giveaways', surface: 'portal', hidden: true } as const;

/** Giveaway endpoints of the signed-in account. */
export function createEntryEndpoints(service: GiveawaysService): Endpoint[] {
  return [
    defineRoute({
      ...entryShared,
      method: 'post',
      path: '/giveaways/{id}/entries',
      operationId: 'enterGiveaway',
      summary: 'Enter a giveaway',
      description: 'Enters the account once. Idempotent.',
      access: sessionAccess('verified'),
      params: GiveawayParams,
      errors: ['not_found', 'conflict'],
      ok: { description: 'The account is entered.', schema: EnteredBody },
    }).handle(async ({ params, caller, now }) =>
      json({ entered: true as const, entry_count: await service.enter(params.id, requireUserId(caller), now) }),
    ),

    defineRoute({
      ...entryShared,
      method: 'delete',
      path: '/giveaways/{id}/entries',
      operationId: 'withdrawFromGiveaway',
      summary: 'Withdraw from a giveaway',
      description: 'Withdraws the entry of the account while the giveaway is open. Idempotent.',
      access: sessionAccess(),
      params: GiveawayParams,
      errors: ['not_found', 'conflict'],
      ok: { description: 'The account is not entered.', schema: WithdrawnBody },
    }).handle(async ({ params, caller, now }) =>
      json({ entered: false as const, entry_count: await service.withdraw(params.id, requireUserId(caller), now) }),
    ),

    defineRoute({
      ...entryShared,
      method: 'get',
      path: '/giveaways/mine',
      operationId: 'listOwnGiveawayEntries',
      summary: 'List own entries',
      description: 'Lists the entries of the account, with the prize code of those that won.',
      access: sessionAccess(),
      ok: { description: 'The entries.', schema: OwnEntriesBody },
    }).handleOwn(
      ({ userId }) => service.entriesOf(userId),
      (entries) => json(toOwnEntriesBody(entries)),
    ),
  ];
}

function requireUserId(caller: Caller): string {
  if (caller.kind === 'anonymous') throw new ApiError('not_authenticated', 'sign in to the developer portal first');
  return caller.userId;
}

const adminShared = { tag: 'Administration', access: adminAccess, surface: 'portal', hidden: true } as const;
const singleGiveaway = {
  params: GiveawayParams,
  errors: ['not_found', 'conflict', 'bad_request'],
  ok: { description: 'The updated giveaway.', schema: AdminGiveawayBody },
} as const;

/** `/admin/giveaways`. */
export function createGiveawayAdminEndpoints(service: GiveawaysService): Endpoint[] {
  return [
    defineRoute({
      ...adminShared,
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
      ...adminShared,
      method: 'post',
      path: '/admin/giveaways',
      operationId: 'createGiveaway',
      summary: 'Create a giveaway',
      description: 'Schedules a giveaway, or opens it immediately if `starts_at` has passed.',
      body: GiveawayInput,
      ok: { ...singleGiveaway.ok, status: 201 },
    }).handle(async ({ body, now }) => json(toAdminGiveawayBody(await service.create(toTerms(body), now)))),

    defineRoute({
      ...adminShared,
      ...singleGiveaway,
      method: 'patch',
      path: '/admin/giveaways/{id}',
      operationId: 'changeGiveaway',
      summary: 'Update a giveaway',
      description: 'Updates any field of a scheduled giveaway, or title, description and end of an open one.',
      body: GiveawayChange,
    }).handle(async ({ params, body, now }) => json(toAdminGiveawayBody(await service.change(params.id, toTermsChange(body), now)))),

    defineRoute({
      ...adminShared,
      ...singleGiveaway,
      method: 'post',
      path: '/admin/giveaways/{id}/close',
      operationId: 'closeGiveaway',
      summary: 'Draw a winner now',
      description: 'Ends an open giveaway and draws its winner.',
    }).handle(async ({ params, now }) => json(toAdminGiveawayBody(await service.close(params.id, now)))),

    defineRoute({
      ...adminShared,
      ...singleGiveaway,
      method: 'post',
      path: '/admin/giveaways/{id}/cancel',
      operationId: 'cancelGiveaway',
      summary: 'Cancel a giveaway',
      description: 'Cancels a giveaway without a winner, which removes it from the public lists. Idempotent.',
    }).handle(async ({ params, now }) => json(toAdminGiveawayBody(await service.cancel(params.id, now)))),
  ];
}
