import { digestOf, type Representation } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { Environment } from './game-status.data.ts';
import { toGameStatusBody, toHistoryBody } from './game-status.schemas.ts';
import { type StatusSegment, statusHistory } from './history.domain.ts';
import type { GameStatus } from './verdict.domain.ts';

const STATUS_MAX_AGE = 30;
const HISTORY_MAX_AGE = 60;

type StatusBody = Representation<ReturnType<typeof toGameStatusBody>>;

/** Response of a serialized status. */
export function toStatusResponse(text: string): StatusBody {
  return { kind: 'json', text, etag: `"${digestOf(text)}"`, maxAge: STATUS_MAX_AGE };
}

/** Serialized status of the endpoint, the snapshot, the KV copy and the event stream. */
export function statusBody(status: GameStatus): StatusBody {
  return toStatusResponse(JSON.stringify(toGameStatusBody(status)));
}

/** History of an environment. The ETag depends on the stored segments only, because the window moves with the clock. */
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
