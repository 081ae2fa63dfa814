import { type SettingDeclarations, type SettingValues, string } from '../../platform/settings/settings.data.ts';

export const statusSettings = {
  alarmChatWebhook: string({
    key: 'alarm.chat_webhook',
    default: '',
    secret: true,
    category: 'alarms',
    purpose: 'Discord webhook that gets a message when a part of the service turns red; empty = none',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof statusSettings> {}
}
