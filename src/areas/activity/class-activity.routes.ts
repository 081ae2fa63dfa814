import { z } from '@hono/zod-openapi';
import { CLASS_ORDER } from '../../game/class-order.data.ts';
import { classByTechName } from '../../game/classes.domain.ts';
import { integer, integerOrNull, number, numberOrNull, string } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { jsonWithClock } from '../../platform/http/replies/reply.ts';
import { computedTable, listTable } from '../../platform/http/tables/table.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { CLASS_METHODOLOGY } from './activity.data.ts';
import { activityRead, FIGURES_MAX_AGE_SECONDS, periodName, SeriesQuery } from './activity.routes.ts';
import { type CleanThresholds, rankClasses } from './class-activity.domain.ts';
import { type ClassActivityReads, type ClassActivitySeries, thresholdsOf } from './class-activity.service.ts';
import type { ClassCapture } from './class-activity.store.ts';

const methodology = string('Method and limits of the figures.', CLASS_METHODOLOGY);

const thresholdFields = {
  power_rank_threshold: integer('Minimum power rank for clean figures; 0 = off.', 25_000),
  effort_threshold: integer('Minimum weekly effort for clean figures; 0 = off.', 50),
  xp_threshold: integer('Minimum weekly experience for clean figures; 0 = off.', 2_000_000),
};

const toThresholdBody = ({ powerRank, effort, xp }: CleanThresholds) => ({
  power_rank_threshold: powerRank,
  effort_threshold: effort,
  xp_threshold: xp,
});

const classFields = {
  class_index: integer('Number of the class; its effort board is 4000 plus this number.', 0),
  name: string('Name of the class.', 'Knight'),
  icon: z.string().nullable().openapi({ description: 'URL of an image of the class, or null.', example: null }),
};

const toClassBody = (classIndex: number) => {
  const techName = CLASS_ORDER[classIndex] ?? '';
  return { class_index: classIndex, name: classByTechName(techName)?.name ?? techName, icon: null };
};

const share = (description: string) => number(`${description}, 4 decimals.`, 0.0831);
const cleanOrNull = (description: string, example: number) =>
  integerOrNull(`${description}; null if the capture has no power rank board.`, example);

const ClassBody = z
  .object({
    ...classFields,
    active_players: integer('Players on the effort board.', 412),
    share: share('Share of `total_active`'),
    active_players_clean: cleanOrNull('Clean players among them', 120),
    share_clean: numberOrNull('Share of `total_active_clean`, 4 decimals.', 0.0912),
    effort_added: integerOrNull('Effort gained within a day; null if unknown.', 182_000),
    effort_added_clean: integerOrNull('Effort gained by clean players; null if unknown.', 154_000),
  })
  .openapi('ClassActivityItem', { description: 'Activity of one class.' });

const ClassActivityBody = z
  .object({
    window_start: integerOrNull('Newest capture (unix seconds); null before the first.', 1_773_156_600),
    window_end: integerOrNull('Same as `window_start`.', 1_773_156_600),
    duration_hours: z.null().openapi({ description: 'Always null: players are counted at a single capture.', example: null }),
    total_active: integer('Sum over the classes.', 4957),
    total_active_clean: integerOrNull('Sum over the classes with known clean figures; null if none.', 1315),
    total_effort_added: integerOrNull('Sum over the classes; null if unknown.', 2_190_000),
    total_effort_added_clean: integerOrNull('Sum over the classes with known clean figures; null if none.', 1_688_000),
    ...thresholdFields,
    classes: z.array(ClassBody).openapi({ description: 'Classes with players on the board, most clean players first.' }),
    methodology,
    computed_at: integer('Time when the figures were computed (unix seconds); the time of the response if there are none.', 1_773_156_642),
  })
  .openapi('ClassActivity', { description: 'Players by class.' });

function toClassActivityBody(
  capture: ClassCapture | null,
  thresholds: CleanThresholds,
  now: UnixSeconds,
): z.infer<typeof ClassActivityBody> {
  const { classes, totals } = rankClasses(capture?.figures.classes ?? []);
  const anchor = capture?.windowEnd ?? null;
  return {
    window_start: anchor,
    window_end: anchor,
    duration_hours: null,
    total_active: totals.players,
    total_active_clean: totals.cleanPlayers,
    total_effort_added: totals.effortAdded,
    total_effort_added_clean: totals.cleanEffortAdded,
    ...toThresholdBody(capture?.figures.thresholds ?? thresholds),
    classes: classes.map((figure) => ({
      ...toClassBody(figure.classIndex),
      active_players: figure.players,
      share: figure.share,
      active_players_clean: figure.cleanPlayers,
      share_clean: figure.cleanShare,
      effort_added: figure.effortAdded,
      effort_added_clean: figure.cleanEffortAdded,
    })),
    methodology: CLASS_METHODOLOGY,
    computed_at: capture?.computedAt ?? now,
  };
}

const values = (description: string) =>
  z.array(z.number().nullable()).openapi({ description: `${description} One value per bucket; null if there is none.`, example: [412.5] });

const ClassLineBody = z
  .object({
    ...classFields,
    values: values('Players active within 24 hours, mean of the bucket, 1 decimal; the bucket with the maximum has the maximum.'),
    values_clean: values('The same for clean players.'),
  })
  .openapi('ClassActivityLine', { description: 'Activity of one class over time.' });

const ClassSeriesBody = z
  .object({
    period: periodName,
    bucket_seconds: integer('Bucket length: that of the period, or the typical interval between captures if longer.', 21_600),
    window_start: integer('Start of the period (unix seconds).', 1_772_551_830),
    window_end: integer('End of the period (unix seconds), up to half an hour ago.', 1_773_156_630),
    ...thresholdFields,
    buckets: z
      .array(z.number().int())
      .openapi({ description: 'Mean time of the captures of each bucket, oldest first (unix seconds).', example: [1_773_154_800] }),
    classes: z.array(ClassLineBody).openapi({ description: 'All 18 classes, by number.' }),
    methodology,
  })
  .openapi('ClassActivitySeries', { description: 'Players active within 24 hours per class, over a period.' });

export function toClassSeriesBody(series: ClassActivitySeries, thresholds: CleanThresholds): z.infer<typeof ClassSeriesBody> {
  return {
    period: series.period,
    bucket_seconds: series.bucketSeconds,
    window_start: series.windowStart,
    window_end: series.windowEnd,
    ...toThresholdBody(thresholds),
    buckets: series.buckets,
    classes: series.classes.map(({ active, clean }, index) => ({ ...toClassBody(index), values: active, values_clean: clean })),
    methodology: CLASS_METHODOLOGY,
  };
}

/** Row of the tabular form of the series. */
const ClassValueRow = z.object({
  t: ClassSeriesBody.shape.buckets.element,
  ...classFields,
  active: z.number().nullable(),
  active_clean: z.number().nullable(),
});

/** The series as a table: one row per class and bucket. */
export const classSeriesTable = computedTable(
  ClassSeriesBody,
  ClassValueRow,
  'class and bucket, in this order',
  function* ({ buckets, classes }) {
    for (const { values, values_clean, ...fields } of classes) {
      for (const [index, t] of buckets.entries()) {
        yield { t, ...fields, active: values[index] ?? null, active_clean: values_clean[index] ?? null };
      }
    }
  },
);

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
