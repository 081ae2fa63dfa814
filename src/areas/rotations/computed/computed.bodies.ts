import { json, jsonWithClock, type Representation } from '../../../platform/http/replies/reply.ts';
import { toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { toWindow } from '../rotations.schemas.ts';
import { biomesRules, corruxionRules, fluxionRules, gardeningRules, resetRules, stampyRulesOf, wildManaRules } from '../schedules.data.ts';
import {
  type Biome,
  type BiomeRotation,
  type BiomeRotationRules,
  type BiomeRotations,
  biomeRotationsAt,
  biomeRotationsNextChangeAt,
} from './biome-rotations.domain.ts';
import { dailyBuffs, weeklyBuffRules } from './buffs.data.ts';
import {
  type DailyBuff,
  type DailyBuffs,
  dailyBuffsAt,
  dailyBuffsNextChangeAt,
  type WeeklyBuff,
  type WeeklyBuffs,
  weeklyBuffsAt,
  weeklyBuffsNextChangeAt,
} from './buffs.domain.ts';
import { type ServerTime, serverTimeAt } from './cycle.domain.ts';
import { type Gardening, type GardeningWindow, gardeningAt, gardeningNextChangeAt } from './gardening.domain.ts';
import { corruxionAt, type FluxionTimer, fluxionAt, type MerchantTimer } from './merchants.domain.ts';

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
