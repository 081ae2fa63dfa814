import { json, jsonWithClock, type Representation } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { CaptureActivity } from './activity.domain.ts';
import { type CurrentBody, toCurrentBody } from './activity.schemas.ts';

/** `max-age` of activity responses. */
export const FIGURES_MAX_AGE_SECONDS = 60;

/** Serialised estimate, shared by the endpoint and the event stream. */
export function currentBody(capture: CaptureActivity | null, now: UnixSeconds): Representation<(typeof CurrentBody)['_output']> {
  const body = toCurrentBody(capture, now);
  // Without an estimate, `computed_at` is the time of the response.
  if (body.window_end === null) return { ...jsonWithClock(body, ['computed_at']), maxAge: FIGURES_MAX_AGE_SECONDS };
  return json(body, { maxAge: FIGURES_MAX_AGE_SECONDS });
}
