import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../platform/access/policy/policy.ts';
import { enumOf, integer, integerOrNull, number, numberOrNull, string } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { json, jsonWithClock, type Representation } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';
import { roundTo } from '../../platform/kit/values/numbers.ts';
import { DEFAULT_PERIOD, METHODOLOGY, SERIES_PERIOD_NAMES } from './activity.data.ts';
import { type CaptureActivity, hoursBetween, type Sample } from './activity.domain.ts';
import type { ActivityHistory, ActivityReads, ActivitySeries } from './activity.service.ts';

const methodology = string('Method and limits of the figures.', METHODOLOGY);

const BoardBody = z
  .object({
    uuid: integer('Id of the leaderboard.', 1),
    name: string('Name of the leaderboard.', 'TROVE MASTERY POINTS'),
    category: string('Category of the leaderboard.', 'META'),
    active_players: integer('Active players on the leaderboard.', 412),
  })
  .openapi('ActivityBoard', { description: 'Activity on one leaderboard.' });

export const CurrentBody = z
  .object({
    window_start: integerOrNull(
      'Previous capture (unix seconds). This and all figures are null until there are two captures.',
      1_773_153_000,
    ),
    window_end: integerOrNull('Newest capture (unix seconds).', 1_773_156_600),
    duration_hours: numberOrNull('Hours between them, 2 decimals.', 1),
    estimate: integerOrNull('Players active between them.', 1830),
    estimate_24h: integerOrNull('Players active in the last 24 hours; null where captures are missing.', 9120),
    estimate_7d: integerOrNull('Players active in the last 7 days; null where captures are missing.', 24_300),
    window_24h_start: integerOrNull('First capture of the 24-hour window (unix seconds).', 1_773_070_200),
    window_7d_start: integerOrNull('First capture of the 7-day window (unix seconds).', 1_772_551_800),
    span_24h_hours: numberOrNull('Hours actually covered, 1 decimal.', 24),
    span_7d_hours: numberOrNull('Hours actually covered, 1 decimal.', 168),
    by_board: z.array(BoardBody).openapi({ description: 'Leaderboards with at least one active player, most active first.' }),
    boards_analyzed: integer('Number of leaderboards in the list.', 84),
    methodology,
    computed_at: integer('Time when the figures were computed (unix seconds); the time of the response if there are none.', 1_773_156_642),
  })
  .openapi('Activity', { description: 'Estimate of active players.' });

type CurrentFigures = Omit<z.infer<typeof CurrentBody>, 'methodology' | 'computed_at'>;

const NO_FIGURES: CurrentFigures = {
  window_start: null,
  window_end: null,
  duration_hours: null,
  estimate: null,
  estimate_24h: null,
  estimate_7d: null,
  window_24h_start: null,
  window_7d_start: null,
  span_24h_hours: null,
  span_7d_hours: null,
  by_board: [],
  boards_analyzed: 0,
};

function toCurrentBody(capture: CaptureActivity | null, now: UnixSeconds): z.infer<typeof CurrentBody> {
  if (capture === null || capture.windowStart === null) return { ...NO_FIGURES, methodology: METHODOLOGY, computed_at: now };
  const { windowStart, windowEnd, estimate, day, week, byBoard, computedAt } = capture;
  const spanOf = (startsAt: number | null) => (startsAt === null ? null : hoursBetween(startsAt, windowEnd, 1));
  return {
    window_start: windowStart,
    window_end: windowEnd,
    duration_hours: hoursBetween(windowStart, windowEnd, 2),
    estimate,
    estimate_24h: day.estimate,
    estimate_7d: week.estimate,
    window_24h_start: day.startsAt,
    window_7d_start: week.startsAt,
    span_24h_hours: spanOf(day.startsAt),
    span_7d_hours: spanOf(week.startsAt),
    by_board: byBoard.map(({ uuid, name, category, activePlayers }) => ({ uuid, name, category, active_players: activePlayers })),
    boards_analyzed: byBoard.length,
    methodology: METHODOLOGY,
    computed_at: computedAt,
  };
}

export const HistoryQuery = z.object({
  days: integerWithDefault({ min: 1, max: 30, default: 7, description: 'Days back from now, 1 to 30.', example: 7 }),
});

const HistoryPoint = z
  .object({
    window_end: integer('Time of the capture (unix seconds).', 1_773_156_600),
    window_start: integer('Time of the previous capture (unix seconds).', 1_773_153_000),
    duration_hours: number('Hours between them, 2 decimals.', 1),
    estimate: integer('Players active between them.', 1830),
    estimate_24h: integerOrNull('Players active in the 24 hours before; null where captures are missing.', 9120),
    estimate_per_hour: number('`estimate` per hour, 1 decimal. Too low for long windows, because the same players stay active.', 1830),
  })
  .openapi('ActivityHistoryPoint', { description: 'Activity between two captures.' });

