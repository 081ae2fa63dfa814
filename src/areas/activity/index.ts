import type { CaptureConsumer, CaptureConsumerName } from '../../game/board-captures.ts';
import { defineArea, type Ports } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { EventSource } from '../../platform/events/event-source.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { runEach } from '../../platform/kit/tasks.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE, systemClock, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { MAX_DAY_SPAN_SECONDS, SERIES_PERIOD_NAMES, type SeriesPeriodName } from './activity.data.ts';
import { activityEvent } from './activity.events.ts';
import { createActivityReads, createActivityService } from './activity.service.ts';
import { activityScopes, activitySettings } from './activity.settings.ts';
import { createActivityStore } from './activity.store.ts';
import { activityTables } from './activity.tables.ts';
import { createClassActivityReads, createClassActivityService, thresholdsOf } from './class-activity.service.ts';
import { createClassActivityStore } from './class-activity.store.ts';

const REFRESH_TIMEOUT_SECONDS = 50;
const EXPIRY_TIMEOUT_SECONDS = 60;

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** What is derived from leaderboard captures. */
    boardCaptureConsumers: Readonly<Record<CaptureConsumerName, CaptureConsumer>>;
    /** Bodies of the series endpoints, for pages. */
    activitySeries: {
      periods: readonly SeriesPeriodName[];
      /** `lows`: the minimum of the captures of each point. */
      players(
        period: SeriesPeriodName,
        now: UnixSeconds,
      ): Promise<ReturnType<typeof import('./activity.routes.ts').toSeriesBody> & { lows: number[] }>;
      classes(
        period: SeriesPeriodName,
        now: UnixSeconds,
        settings: Settings,
      ): Promise<ReturnType<typeof import('./class-activity.routes.ts').toClassSeriesBody>>;
    };
  }
}

export const activityArea = defineArea({
  settings: activitySettings,
  scopes: activityScopes,
  tags: {
    Activity: 'Estimates of active players, derived from leaderboard score changes.',
  },
  events: [activityEvent],
  stored: [
    {
      title: 'Activity estimates',
      what: 'Hashes of character names on the leaderboards, used to estimate the number of active players.',
      until: 'For 11 days.',
    },
  ],
  tables: activityTables,
  create({ db, publicReads, events, settings, ports }) {
    const store = createActivityStore(db, publicReads);
    const reads = createActivityReads(store);
    async function onFigures(now: UnixSeconds): Promise<void> {
      reads.invalidateReads();
      await events.changed(activityEvent.type, now);
    }
    const service = createActivityService({ store, clock: systemClock, onFigures });

    const classStore = createClassActivityStore(db, publicReads);
    const classReads = createClassActivityReads(classStore);
    const classes = createClassActivityService({ store: classStore, settings, clock: systemClock });

    const endpoints = [
      lazyRoutes(['/v1/activity', '/v1/class-activity', '/admin'], async () => {
        const [{ createActivityEndpoints }, { createBackfillEndpoints }, { createClassActivityEndpoints }] = await Promise.all([
          import('./activity.routes.ts'),
          import('./backfill.routes.ts'),
          import('./class-activity.routes.ts'),
        ]);
        return [
          ...createActivityEndpoints(reads),
          ...createClassActivityEndpoints(classReads),
          ...createBackfillEndpoints({
            deleters: { activity: store.deleteAfter, 'class-activity': classStore.deleteAfter },
            recompute: (task) => ports.recomputeCaptures(task),
          }),
        ];
      }),
    ];
    const jobs: Job[] = [
      {
        name: 'activity-refresh',
        schedule: { everySeconds: SECONDS_PER_MINUTE },
        timeoutSeconds: REFRESH_TIMEOUT_SECONDS,
        async run({ signal }) {
          await runEach([service, classes], (figures) => figures.refresh(signal));
        },
      },
      {
        name: 'activity-prune',
        schedule: { everySeconds: SECONDS_PER_DAY },
        timeoutSeconds: EXPIRY_TIMEOUT_SECONDS,
        async run({ now }) {
          await store.deleteExpired(now);
          await classStore.deleteExpiredSets(now);
        },
      },
    ];
    const eventSources: EventSource[] = [
      {
        type: activityEvent.type,
        feature: 'featurePlayerActivityEnabled',
        refresh: reads.invalidateReads,
        async stateAt(now) {
          const [capture, { currentBody }] = await Promise.all([reads.current(), import('./activity.routes.ts')]);
          // The first capture has no previous capture and therefore no estimate.
          const hasEstimate = capture !== null && capture.windowStart !== null;
          return { body: currentBody(capture, now), signature: hasEstimate ? String(capture.windowEnd) : null };
        },
      },
    ];
    const consumers: Ports['boardCaptureConsumers'] = {
      activity: {
        stored: ['activity_captures', 'activity_days', 'activity_sets', 'activity_revisions'],
        isPermanent: true,
        replace: service.replace,
        async withdraw(anchor) {
          await store.deleteCapture(anchor);
          await onFigures(systemClock());
        },
        has: store.has,
      },
      'class-activity': {
        stored: ['class_activity_captures', 'class_activity_days', 'class_activity_sets'],
        isPermanent: true,
        // The effort gained since the capture one day before.
        dependents: { from: SECONDS_PER_DAY, until: MAX_DAY_SPAN_SECONDS },
        async replace(capture) {
          await classes.replace(capture);
          classReads.invalidateReads();
        },
        async withdraw(anchor) {
          await classStore.deleteCapture(anchor);
          classReads.invalidateReads();
        },
        has: classStore.has,
      },
    };
    const series: Ports['activitySeries'] = {
      periods: SERIES_PERIOD_NAMES,
      async players(period, now) {
        const [figures, { toSeriesBody }] = await Promise.all([reads.series(period, now), import('./activity.routes.ts')]);
        return { ...toSeriesBody(figures), lows: figures.points.map(({ low }) => low) };
      },
      async classes(period, now, current) {
        const [figures, { toClassSeriesBody }] = await Promise.all([classReads.series(period, now), import('./class-activity.routes.ts')]);
        return toClassSeriesBody(figures, thresholdsOf(current));
      },
    };

    return {
      endpoints,
      jobs,
      eventSources,
      eventSchemas: async () => ({ activity: (await import('./activity.routes.ts')).CurrentBody }),
      provides: {
        boardCaptureConsumers: consumers,
        activitySeries: series,
      },
    };
  },
});
