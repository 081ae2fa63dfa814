import type { CaptureListener } from '../../game/board-captures.ts';
import { defineArea } from '../../platform/area.ts';
import type { EventPublisher, EventSource } from '../../platform/events/event-source.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { Job } from '../../platform/schedule/job.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { Database } from '../../platform/storage/database.ts';
import { type Clock, SECONDS_PER_DAY, SECONDS_PER_MINUTE, systemClock } from '../../platform/time/clock.ts';
import { currentBody } from './activity.bodies.ts';
import { createActivityRepository } from './activity.repository.ts';
import { createActivityEndpoints } from './activity.routes.ts';
import { createActivityService } from './activity.service.ts';
import { createActivityReads } from './activity-reads.service.ts';
import { createClassActivityRepository } from './classes/class-activity.repository.ts';
import { createClassActivityEndpoints } from './classes/class-activity.routes.ts';
import { createClassActivityService } from './classes/class-activity.service.ts';
import { createClassActivityReads } from './classes/class-activity-reads.service.ts';

const EVENT = 'activity';
const REFRESH_TIMEOUT_SECONDS = 50;
const PRUNE_TIMEOUT_SECONDS = 60;

export interface ActivityAreaDeps {
  db: Database;
  events: EventPublisher;
  settings: SettingsSource;
  clock: Clock;
}

/** Everything under `/v1/activity` and `/v1/class-activity`; `onCapture` is for whoever takes in leaderboards. */
export function createActivityArea({ db, events, settings, clock }: ActivityAreaDeps) {
  const repository = createActivityRepository(db);
  const reads = createActivityReads(repository);
  const service = createActivityService({
    repository,
    clock,
    async onFigures(now) {
      reads.forgetReads();
      await events.changed(EVENT, now);
    },
  });

  const classRepository = createClassActivityRepository(db);
  const classReads = createClassActivityReads(classRepository);
  const classes = createClassActivityService({ repository: classRepository, settings, clock });

  const endpoints: Endpoint[] = [...createActivityEndpoints(reads), ...createClassActivityEndpoints(classReads)];
  const jobs: Job[] = [
    {
      name: 'activity-refresh',
      schedule: { everySeconds: SECONDS_PER_MINUTE },
      timeoutSeconds: REFRESH_TIMEOUT_SECONDS,
      async run({ signal }) {
        await service.refresh(signal);
        await classes.refresh(signal);
      },
    },
    {
      name: 'activity-prune',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: PRUNE_TIMEOUT_SECONDS,
      async run({ now }) {
        await repository.prune(now);
        await classRepository.deleteExpiredSets(now);
      },
    },
  ];
  const eventSources: EventSource[] = [
    {
      type: EVENT,
      feature: 'featurePlayerActivityEnabled',
      refresh: reads.forgetReads,
      async stateAt(now) {
        const capture = await reads.current();
        // The first capture has no window before it, and so no estimate.
        const hasEstimate = capture !== null && capture.windowStart !== null;
        return { body: currentBody(capture, now), signature: hasEstimate ? String(capture.windowEnd) : null };
      },
    },
  ];
  const onCapture: CaptureListener = async (capture) => {
    await service.onCapture(capture);
    await classes.onCapture(capture);
    classReads.forgetReads();
  };
  return { endpoints, jobs, eventSources, onCapture };
}

declare module '../../platform/area.ts' {
  interface Ports {
    /** Takes every leaderboard capture that becomes visible. */
    onBoardCapture: CaptureListener;
  }
}

export const activityArea = defineArea({
  tags: {
    Activity: 'How many players are active, estimated from the movement of scores.',
  },
  stored: [
    {
      title: 'Activity estimates',
      what: 'Hashes of the names of characters on the leaderboards, to estimate how many play.',
      until: 'For 11 days.',
      tables: ['activity_captures', 'activity_sets', 'class_activity_captures', 'class_activity_sets'],
    },
  ],
  create({ db, events, settings }) {
    const { onCapture, ...parts } = createActivityArea({ db, events, settings, clock: systemClock });
    return { ...parts, provides: { onBoardCapture: onCapture } };
  },
});
