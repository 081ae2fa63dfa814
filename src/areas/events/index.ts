import { defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import { nextToDatabase } from '../../platform/storage/regional-objects.ts';
import { createEventClient, type EventClient } from './event-client.service.ts';
import { maxConnectionsPerShard, shardNames } from './event-variables.domain.ts';
import { eventsScopes, eventsSettings } from './events.settings.ts';

/** Job that sets a missing alarm of the coordinator every minute. */
export const createWatchJob = (client: Pick<EventClient, 'wake'>): Job => ({
  name: 'events-watch',
  schedule: { everySeconds: SECONDS_PER_MINUTE },
  timeoutSeconds: 20,
  startsFirst: true,
  run: () => client.wake(),
});

export { createEventClient } from './event-client.service.ts';

declare module '../../platform/area/area.ts' {
  interface Ports {
    streamHeartbeat: EventClient['heartbeat'];
    countStreams: EventClient['countStreams'];
  }
}

/** The live event stream. */
export const eventsArea = defineArea({
  settings: eventsSettings,
  scopes: eventsScopes,
  tags: {
    Events: 'A live stream of all changes.',
  },
  create({ env, environment, settings, freshness, service }) {
    const client = createEventClient({
      coordinators: nextToDatabase(env.EVENT_COORDINATOR, env.REGION),
      shards: env.EVENT_SHARDS,
      shardNames: shardNames(env),
      maxPerShard: maxConnectionsPerShard(env),
      sources: service.eventSources,
      settings,
      freshness,
    });
    return {
      endpoints: [
        lazyRoutes(['/v1/events', '/live'], async () => {
          const [{ createStreamEndpoint }, { createLivePage }] = await Promise.all([
            import('./events.routes.ts'),
            import('./live-page.routes.tsx'),
          ]);
          return [
            createStreamEndpoint(client, service.events, await service.eventSchemas()),
            createLivePage({ appName: env.APP_NAME, isDemo: environment.isDemo }, service.events),
          ];
        }),
      ],
      jobs: [createWatchJob(client)],
      provides: {
        events: client,
        streamHeartbeat: client.heartbeat,
        countStreams: client.countStreams,
      },
    };
  },
});
