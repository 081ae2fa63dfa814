import type { z } from '@hono/zod-openapi';
import { formatCount } from '../../platform/events/chat-values.ts';
import type { EventDeclaration } from '../../platform/events/event-declaration.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';
import type { CurrentBody } from './activity.routes.ts';

declare module '../../platform/events/event-declaration.ts' {
  interface EventBodies {
    activity: z.infer<typeof CurrentBody>;
  }
}

const countOrNull = (count: number | null) => (count === null ? null : formatCount(count));

/** Estimate of active players. */
export const activityEvent: EventDeclaration<'activity'> = {
  type: 'activity',
  row: 9,
  label: 'Players',
  summary: 'The number of active players was estimated',
  hint: 'the estimate of active players, with each capture',
  feature: 'featurePlayerActivityEnabled',
  sample: (now) => ({
    window_start: now - SECONDS_PER_HOUR,
    window_end: now,
    duration_hours: 1,
    estimate: 1830,
    estimate_24h: 9120,
    estimate_7d: 24_300,
    window_24h_start: now - SECONDS_PER_DAY,
    window_7d_start: now - 7 * SECONDS_PER_DAY,
    span_24h_hours: 24,
    span_7d_hours: 168,
    by_board: [],
    boards_analyzed: 84,
    methodology: 'Players whose score changed on a leaderboard.',
    computed_at: now,
  }),
  chat: {
    text: {
      title: '{players} players in the last hour',
      color: '#5EC6FF',
      fields: [
        ['24 hours', '{players_24h}'],
        ['7 days', '{players_7d}'],
      ],
    },
    variablesOf: ({ estimate, estimate_24h: day, estimate_7d: week, duration_hours: hours, window_end: windowEnd }) =>
      estimate === null
        ? null
        : { players: formatCount(estimate), players_24h: countOrNull(day), players_7d: countOrNull(week), hours, window_end: windowEnd },
  },
};
