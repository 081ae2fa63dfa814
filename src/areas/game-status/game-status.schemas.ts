import { z } from '@hono/zod-openapi';
import { enumOf, integer, namedEnum, orNull } from '../../platform/http/bodies/body-schemas.ts';
import { integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { digestOf, type Representation } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { ENVIRONMENTS, type Environment, STATUSES } from './game-status.data.ts';
import { type ClippedSegment, type StatusHistory, type StoredSegment, statusHistory } from './history.domain.ts';
import { byEnvironment, type EnvironmentStatus, type GameStatus } from './status.domain.ts';

const milliseconds = (description: string) => z.number().int().openapi({ description, example: 42 });
const shortError = (description: string) => z.string().nullable().openapi({ description, example: null });
const status = (description: string) => enumOf(STATUSES).openapi({ description, example: 'online' });

const AuthBody = z
  .object({
    online: z.boolean().openapi({ description: 'Whether the gateway sent a genuine response.', example: true }),
    http_status: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'HTTP status of the response; null without a response.', example: 200 }),
    latency_ms: milliseconds('Time to the response or failure.'),
    error: shortError('Null when online; otherwise `HTTP <status>`, `timeout`, `dns`, `unreachable` or another short reason.'),
  })
  .openapi('GameAuthStatus', { description: 'Result of the authentication gateway check.' });

const GameBody = z
  .object({
    online: z.boolean().openapi({ description: 'Whether the socket connected and stayed open.', example: true }),
    host: z.string().openapi({ description: 'Probed host.', example: 'eu.game.example' }),
    port: z.number().int().openapi({ description: 'Probed port.', example: 6560 }),
    latency_ms: milliseconds('Time to the connection or failure; null if not attempted.').nullable(),
    error: shortError('Null when online; otherwise `refused`, `timeout`, `dns`, `dropped` or `not_configured`.'),
    probe: namedEnum('GameSocketProbe', 'Kind of probe.', ['connect', 'deep']).openapi({
      description: '`connect`: the connection alone decided; `deep`: the behaviour after a client hello decided.',
      example: 'deep',
    }),
  })
  .openapi('GameSocketStatus', { description: 'Result of a game socket check.' });

const EnvironmentBody = z
  .object({
    status: status('Gateway down: `down`; socket refused or dropped: `maintenance`; `unknown` before the first probe.'),
    online: z.boolean().openapi({ description: 'Status of the socket alone.', example: true }),
    game: orNull(GameBody, 'Result of the socket check; null before the first probe.'),
  })
  .openapi('GameEnvironmentStatus', { description: 'Status of one environment of the game.' });

export const GameStatusBody = z
  .object({
    overall: status('Combined status of eu and us: their common status, otherwise maintenance.'),
    auth: orNull(AuthBody, 'Result of the gateway check; null before the first probe.'),
    environments: z
      .object({ eu: EnvironmentBody, us: EnvironmentBody, pts: EnvironmentBody })
      .openapi({ description: 'The public regions and the test environment.' }),
    checked_at: integer('Time of the probe (unix seconds); null before the first.', 1_773_156_600).nullable(),
  })
  .openapi('GameStatus', { description: 'Status of the game servers at the last probe.' });

function toGameStatusBody({ overall, auth, environments, checkedAt }: GameStatus): z.infer<typeof GameStatusBody> {
  return {
    overall,
    auth: auth && { online: auth.online, http_status: auth.httpStatus, latency_ms: auth.latencyMs, error: auth.error },
    environments: byEnvironment((environment) => toEnvironmentBody(environments[environment])),
    checked_at: checkedAt,
  };
}

function toEnvironmentBody({ status: currentStatus, online, game }: EnvironmentStatus): z.infer<typeof EnvironmentBody> {
  if (!game) return { status: currentStatus, online, game: null };
  const { latencyMs, ...rest } = game;
  const { host, port, error, probe } = rest;
  return { status: currentStatus, online, game: { online: game.online, host, port, latency_ms: latencyMs, error, probe } };
}

export const GameStatusHistoryQuery = z.object({
  env: enumOf(ENVIRONMENTS).default('eu').openapi({ description: 'Environment of the game.', example: 'eu' }),
  days: integerWithDefault({ min: 1, max: 90, default: 30, description: 'Length of the window in days, ending now.', example: 30 }),
});

const SegmentBody = z
  .object({
    status: status('Status during the segment.'),
    online: z.boolean().openapi({ description: 'Whether the status is `online`.', example: true }),
    started_at: integer('Start, not before the window (unix seconds).', 1_773_100_000),
    ended_at: integer('End (unix seconds); null for the open segment.', 1_773_156_600).nullable(),
    duration_seconds: z.number().int().openapi({ description: 'Known duration within the window.', example: 56_600 }),
  })
  .openapi('GameStatusSegment', { description: 'A period of time with one status.' });

export const GameStatusHistoryBody = z
  .object({
    env: enumOf(ENVIRONMENTS).openapi({ description: 'Environment of the game.', example: 'eu' }),
    days: z.number().int().openapi({ description: 'Length of the window in days.', example: 30 }),
    window_start: integer('Start of the window (unix seconds).', 1_770_564_600),
    window_end: integer('End of the window: now (unix seconds).', 1_773_156_600),
    uptime: z
      .number()
      .nullable()
      .openapi({ description: 'Share of the covered time that was online, 0 to 1; null if nothing is covered.', example: 0.99931 }),
    covered_seconds: z.number().int().openapi({ description: 'Time with a known status.', example: 2_592_000 }),
    segments: z.array(SegmentBody).openapi({ description: 'Oldest first, clipped to the window.' }),
    outages: z.array(SegmentBody).openapi({ description: 'Segments that are not online.' }),
  })
  .openapi('GameStatusHistory', { description: 'Status of an environment over the last days.' });

export function toHistoryBody(env: Environment, days: number, history: StatusHistory): z.infer<typeof GameStatusHistoryBody> {
  return {
    env,
    days,
    window_start: history.windowStart,
    window_end: history.windowEnd,
    uptime: history.uptime,
    covered_seconds: history.coveredSeconds,
    segments: history.segments.map(toSegmentBody),
    outages: history.outages.map(toSegmentBody),
  };
}

function toSegmentBody(segment: ClippedSegment): z.infer<typeof SegmentBody> {
  return {
    status: segment.status,
    online: segment.online,
    started_at: segment.startedAt,
    ended_at: segment.endedAt,
    duration_seconds: segment.durationSeconds,
  };
}

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
 * History of an environment. The ETag depends on the stored times of the segments, the uptime, and the end of the known time: the window
 * moves with the clock, and so does the end of the open segment until probes are missing.
 */
export function historyBody(
  environment: Environment,
  days: number,
  segments: readonly StoredSegment[],
  now: UnixSeconds,
  probeIntervalSeconds: number,
) {
  const history = statusHistory(segments, now, days, probeIntervalSeconds);
  const body = toHistoryBody(environment, days, history);
  const stored = segments.map(({ status, startedAt, endedAt }) => [status, startedAt, endedAt]);
  const representation: Representation<typeof body> = {
    kind: 'json',
    text: JSON.stringify(body),
    state: JSON.stringify([environment, days, stored, body.segments.length, body.uptime, history.knownUntil]),
    maxAge: HISTORY_MAX_AGE,
  };
  return representation;
}
