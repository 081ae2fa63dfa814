import type { RateLimitRule, SessionRateLimit } from '../../platform/access/policy/policy.ts';
import { SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import { rateLimitOf } from '../../platform/settings/settings.data.ts';

// Per IP address.

export const signUpRateLimit: RateLimitRule = {
  name: 'signup',
  limitOf: rateLimitOf('signupRateLimit'),
};

export const signInRateLimit: RateLimitRule = {
  name: 'login',
  limitOf: rateLimitOf('loginRateLimit'),
};

/** Every page of the portal renews its session once. */
export const renewalRateLimit: RateLimitRule = {
  name: 'session-renewal',
  limitOf: () => ({ limit: 120, windowSeconds: SECONDS_PER_MINUTE }),
};

export const signOutRateLimit: RateLimitRule = { ...renewalRateLimit, name: 'sign-out' };

/** Each request with a mailed link hashes one password. */
export const mailLinkRateLimit: RateLimitRule = { ...signInRateLimit, name: 'mail-link' };

export const forgotPasswordRateLimit: RateLimitRule = {
  name: 'forgot-password',
  limitOf: rateLimitOf('forgotPasswordRateLimit'),
};

export const resendRateLimit: RateLimitRule = {
  name: 'resend-verification',
  limitOf: () => ({ limit: 5, windowSeconds: SECONDS_PER_HOUR }),
};

// Per account.

export const exportRateLimit: SessionRateLimit = {
  name: 'account-export',
  limitOf: rateLimitOf('accountExportRateLimit'),
};

/** Each request hashes a password. */
export const deletionRateLimit: SessionRateLimit = {
  name: 'account-deletion',
  limitOf: (settings) => credentialChangeRateLimit.limitOf(settings),
};

/** Changes of the password or email address. Each request hashes up to two passwords. */
export const credentialChangeRateLimit: SessionRateLimit = {
  name: 'credential-change',
  limitOf: rateLimitOf('credentialChangeRateLimit'),
};
