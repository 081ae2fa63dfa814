import { addressAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { mailLinkRateLimit, resendRateLimit, signUpRateLimit } from './account-rate-limits.data.ts';
import { contextOf } from './account-replies.routes.ts';
import { AccountBody, ConfirmEmailInput, MessageBody, ResendInput, SignUpInput, toAccountBody } from './accounts.schemas.ts';
import { type Captcha, captchaResponse } from './captcha.upstream.ts';
import type { SignUpService } from './sign-up.service.ts';

const shared = { tag: 'Accounts', surface: 'portal', hidden: true, method: 'post' } as const;
const MAILED = 'If an unverified account exists, a mail was sent.';

/** Sign-up and email verification. */
export function createSignUpEndpoints(service: SignUpService, captcha: Captcha): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/auth/signup',
      operationId: 'signUp',
      summary: 'Sign up',
      description: 'Creates an account and mails a verification link.',
      access: addressAccess(signUpRateLimit),
      body: SignUpInput,
      errors: ['captcha_failed', 'disposable_email', 'password_breached', 'email_taken', 'service_unavailable'],
      ok: { status: 201, description: 'The account.', schema: AccountBody },
    }).handle(async ({ body, ...input }) => {
      await captcha.require(captchaResponse(input, 'signup', body.captcha_token));
      const newAccount = { email: body.email, password: body.password, displayName: body.display_name || null };
      return json(toAccountBody(await service.signUp(newAccount, contextOf(input))));
    }),

    defineRoute({
      ...shared,
      path: '/auth/resend-verification',
      operationId: 'resendVerification',
      summary: 'Resend the verification mail',
      description: 'Mails another link. The response is the same whether or not the account exists.',
      access: addressAccess(resendRateLimit),
      body: ResendInput,
      errors: ['captcha_failed', 'service_unavailable'],
      ok: { description: 'The request was accepted.', schema: MessageBody },
    }).handle(async ({ body, ...input }) => {
      await captcha.require(captchaResponse(input, 'resend-verification', body.captcha_token));
      service.resend(body.email, contextOf(input));
      return json({ message: MAILED });
    }),

    defineRoute({
      ...shared,
      path: '/auth/verify-email',
      operationId: 'verifyEmail',
      summary: 'Verify the email address',
      description: 'Verifies the address with the token of the mailed link and the account password.',
      access: addressAccess(mailLinkRateLimit),
      body: ConfirmEmailInput,
      errors: ['invalid_credentials', 'account_locked', 'service_unavailable'],
      ok: { description: 'The address was verified.', schema: MessageBody },
    }).handle(async ({ body, now }) => {
      await service.verify(body, now);
      return json({ message: 'Your email address was verified. You can sign in now.' });
    }),
  ];
}
