import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { jsonWithClock } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import { activityRead } from '../activity.routes.ts';
import { FIGURES_MAX_AGE_SECONDS, SeriesQuery } from '../activity.schemas.ts';
import { ClassActivityBody, ClassSeriesBody, classSeriesTable, toClassActivityBody, toClassSeriesBody } from './class-activity.schemas.ts';
import { type ClassActivityReads, thresholdsOf } from './class-activity.service.ts';

/** Endpoints of the players by class. */
export function createClassActivityEndpoints(reads: ClassActivityReads): Endpoint[] {
  return [
    defineRoute({
      ...activityRead,
      path: '/v1/class-activity/current',
      operationId: 'getClassActivity',
      summary: 'List active players by class',
      description:
        'Lists the players on the weekly effort board of each class at the newest leaderboard capture, and the effort gained within a day. Clean figures count players above three thresholds.',
      ok: { description: 'The figures.', schema: ClassActivityBody },
      table: listTable(ClassActivityBody, 'classes'),
    }).handle(async ({ settings, now }) => {
      const capture = await reads.current();
      const body = toClassActivityBody(capture, thresholdsOf(settings), now);
      return { ...jsonWithClock(body, capture ? [] : ['computed_at']), maxAge: FIGURES_MAX_AGE_SECONDS };
    }),

    defineRoute({
      ...activityRead,
      path: '/v1/class-activity/series',
      operationId: 'getClassActivitySeries',
      summary: 'Get a class activity series',
      description: 'Returns the players whose effort rose within 24 hours, by class, in buckets.',
      query: SeriesQuery,
      ok: { description: 'The series.', schema: ClassSeriesBody },
      table: classSeriesTable,
    }).handle(async ({ query, settings, now }) => {
      const body = toClassSeriesBody(await reads.series(query.period, now), thresholdsOf(settings));
      return { ...jsonWithClock(body, ['window_start', 'window_end']), maxAge: FIGURES_MAX_AGE_SECONDS };
    }),
  ];
}
