import type { z } from '@hono/zod-openapi';
import type { EventDeclaration } from '../../platform/events/event-declaration.ts';
import { SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';
import type { GameStatusBody } from './game-status.schemas.ts';

declare module '../../platform/events/event-declaration.ts' {
  interface EventBodies {
    server_status: z.infer<typeof GameStatusBody>;
  }
}

/** Status of the game servers. */
export const serverStatusEvent: EventDeclaration<'server_status'> = {
  type: 'server_status',
  row: 10,
  label: 'Game servers',
  summary: 'The status of a game server changed',
  hint: 'when a region goes down or comes back',
  feature: 'featureServerStatusEnabled',
  sample: (now) => ({
    overall: 'maintenance',
    auth: { online: true, http_status: 200, latency_ms: 42, error: null },
    environments: {
      eu: { status: 'maintenance', online: false, game: null },
      us: { status: 'online', online: true, game: null },
      pts: { status: 'online', online: true, game: null },
    },
    checked_at: now,
  }),
  chat: {
    text: {
      title: 'Game servers: {overall}',
      color: '#5EC6FF',
      fields: [
        ['Europe', '{eu}'],
        ['America', '{us}'],
      ],
    },
    ttlSeconds: SECONDS_PER_HOUR,
    variablesOf: ({ overall, environments: { eu, us, pts }, checked_at: checkedAt }) => ({
      overall,
      eu: eu.status,
      us: us.status,
      pts: pts.status,
      checked_at: checkedAt,
    }),
  },
};
