import type { Caller } from '../../platform/access/policy/admission.ts';
import { sessionAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { EnteredBody, OwnEntriesBody, toOwnEntriesBody, WithdrawnBody } from './entries.schemas.ts';
import { GiveawayParams } from './giveaways.schemas.ts';
import type { GiveawaysService } from './giveaways.service.ts';

const shared = { tag: 'Giveaways', surface: 'portal', hidden: true } as const;

/** Giveaway endpoints of the signed-in account. */
export function createEntryEndpoints(service: GiveawaysService): Endpoint[] {
  return [
    defineRoute({
      ...shared,
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
      ...shared,
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
      ...shared,
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
