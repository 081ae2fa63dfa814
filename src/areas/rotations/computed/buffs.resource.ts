import { z } from '@hono/zod-openapi';
import { defineResource } from '../../../platform/area/resource.ts';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { gameDayStart, WEEKDAYS } from '../../../platform/kit/time/clock.ts';
import { dailyBuffsAt, dailyBuffsNextChangeAt, weeklyBuffsAt, weeklyBuffsNextChangeAt } from '../schedules/computed.domain.ts';
import { dailyBuffs as buffsOfDays, weeklyBuffRules } from './buffs.data.ts';
import { constantUntil, rotation } from './computed.schemas.ts';

declare module '../../../platform/events/event-declaration.ts' {
  interface EventBodies {
    daily_bonuses: z.infer<typeof DailyBuffsBody>;
  }
}

const buffFields = {
  name: z.string().openapi({ description: 'Name of the buff.', example: 'Gathering Day' }),
  color: z.string().openapi({ description: 'Six lower-case hexadecimal digits without `#`.', example: 'a14200' }),
  weekday: enumOf(WEEKDAYS).openapi({ description: 'Weekday of the buff.', example: 'Tuesday' }),
  emoji: z.string().openapi({ description: 'Emoji of the buff.', example: '🐟' }),
};
const lines = (description: string) => z.array(z.string()).openapi({ description, example: ['2x Radiant Shard drops'] });
const imageUrl = (description: string) => z.string().nullable().openapi({ description, example: null });

const DailyBuffBody = z
  .object({
    ...buffFields,
    normal_buffs: lines('Bonuses for all players.'),
    premium_buffs: lines('Bonuses for premium accounts, instead of the normal ones.'),
    icon: imageUrl('URL of an icon, or null.'),
    banner: imageUrl('URL of a banner, or null.'),
  })
  .openapi('DailyBuff', { description: 'The buff of one weekday.' });

const DailyBuffsBody = z
  .object({ current: DailyBuffBody, week: z.array(DailyBuffBody).openapi({ description: 'All seven buffs, Monday first.' }) })
  .openapi('DailyBuffs', { description: 'The buff of the game day and those of the week.' });

const WeeklyBuffBody = z
  .object({ ...buffFields, buffs: lines('Bonuses for all players.'), banner: imageUrl('URL of a banner, or null.') })
  .openapi('WeeklyBuff', { description: 'The buff of one week.' });

const WeeklyBuffsBody = z
  .object({
    current: WeeklyBuffBody,
    rotation: z.array(WeeklyBuffBody).openapi({ description: 'All four buffs, in rotation order.' }),
  })
  .openapi('WeeklyBuffs', { description: 'The buff of the game week and those of the rotation.' });

export const dailyBuffs = defineResource(DailyBuffsBody)({
  ...rotation,
  path: '/v1/rotations/daily-buffs',
  operationId: 'getDailyBuffs',
  summary: 'List daily buffs',
  description: 'Returns the buff of the game day and those of the whole week.',
  ...constantUntil(dailyBuffsNextChangeAt, (now) => dailyBuffsAt(now, buffsOfDays)),
  event: {
    type: 'daily_bonuses',
    row: 8,
    label: 'Daily bonus',
    summary: 'The daily bonus changed',
    hint: 'at the daily reset, 11:00 UTC',
    sample: () => ({
      current: {
        name: 'Gathering Day',
        color: 'a14200',
        weekday: 'Tuesday',
        emoji: '🐟',
        normal_buffs: ['2x Radiant Shard drops'],
        premium_buffs: ['3x Radiant Shard drops'],
        icon: null,
        banner: null,
      },
      week: [],
    }),
    chat: {
      text: {
        title: '{emoji} {name}',
        color: '#F2A33C',
        fields: [
          ['Bonuses', '{buffs}'],
          ['Premium', '{premium_buffs}'],
        ],
      },
      variablesOf: ({ current: { name, weekday, emoji, normal_buffs: buffs, premium_buffs: premiumBuffs } }) => ({
        name,
        weekday,
        emoji,
        buffs: buffs.join('\n'),
        premium_buffs: premiumBuffs.join('\n'),
      }),
    },
    changesAt: dailyBuffsNextChangeAt,
    signature: (_, now) => `${gameDayStart(now)}`,
  },
});

export const weeklyBuffs = defineResource(WeeklyBuffsBody)({
  ...rotation,
  path: '/v1/rotations/weekly-buffs',
  operationId: 'getWeeklyBuffs',
  summary: 'List weekly buffs',
  description: 'Returns the buff of the game week and the four of the rotation.',
  ...constantUntil(
    (now) => weeklyBuffsNextChangeAt(now, weeklyBuffRules),
    (now) => weeklyBuffsAt(now, weeklyBuffRules),
  ),
});
