import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { AnomaliesReply } from '../anomalies/anomalies.bodies.ts';
import { overridesOf, read } from './boards.routes.ts';
import { BoardPath } from './boards.schemas.ts';
import type { BoardsService } from './boards.service.ts';
import { AnomaliesBody, HealthBody, RecordsBody, toHealthBody, toRecordsBody } from './insights.schemas.ts';

export interface InsightRoutesDeps {
  service: BoardsService;
  /** The latest report. Triggers a recomputation when outdated. */
  anomalies(settings: Settings, now: UnixSeconds): Promise<AnomaliesReply>;
}

/** Seconds that a client may keep the records: less than captures are apart. */
const RECORDS_SECONDS = 900;

/** Health, records and unusual figures. */
export function createInsightEndpoints({ service, anomalies }: InsightRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...read,
      path: '/v1/leaderboards/{uuid}/health',
      operationId: 'getLeaderboardHealth',
      summary: 'Get leaderboard health',
      description: 'Returns competition and movement figures, measured on the first 50 rows of the newest capture of the board.',
      params: BoardPath,
      errors: ['not_found', 'service_unavailable'],
      ok: { description: 'The figures.', schema: HealthBody },
    }).handle(async ({ params, settings }) => json(toHealthBody(await service.health(params.uuid, settings), overridesOf(settings)))),

    defineRoute({
      ...read,
      path: '/v1/leaderboards/records',
      operationId: 'getLeaderboardRecords',
      summary: 'List records',
      description:
        'Returns the leaders of the two mastery boards and of all power rank boards in the newest capture. Points and values are rounded to integers.',
      ok: { description: 'The records.', schema: RecordsBody },
    }).handle(async () => json(toRecordsBody(await service.records()), { maxAge: RECORDS_SECONDS })),

    defineRoute({
      ...read,
      path: '/v1/leaderboards/cheaters',
      operationId: 'listLeaderboardAnomalies',
      summary: 'List anomalies',
      description:
        'Lists players with statistically unusual figures in the newest capture, computed in the background after each capture. An anomaly has many possible causes.',
      ok: { description: 'The report.', schema: AnomaliesBody },
    }).handle(({ settings, now }) => anomalies(settings, now)),
  ];
}
