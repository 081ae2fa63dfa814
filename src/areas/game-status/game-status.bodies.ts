import { digestOf, type Representation } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Environment } from './game-status.data.ts';
import { toGameStatusBody, toHistoryBody } from './game-status.schemas.ts';
import { type StoredSegment, statusHistory } from './history.domain.ts';
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

/**
 * History of an environment. The ETag depends on the stored times of the segments and on the uptime: the window moves with the clock, and so
 * does the end of the open segment.
 */
export function historyBody(
  environment: Environment,
  days: number,
  segments: readonly StoredSegment[],
  now: UnixSeconds,
  probeIntervalSeconds: number,
) {
  const body = toHistoryBody(environment, days, statusHistory(segments, now, days, probeIntervalSeconds));
  const stored = segments.map(({ status, startedAt, endedAt }) => [status, startedAt, endedAt]);
  const representation: Representation<typeof body> = {
    kind: 'json',
    text: JSON.stringify(body),
    state: JSON.stringify([environment, days, stored, body.segments.length, body.uptime]),
    maxAge: HISTORY_MAX_AGE,
  };
  return representation;
}
