import { json, jsonWithClock, type Representation } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { CaptureActivity } from './activity.domain.ts';
import { type CurrentBody, toCurrentBody } from './activity.schemas.ts';

/** `max-age` of figures in seconds. */
export const FIGURES_SECONDS = 60;

/** The serialised estimate: the one form for its route and the event stream. */
export function currentBody(capture: CaptureActivity | null, now: UnixSeconds): Representation<(typeof CurrentBody)['_output']> {
  const body = toCurrentBody(capture, now);
  // Before there is an estimate, its time is that of the response.
  if (body.window_end === null) return { ...jsonWithClock(body, ['computed_at']), maxAge: FIGURES_SECONDS };
  return json(body, { maxAge: FIGURES_SECONDS });
}
