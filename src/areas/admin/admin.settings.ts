import { decimal, type SettingDeclarations, type SettingValues } from '../../platform/settings/settings.data.ts';

export const adminSettings = {
  alarmDailyDollars: decimal({
    key: 'alarm.daily_dollars',
    default: 0,
    min: 0,
    max: 100_000,
    category: 'alarms',
    purpose:
      "dollars of a day, beyond its share of the plan's included amounts, above which the alarm is sent once a day; 0 = no alarm. Without a token of the platform's analytics the day is an estimate",
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof adminSettings> {}
}
