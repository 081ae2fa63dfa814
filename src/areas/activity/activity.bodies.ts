import { json } from '../../platform/http/replies/reply.ts';
import type { CaptureActivity } from './activity.domain.ts';
import { toCurrentBody } from './activity.schemas.ts';

/** Seconds a figure may be kept. */
export const FIGURES_SECONDS = 60;

/** The serialised estimate: the one form for its route and the event stream. */
export const currentBody = (capture: CaptureActivity | null) => json(toCurrentBody(capture), { maxAge: FIGURES_SECONDS });
