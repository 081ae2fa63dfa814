import { addressAccess, sessionAccess } from '../../platform/access/policy/policy.ts';
import { sessionOf } from '../../platform/access/sessions/session-admission.ts';
import { deviceCookieOf } from '../../platform/access/sessions/session-cookies.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json, noContent } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import type { AccountChanges } from './account-changes.service.ts';
import { credentialChangeRateLimit, deletionRateLimit, mailLinkRateLimit } from './account-rate-limits.data.ts';
import { contextOf, deviceOf, isSecure, signedInReply, signedOutReply } from './account-replies.routes.ts';
import {
  AccountBody,
  ChangeEmailInput,
  ChangePasswordInput,
  ConfirmEmailInput,
  DeleteAccountInput,
  MessageBody,
  ProfileInput,
  SessionParams,
  SessionsBody,
  SignedInBody,
  toAccountBody,
  toSessionsBody,
} from './accounts.schemas.ts';
import type { RefreshStore } from './refresh.store.ts';

const shared = { tag: 'Accounts', surface: 'portal', hidden: true, access: sessionAccess() } as const;

interface AccountRoutesDeps {
  changes: AccountChanges;
  sessions: RefreshStore;
  isNonProduction: boolean;
}

/** Endpoints of the signed-in account. */
export function createAccountEndpoints(deps: AccountRoutesDeps): Endpoint[] {
  return [...sessionEndpoints(deps), ...profileEndpoints(deps), ...credentialEndpoints(deps)];
}

function sessionEndpoints({ changes, sessions, isNonProduction }: AccountRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/auth/sessions',
      operationId: 'listSessions',
      summary: 'List sessions',
      description: 'Lists the active sessions of the account.',
      ok: { description: 'The sessions.', schema: SessionsBody },
    }).handleOwn(
      ({ userId, now }) => sessions.list(userId, now),
      (listed, { caller }) => json(toSessionsBody(listed, sessionOf(caller).sessionId)),
    ),

    defineRoute({
      ...shared,
      method: 'delete',
      path: '/auth/sessions/{id}',
      operationId: 'endSession',
      summary: 'End a session',
      description: 'Signs out one device; its access token is rejected from the next request on.',
      params: SessionParams,
      errors: ['not_found'],
      ok: { status: 204, contentTypes: [], description: 'Ended.' },
    }).handle(async ({ caller, params }) => {
      if (!(await sessions.end(params.id, sessionOf(caller).userId))) throw notFound('session not found');
      return noContent();
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/auth/logout-all',
      operationId: 'logoutAll',
      summary: 'End all sessions',
      description: 'Ends every session of the account, including the current one.',
      ok: { status: 204, contentTypes: [], description: 'Signed out.' },
    }).handle(async ({ caller, request }) => {
      await changes.endSessions(sessionOf(caller));
      return signedOutReply(isSecure({ request }, isNonProduction));
    }),
  ];
}

function profileEndpoints({ changes, isNonProduction }: AccountRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/auth/me',
      operationId: 'getAccount',
      summary: 'Get the account',
      description: 'Returns the signed-in account.',
      ok: { description: 'The account.', schema: AccountBody },
    }).handleOwn(
      (account) => changes.accountOf(account),
      (account) => json(toAccountBody(account)),
    ),

    defineRoute({
      ...shared,
      method: 'patch',
      path: '/auth/me',
      operationId: 'changeProfile',
      summary: 'Update the profile',
      description: 'Sets or clears the display name; omitted fields stay unchanged.',
      body: ProfileInput,
      bodyIsOptional: true,
      ok: { description: 'The updated account.', schema: AccountBody },
    }).handle(async ({ caller, body }) => {
      const session = sessionOf(caller);
      const account = body.display_name === undefined ? changes.accountOf(session) : changes.rename(session, body.display_name || null);
      return json(toAccountBody(await account));
    }),

    defineRoute({
      ...shared,
      access: sessionAccess('ordinary', deletionRateLimit),
      method: 'post',
      path: '/auth/delete-account',
      operationId: 'deleteAccount',
      summary: 'Delete the account',
      description:
        'Ends every session, then permanently deletes the account with its tokens, usage and webhooks. 503 with `details.pending`: the account is closed, and the service deletes the rest as soon as possible.',
      body: DeleteAccountInput,
      errors: ['invalid_credentials', 'second_factor_required', 'account_locked', 'service_unavailable'],
      ok: { status: 204, contentTypes: [], description: 'Deleted.' },
    }).handle(async ({ caller, body, request, ...input }) => {
      await changes.remove(
        sessionOf(caller),
        { confirmEmail: body.confirm_email, password: body.password, code: body.code },
        contextOf({ request, ...input }),
      );
      return signedOutReply(isSecure({ request }, isNonProduction));
    }),
  ];
}

function credentialEndpoints({ changes, isNonProduction }: AccountRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      access: sessionAccess('ordinary', credentialChangeRateLimit),
      method: 'post',
      path: '/auth/change-password',
      operationId: 'changePassword',
      summary: 'Change the password',
      description: 'Ends every session and starts a new one.',
      body: ChangePasswordInput,
      showsSecret: true,
      errors: ['password_breached', 'invalid_credentials', 'second_factor_required', 'account_locked', 'service_unavailable'],
      ok: { description: 'The new session.', schema: SignedInBody },
    }).handle(async ({ caller, body, ...input }) => {
      const given = { password: body.current_password, code: body.code, next: body.new_password };
      const session = await changes.changePassword(sessionOf(caller), given, deviceOf(input.request), contextOf(input));
      const kept = await changes.keepDevice(sessionOf(caller), deviceCookieOf(input.request), input.now);
      return signedInReply(session, isSecure(input, isNonProduction), kept);
    }),

    defineRoute({
      ...shared,
      access: sessionAccess('ordinary', credentialChangeRateLimit),
      method: 'post',
      path: '/auth/change-email',
      operationId: 'changeEmail',
      summary: 'Change the email address',
      description: 'Mails a link to the new address; the change takes effect once the link is confirmed.',
      body: ChangeEmailInput,
      errors: [
        'disposable_email',
        'invalid_credentials',
        'second_factor_required',
        'account_locked',
        'rate_limited',
        'email_taken',
        'service_unavailable',
      ],
      ok: { description: 'The link was mailed.', schema: MessageBody },
    }).handle(async ({ caller, body, ...input }) => {
      const given = { email: body.new_email, password: body.password, code: body.code };
      await changes.changeEmail(sessionOf(caller), given, contextOf(input));
      return json({ message: 'Open the link in the mail to the new address within 48 hours.' });
    }),

    defineRoute({
      ...shared,
      access: addressAccess(mailLinkRateLimit),
      method: 'post',
      path: '/auth/verify-email-change',
      operationId: 'verifyEmailChange',
      summary: 'Confirm a new email address',
      description:
        'Confirms the new address with the token of the mailed link and the account password. Notifies the old address and ends every session.',
      body: ConfirmEmailInput,
      errors: ['invalid_credentials', 'account_locked', 'email_taken', 'service_unavailable'],
      ok: { description: 'The address was changed.', schema: MessageBody },
    }).handle(async ({ body, ...input }) => {
      await changes.confirmEmail(body, contextOf(input));
      return json({ message: 'Your email address was changed. Sign in with the new one.' });
    }),
  ];
}
