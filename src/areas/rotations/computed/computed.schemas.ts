import { z } from '@hono/zod-openapi';
import { enumOf, integer, orNull } from '../../../platform/http/bodies/body-schemas.ts';
import { optionalInstant } from '../../../platform/http/pipeline/query-schemas.ts';
import { json, jsonWithClock, type Representation } from '../../../platform/http/replies/reply.ts';
import { toIso, type UnixSeconds, WEEKDAYS } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { biomesRules, corruxionRules, fluxionRules, gardeningRules, resetRules, stampyRulesOf, wildManaRules } from '../schedules.data.ts';
import { dailyBuffs, weeklyBuffRules } from './buffs.data.ts';
import {
  type Biome,
  type BiomeRotation,
  type BiomeRotationRules,
  type BiomeRotations,
  biomeRotationsAt,
  biomeRotationsNextChangeAt,
  corruxionAt,
  type DailyBuff,
  type DailyBuffs,
  dailyBuffsAt,
  dailyBuffsNextChangeAt,
  FLUXION_STATES,
  FLUXION_WINDOW_STATES,
  type FluxionTimer,
  fluxionAt,
  type Gardening,
  type GardeningWindow,
  gardeningAt,
  gardeningNextChangeAt,
  type MerchantTimer,
  type WeeklyBuff,
  type WeeklyBuffs,
  weeklyBuffsAt,
  weeklyBuffsNextChangeAt,
} from './computed.domain.ts';
import { type ServerTime, serverTimeAt, type TimeWindow } from './cycle.domain.ts';

/** Accepted times in unix seconds: years 2017 to 2100. */
const FIRST_INSTANT = 1_483_228_800;
const LAST_INSTANT = 4_133_980_799;

/** Query of computed rotations. */
export const AtQuery = z.object({
  at: optionalInstant({
    min: FIRST_INSTANT,
    max: LAST_INSTANT,
    description: 'Point in time (unix seconds, years 2017 to 2100); defaults to now. Responses for a given time can be cached for a day.',
    example: 1_773_156_600,
  }),
});

export const isoInstant = (description: string) => z.string().openapi({ description, example: '2026-03-10T15:30:00.000Z' });

const StartsAt = integer('Start of the window (unix seconds).', 1_773_140_400);
const EndsAt = integer('End of the window, exclusive (unix seconds).', 1_773_399_600);
const Active = z.boolean().openapi({ description: 'Whether the window is open.', example: true });

export const ServerTimeBody = z
  .object({
    now_unix: integer('Reference time (unix seconds).', 1_773_156_600),
    now_iso: isoInstant('Reference time as ISO 8601 in UTC.'),
    game_day: enumOf(WEEKDAYS).openapi({ description: 'Weekday on the game clock, UTC-11.', example: 'Tuesday' }),
    daily_reset_at: integer('Next daily reset, 11:00 UTC, strictly after the reference time.', 1_773_226_800),
    weekly_reset_at: integer('Next weekly reset, Monday 11:00 UTC, strictly after the reference time.', 1_773_658_800),
  })
  .openapi('ServerTime', { description: 'Server time, game day and next resets.' });

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

export const DailyBuffsBody = z
  .object({ current: DailyBuffBody, week: z.array(DailyBuffBody).openapi({ description: 'All seven buffs, Monday first.' }) })
  .openapi('DailyBuffs', { description: 'The buff of the game day and those of the week.' });

const WeeklyBuffBody = z
  .object({ ...buffFields, buffs: lines('Bonuses for all players.'), banner: imageUrl('URL of a banner, or null.') })
  .openapi('WeeklyBuff', { description: 'The buff of one week.' });

export const WeeklyBuffsBody = z
  .object({
    current: WeeklyBuffBody,
    rotation: z.array(WeeklyBuffBody).openapi({ description: 'All four buffs, in rotation order.' }),
  })
  .openapi('WeeklyBuffs', { description: 'The buff of the game week and those of the rotation.' });

/** The start and the end of a window. */
export function toWindow({ startsAt, endsAt }: TimeWindow) {
  return { starts_at: startsAt, ends_at: endsAt };
}

