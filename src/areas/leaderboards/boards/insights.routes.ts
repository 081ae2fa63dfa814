import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { AnomaliesReply } from '../anomalies/anomalies.service.ts';
import { leaderboardsRead, overridesOf } from './boards.routes.ts';
import { BoardPath } from './boards.schemas.ts';
import type { BoardsService } from './boards.service.ts';
import {
  AnomaliesBody,
  GainsBody,
  GainsQuery,
  HealthBody,
  RecordsBody,
  toGainsBody,
  toHealthBody,
  toRecordsBody,
} from './insights.schemas.ts';

interface InsightRoutesDeps {
  service: BoardsService;
  /** The latest report. Triggers a recomputation when outdated. */
  anomalies(settings: Settings, now: UnixSeconds): Promise<AnomaliesReply>;
}

/** Cache lifetime of the records; captures are an hour apart. */
const RECORDS_MAX_AGE_SECONDS = 900;
const GAINS_MAX_AGE_SECONDS = 300;

/** Endpoints of health, gains, records and anomalies. */
export function createInsightEndpoints({ service, anomalies }: InsightRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/{uuid}/health',
      operationId: 'getLeaderboardHealth',
      summary: 'Get leaderboard health',
      description: 'Returns competition and movement figures, measured on the first 50 rows of the newest capture of the board.',
      params: BoardPath,
      errors: ['not_found', 'service_unavailable'],
      ok: { description: 'The figures.', schema: HealthBody },
    }).handle(async ({ params, settings }) => json(toHealthBody(await service.health(params.uuid, settings), overridesOf(settings)))),

    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/{uuid}/gains',
      operationId: 'listLeaderboardGains',
      summary: 'List largest gains',
      description:
        'Lists the players of the newest capture of a board who gained most since the newest capture at least `days` older, or since the oldest capture if all are younger. After a reset in between, scores began at 0 and the gains count from the reset; a board that ranks low scores first has no gains then. Players without a row at the start are only counted.',
      params: BoardPath,
      query: GainsQuery,
      errors: ['not_found', 'service_unavailable'],
      ok: { description: 'The gains.', schema: GainsBody },
      table: listTable(GainsBody, 'items'),
    }).handle(async ({ params: { uuid }, query, settings }) =>
      json(toGainsBody(uuid, query.days, await service.gains(uuid, query, settings)), { maxAge: GAINS_MAX_AGE_SECONDS }),
    ),

    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/records',
      operationId: 'getLeaderboardRecords',
      summary: 'List records',
      description:
        'Returns the leaders of the two mastery boards and of all power rank boards in the newest capture. Points and values are rounded to integers.',
      ok: { description: 'The records.', schema: RecordsBody },
    }).handle(async () => json(toRecordsBody(await service.records()), { maxAge: RECORDS_MAX_AGE_SECONDS })),

    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/cheaters',
      operationId: 'listLeaderboardAnomalies',
      summary: 'List anomalies',
      description:
        'Lists players with statistical anomalies in the newest capture, computed in the background after each capture. An anomaly has many possible causes.',
      ok: { description: 'The report.', schema: AnomaliesBody },
    }).handle(({ settings, now }) => anomalies(settings, now)),
  ];
}