export const HistoryBody = z
  .object({
    days: integer('Length of the window.', 7),
    window_start: integer('Start of the window (unix seconds).', 1_772_551_830),
    window_end: integer('End of the window (unix seconds), up to half an hour ago.', 1_773_156_630),
    points: z.array(HistoryPoint).openapi({ description: 'Oldest first.' }),
    methodology,
  })
  .openapi('ActivityHistory', { description: 'Activity by capture.' });

export function toHistoryBody(days: number, { windowStart, windowEnd, figures }: ActivityHistory): z.infer<typeof HistoryBody> {
  const points = figures.map((point) => ({
    window_end: point.windowEnd,
    window_start: point.windowStart,
    duration_hours: hoursBetween(point.windowStart, point.windowEnd, 2),
    estimate: point.estimate,
    estimate_24h: point.estimateDay,
    estimate_per_hour: roundTo((point.estimate * SECONDS_PER_HOUR) / (point.windowEnd - point.windowStart), 1),
  }));
  return { days, window_start: windowStart, window_end: windowEnd, points, methodology: METHODOLOGY };
}

const PERIODS = namedValues('ActivityPeriod', 'Period of a series.', SERIES_PERIOD_NAMES);

export const periodName = enumOf(PERIODS).openapi({ description: 'The period.', example: '7d' });

export const SeriesQuery = z.object({
  period: z
    .string()
    .max(20)
    .default(DEFAULT_PERIOD)
    .transform((text) => PERIODS.find((name) => name === text) ?? DEFAULT_PERIOD)
    .openapi({
      type: 'string',
      default: DEFAULT_PERIOD,
      description: `${PERIODS.map((name) => `\`${name}\``).join(', ')}; anything else is \`${DEFAULT_PERIOD}\`.`,
      example: '1m',
    }),
});

const SeriesPointBody = z
  .object({
    t: integer(
      'Mean time of the captures in the bucket, or the time of the capture whose value is `active` (unix seconds).',
      1_773_154_800,
    ),
    active: number(
      'Value to plot: the mean of the bucket, except in the two buckets that contain the maximum and the minimum of the series, which have that value.',
      9100.5,
    ),
    avg: number('Mean of the captures in the bucket, 1 decimal.', 9100.5),
    peak: number('Maximum of the captures in the bucket.', 9120),
    samples: integer('Captures in the bucket.', 1),
  })
  .openapi('ActivitySeriesPoint', { description: 'Active players in 24 hours, aggregated over the captures of a bucket.' });

const ExtremeBody = z
  .object({ t: integer('Time of the capture (unix seconds).', 1_773_156_600), active: number('Value of the capture.', 9120) })
  .openapi('ActivityExtreme', { description: 'Maximum or minimum of the series.' });

const SeriesBody = z
  .object({
    period: periodName,
    bucket_seconds: integer('Bucket length: that of the period, or the typical interval between captures if longer.', 21_600),
    window_start: integer('Start of the period (unix seconds).', 1_772_551_830),
    window_end: integer('End of the period (unix seconds), up to half an hour ago.', 1_773_156_630),
    points: z.array(SeriesPointBody).openapi({ description: 'Oldest first; buckets without a capture are omitted.' }),
    peak: z.union([ExtremeBody, z.null()]).openapi({ description: 'Maximum, at its own time; null without captures.' }),
    low: z.union([ExtremeBody, z.null()]).openapi({ description: 'Minimum, at its own time; null without captures.' }),
    average: numberOrNull('Mean of the buckets, 1 decimal; null without captures.', 8900.2),
    latest: integerOrNull('Newest value; null without captures.', 9120),
    methodology,
  })
  .openapi('ActivitySeries', { description: 'Active players in 24 hours, over a period.' });

const toExtremeBody = (sample: Sample | null) => sample && { t: sample.at, active: sample.value };

export function toSeriesBody(series: ActivitySeries): z.infer<typeof SeriesBody> {
  return {
    period: series.period,
    bucket_seconds: series.bucketSeconds,
    window_start: series.windowStart,
    window_end: series.windowEnd,
    points: series.points.map(({ at, plotted, mean, peak, samples }) => ({ t: at, active: plotted, avg: mean, peak, samples })),
    peak: toExtremeBody(series.peak),
    low: toExtremeBody(series.low),
    average: series.average,
    latest: series.latest,
    methodology: METHODOLOGY,
  };
}

/** `max-age` of activity responses. */
export const FIGURES_MAX_AGE_SECONDS = 60;

/** Serialised estimate, shared by the endpoint and the event stream. */
export function currentBody(capture: CaptureActivity | null, now: UnixSeconds): Representation<(typeof CurrentBody)['_output']> {
  const body = toCurrentBody(capture, now);
  // Without an estimate, `computed_at` is the time of the response.
  if (body.window_end === null) return { ...jsonWithClock(body, ['computed_at']), maxAge: FIGURES_MAX_AGE_SECONDS };
  return json(body, { maxAge: FIGURES_MAX_AGE_SECONDS });
}

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
