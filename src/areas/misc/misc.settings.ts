import type { RateLimitRule } from '../../platform/access/policy/policy.ts';
import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import {
  rateLimitOf,
  rateLimitSettings,
  type SettingDeclarations,
  type SettingValues,
  string,
} from '../../platform/settings/settings.data.ts';

export const miscScopes = {
  'misc:read': { bit: 16, description: 'software list, time tools, news archive, interest items, supporters' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof miscScopes> {}
}

export const miscSettings = {
  feedbackChatWebhook: string({
    key: 'feedback.chat_webhook',
    default: '',
    secret: true,
    category: 'feedback',
    purpose: 'Discord webhook that receives feedback; empty = stored but not forwarded',
  }),
  ...rateLimitSettings('feedbackPerIp', {
    key: 'feedback.per_ip',
    category: 'feedback',
    requests: { default: 3, min: 1, max: 100, purpose: 'submissions per IP per window' },
    windowSeconds: { default: 3600, min: 60, max: 86400, purpose: 'length of the window per IP' },
  }),
  ...rateLimitSettings('feedbackGlobal', {
    key: 'feedback.global',
    category: 'feedback',
    requests: { default: 60, min: 10, max: 10000, purpose: 'submissions from all IPs per window; excess is dropped silently' },
    windowSeconds: { default: 3600, min: 60, max: 86400, purpose: 'length of the window for all IPs' },
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof miscSettings> {}
}

/** Rate limit of submissions per IP address. */
export const feedbackRateLimit: RateLimitRule = {
  name: 'feedback',
  limitOf: rateLimitOf('feedbackPerIp'),
};

/** Rate limit of submissions from all IP addresses. */
export const allFeedbackRateLimit: RateLimitRule = {
  name: 'feedback-global',
  limitOf: rateLimitOf('feedbackGlobal'),
};
