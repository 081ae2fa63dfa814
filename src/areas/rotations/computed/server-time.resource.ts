import { z } from '@hono/zod-openapi';
import { defineResource } from '../../../platform/area/resource.ts';
import { enumOf, integer } from '../../../platform/http/bodies/body-schemas.ts';
import { jsonWithClock } from '../../../platform/http/replies/reply.ts';
import { WEEKDAYS } from '../../../platform/kit/time/clock.ts';
import { serverTimeAt } from '../schedules/cycle.domain.ts';
import { resetRules } from '../schedules/schedules.data.ts';
import { isoInstant, rotation } from './computed.schemas.ts';

const ServerTimeBody = z
  .object({
    now_unix: integer('Reference time (unix seconds).', 1_773_156_600),
    now_iso: isoInstant('Reference time as ISO 8601 in UTC.'),
    game_day: enumOf(WEEKDAYS).openapi({ description: 'Weekday on the game clock, UTC-11.', example: 'Tuesday' }),
    daily_reset_at: integer('Next daily reset, 11:00 UTC, strictly after the reference time.', 1_773_226_800),
    weekly_reset_at: integer('Next weekly reset, Monday 11:00 UTC, strictly after the reference time.', 1_773_658_800),
  })
  .openapi('ServerTime', { description: 'Server time, game day and next resets.' });

export const serverTime = defineResource(ServerTimeBody)({
  ...rotation,
  path: '/v1/rotations/server-time',
  operationId: 'getServerTime',
  summary: 'Get server time',
  description: 'Returns the current time, the weekday on the game clock (UTC-11), and the next daily and weekly reset.',
  read: ({ now }) => serverTimeAt(now, resetRules),
  represent: (body) => jsonWithClock(body, ['now_unix', 'now_iso']),
});
