import type { Branch } from '../../../game/branches.data.ts';
import type { AreaContext, Ports } from '../../../platform/area/area.ts';
import { systemRandom } from '../../../platform/kit/random.ts';
import { createContentStore } from '../../../platform/storage/content-store.ts';
import { createAnnouncementsStore } from './announcements.store.ts';
import { createHttpBuildSource, sourceRoot } from './build-source.upstream.ts';
import { createSyncEngine, type SyncEngine } from './engine/engine.service.ts';
import { SERVICE_LIMITS } from './engine/limits.data.ts';
import { createD1SyncStore, type SyncStore } from './engine/sync.store.ts';
import { type Announcer, createAnnouncer, type VersionHook } from './updates.jobs.ts';

/** Dependencies of a sync. */
export interface ArchiveSyncParts {
  engine(branch: Branch): { engine: SyncEngine; store: SyncStore };
  /** Whether the archiver is enabled. */
  isEnabled(): Promise<boolean>;
  /** Publishes the event when a version becomes visible. */
  announcer: Announcer;
}

/** Starts the codex of a new version. */
export const hooksOf = (ports: Ports): VersionHook[] => [async ({ branch, now }) => void (await ports.startCodexIndex(branch, now))];

/** Dependencies of the sync object. */
export function createArchiveSyncParts({ db, env, upstream: client, settings, events, ports }: AreaContext): ArchiveSyncParts {
  const contents = createContentStore(env.ARCHIVE);
  const root = sourceRoot(env.UPDATES_SOURCE_BASE, env.UPDATES_SOURCE_PREFIX);
  return {
    engine(branch) {
      const store = createD1SyncStore({ db, branch, holder: 'service' });
      const source = createHttpBuildSource({ branch, root, userAgent: env.UPSTREAM_USER_AGENT, client, random: systemRandom });
      return { store, engine: createSyncEngine({ source, store, contents, limits: SERVICE_LIMITS }) };
    },
    isEnabled: async () => (await settings.current()).updatesArchiverEnabled,
    announcer: createAnnouncer({ announcements: createAnnouncementsStore(db), events, hooks: hooksOf(ports) }),
  };
}
