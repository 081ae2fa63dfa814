import type { EventSource } from '../../platform/events/event-source.ts';
import { assetRoute } from '../../platform/http/pipeline/asset-route.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { Job } from '../../platform/schedule/job.ts';
import { SECONDS_PER_MINUTE } from '../../platform/time/clock.ts';
import { createStreamEndpoint } from './events.routes.ts';
import type { EventHub } from './hub.ts';
import { livePage } from './live-page.routes.ts';
import { createSnapshotMaker } from './snapshot.ts';

export interface EventsAreaDeps {
  hub: EventHub;
  /** Sources of every area. */
  sources: readonly EventSource[];
  assets: Fetcher;
}

/** The live event stream, and the job that keeps its coordinator awake at the right moments. */
export function createEventsArea({ hub, sources, assets }: EventsAreaDeps): { endpoints: Endpoint[]; jobs: Job[] } {
  return {
    endpoints: [createStreamEndpoint(hub, createSnapshotMaker(sources)), livePage, assetRoute('/live/{file}', 'getLiveFile', assets)],
    jobs: [{ name: 'events-watch', schedule: { everySeconds: SECONDS_PER_MINUTE }, timeoutSeconds: 20, run: () => hub.wake() }],
  };
}

export { shardNames } from './deployment.ts';
export { createEventHub } from './hub.ts';
