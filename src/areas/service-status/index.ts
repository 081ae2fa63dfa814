import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { systemClock, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { createRevalidatingCache } from '../../platform/storage/memory-caches.ts';
import { nextToDatabase } from '../../platform/storage/regional-objects.ts';
import { createChatClient } from '../../platform/upstream/chat-post.ts';
import { createUpstreamStates } from '../../platform/upstream/upstream-states.store.ts';
import { createAlarm } from './alarm.service.ts';
import { MAX_ANNOUNCEMENT_TEXT, MAX_ANNOUNCEMENT_TITLE, SEVERITIES } from './announcements.data.ts';
import { createAnnouncementsService } from './announcements.service.ts';
import { createAnnouncementsStore } from './announcements.store.ts';
import type { DatabaseGrowth } from './database-size.domain.ts';
import { createSnapshot } from './probes.service.ts';
import { PARTS, READ_TTL_MS } from './status.data.ts';
import { viewAt } from './status.domain.ts';
import { announcementEvent } from './status.events.ts';
import { statusSettings } from './status.settings.ts';
import { createStatusStore } from './status.store.ts';

/** Choices and greatest lengths of an announcement. */
interface AnnouncementForm {
  severities: readonly string[];
  /** Parts of the service by name, with their labels. */
  parts: Readonly<Record<string, string>>;
  maxTitle: number;
  maxText: number;
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** Probes every part and stores the result. The cron trigger calls it directly, because jobs need the database. */
    checkService(now: UnixSeconds): Promise<void>;
    /** Size and growth of the database at the last check; null when they are not known. */
    databaseGrowth(): Promise<DatabaseGrowth | null>;
    /** Sends a message to the operator by the channels of the alarms. Returns whether one accepted it. Never rejects. */
    alertOperator(lines: readonly string[], now: UnixSeconds): Promise<boolean>;
    /** What the form of announcements offers. */
    announcementForm: AnnouncementForm;
  }
}

/** `/v1/status`, `/status` and the incident feed. */
export const serviceStatusArea = defineArea({
  settings: statusSettings,
  events: [announcementEvent],
  create({ env, environment, db, ports, service, settings, upstream, events, newId }) {
    const stores = { objects: nextToDatabase(env.SERVICE_STATUS, env.REGION), cache: env.CACHE };
    const store = createStatusStore(stores);
    const announcements = createAnnouncementsStore(stores);
    const announcer = createAnnouncementsService({ store: announcements, events });
    const publicUrl = env.BASE_URL ?? '';
    const upstreams = createUpstreamStates(db);
    // Freshness of the object uses real time. The view uses the time of the request.
    const status = createRevalidatingCache(() => store.read(systemClock()), READ_TTL_MS);
    const shown = createRevalidatingCache(announcements.read, READ_TTL_MS);
    const alarm = createAlarm({
      post: createChatClient(upstream, newId, environment.chatBaseUrlOverride),
      postSigned: (message) => ports.postSigned(message),
      newId,
      appName: env.APP_NAME,
      baseUrl: publicUrl,
    });
    return {
      endpoints: [
        lazyRoutes(['/status', '/status.atom', '/v1/status'], async () => {
          const { createServiceStatusEndpoints } = await import('./status.routes.ts');
          return createServiceStatusEndpoints({ appName: env.APP_NAME, isDemo: environment.isDemo }, status.get, shown.get);
        }),
        lazyRoutes(['/status', '/admin'], async () => {
          const [{ createAnnouncementEndpoints }, { createAlarmEndpoint }] = await Promise.all([
            import('./announcements.routes.ts'),
            import('./alarm.routes.ts'),
          ]);
          const deps = { store: announcements, service: announcer, find: shown.get, invalidate: shown.invalidate, newId };
          return [...createAnnouncementEndpoints(deps), createAlarmEndpoint(alarm)];
        }),
      ],
      eventSchemas: async () => ({ announcement: (await import('./announcements.schemas.ts')).AnnouncementEventBody }),
      provides: {
        announcementForm: { severities: SEVERITIES, parts: PARTS, maxTitle: MAX_ANNOUNCEMENT_TITLE, maxText: MAX_ANNOUNCEMENT_TEXT },
        async databaseGrowth() {
          return viewAt(await status.get(), systemClock()).database;
        },
        alertOperator: async (lines: readonly string[], now: UnixSeconds) => alarm.alert(lines, await settings.current(), now),
        async checkService(now: UnixSeconds) {
          const snapshot = await createSnapshot(
            { env, heartbeat: ports.streamHeartbeat, jobs: service.scheduler().status, upstreams: upstreams.all },
            now,
          );
          const history = await store.record(snapshot);
          status.invalidate();
          // After the stores: a chat that does not respond must not delay the status.
          if (history) await alarm.notify(history, await settings.current(), now);
          await announcer.share(publicUrl, now);
        },
      },
    };
  },
});
