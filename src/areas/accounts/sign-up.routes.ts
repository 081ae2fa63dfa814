import { addressAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { contextOf } from './account-requests.ts';
import { mailLinkBudget, resendBudget, signUpBudget } from './accounts.budgets.ts';
import { AccountBody, ConfirmEmailInput, MessageBody, ResendInput, SignUpInput, toAccountBody } from './accounts.schemas.ts';
import { type Captcha, captchaAnswer } from './captcha.ts';
import type { SignUpService } from './sign-up.service.ts';

const shared = { tag: 'Accounts', surface: 'portal', hidden: true, method: 'post' } as const;
const MAILED = 'If there is an account that waits for it, a mail is on its way.';

/** Making an account, and verifying its address. */
export function createSignUpEndpoints(service: SignUpService, captcha: Captcha): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/auth/signup',
      operationId: 'signUp',
      summary: 'Sign up',
      description: 'Makes an account and mails the link that verifies its address.',
      access: addressAccess(signUpBudget),
      body: SignUpInput,
      errors: ['captcha_failed', 'disposable_email', 'password_breached', 'email_taken', 'service_unavailable'],
      ok: { status: 201, description: 'The account.', schema: AccountBody },
    }).handle(async ({ body, ...input }) => {
      await captcha.require(captchaAnswer(input, 'signup', body.captcha_token));
      const wanted = { email: body.email, password: body.password, displayName: body.display_name || null };
      return json(toAccountBody(await service.signUp(wanted, contextOf(input))));
    }),

    defineRoute({
      ...shared,
      path: '/auth/resend-verification',
      operationId: 'resendVerification',
      summary: 'Mail the verification again',
      description: 'Mails another link; the answer is the same whether or not there is an account.',
      access: addressAccess(resendBudget),
      body: ResendInput,
      errors: ['captcha_failed', 'service_unavailable'],
      ok: { description: 'Done, if there was anything to do.', schema: MessageBody },
    }).handle(async ({ body, ...input }) => {
      await captcha.require(captchaAnswer(input, 'resend-verification', body.captcha_token));
      service.resend(body.email, contextOf(input));
      return json({ message: MAILED });
    }),

    defineRoute({
      ...shared,
      path: '/auth/verify-email',
      operationId: 'verifyEmail',
      summary: 'Verify the e-mail address',
      description: 'Takes the token of the mailed link and the password of the account.',
      access: addressAccess(mailLinkBudget),
      body: ConfirmEmailInput,
      errors: ['invalid_credentials', 'account_locked', 'service_unavailable'],
      ok: { description: 'The address is verified.', schema: MessageBody },
    }).handle(async ({ body, now }) => {
      await service.verify(body, now);
      return json({ message: 'Your e-mail address is verified. You can sign in now.' });
    }),
  ];
}
