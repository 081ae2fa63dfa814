import type { BudgetRule, SessionBudget } from '../../platform/access/policy/policy.ts';
import { SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';

// Per IP address.

export const signUpBudget: BudgetRule = {
  name: 'signup',
  limitOf: ({ signupRateLimitMax: limit, signupRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};

export const signInBudget: BudgetRule = {
  name: 'login',
  limitOf: ({ loginRateLimitMax: limit, loginRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};

/** Every page of the portal renews its session once. */
export const renewalBudget: BudgetRule = {
  name: 'session-renewal',
  limitOf: () => ({ limit: 120, windowSeconds: SECONDS_PER_MINUTE }),
};

export const signOutBudget: BudgetRule = { ...renewalBudget, name: 'sign-out' };

/** Each request with a mailed link hashes one password. */
export const mailLinkBudget: BudgetRule = { ...signInBudget, name: 'mail-link' };

export const forgotPasswordBudget: BudgetRule = {
  name: 'forgot-password',
  limitOf: ({ forgotPasswordRateLimitMax: limit, forgotPasswordRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};

export const resendBudget: BudgetRule = {
  name: 'resend-verification',
  limitOf: () => ({ limit: 5, windowSeconds: SECONDS_PER_HOUR }),
};

// Per account.

export const exportBudget: SessionBudget = {
  name: 'account-export',
  limitOf: ({ accountExportRateLimitMax: limit, accountExportRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};

/** Each request hashes a password. */
export const deletionBudget: SessionBudget = { name: 'account-deletion', limitOf: (settings) => credentialChangeBudget.limitOf(settings) };

/** Changes of the password or email address. Each request hashes up to two passwords. */
export const credentialChangeBudget: SessionBudget = {
  name: 'credential-change',
  limitOf: ({ credentialChangeRateLimitMax: limit, credentialChangeRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};
