import { z } from '@hono/zod-openapi';
import { enumOf, namedEnum, orNull } from '../../platform/http/bodies/body-schemas.ts';
import { integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { ENVIRONMENTS, type Environment, STATUSES } from './game-status.data.ts';
import type { ClampedSegment, StatusHistory } from './history.domain.ts';
import { byEnvironment, type EnvironmentStatus, type GameStatus } from './verdict.domain.ts';

const instant = (description: string, example: number) => z.number().int().openapi({ description, example });
const milliseconds = (description: string) => z.number().int().openapi({ description, example: 42 });
const shortError = (description: string) => z.string().nullable().openapi({ description, example: null });
const status = (description: string) => enumOf(STATUSES).openapi({ description, example: 'online' });

const AuthBody = z
  .object({
    online: z.boolean().openapi({ description: 'Whether the gateway answered in its own way.', example: true }),
    http_status: z.number().int().nullable().openapi({ description: 'Status of its answer; null without one.', example: 200 }),
    latency_ms: milliseconds('Time to the answer, or to the failure.'),
    error: shortError('Null when online, else `HTTP <status>`, `timeout`, `dns`, `unreachable` or another short reason.'),
  })
  .openapi('GameAuthStatus', { description: 'What the check of the authentication gateway found.' });

const GameBody = z
  .object({
    online: z.boolean().openapi({ description: 'Whether the socket was connected and held.', example: true }),
    host: z.string().openapi({ description: 'Host that was probed.', example: 'eu.game.example' }),
    port: z.number().int().openapi({ description: 'Port that was probed.', example: 6560 }),
    latency_ms: milliseconds('Time to connect, or to the failure; null when nothing was tried.').nullable(),
    error: shortError('Null when online, else `refused`, `timeout`, `dns`, `dropped` or `not_configured`.'),
    probe: namedEnum('GameSocketProbe', 'Kind of probe.', ['connect', 'deep']).openapi({
      description: 'Whether the connection alone decided, or what the server did after an opening message.',
      example: 'deep',
    }),
  })
  .openapi('GameSocketStatus', { description: 'What the check of a game socket found.' });

const EnvironmentBody = z
  .object({
    status: status('Gateway down: `down`; socket refused or dropped: `maintenance`; `unknown` before the first probe.'),
    online: z.boolean().openapi({ description: 'The socket alone.', example: true }),
    game: orNull(GameBody, 'The check of the socket; null before the first probe.'),
  })
  .openapi('GameEnvironmentStatus', { description: 'Status of one environment of the game.' });

export const GameStatusBody = z
  .object({
    overall: status('Over eu and us: all alike, or else maintenance.'),
    auth: orNull(AuthBody, 'The check of the gateway; null before the first probe.'),
    environments: z
      .object({ eu: EnvironmentBody, us: EnvironmentBody, pts: EnvironmentBody })
      .openapi({ description: 'The public regions and the test environment.' }),
    checked_at: instant('When the probes were made (unix seconds); null before the first.', 1_773_156_600).nullable(),
  })
  .openapi('GameStatus', { description: 'Status of the game servers at the last probe.' });

export function toGameStatusBody({ overall, auth, environments, checkedAt }: GameStatus): z.infer<typeof GameStatusBody> {
  return {
    overall,
    auth: auth && { online: auth.online, http_status: auth.httpStatus, latency_ms: auth.latencyMs, error: auth.error },
    environments: byEnvironment((environment) => toEnvironmentBody(environments[environment])),
    checked_at: checkedAt,
  };
}

function toEnvironmentBody({ status: found, online, game }: EnvironmentStatus): z.infer<typeof EnvironmentBody> {
  if (!game) return { status: found, online, game: null };
  const { latencyMs, ...rest } = game;
  const { host, port, error, probe } = rest;
  return { status: found, online, game: { online: game.online, host, port, latency_ms: latencyMs, error, probe } };
}

export const GameStatusHistoryQuery = z.object({
  env: enumOf(ENVIRONMENTS).default('eu').openapi({ description: 'Environment of the game.', example: 'eu' }),
  days: integerWithDefault({ min: 1, max: 90, default: 30, description: 'Length of the window up to now, in days.', example: 30 }),
});

const SegmentBody = z
  .object({
    status: status('Status throughout the segment.'),
    online: z.boolean().openapi({ description: 'Whether that status is `online`.', example: true }),
    started_at: instant('Start, at the earliest that of the window (unix seconds).', 1_773_100_000),
    ended_at: instant('End (unix seconds); null for the segment that lasts.', 1_773_156_600).nullable(),
    duration_seconds: z.number().int().openapi({ description: 'Length within the window.', example: 56_600 }),
  })
  .openapi('GameStatusSegment', { description: 'A stretch of time with one status.' });

export const GameStatusHistoryBody = z
  .object({
    env: enumOf(ENVIRONMENTS).openapi({ description: 'Environment of the game.', example: 'eu' }),
    days: z.number().int().openapi({ description: 'Length of the window in days.', example: 30 }),
    window_start: instant('Start of the window (unix seconds).', 1_770_564_600),
    window_end: instant('End of the window: now (unix seconds).', 1_773_156_600),
    uptime: z
      .number()
      .nullable()
      .openapi({ description: 'Online part of what is covered, 0 to 1; null when nothing is.', example: 0.99931 }),
    covered_seconds: z.number().int().openapi({ description: 'Time of which the status is known.', example: 2_592_000 }),
    segments: z.array(SegmentBody).openapi({ description: 'Oldest first, cut to the window.' }),
    outages: z.array(SegmentBody).openapi({ description: 'Those of them that are not online.' }),
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

function toSegmentBody(segment: ClampedSegment): z.infer<typeof SegmentBody> {
  return {
    status: segment.status,
    online: segment.online,
    started_at: segment.startedAt,
    ended_at: segment.endedAt,
    duration_seconds: segment.durationSeconds,
  };
}
