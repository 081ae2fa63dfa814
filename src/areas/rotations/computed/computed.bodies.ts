import { json, jsonWithClock, type Representation } from '../../../platform/http/replies/reply.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import {
  toBiomeRotationsBody,
  toCorruxionBody,
  toDailyBuffsBody,
  toFluxionBody,
  toGardeningBody,
  toServerTimeBody,
  toWeeklyBuffsBody,
} from '../rotations.schemas.ts';
import { biomesRules, corruxionRules, fluxionRules, gardeningRules, resetRules, stampyRulesOf, wildManaRules } from '../schedules.data.ts';
import { type BiomeRotationRules, biomeRotationsAt, biomeRotationsNextChangeAt } from './biome-rotations.domain.ts';
import { dailyBuffs, weeklyBuffRules } from './buffs.data.ts';
import { dailyBuffsAt, dailyBuffsNextChangeAt, weeklyBuffsAt, weeklyBuffsNextChangeAt } from './buffs.domain.ts';
import { gardeningAt, gardeningNextChangeAt } from './gardening.domain.ts';
import { corruxionAt, fluxionAt } from './merchants.domain.ts';
import { serverTimeAt } from './server-time.domain.ts';

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
