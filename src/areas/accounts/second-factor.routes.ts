import { sessionAccess } from '../../platform/access/policy/policy.ts';
import { sessionOf } from '../../platform/access/sessions/session-admission.ts';
import { deviceCookieOf } from '../../platform/access/sessions/session-cookies.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json, noContent } from '../../platform/http/replies/reply.ts';
import type { AccountChanges } from './account-changes.service.ts';
import { credentialChangeRateLimit } from './account-rate-limits.data.ts';
import { contextOf, deviceOf, isSecure, signedInReply } from './account-replies.routes.ts';
import {
  EnabledBody,
  EnableSecondFactorInput,
  RecoveryCodesBody,
  SecondFactorBody,
  SecondFactorInput,
  SetUpBody,
  SetUpInput,
  toSecondFactorBody,
} from './accounts.schemas.ts';
import type { SecondFactor } from './second-factor.service.ts';

const read = { tag: 'Accounts', surface: 'portal', hidden: true, access: sessionAccess() } as const;
const change = { ...read, access: sessionAccess('ordinary', credentialChangeRateLimit), method: 'post' } as const;
/** A change that the password and a code confirm. */
const confirmedChange = {
  ...change,
  body: SecondFactorInput,
  errors: ['bad_request', 'invalid_credentials', 'account_locked', 'second_factor_required', 'service_unavailable'],
} as const;

interface SecondFactorRoutesDeps {
  changes: AccountChanges;
  secondFactor: SecondFactor;
  isNonProduction: boolean;
}

/** `/auth/second-factor`: the second factor of the signed-in account. */
export function createSecondFactorEndpoints({ changes, secondFactor, isNonProduction }: SecondFactorRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...read,
      method: 'get',
      path: '/auth/second-factor',
      operationId: 'getSecondFactor',
      summary: 'Get the second factor',
      description: 'Returns whether the account has a second factor, the number of unused recovery codes, and recent changes.',
      ok: { description: 'The second factor.', schema: SecondFactorBody },
    }).handle(async ({ caller }) => json(toSecondFactorBody(await secondFactor.stateOf(sessionOf(caller).userId)))),

    defineRoute({
      ...change,
      path: '/auth/second-factor/set-up',
      operationId: 'setUpSecondFactor',
      summary: 'Set up a second factor',
      description: 'Returns a new secret for an authenticator app. The first code of the app enables the second factor.',
      body: SetUpInput,
      showsSecret: true,
      errors: ['invalid_credentials', 'account_locked', 'second_factor_required', 'service_unavailable'],
      ok: { description: 'The secret, which is shown once.', schema: SetUpBody },
    }).handle(async ({ caller, body, ...input }) => {
      const { secret, uri, svg } = await changes.setUpSecondFactor(sessionOf(caller), body.password, contextOf(input));
      return json({ secret, otpauth_uri: uri, qr_svg: svg });
    }),

    defineRoute({
      ...change,
      path: '/auth/second-factor/enable',
      operationId: 'enableSecondFactor',
      summary: 'Enable the second factor',
      description: 'Finishes the set-up with a code of the app, ends every session and starts a new one. Returns ten recovery codes.',
      body: EnableSecondFactorInput,
      showsSecret: true,
      errors: ['invalid_credentials', 'account_locked', 'service_unavailable'],
      ok: { description: 'The new session and the recovery codes, which are shown once.', schema: EnabledBody },
    }).handle(async ({ caller, body, ...input }) => {
      const enabled = await changes.enableSecondFactor(sessionOf(caller), body.code, deviceOf(input.request), contextOf(input));
      const { session, recoveryCodes } = enabled;
      const kept = await changes.keepDevice(sessionOf(caller), deviceCookieOf(input.request), input.now);
      return signedInReply(session, isSecure(input, isNonProduction), { ...kept, more: { recovery_codes: recoveryCodes } });
    }),

    defineRoute({
      ...confirmedChange,
      path: '/auth/second-factor/disable',
      operationId: 'disableSecondFactor',
      summary: 'Remove the second factor',
      description: 'Removes the second factor and its recovery codes.',
      ok: { status: 204, contentTypes: [], description: 'Removed.' },
    }).handle(async ({ caller, body, ...input }) => {
      await changes.disableSecondFactor(sessionOf(caller), body, contextOf(input));
      return noContent();
    }),

    defineRoute({
      ...confirmedChange,
      path: '/auth/second-factor/recovery-codes',
      operationId: 'renewRecoveryCodes',
      summary: 'Replace the recovery codes',
      description: 'Returns ten new recovery codes. The old ones no longer work.',
      showsSecret: true,
      ok: { description: 'The recovery codes, which are shown once.', schema: RecoveryCodesBody },
    }).handle(async ({ caller, body, ...input }) =>
      json({ recovery_codes: await changes.renewRecoveryCodes(sessionOf(caller), body, contextOf(input)) }),
    ),
  ];
}
