import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { leaderboardsRead } from '../boards/boards.routes.ts';
import { AnomaliesBody, type AnomaliesReply } from './anomalies.schemas.ts';

/**
 * `GET /v1/leaderboards/cheaters`. `reply`: the latest report; triggers a recomputation when outdated.
 */
export function createAnomaliesEndpoint(reply: (settings: Settings, now: UnixSeconds) => Promise<AnomaliesReply>): Endpoint {
  return defineRoute({
    ...leaderboardsRead,
    path: '/v1/leaderboards/cheaters',
    operationId: 'listLeaderboardAnomalies',
    summary: 'List anomalies',
    description:
      'Lists players with statistical anomalies in the newest capture, computed in the background after each capture. An anomaly has many possible causes.',
    ok: { description: 'The report.', schema: AnomaliesBody },
  }).handle(({ settings, now }) => reply(settings, now));
}
