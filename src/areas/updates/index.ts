import type { EventPublisher } from '../../platform/events/event-source.ts';
import type { Endpoint } from '../../platform/http/define-route.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { ContentStore } from '../../platform/storage/content-store.ts';
import { createContentStore } from '../../platform/storage/content-store.ts';
import type { Database } from '../../platform/storage/database.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { createAnnouncementsRepository } from './announcements.repository.ts';
import { createAnnouncer, type VersionHook } from './announcer.service.ts';
import { createArchiveRepository } from './archive.repository.ts';
import { createArchiveService } from './archive.service.ts';
import type { ArchiveSyncBase } from './archive-sync.object.ts';
import type { ArchiveSyncParts } from './archive-sync.ts';
import { createHttpBuildSource, sourceRoot } from './build-source.upstream.ts';
import { createChangesRepository } from './changes.repository.ts';
import { createSyncEngine } from './engine/engine.ts';
import { SERVICE_LIMITS } from './engine/limits.data.ts';
import { createD1SyncStore } from './engine/sync-store-d1.repository.ts';
import { createUpdateSources } from './event-sources.ts';
import { createFileEndpoints } from './files.routes.ts';
import { createListingEndpoints } from './listings.routes.ts';
import { createUpdateJobs } from './updates.jobs.ts';

export type { VersionHook, VersionNews } from './announcer.service.ts';
export { createArchiveListing } from './archive-listing.repository.ts';

export { BRANCH_NAMES } from './updates.data.ts';

export interface UpdatesAreaDeps {
  db: Database;
  /** Holds the contents of the files. */
  bucket: R2Bucket;
  /** The objects that sync a branch each, by its name. */
  syncObjects: DurableObjectNamespace<ArchiveSyncBase>;
  events: Pick<EventPublisher, 'changed'>;
  /** Called for every new version. */
  hooks: readonly VersionHook[];
  sourceBase: string;
  probeSeconds: number;
}

/** The update archive: its archiver and what the event stream shows of it. */
export function createUpdatesArea({ db, bucket, syncObjects, events, hooks, sourceBase, probeSeconds }: UpdatesAreaDeps) {
  const announcements = createAnnouncementsRepository(db);
  const announcer = createAnnouncer({ announcements, events, hooks });
  const jobs = createUpdateJobs({
    probeSeconds,
    isConfigured: sourceBase.trim() !== '',
    startSync: (branch, now) => syncObjects.getByName(branch).start(branch, now),
    announcer,
  });
  const endpoints = createArchiveEndpoints(db, createContentStore(bucket));
  return { endpoints, jobs, eventSources: createUpdateSources(announcements), announcer };
}

export type { ArchiveSyncParts } from './archive-sync.ts';

export interface ArchiveSyncPartsDeps {
  db: Database;
  bucket: R2Bucket;
  upstream: UpstreamClient;
  settings: SettingsSource;
  announcer: ArchiveSyncParts['announcer'];
  sourceBase: string;
  sourcePrefix: string;
  userAgent: string;
  random(): number;
}

/** What the syncing object works with. */
export function createArchiveSyncParts(deps: ArchiveSyncPartsDeps): ArchiveSyncParts {
  const contents = createContentStore(deps.bucket);
  const root = sourceRoot(deps.sourceBase, deps.sourcePrefix);
  return {
    engine(branch) {
      const store = createD1SyncStore({ db: deps.db, branch, holder: 'service' });
      const { userAgent, random, upstream: client } = deps;
      const source = createHttpBuildSource({ branch, root, userAgent, client, random });
      return { store, engine: createSyncEngine({ source, store, contents, limits: SERVICE_LIMITS }) };
    },
    isEnabled: async () => (await deps.settings.current()).updatesArchiverEnabled,
    announcer: deps.announcer,
  };
}

/** `/v1/updates/*` over what is stored; who stored it, and when, is not their business. */
export function createArchiveEndpoints(db: Database, contents: ContentStore): Endpoint[] {
  const archive = createArchiveService(createArchiveRepository(db), createChangesRepository(db), contents);
  return [...createListingEndpoints(archive), ...createFileEndpoints(archive)];
}
