import type { CaptureListener } from '../../game/board-captures.ts';
import { defineArea } from '../../platform/area.ts';
import type { EventPublisher, EventSource } from '../../platform/events/event-source.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { Job } from '../../platform/schedule/job.ts';
import type { Database } from '../../platform/storage/database.ts';
import { type Clock, SECONDS_PER_DAY, SECONDS_PER_MINUTE, systemClock } from '../../platform/time/clock.ts';
import { currentBody } from './activity.bodies.ts';
import { createActivityRepository } from './activity.repository.ts';
import { createActivityEndpoints } from './activity.routes.ts';
import { createActivityService } from './activity.service.ts';
import { createActivityReads } from './activity-reads.service.ts';

const EVENT = 'activity';
const REFRESH_TIMEOUT_SECONDS = 50;
const PRUNE_TIMEOUT_SECONDS = 60;

export interface ActivityAreaDeps {
  db: Database;
  events: EventPublisher;
  clock: Clock;
}

/** Everything under `/v1/activity`; `onCapture` is for whoever takes in leaderboards. */
export function createActivityArea({ db, events, clock }: ActivityAreaDeps) {
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

  const endpoints: Endpoint[] = createActivityEndpoints(reads);
  const jobs: Job[] = [
    {
      name: 'activity-refresh',
      schedule: { everySeconds: SECONDS_PER_MINUTE },
      timeoutSeconds: REFRESH_TIMEOUT_SECONDS,
      run: ({ signal }) => service.refresh(signal),
    },
    {
      name: 'activity-prune',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: PRUNE_TIMEOUT_SECONDS,
      run: ({ now }) => repository.prune(now),
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
  const onCapture: CaptureListener = service.onCapture;
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
      tables: ['activity_captures', 'activity_sets'],
    },
  ],
  create({ db, events }) {
    const { onCapture, ...parts } = createActivityArea({ db, events, clock: systemClock });
    return { ...parts, provides: { onBoardCapture: onCapture } };
  },
});
