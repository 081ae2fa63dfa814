import { publicAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { jsonWithClock } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import {
  CurrentBody,
  currentBody,
  FIGURES_MAX_AGE_SECONDS,
  HistoryBody,
  HistoryQuery,
  SeriesBody,
  SeriesQuery,
  toHistoryBody,
  toSeriesBody,
} from './activity.schemas.ts';
import type { ActivityReads } from './activity.service.ts';

export const activityRead = {
  method: 'get',
  tag: 'Activity',
  access: publicAccess('activity:read'),
  feature: 'featurePlayerActivityEnabled',
} as const;

/** Endpoints of the estimates of active players. */
export function createActivityEndpoints(reads: ActivityReads): Endpoint[] {
  return [
    defineRoute({
      ...activityRead,
      path: '/v1/activity/current',
      operationId: 'getActivity',
      summary: 'Get active players',
      description:
        'Estimates the players active between the two newest leaderboard captures, within 24 hours and within 7 days. Same body as the event `activity`.',
      ok: { description: 'The estimate.', schema: CurrentBody },
      table: listTable(CurrentBody, 'by_board'),
    }).handle(async ({ now }) => currentBody(await reads.current(), now)),

    defineRoute({
      ...activityRead,
      path: '/v1/activity/history',
      operationId: 'getActivityHistory',
      summary: 'List activity by capture',
      description: 'Lists the estimate of each pair of consecutive captures in the window, oldest first.',
      query: HistoryQuery,
      ok: { description: 'The history.', schema: HistoryBody },
      table: listTable(HistoryBody, 'points'),
    }).handle(async ({ query, now }) => {
      const body = toHistoryBody(query.days, await reads.history(query.days, now));
      return { ...jsonWithClock(body, ['window_start', 'window_end']), maxAge: FIGURES_MAX_AGE_SECONDS };
    }),

    defineRoute({
      ...activityRead,
      path: '/v1/activity/series',
      operationId: 'getActivitySeries',
      summary: 'Get an activity series',
      description:
        'Returns the players active within 24 hours, in buckets: mean and maximum of each bucket, and a value to plot that preserves the extremes of the series. Captures without that figure are omitted.',
      query: SeriesQuery,
      ok: { description: 'The series.', schema: SeriesBody },
      table: listTable(SeriesBody, 'points'),
    }).handle(async ({ query, now }) => {
      const body = toSeriesBody(await reads.series(query.period, now));
      return { ...jsonWithClock(body, ['window_start', 'window_end']), maxAge: FIGURES_MAX_AGE_SECONDS };
    }),
  ];
}
