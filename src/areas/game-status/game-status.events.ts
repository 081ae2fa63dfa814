import type { z } from '@hono/zod-openapi';
import type { EventDeclaration } from '../../platform/events/event-declaration.ts';
import { SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { ENVIRONMENTS, type Environment, type Status } from './game-status.data.ts';
import type { GameStatusBody } from './game-status.schemas.ts';

/** A game server that is still not online. */
export interface ServerDownBody {
  server: Environment;
  status: Status;
  /** When the outage began, unix seconds. */
  down_since: UnixSeconds;
  /** Whole minutes of the outage at this round of probes, and at the one before. */
  minutes: number;
  previous_minutes: number;
}

declare module '../../platform/events/event-declaration.ts' {
  interface EventBodies {
    server_status: z.infer<typeof GameStatusBody>;
    server_down: ServerDownBody;
  }
}

const SERVER_NAMES: Readonly<Record<Environment, string>> = { eu: 'Europe', us: 'America', pts: 'the test server' };
const MINUTES_PER_DAY = 1440;

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
    variablesOf: ({ overall, environments: { eu, us, pts }, checked_at: checkedAt }) => ({
      overall,
      eu: eu.status,
      us: us.status,
      pts: pts.status,
      checked_at: checkedAt,
    }),
  },
};

/** A server that was not online for longer than a webhook waits. Each webhook receives an outage once per condition that it exceeds. */
export const serverDownEvent: EventDeclaration<'server_down'> = {
  type: 'server_down',
  label: 'Server down',
  summary: 'A game server was down for longer than a chosen time',
  hint: 'when a server is down for longer than you choose',
  feature: 'featureServerStatusEnabled',
  isTrigger: true,
  conditions: [
    {
      name: 'server',
      label: 'Server is down for longer',
      valueLabel: 'Servers',
      choices: ENVIRONMENTS.map((server) => [server, SERVER_NAMES[server]] as const),
      limit: { label: 'Minutes', rule: 'at least', min: 1, max: MINUTES_PER_DAY, decimals: 0 },
      sentence: (values, limit) => `${values} is down for longer than ${limit} ${limit === 1 ? 'minute' : 'minutes'}`,
      seen: (values, minutes) => `the last outage of ${values} took at least ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    },
  ],
  factsOf: ({ server, minutes, previous_minutes: previous }) => [{ name: 'server', value: server, number: minutes, previous }],
  sample: (now) => ({ server: 'eu', status: 'maintenance', down_since: now - 10 * SECONDS_PER_MINUTE, minutes: 10, previous_minutes: 9 }),
  chat: {
    text: { title: 'Down for {minutes} minutes: {server_name}', color: '#F06A6A', fields: [['Since', '{down_since:t}']] },
    variablesOf: ({ server, status, down_since: downSince, minutes }) => ({
      server,
      server_name: SERVER_NAMES[server],
      status,
      minutes,
      down_since: downSince,
    }),
  },
};
