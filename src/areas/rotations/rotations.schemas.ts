import { z } from '@hono/zod-openapi';
import { enumOf, orNull } from '../../platform/http/bodies/body-schemas.ts';
import { optionalInstant } from '../../platform/http/pipeline/query-schemas.ts';
import { toIso } from '../../platform/time/clock.ts';
import { WEEKDAYS } from '../../platform/time/game-calendar.ts';
import type { Biome, BiomeRotation, BiomeRotations } from './computed/biome-rotations.domain.ts';
import type { DailyBuff, DailyBuffs, WeeklyBuff, WeeklyBuffs } from './computed/buffs.domain.ts';
import type { TimeWindow } from './computed/cycle.domain.ts';
import type { Gardening, GardeningWindow } from './computed/gardening.domain.ts';
import { FLUXION_STATES, FLUXION_WINDOW_STATES, type FluxionTimer, type MerchantTimer } from './computed/merchants.domain.ts';
import type { ServerTime } from './computed/server-time.domain.ts';

/** Years 2017 to 2100: the instants a rotation can be asked for, as unix seconds. */
const FIRST_INSTANT = 1_483_228_800;
const LAST_INSTANT = 4_133_980_799;

/** Query of every computed rotation. */
export const AtQuery = z.object({
  at: optionalInstant({
    min: FIRST_INSTANT,
    max: LAST_INSTANT,
    description: 'Answer for this instant (unix seconds, years 2017 to 2100) instead of now. Such an answer may be kept for a day.',
    example: 1_773_156_600,
  }),
});

export const instant = (description: string, example: number) => z.number().int().openapi({ description, example });
export const isoInstant = (description: string) => z.string().openapi({ description, example: '2026-03-10T15:30:00.000Z' });

const StartsAt = instant('First second of the window (unix seconds).', 1_773_140_400);
const EndsAt = instant('First second after the window (unix seconds).', 1_773_399_600);
const Active = z.boolean().openapi({ description: 'Whether the window is open.', example: true });

export const ServerTimeBody = z
  .object({
    now_unix: instant('The instant answered for (unix seconds).', 1_773_156_600),
    now_iso: isoInstant('The same instant as ISO 8601 in UTC.'),
    game_day: enumOf(WEEKDAYS).openapi({ description: 'Weekday on the game clock, UTC-11.', example: 'Tuesday' }),
    daily_reset_at: instant('The next daily reset, 11:00 UTC, strictly later.', 1_773_226_800),
    weekly_reset_at: instant('The next weekly reset, Monday 11:00 UTC, strictly later.', 1_773_658_800),
  })
  .openapi('ServerTime', { description: 'The time, the game day and the coming resets.' });

export function toServerTimeBody(value: ServerTime): z.infer<typeof ServerTimeBody> {
  return {
    now_unix: value.now,
    now_iso: toIso(value.now),
    game_day: value.gameDay,
    daily_reset_at: value.dailyResetAt,
    weekly_reset_at: value.weeklyResetAt,
  };
}

const buffFields = {
  name: z.string().openapi({ description: 'Name of the bonus.', example: 'Gathering Day' }),
  color: z.string().openapi({ description: 'Six lower-case hexadecimal digits without `#`.', example: 'a14200' }),
  weekday: enumOf(WEEKDAYS).openapi({ description: 'Weekday the table gives the bonus.', example: 'Tuesday' }),
  emoji: z.string().openapi({ description: 'A picture of one character.', example: '🐟' }),
};
const lines = (description: string) => z.array(z.string()).openapi({ description, example: ['2x Radiant Shard drops'] });
const imageUrl = (description: string) => z.string().nullable().openapi({ description, example: null });

const DailyBuffBody = z
  .object({
    ...buffFields,
    normal_buffs: lines('What everybody gets.'),
    premium_buffs: lines('What players with a premium account get instead.'),
    icon: imageUrl('URL of an icon, or null.'),
    banner: imageUrl('URL of a banner, or null.'),
  })
  .openapi('DailyBuff', { description: 'The bonus of one weekday.' });

export const DailyBuffsBody = z
  .object({ current: DailyBuffBody, week: z.array(DailyBuffBody).openapi({ description: 'All seven, Monday first.' }) })
  .openapi('DailyBuffs', { description: 'The bonus of the game day and of every other day.' });

const WeeklyBuffBody = z
  .object({ ...buffFields, buffs: lines('What everybody gets.'), banner: imageUrl('URL of a banner, or null.') })
  .openapi('WeeklyBuff', { description: 'The bonus of one week.' });

export const WeeklyBuffsBody = z
  .object({
    current: WeeklyBuffBody,
    rotation: z.array(WeeklyBuffBody).openapi({ description: 'All four, in the fixed order of the rotation.' }),
  })
  .openapi('WeeklyBuffs', { description: 'The bonus of the game week and of the other weeks of the rotation.' });

function toDailyBuffBody(buff: DailyBuff): z.infer<typeof DailyBuffBody> {
  const { name, color, weekday, emoji, normalBuffs, premiumBuffs, icon, banner } = buff;
  return { name, color, weekday, emoji, normal_buffs: [...normalBuffs], premium_buffs: [...premiumBuffs], icon, banner };
}

export function toDailyBuffsBody({ current, week }: DailyBuffs): z.infer<typeof DailyBuffsBody> {
  return { current: toDailyBuffBody(current), week: week.map(toDailyBuffBody) };
}