const windowFields = { starts_at: StartsAt, ends_at: EndsAt };
const SecondsRemaining = z
  .number()
  .int()
  .openapi({ description: 'Seconds until departure while active, otherwise until arrival; never 0.', example: 243_000 });

const VisitBody = z.object(windowFields).openapi('MerchantVisit', { description: 'One visit of a merchant.' });
export const CorruxionBody = z
  .object({
    active: Active,
    ...windowFields,
    seconds_remaining: SecondsRemaining,
    schedule: z.array(VisitBody).openapi({ description: 'Current or next visit and later ones, earliest first.' }),
  })
  .openapi('Corruxion', { description: 'Visits of the Corruxion merchant.' });

const FluxionVisitBody = z
  .object({ ...windowFields, state: enumOf(FLUXION_WINDOW_STATES).openapi({ description: 'State of the window.', example: 'voting' }) })
  .openapi('FluxionVisit', { description: 'One window of the Fluxion merchant.' });

export const FluxionBody = z
  .object({
    active: Active,
    state: enumOf(FLUXION_STATES).openapi({ description: 'State of the open window, or `away` between windows.', example: 'voting' }),
    ...windowFields,
    seconds_remaining: SecondsRemaining,
    schedule: z.array(FluxionVisitBody).openapi({ description: 'Current or next window and later ones, earliest first.' }),
  })
  .openapi('Fluxion', { description: 'Windows of the Fluxion merchant.' });

const GardeningWindowBody = z
  .object({
    name: z.string().openapi({ description: 'Type of plants.', example: '2-day plants' }),
    active: Active,
    ...windowFields,
  })
  .openapi('GardeningWindow', { description: 'A harvest day of one type of plants.' });

export const GardeningBody = z
  .object({
    two_day: GardeningWindowBody,
    three_day: GardeningWindowBody,
    upcoming: z.array(GardeningWindowBody).openapi({ description: 'Next ten harvest days of both types, earliest first.' }),
  })
  .openapi('Gardening', { description: 'Harvest days of both types of plants.' });

const BiomeBody = z
  .object({
    name: z.string().openapi({ description: 'Name of the biome.', example: 'Volcanic Fields' }),
    final_name: z.string().openapi({ description: 'Name on the map, often the parent biome.', example: 'Dragonfire Peaks' }),
    icon: z.string().openapi({ description: 'Icon token, not a URL.', example: 'dragon' }),
  })
  .openapi('Biome', { description: 'A biome of the game.' });

const BiomeRotationBody = z
  .object({ ...windowFields, biomes: z.array(BiomeBody).openapi({ description: 'One or three biomes.' }) })
  .openapi('BiomeRotation', { description: 'The biomes of one window.' });

export const BiomeRotationsBody = z
  .object({
    current: orNull(BiomeRotationBody, 'Open window; between visits the next one.'),
    upcoming: z.array(BiomeRotationBody).openapi({ description: 'Following windows, earliest first.' }),
  })
  .openapi('BiomeRotations', { description: 'Biomes of the current and upcoming windows.' });

/** Serialized body of a computed rotation at a time. */
export type ComputedBody<Body> = (now: UnixSeconds, settings: Settings) => Representation<Body>;

/** Maximum cache age of a response in seconds; limits the delay of corrections to the tables. */
const MAX_AGE = 300;

/** A body that is constant until a known time; serialized once until then. */
function cachedUntilChange<Body>(
  bodyAt: (now: UnixSeconds) => Body,
  nextChangeAt: (now: UnixSeconds) => UnixSeconds,
): (now: UnixSeconds) => Representation<Body> {
  let cached: { from: UnixSeconds; until: UnixSeconds; body: Representation<Body> } | null = null;
  return (now) => {
    if (!cached || now < cached.from || now >= cached.until) cached = { from: now, until: nextChangeAt(now), body: json(bodyAt(now)) };
    return { ...cached.body, maxAge: Math.min(MAX_AGE, cached.until - now) };
  };
}

const biomeBody = (rules: BiomeRotationRules) =>
  cachedUntilChange(
    (now) => toBiomeRotationsBody(biomeRotationsAt(now, rules)),
    (now) => biomeRotationsNextChangeAt(now, rules),
  );

