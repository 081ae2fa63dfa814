import { defineArea } from '../../platform/area/area.ts';
import { periodSeconds } from '../../platform/durable/schedule/period.ts';
import type { EventPublisher } from '../../platform/events/event-source.ts';
import { lazyRoutes, type RouteGroup } from '../../platform/http/pipeline/route-groups.ts';
import { systemRandom } from '../../platform/kit/random.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { ContentStore } from '../../platform/storage/content-store.ts';
import { createContentStore } from '../../platform/storage/content-store.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { type NamedObjects, nextToDatabase } from '../../platform/storage/regional-objects.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { gameUpdateEvent } from './events.ts';
import { createArchiveRepository } from './reads/archive.repository.ts';
import { createArchiveListing } from './reads/archive-listing.repository.ts';
import { createChangesRepository } from './reads/changes.repository.ts';
import { createUpdateEventSources } from './reads/event-sources.ts';
import { createAnnouncementsRepository } from './sync/announcements.repository.ts';
import { createAnnouncer, type VersionHook } from './sync/announcer.service.ts';
import type { ArchiveSyncBase } from './sync/archive-sync.object.ts';
import type { ArchiveSyncParts } from './sync/archive-sync.ts';
import { createHttpBuildSource, sourceRoot } from './sync/build-source.upstream.ts';
import { createSyncEngine } from './sync/engine/engine.ts';
import { SERVICE_LIMITS } from './sync/engine/limits.data.ts';
import { createD1SyncStore } from './sync/engine/sync-store-d1.repository.ts';
import { createUpdateJobs } from './sync/updates.jobs.ts';
import { fileBudget } from './updates.budgets.ts';
import { updatesScopes } from './updates.scopes.ts';
import { updatesSettings } from './updates.settings.ts';

export type { NewVersion as VersionNews, VersionHook } from './sync/announcer.service.ts';

export interface UpdatesAreaDeps {
  db: Database;
  /** Replica reads of public data; defaults to `db`. */
  reads?: PublicReads;
  /** Contents of the archived files. */
  bucket: R2Bucket;
  /** Sync objects by branch: each syncs one branch. */
  syncObjects: NamedObjects<ArchiveSyncBase>;
  events: Pick<EventPublisher, 'changed'>;
  /** Called for every new version. */
  hooks: readonly VersionHook[];
  sourceBase: string;
  probeSeconds: number;
}

/** Endpoints, jobs, event source and announcer of the update archive. */
export function createUpdatesArea({ db, reads = db, bucket, syncObjects, events, hooks, sourceBase, probeSeconds }: UpdatesAreaDeps) {
  const announcements = createAnnouncementsRepository(db);
  const announcer = createAnnouncer({ announcements, events, hooks });
  const jobs = createUpdateJobs({
    probeSeconds,
    isConfigured: sourceBase.trim() !== '',
    startSync: (branch, now, skipBackoff) => syncObjects.getByName(branch).start(branch, now, skipBackoff),
    announcer,
  });
  const endpoints = [createArchiveRoutes(reads, createContentStore(bucket))];
  return { endpoints, jobs, eventSources: createUpdateEventSources(announcements), announcer };
}

export type { ArchiveSyncParts } from './sync/archive-sync.ts';

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

/** Dependencies of the sync object. */
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

/** `/v1/updates/*`: reads of the stored archive. */
export function createArchiveRoutes(db: PublicReads, contents: ContentStore): RouteGroup {
  return lazyRoutes(['/v1/updates'], async () => {
    const [{ createArchiveService }, { createListingEndpoints }, { createFileEndpoints }] = await Promise.all([
      import('./reads/archive.service.ts'),
      import('./reads/listings.routes.ts'),
      import('./reads/files.routes.ts'),
    ]);
    const archive = createArchiveService(createArchiveRepository(db), createChangesRepository(db), contents);
    return [...createListingEndpoints(archive), ...createFileEndpoints(archive)];
  });
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** Complete versions of a branch, for the codex index and the renderer. */
    archive: ReturnType<typeof createArchiveListing>;
    archiveSyncParts(): ArchiveSyncParts;
  }
}

export const updatesArea = defineArea({
  settings: updatesSettings,
  budgetGroups: [fileBudget],
  scopes: updatesScopes,
  tags: {
    Updates: 'Archive of the game files: branches, versions, changes, the file tree and files.',
  },
  events: [gameUpdateEvent],
  impersonalTables: ['archive_*'],
  create({ db, publicReads, env, upstream, settings, events, ports }) {
    const { announcer, ...parts } = createUpdatesArea({
      db,
      reads: publicReads,
      events,
      bucket: env.ARCHIVE,
      syncObjects: nextToDatabase(env.ARCHIVE_SYNC, env.REGION),
      hooks: [async ({ branch, now }) => void (await ports.startCodexIndex(branch, now))],
      sourceBase: env.UPDATES_SOURCE_BASE,
      probeSeconds: periodSeconds(env, 'UPDATES_PROBE_SECONDS'),
    });
    return {
      ...parts,
      eventSchemas: async () => ({ game_update: (await import('./reads/versions.schemas.ts')).GameUpdateBody }),
      provides: {
        archive: createArchiveListing(db, publicReads),
        archiveSyncParts: () =>
          createArchiveSyncParts({
            db,
            settings,
            upstream,
            announcer,
            bucket: env.ARCHIVE,
            sourceBase: env.UPDATES_SOURCE_BASE,
            sourcePrefix: env.UPDATES_SOURCE_PREFIX,
            userAgent: env.UPSTREAM_USER_AGENT,
            random: systemRandom,
          }),
      },
    };
  },
});
