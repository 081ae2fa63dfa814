import { addressAccess, openAccess } from '../../platform/access/policy/policy.ts';
import { refreshTokenOf } from '../../platform/access/sessions/session-cookies.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { contextOf, deviceOf, isSecure, signedInReply, signedOutReply } from './account-requests.ts';
import { forgotPasswordBudget, signInBudget } from './accounts.budgets.ts';
import { ForgotInput, LoginInput, MessageBody, RefreshInput, ResetInput, SignedInBody } from './accounts.schemas.ts';
import { type Captcha, captchaResponse } from './captcha.ts';
import type { SessionService } from './session.service.ts';
import type { SignInService } from './sign-in.service.ts';

const shared = { tag: 'Accounts', surface: 'portal', hidden: true, method: 'post' } as const;
const MAILED = 'If the account exists, a mail was sent.';

export interface SignInRoutesDeps {
  service: SignInService;
  sessions: SessionService;
  captcha: Captcha;
  isNonProduction: boolean;
}

/** Sign-in, session renewal, sign-out and password reset. */
export function createSignInEndpoints(deps: SignInRoutesDeps): Endpoint[] {
  return [...sessionEndpoints(deps), ...passwordEndpoints(deps)];
}

function sessionEndpoints({ service, sessions, captcha, isNonProduction }: SignInRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/auth/login',
      operationId: 'login',
      summary: 'Sign in',
      description: 'Returns an access token and sets the refresh token as a cookie.',
      access: addressAccess(signInBudget),
      body: LoginInput,
      errors: ['captcha_failed', 'account_locked', 'invalid_credentials', 'email_unverified', 'service_unavailable'],
      ok: { description: 'Signed in.', schema: SignedInBody },
    }).handle(async ({ body, ...input }) => {
      await captcha.require(captchaResponse(input, 'login', body.captcha_token));
      const session = await service.signIn(body, deviceOf(input.request), contextOf(input));
      return signedInReply(session, isSecure(input, isNonProduction));
    }),

    defineRoute({
      ...shared,
      path: '/auth/refresh',
      operationId: 'refreshSession',
      summary: 'Renew the session token',
      description: 'Exchanges the refresh token, once, for a new access token and a new refresh token.',
      access: openAccess,
      body: RefreshInput,
      bodyIsOptional: true,
      errors: ['not_authenticated', 'service_unavailable'],
      ok: { description: 'The new access token.', schema: SignedInBody },
    }).handle(async ({ body, request, now }) => {
      const token = body.refresh_token ?? refreshTokenOf(request);
      if (token === null) throw new ApiError('not_authenticated', 'no active session', { headers: { 'WWW-Authenticate': 'Bearer' } });
      return signedInReply(await sessions.refresh(token, now), isSecure({ request }, isNonProduction));
    }),

    defineRoute({
      ...shared,
      path: '/auth/logout',
      operationId: 'logout',
      summary: 'Sign out',
      description: 'Ends the session of the refresh token, if any.',
      access: openAccess,
      body: RefreshInput,
      bodyIsOptional: true,
      ok: { status: 204, contentTypes: [], description: 'Signed out.' },
    }).handle(async ({ body, request }) => {
      const token = body.refresh_token ?? refreshTokenOf(request);
      if (token !== null) await sessions.endByToken(token);
      return signedOutReply(isSecure({ request }, isNonProduction));
    }),
  ];
}

function passwordEndpoints({ service, captcha }: SignInRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/auth/forgot-password',
      operationId: 'forgotPassword',
      summary: 'Request a password reset',
      description: 'Mails a link to set a new password. The response is the same whether or not the account exists.',
      access: addressAccess(forgotPasswordBudget),
      body: ForgotInput,
      errors: ['captcha_failed', 'service_unavailable'],
      ok: { description: 'The request was accepted.', schema: MessageBody },
    }).handle(async ({ body, ...input }) => {
      await captcha.require(captchaResponse(input, 'forgot-password', body.captcha_token));
      service.sendResetMail(body.email, contextOf(input));
      return json({ message: MAILED });
    }),

    defineRoute({
      ...shared,
      path: '/auth/reset-password',
      operationId: 'resetPassword',
      summary: 'Set a new password',
      description: 'Sets the password with the token of a mailed link, once, and ends every session.',
      access: openAccess,
      body: ResetInput,
      errors: ['password_breached'],
      ok: { description: 'The password was set.', schema: MessageBody },
    }).handle(async ({ body, ...input }) => {
      await service.reset(body.token, body.new_password, contextOf(input));
      return json({ message: 'The password was set. Sign in with it.' });
    }),
  ];
}
