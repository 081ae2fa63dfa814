import { digestOf, type Representation } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { Environment } from './game-status.data.ts';
import { toGameStatusBody, toHistoryBody } from './game-status.schemas.ts';
import { type StatusSegment, statusHistory } from './history.domain.ts';
import type { GameStatus } from './verdict.domain.ts';

const STATUS_MAX_AGE = 30;
const HISTORY_MAX_AGE = 60;

type StatusBody = Representation<ReturnType<typeof toGameStatusBody>>;

/** The serialised status, cached until the next round. */
export function serialisedStatusBody(text: string): StatusBody {
  return { kind: 'json', text, etag: `"${digestOf(text)}"`, maxAge: STATUS_MAX_AGE };
}

/** The serialised status: the one form for its route, the snapshot, the cache and the event stream. */
export function statusBody(status: GameStatus): StatusBody {
  return serialisedStatusBody(JSON.stringify(toGameStatusBody(status)));
}

/** The history of an environment. The window moves with the clock: what else there is to it are the segments as they are stored. */
export function historyBody(environment: Environment, days: number, segments: readonly StatusSegment[], now: UnixSeconds) {
  const body = toHistoryBody(environment, days, statusHistory(segments, now, days));
  const representation: Representation<typeof body> = {
    kind: 'json',
    text: JSON.stringify(body),
    state: JSON.stringify([environment, days, segments]),
    maxAge: HISTORY_MAX_AGE,
  };
  return representation;
}