function toWeeklyBuffBody({ name, color, weekday, emoji, buffs, banner }: WeeklyBuff): z.infer<typeof WeeklyBuffBody> {
  return { name, color, weekday, emoji, buffs: [...buffs], banner };
}

export function toWeeklyBuffsBody({ current, rotation }: WeeklyBuffs): z.infer<typeof WeeklyBuffsBody> {
  return { current: toWeeklyBuffBody(current), rotation: rotation.map(toWeeklyBuffBody) };
}

const windowFields = { starts_at: StartsAt, ends_at: EndsAt };
const SecondsRemaining = z
  .number()
  .int()
  .openapi({ description: 'To leaving while active, otherwise to arriving; never 0.', example: 243_000 });

const VisitBody = z.object(windowFields).openapi('MerchantVisit', { description: 'One visit of a merchant.' });
export const CorruxionBody = z
  .object({
    active: Active,
    ...windowFields,
    seconds_remaining: SecondsRemaining,
    schedule: z.array(VisitBody).openapi({ description: 'This visit or the next, and those that follow; soonest first.' }),
  })
  .openapi('Corruxion', { description: 'The visits of the corruxion merchant.' });

const FluxionVisitBody = z
  .object({ ...windowFields, state: enumOf(FLUXION_WINDOW_STATES).openapi({ description: 'What the window is for.', example: 'voting' }) })
  .openapi('FluxionVisit', { description: 'One window of the fluxion merchant.' });

export const FluxionBody = z
  .object({
    active: Active,
    state: enumOf(FLUXION_STATES).openapi({ description: 'Of the open window, or `away` between windows.', example: 'voting' }),
    ...windowFields,
    seconds_remaining: SecondsRemaining,
    schedule: z.array(FluxionVisitBody).openapi({ description: 'This window or the next, and those that follow; soonest first.' }),
  })
  .openapi('Fluxion', { description: 'The windows of the fluxion merchant.' });

export function toWindow({ startsAt, endsAt }: TimeWindow) {
  return { starts_at: startsAt, ends_at: endsAt };
}

export function toCorruxionBody(timer: MerchantTimer): z.infer<typeof CorruxionBody> {
  return { active: timer.active, ...toWindow(timer), seconds_remaining: timer.secondsRemaining, schedule: timer.schedule.map(toWindow) };
}

export function toFluxionBody(timer: FluxionTimer): z.infer<typeof FluxionBody> {
  return {
    active: timer.active,
    state: timer.state,
    ...toWindow(timer),
    seconds_remaining: timer.secondsRemaining,
    schedule: timer.schedule.map((visit) => ({ ...toWindow(visit), state: visit.state })),
  };
}

const GardeningWindowBody = z
  .object({
    name: z.string().openapi({ description: 'Kind of plants.', example: '2-day plants' }),
    active: Active,
    ...windowFields,
  })
  .openapi('GardeningWindow', { description: 'A harvest day of one kind of plants.' });

export const GardeningBody = z
  .object({
    two_day: GardeningWindowBody,
    three_day: GardeningWindowBody,
    upcoming: z.array(GardeningWindowBody).openapi({ description: 'The next ten harvest days of both kinds, soonest first.' }),
  })
  .openapi('Gardening', { description: 'Harvest days of both kinds of plants.' });

function toGardeningWindowBody(window: GardeningWindow): z.infer<typeof GardeningWindowBody> {
  return { name: window.name, active: window.active, ...toWindow(window) };
}

export function toGardeningBody(gardening: Gardening): z.infer<typeof GardeningBody> {
  return {
    two_day: toGardeningWindowBody(gardening.twoDay),
    three_day: toGardeningWindowBody(gardening.threeDay),
    upcoming: gardening.upcoming.map(toGardeningWindowBody),
  };
}

const BiomeBody = z
  .object({
    name: z.string().openapi({ description: 'Name of the biome.', example: 'Volcanic Fields' }),
    final_name: z.string().openapi({ description: 'What the map shows, often the parent biome.', example: 'Dragonfire Peaks' }),
    icon: z.string().openapi({ description: 'Token of the icon, not an address.', example: 'dragon' }),
  })
  .openapi('Biome', { description: 'A biome of the game.' });

const BiomeRotationBody = z
  .object({ ...windowFields, biomes: z.array(BiomeBody).openapi({ description: 'One or three biomes.' }) })
  .openapi('BiomeRotation', { description: 'The biomes of one window.' });

export const BiomeRotationsBody = z
  .object({
    current: orNull(BiomeRotationBody, 'The open window; between visits the next one.'),
    upcoming: z.array(BiomeRotationBody).openapi({ description: 'The windows after it, soonest first.' }),
  })
  .openapi('BiomeRotations', { description: 'The biomes of this window and of the coming ones.' });

function toBiomeBody({ name, finalName, icon }: Biome): z.infer<typeof BiomeBody> {
  return { name, final_name: finalName, icon };
}

function toBiomeRotationBody(rotation: BiomeRotation): z.infer<typeof BiomeRotationBody> {
  return { ...toWindow(rotation), biomes: rotation.biomes.map(toBiomeBody) };
}

export function toBiomeRotationsBody({ current, upcoming }: BiomeRotations): z.infer<typeof BiomeRotationsBody> {
  return { current: toBiomeRotationBody(current), upcoming: upcoming.map(toBiomeRotationBody) };
}
