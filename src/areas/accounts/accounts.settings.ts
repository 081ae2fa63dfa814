import { rateLimitSettings, type SettingDeclarations, type SettingValues, toggle } from '../../platform/settings/settings.data.ts';

export const accountsSettings = {
  superuserSecondFactorRequired: toggle({
    key: 'superuser_second_factor_required',
    default: false,
    category: 'accounts',
    purpose: 'on: superusers without a second factor can only set one up; their tokens still work',
  }),
  ...rateLimitSettings('signupRateLimit', {
    key: 'signup_rate_limit',
    category: 'auth_rate_limits',
    requests: { default: 5, min: 1, max: 1000, purpose: 'sign-up attempts per IP per window' },
    windowSeconds: { default: 3600, min: 60, max: 86400, purpose: 'sign-up window' },
  }),
  ...rateLimitSettings('loginRateLimit', {
    key: 'login_rate_limit',
    category: 'auth_rate_limits',
    requests: { default: 10, min: 1, max: 1000, purpose: 'login attempts (failed and successful) per IP per window' },
    windowSeconds: { default: 300, min: 60, max: 86400, purpose: 'login window' },
  }),
  ...rateLimitSettings('forgotPasswordRateLimit', {
    key: 'forgot_password_rate_limit',
    category: 'auth_rate_limits',
    requests: { default: 5, min: 1, max: 1000, purpose: 'reset requests per IP per window' },
    windowSeconds: { default: 3600, min: 60, max: 86400, purpose: 'reset-request window' },
  }),
  ...rateLimitSettings('accountExportRateLimit', {
    key: 'account_export_rate_limit',
    category: 'auth_rate_limits',
    requests: { default: 5, min: 1, max: 1000, purpose: 'account exports per account per window' },
    windowSeconds: { default: 3600, min: 60, max: 86400, purpose: 'account export window' },
  }),
  ...rateLimitSettings('credentialChangeRateLimit', {
    key: 'credential_change_rate_limit',
    category: 'auth_rate_limits',
    requests: { default: 10, min: 1, max: 1000, purpose: 'password and email change attempts per account per window' },
    windowSeconds: { default: 3600, min: 60, max: 86400, purpose: 'password and email change window' },
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof accountsSettings> {}
}
