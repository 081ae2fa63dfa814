import type { z } from '@hono/zod-openapi';
import { publicAccess } from '../../platform/access/policy/policy.ts';
import { type BodySource, defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { historyBody } from './game-status.bodies.ts';
import { GameStatusBody, GameStatusHistoryBody, GameStatusHistoryQuery } from './game-status.schemas.ts';
import type { GameStatusRepository } from './game-status.store.ts';

const shared = { method: 'get', tag: 'Misc', access: publicAccess('misc:read'), feature: 'featureServerStatusEnabled' } as const;

/** Endpoints of the game server status: the last probe, and the history. */
export function createGameStatusEndpoints(
  status: BodySource<z.output<typeof GameStatusBody>>,
  repository: Pick<GameStatusRepository, 'segmentsSince'>,
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
      const segments = await repository.segmentsSince(env, now - days * SECONDS_PER_DAY);
      return historyBody(env, days, segments, now, settings.gameStatusProbeIntervalSeconds);
    }),
  ];
}
