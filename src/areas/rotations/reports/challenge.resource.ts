import { z } from '@hono/zod-openapi';
import { defineResource } from '../../../platform/area/resource.ts';
import { titleCase } from '../../../platform/events/chat-values.ts';
import { enumOf, integer } from '../../../platform/http/bodies/body-schemas.ts';
import { jsonWithClock } from '../../../platform/http/replies/reply.ts';
import { floorDiv, SECONDS_PER_HOUR, SECONDS_PER_MINUTE, toIso } from '../../../platform/kit/time/clock.ts';
import { isoInstant, rotation } from '../computed/computed.schemas.ts';
import { CHALLENGE_TYPES, challengeNextChangeAt } from '../schedules/reports.domain.ts';
import { challengeRules } from '../schedules/schedules.data.ts';
import type { ReportsService } from './reports.service.ts';

declare module '../../../platform/events/event-declaration.ts' {
  interface EventBodies {
    challenge: z.infer<typeof ChallengeBody>;
  }
}

const ORANGE = '#F2A33C';
const CHALLENGE_SECONDS = 20 * SECONDS_PER_MINUTE;

export const ChallengeType = enumOf(CHALLENGE_TYPES).openapi({
  description: 'Type derived from the name; unknown names are dungeons.',
  example: 'rampage',
});

const ChallengeBody = z
  .object({
    starts_at: integer('Start of the window (unix seconds).', 1_773_154_800),
    ends_at: integer('End of the window, 20 minutes later (unix seconds).', 1_773_156_000),
    active: z.boolean().openapi({ description: '`false` in the gap after the window.', example: false }),
    is_friday_window: z
      .boolean()
      .openapi({ description: 'Whether the window is on Friday 11:00 to Saturday 11:00 UTC, with two windows per hour.', example: false }),
    seconds_remaining: z.number().int().openapi({ description: 'Seconds until the end of the window; 0 in the gap.', example: 0 }),
    name: z.string().nullable().openapi({ description: 'Name of the challenge; null until reported.', example: 'RAMPAGE ALERT!' }),
    type: ChallengeType.nullable(),
    captured_at: isoInstant('Time when the challenge was reported; null until then.').nullable(),
  })
  .openapi('Challenge', { description: 'The current or last challenge window.' });

/** The stream also reports a challenge without a name, and its end; the name in the key makes each challenge one message. */
export const challenge = defineResource(ChallengeBody)({
  ...rotation,
  path: '/v1/rotations/challenge/current',
  operationId: 'getChallenge',
  summary: 'Get the current challenge',
  description:
    'Returns the current or last challenge window: 20 minutes, once per hour, twice per hour from Friday 11:00 to Saturday 11:00 UTC. The name is null until reported.',
  ok: 'The challenge.',
  read: ({ now }, service: ReportsService) => service.challenge(now),
  represent: (body) => jsonWithClock(body, ['seconds_remaining']),
  event: {
    type: 'challenge',
    row: 1,
    label: 'Challenge',
    summary: 'A challenge was reported',
    hint: 'the hourly challenge, when its name is reported',
    conditions: [
      {
        name: 'type',
        label: 'Challenge is of a type',
        valueLabel: 'Types',
        choices: CHALLENGE_TYPES.map((type) => [type, titleCase(type)] as const),
        sentence: (values) => `the challenge is ${values}`,
        seen: (values) => `the last challenge was ${values}`,
      },
    ],
    factsOf: ({ name, type }) => (name && type ? [{ name: 'type', value: type }] : []),
    sample(now) {
      const startsAt = floorDiv(now, SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
      return {
        starts_at: startsAt,
        ends_at: startsAt + CHALLENGE_SECONDS,
        active: true,
        is_friday_window: false,
        seconds_remaining: CHALLENGE_SECONDS,
        name: 'RAMPAGE ALERT!',
        type: 'rampage',
        captured_at: toIso(startsAt),
      };
    },
    chat: {
      position: 1,
      text: {
        title: '{name}',
        color: ORANGE,
        fields: [
          ['Type', '{type_label}'],
          ['Ends', '{ends_at:R}'],
        ],
      },
      keyOf: ({ starts_at: startsAt, name }) => `challenge:${startsAt}:${name}`,
      variablesOf({ name, type, starts_at: startsAt, ends_at: endsAt, is_friday_window: isFriday, active }, at) {
        if (!name) return null;
        const status = active ? 'live' : at < startsAt ? 'upcoming' : 'ended';
        return { name, type, type_label: type && titleCase(type), starts_at: startsAt, ends_at: endsAt, status, is_friday: isFriday };
      },
    },
    changesAt: (now) => challengeNextChangeAt(now, challengeRules),
    refresh: (service) => service.invalidateReads(),
    /** Changes when a window opens or closes and when a name is reported or corrected. */
    signature: ({ starts_at, active, name }) => `${starts_at}:${active}:${name ?? ''}`,
  },
});
