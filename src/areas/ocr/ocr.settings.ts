import { integer, type SettingDeclarations, type SettingValues } from '../../platform/settings/settings.data.ts';

export const ocrSettings = {
  ocrRateLimitMax: integer({
    key: 'ocr_rate_limit_max',
    default: 10,
    min: 1,
    max: 10000,
    category: 'ocr_rate_limit',
    purpose: 'additional per-token rate limit for reading screenshots',
  }),
  ocrRateLimitWindowSeconds: integer({
    key: 'ocr_rate_limit_window_seconds',
    default: 60,
    min: 10,
    max: 86400,
    category: 'ocr_rate_limit',
    purpose: 'window of the rate limit for reading screenshots, in seconds',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof ocrSettings> {}
}