export const serverTimeBody: ComputedBody<ReturnType<typeof toServerTimeBody>> = (now) =>
  jsonWithClock(toServerTimeBody(serverTimeAt(now, resetRules)), ['now_unix', 'now_iso']);

export const corruxionBody: ComputedBody<ReturnType<typeof toCorruxionBody>> = (now) =>
  jsonWithClock(toCorruxionBody(corruxionAt(now, corruxionRules)), ['seconds_remaining']);

export const fluxionBody: ComputedBody<ReturnType<typeof toFluxionBody>> = (now) =>
  jsonWithClock(toFluxionBody(fluxionAt(now, fluxionRules)), ['seconds_remaining']);

export const dailyBuffsBody = cachedUntilChange((now) => toDailyBuffsBody(dailyBuffsAt(now, dailyBuffs)), dailyBuffsNextChangeAt);

export const weeklyBuffsBody = cachedUntilChange(
  (now) => toWeeklyBuffsBody(weeklyBuffsAt(now, weeklyBuffRules)),
  (now) => weeklyBuffsNextChangeAt(now, weeklyBuffRules),
);

export const gardeningBody = cachedUntilChange(
  (now) => toGardeningBody(gardeningAt(now, gardeningRules)),
  (now) => gardeningNextChangeAt(now, gardeningRules),
);

export const biomesBody = biomeBody(biomesRules);
export const wildManaBody = biomeBody(wildManaRules);
const stampyBodies = { weekly: biomeBody(stampyRulesOf.weekly), fortnightly: biomeBody(stampyRulesOf.fortnightly) };

export const stampyBody: ComputedBody<ReturnType<typeof toBiomeRotationsBody>> = (now, { stampyPeriod }) => stampyBodies[stampyPeriod](now);

function toServerTimeBody(value: ServerTime) {
  return {
    now_unix: value.now,
    now_iso: toIso(value.now),
    game_day: value.gameDay,
    daily_reset_at: value.dailyResetAt,
    weekly_reset_at: value.weeklyResetAt,
  };
}

function toDailyBuffBody(buff: DailyBuff) {
  const { name, color, weekday, emoji, normalBuffs, premiumBuffs, icon, banner } = buff;
  return { name, color, weekday, emoji, normal_buffs: [...normalBuffs], premium_buffs: [...premiumBuffs], icon, banner };
}

function toDailyBuffsBody({ current, week }: DailyBuffs) {
  return { current: toDailyBuffBody(current), week: week.map(toDailyBuffBody) };
}

function toWeeklyBuffBody({ name, color, weekday, emoji, buffs, banner }: WeeklyBuff) {
  return { name, color, weekday, emoji, buffs: [...buffs], banner };
}

function toWeeklyBuffsBody({ current, rotation }: WeeklyBuffs) {
  return { current: toWeeklyBuffBody(current), rotation: rotation.map(toWeeklyBuffBody) };
}

function toCorruxionBody(timer: MerchantTimer) {
  return { active: timer.active, ...toWindow(timer), seconds_remaining: timer.secondsRemaining, schedule: timer.schedule.map(toWindow) };
}

function toFluxionBody(timer: FluxionTimer) {
  return {
    active: timer.active,
    state: timer.state,
    ...toWindow(timer),
    seconds_remaining: timer.secondsRemaining,
    schedule: timer.schedule.map((visit) => ({ ...toWindow(visit), state: visit.state })),
  };
}

function toGardeningWindowBody(window: GardeningWindow) {
  return { name: window.name, active: window.active, ...toWindow(window) };
}

function toGardeningBody(gardening: Gardening) {
  return {
    two_day: toGardeningWindowBody(gardening.twoDay),
    three_day: toGardeningWindowBody(gardening.threeDay),
    upcoming: gardening.upcoming.map(toGardeningWindowBody),
  };
}

function toBiomeBody({ name, finalName, icon }: Biome) {
  return { name, final_name: finalName, icon };
}

function toBiomeRotationBody(rotation: BiomeRotation) {
  return { ...toWindow(rotation), biomes: rotation.biomes.map(toBiomeBody) };
}

function toBiomeRotationsBody({ current, upcoming }: BiomeRotations) {
  return { current: toBiomeRotationBody(current), upcoming: upcoming.map(toBiomeRotationBody) };
}
