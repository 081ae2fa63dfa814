import { integer, type SettingDeclarations, type SettingValues, toggle } from '../../platform/settings/settings.data.ts';

export const accountsSettings = {
  superuserSecondFactorRequired: toggle({
    key: 'superuser_second_factor_required',
    default: false,
    category: 'accounts',
    purpose: 'on: superusers without a second factor can only set one up; their tokens still work',
  }),
  signupRateLimitMax: integer({
    key: 'signup_rate_limit_max',
    default: 5,
    min: 1,
    max: 1000,
    category: 'auth_rate_limits',
    purpose: 'sign-up attempts per IP per window',
  }),
  signupRateLimitWindowSeconds: integer({
    key: 'signup_rate_limit_window_seconds',
    default: 3600,
    min: 60,
    max: 86400,
    category: 'auth_rate_limits',
    purpose: 'sign-up window',
  }),
  loginRateLimitMax: integer({
    key: 'login_rate_limit_max',
    default: 10,
    min: 1,
    max: 1000,
    category: 'auth_rate_limits',
    purpose: 'login attempts (failed and successful) per IP per window',
  }),
  loginRateLimitWindowSeconds: integer({
    key: 'login_rate_limit_window_seconds',
    default: 300,
    min: 60,
    max: 86400,
    category: 'auth_rate_limits',
    purpose: 'login window',
  }),
  forgotPasswordRateLimitMax: integer({
    key: 'forgot_password_rate_limit_max',
    default: 5,
    min: 1,
    max: 1000,
    category: 'auth_rate_limits',
    purpose: 'reset requests per IP per window',
  }),
  forgotPasswordRateLimitWindowSeconds: integer({
    key: 'forgot_password_rate_limit_window_seconds',
    default: 3600,
    min: 60,
    max: 86400,
    category: 'auth_rate_limits',
    purpose: 'reset-request window',
  }),
  accountExportRateLimitMax: integer({
    key: 'account_export_rate_limit_max',
    default: 5,
    min: 1,
    max: 1000,
    category: 'auth_rate_limits',
    purpose: 'account exports per account per window',
  }),
  accountExportRateLimitWindowSeconds: integer({
    key: 'account_export_rate_limit_window_seconds',
    default: 3600,
    min: 60,
    max: 86400,
    category: 'auth_rate_limits',
    purpose: 'account export window',
  }),
  credentialChangeRateLimitMax: integer({
    key: 'credential_change_rate_limit_max',
    default: 10,
    min: 1,
    max: 1000,
    category: 'auth_rate_limits',
    purpose: 'password and email change attempts per account per window',
  }),
  credentialChangeRateLimitWindowSeconds: integer({
    key: 'credential_change_rate_limit_window_seconds',
    default: 3600,
    min: 60,
    max: 86400,
    category: 'auth_rate_limits',
    purpose: 'password and email change window',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof accountsSettings> {}
}
