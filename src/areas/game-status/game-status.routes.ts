import type { z } from '@hono/zod-openapi';
import { publicAccess } from '../../platform/access/policy/policy.ts';
import { type BodySource, defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { badgeReply, cardReply, ImageQuery, imageOk, imagesRateLimit } from '../../platform/http/replies/badge-reply.ts';
import type { Representation } from '../../platform/http/replies/reply.ts';
import type { BadgeTone } from '../../platform/kit/images/embedded-images.domain.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { readableTime } from '../../platform/kit/time/time-text.ts';
import { ENVIRONMENTS, type Environment, STATUSES, type Status } from './game-status.data.ts';
import { GameStatusBody, GameStatusHistoryBody, GameStatusHistoryQuery, historyBody } from './game-status.schemas.ts';
import type { GameStatusStore } from './game-status.store.ts';

const shared = { method: 'get', tag: 'Misc', access: publicAccess('misc:read'), feature: 'featureServerStatusEnabled' } as const;

/** Endpoints of the game server status: the last probe, and the history. */
export function createGameStatusEndpoints(
  status: BodySource<z.output<typeof GameStatusBody>>,
  store: Pick<GameStatusStore, 'segmentsSince'>,
): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/misc/game-status',
      operationId: 'getGameStatus',
      summary: 'Get game server status',
      description:
        'Returns the result of the last probe; probes run about once a minute and `checked_at` is the time of the last one. A game server is online when it keeps a connection open after the client hello. A server under maintenance closes it.',
      ok: { description: 'The status.', schema: GameStatusBody },
    }).handle(({ now, settings, baseUrl }) => status(now, settings, baseUrl)),

    defineRoute({
      ...shared,
      path: '/v1/misc/game-status/history',
      operationId: 'getGameStatusHistory',
      summary: 'Get game status history',
      description:
        'Lists the periods of each status, clipped to the window, and the uptime. Time without probes is excluded; the open segment has no end, and its duration stops five probe intervals after the last probe.',
      query: GameStatusHistoryQuery,
      ok: { description: 'The history.', schema: GameStatusHistoryBody },
    }).handle(async ({ query: { env, days }, now, settings }) => {
      const segments = await store.segmentsSince(env, now - days * SECONDS_PER_DAY);
      return historyBody(env, days, segments, now, settings.gameStatusProbeIntervalSeconds);
    }),
  ];
}

type StatusBody = Representation<z.output<typeof GameStatusBody>>;

/** Maximum cache age in seconds; the servers are probed about once a minute. */
const MAX_AGE = 30;
const TONES: Readonly<Record<Status, BadgeTone>> = { online: 'good', maintenance: 'warn', down: 'bad', unknown: 'none' };

const TITLES: Readonly<Record<Status, string>> = {
  online: 'The servers are online',
  maintenance: 'Maintenance',
  down: 'The servers are down',
  unknown: 'Status unknown',
};
const SERVER_NAMES: Readonly<Record<Environment, string>> = { eu: 'Europe', us: 'North America', pts: 'Test server' };

const image = { ...shared, access: publicAccess('misc:read', imagesRateLimit), query: ImageQuery } as const;

/** `/v1/misc/badge/game-status.svg` and `/v1/misc/card/game-status.svg`: the status of the servers as an image. */
export function createStatusImageEndpoints(status: () => StatusBody | Promise<StatusBody>): Endpoint[] {
  const read = async () => JSON.parse((await status()).text) as z.output<typeof GameStatusBody>;
  const statusIn = (name: string | undefined) => STATUSES.find((known) => known === name) ?? 'unknown';
  const badge = defineRoute({
    ...image,
    path: '/v1/misc/badge/game-status.svg',
    operationId: 'getGameStatusBadge',
    summary: 'Get a game status badge',
    description: 'Returns the overall status of the game servers as a small SVG image, for READMEs and forums.',
    ok: imageOk('badge'),
  }).handle(async ({ query }) => {
    const { overall } = await read();
    const current = statusIn(overall);
    return badgeReply({ label: 'Game servers', value: current, tone: TONES[current] }, MAX_AGE, query.theme);
  });
  const card = defineRoute({
    ...image,
    path: '/v1/misc/card/game-status.svg',
    operationId: 'getGameStatusCard',
    summary: 'Get a game status card',
    description: 'Returns the status of each game server as an SVG image, for READMEs and forums.',
    ok: imageOk('card'),
  }).handle(async ({ query }) => {
    const { overall, environments, checked_at: checkedAt } = await read();
    const rows = ENVIRONMENTS.map((name) => ({ label: SERVER_NAMES[name], value: statusIn(environments[name]?.status) }));
    const note = checkedAt === null ? 'Not checked yet' : `As of ${readableTime(checkedAt)}`;
    return cardReply({ kind: 'Game servers', title: TITLES[statusIn(overall)], rows, note }, MAX_AGE, query.theme);
  });
  return [badge, card];
}
