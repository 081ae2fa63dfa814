import { type SettingDeclarations, type SettingValues, toggle } from '../../platform/settings/settings.data.ts';

export const webhooksSettings = {
  featureWebhooksEnabled: toggle({
    key: 'feature_webhooks_enabled',
    default: true,
    category: 'features',
    purpose: 'off: webhook endpoints return 404 and no delivery is queued; registered webhooks stay stored',
  }),
  featureImageStudioEnabled: toggle({
    key: 'feature_image_studio_enabled',
    default: true,
    category: 'features',
    purpose: 'off: designed embed images are unavailable',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof webhooksSettings> {}
}
