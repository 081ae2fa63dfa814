import type { Caller } from '../../platform/access/policy/admission.ts';
import { adminAccess } from '../../platform/access/policy/policy.ts';
import { UserParams } from '../../platform/access/tokens/token-view.schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { AccountBody, EndSuspensionInput, SuspendInput, SuspensionsBody, toAccountBody, toSuspensionsBody } from './accounts.schemas.ts';
import type { AccountSuspension } from './suspension.service.ts';

const shared = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess } as const;

/** `/admin/users/{id}/suspend`, its end and its history. */
export function createSuspensionEndpoints(suspension: AccountSuspension): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'post',
      path: '/admin/users/{id}/suspend',
      operationId: 'suspendUser',
      summary: 'Suspend an account',
      description:
        'Ends the sessions of the account, stops its tokens, project keys and webhooks, and mails the reason. Idempotent. A superuser cannot be suspended.',
      params: UserParams,
      body: SuspendInput,
      errors: ['not_found', 'conflict', 'service_unavailable'],
      ok: { description: 'The account.', schema: AccountBody },
    }).handle(async ({ params, body, caller, now, waitUntil }) =>
      json(toAccountBody(await suspension.start(params.id, { actor: actorOf(caller), reason: body.reason }, { now, waitUntil }))),
    ),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/admin/users/{id}/end-suspension',
      operationId: 'endUserSuspension',
      summary: 'End a suspension',
      description: 'Lets tokens, project keys and webhooks of the account work again, and tells it by mail.',
      params: UserParams,
      body: EndSuspensionInput,
      bodyIsOptional: true,
      errors: ['not_found', 'conflict', 'service_unavailable'],
      ok: { description: 'The account.', schema: AccountBody },
    }).handle(async ({ params, body, caller, now, waitUntil }) =>
      json(toAccountBody(await suspension.end(params.id, { actor: actorOf(caller), reason: body.reason ?? '' }, { now, waitUntil }))),
    ),

    defineRoute({
      ...shared,
      method: 'get',
      path: '/admin/users/{id}/suspensions',
      operationId: 'listUserSuspensions',
      summary: 'List suspensions of an account',
      description: 'Lists the suspensions of an account with their reasons and who decided.',
      params: UserParams,
      errors: ['not_found'],
      ok: { description: 'The suspensions.', schema: SuspensionsBody },
    }).handle(async ({ params }) => json(toSuspensionsBody(await suspension.list(params.id)))),
  ];
}

/** The superuser. */
function actorOf(caller: Caller): string {
  if (caller.kind === 'anonymous') throw new ApiError('not_authenticated', 'sign in');
  return caller.userId;
}
