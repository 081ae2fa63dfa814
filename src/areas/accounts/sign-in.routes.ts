import { addressAccess } from '../../platform/access/policy/policy.ts';
import { refreshTokenOf } from '../../platform/access/sessions/session-cookies.ts';
import type { SignInRefusals } from '../../platform/access/sessions/sign-in-refusals.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import {
  forgotPasswordRateLimit,
  mailLinkRateLimit,
  renewalRateLimit,
  signInRateLimit,
  signOutRateLimit,
} from './account-rate-limits.data.ts';
import { clientOf, confirmedReply, contextOf, isSecure, signedInReply, signedOutReply } from './account-replies.routes.ts';
import { ConfirmDeviceInput, ForgotInput, LoginInput, MessageBody, RefreshInput, ResetInput, SignedInBody } from './accounts.schemas.ts';
import { type Captcha, captchaResponse } from './captcha.upstream.ts';
import type { SessionService } from './session.service.ts';
import type { SignInService } from './sign-in.service.ts';

const shared = { tag: 'Accounts', surface: 'portal', hidden: true, method: 'post' } as const;
const MAILED = 'If the account exists, a mail was sent.';

interface SignInRoutesDeps {
  service: SignInService;
  sessions: SessionService;
  captcha: Captcha;
  refusals: Pick<SignInRefusals, 'count'>;
  isNonProduction: boolean;
}

/** Sign-in, session renewal, sign-out and password reset. */
export function createSignInEndpoints(deps: SignInRoutesDeps): Endpoint[] {
  return [...sessionEndpoints(deps), ...passwordEndpoints(deps), confirmDeviceEndpoint(deps)];
}

function sessionEndpoints({ service, sessions, captcha, refusals, isNonProduction }: SignInRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/auth/login',
      operationId: 'login',
      summary: 'Sign in',
      description:
        'Returns an access token and sets the refresh token as a cookie. Accounts with a second factor also need its code. After many failures, an unknown device must be confirmed with a mailed link.',
      access: addressAccess(signInRateLimit),
      body: LoginInput,
      errors: [
        'captcha_failed',
        'account_locked',
        'invalid_credentials',
        'email_unverified',
        'second_factor_required',
        'device_unconfirmed',
        'service_unavailable',
      ],
      ok: { description: 'Signed in.', schema: SignedInBody },
    }).handle(async ({ body, ...input }) => {
      try {
        await captcha.require(captchaResponse(input, 'login', body.captcha_token));
        const { session, deviceCookie } = await service.signIn(body, clientOf(input.request), contextOf(input));
        return signedInReply(session, isSecure(input, isNonProduction), { device: deviceCookie });
      } catch (error) {
        if (error instanceof ApiError) input.waitUntil(refusals.count(error.code, input.now));
        throw error;
      }
    }),

    defineRoute({
      ...shared,
      path: '/auth/refresh',
      operationId: 'refreshSession',
      summary: 'Renew the session token',
      description: 'Exchanges the refresh token, once, for a new access token and a new refresh token.',
      access: addressAccess(renewalRateLimit),
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
      access: addressAccess(signOutRateLimit),
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

function passwordEndpoints({ service, captcha, isNonProduction }: SignInRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/auth/forgot-password',
      operationId: 'forgotPassword',
      summary: 'Request a password reset',
      description: 'Mails a link to set a new password. The response is the same whether or not the account exists.',
      access: addressAccess(forgotPasswordRateLimit),
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
      description:
        'Sets the password with the token of a mailed link, once, and ends every session. Does not sign in and keeps the second factor. A link allows five attempts.',
      access: addressAccess(mailLinkRateLimit),
      body: ResetInput,
      errors: ['password_breached'],
      ok: { description: 'The password was set.', schema: MessageBody },
    }).handle(async ({ body, ...input }) => {
      const device = await service.reset(body.token, body.new_password, contextOf(input));
      return confirmedReply('The password was set. Sign in with it.', device, isSecure(input, isNonProduction));
    }),
  ];
}

function confirmDeviceEndpoint({ service, isNonProduction }: SignInRoutesDeps): Endpoint {
  return defineRoute({
    ...shared,
    path: '/auth/confirm-device',
    operationId: 'confirmDevice',
    summary: 'Confirm a device',
    description: 'Confirms the device with the token of a mailed link and sets its cookie. Does not sign in.',
    access: addressAccess(mailLinkRateLimit),
    body: ConfirmDeviceInput,
    errors: ['service_unavailable'],
    ok: { description: 'The device was confirmed.', schema: MessageBody },
  }).handle(async ({ body, ...input }) => {
    const device = await service.confirmDevice(body.token, contextOf(input));
    return confirmedReply('This device was confirmed. Sign in on it now.', device, isSecure(input, isNonProduction));
  });
}
