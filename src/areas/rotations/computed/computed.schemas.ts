import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import type { ReadAt } from '../../../platform/area/resource.ts';
import { integer } from '../../../platform/http/bodies/body-schemas.ts';
import { optionalInstant } from '../../../platform/http/pipeline/query-schemas.ts';
import { json, type Representation } from '../../../platform/http/replies/reply.ts';
import { floorDiv, type UnixSeconds } from '../../../platform/kit/time/clock.ts';

/** What the resources of this area have in common. */
export const rotation = { tag: 'Rotations', access: publicAccess('rotations:read') } as const;

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
/** Whether a window is open. */
export const Active = z.boolean().openapi({ description: 'Whether the window is open.', example: true });

/** Start and end of a window. */
export const windowFields = { starts_at: StartsAt, ends_at: EndsAt };
export const SecondsRemaining = z
  .number()
  .int()
  .openapi({ description: 'Seconds until departure while active, otherwise until arrival; never 0.', example: 243_000 });

/** A window that is open at a time, for samples of events. */
export function windowAround(now: UnixSeconds, seconds: number) {
  const startsAt = floorDiv(now, seconds) * seconds;
  return { starts_at: startsAt, ends_at: startsAt + seconds };
}

/** Maximum cache age of a response in seconds; limits the delay of corrections to the tables. */
const MAX_AGE = 300;

/**
 * A body that is constant until a known time: computed and serialized once until then. A body with a countdown declares `read` and
 * `represent` with `jsonWithClock` instead, as the merchants do, with the countdown as a top-level field: the ETag ignores only those.
 */
export function constantUntil<Body extends object>(changesAt: (now: UnixSeconds) => UnixSeconds, bodyAt: (now: UnixSeconds) => Body) {
  let cached: { from: UnixSeconds; until: UnixSeconds; body: Body; text: Representation<Body> } | null = null;
  const current = (now: UnixSeconds) => {
    if (!cached || now < cached.from || now >= cached.until) {
      const body = bodyAt(now);
      cached = { from: now, until: changesAt(now), body, text: json(body) };
    }
    return cached;
  };
  return {
    read: ({ now }: Pick<ReadAt, 'now'>): Body => current(now).body,
    represent(_body: unknown, { now }: Pick<ReadAt, 'now'>): Representation {
      const { until, text } = current(now);
      return { ...text, maxAge: Math.min(MAX_AGE, until - now) };
    },
  };
}
