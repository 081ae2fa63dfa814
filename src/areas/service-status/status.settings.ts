import { type SettingDeclarations, type SettingValues, string } from '../../platform/settings/settings.data.ts';

export const statusSettings = {
  alarmChatWebhook: string({
    key: 'alarm.chat_webhook',
    default: '',
    secret: true,
    category: 'alarms',
    purpose: 'Discord webhook that gets a message when a part of the service turns red; empty = none',
  }),
  alarmWebhookUrl: string({
    key: 'alarm.webhook_url',
    default: '',
    secret: true,
    category: 'alarms',
    purpose: 'https endpoint that gets the same messages as signed requests (Standard Webhooks); empty = none',
  }),
  alarmWebhookSecret: string({
    key: 'alarm.webhook_secret',
    default: '',
    secret: true,
    category: 'alarms',
    purpose: 'secret that signs these requests: whsec_ and at least 24 bytes in base64',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof statusSettings> {}
}
