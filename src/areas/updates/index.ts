import { BRANCH_NAMES, type Branch } from '../../game/branches.data.ts';
import { defineArea } from '../../platform/area/area.ts';
import { periodSeconds } from '../../platform/durable/schedule/period.ts';
import type { EventSource } from '../../platform/events/event-source.ts';
import { type LazyRoutes, lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { type ContentStore, createContentStore } from '../../platform/storage/content-store.ts';
import type { PublicReads } from '../../platform/storage/database.ts';
import { nextToDatabase } from '../../platform/storage/regional-objects.ts';
import { createArchiveStore } from './reads/archive.store.ts';
import { createArchiveListing } from './reads/archive-listing.store.ts';
import { type AnnouncementsStore, createAnnouncementsStore } from './sync/announcements.store.ts';
import { hooksOf } from './sync/archive-sync-parts.service.ts';
import { createAnnouncer, createUpdateJobs } from './sync/updates.jobs.ts';
import { EVENT_BRANCH } from './updates.data.ts';
import { gameUpdateEvent } from './updates.events.ts';
import { fileRateLimit, updatesScopes, updatesSettings } from './updates.settings.ts';
import { updatesTables } from './updates.tables.ts';

/** Versions of a branch, and changed files of one version, on their pages. */
const PAGE_VERSIONS = 50;
/** Changes of a file on its page. */
const PAGE_CHANGES = 20;

/** What pages show of the archive. */
function createUpdatePages(db: PublicReads, contents: ContentStore) {
  const load = async () => {
    const { createArchiveService } = await import('./reads/archive.service.ts');
    return createArchiveService(createArchiveStore(db), contents);
  };
  return {
    branches: BRANCH_NAMES as readonly Branch[],
    /** The newest versions of a branch, newest first. */
    async versions(branch: Branch) {
      return (await load()).listVersions(branch, { limit: PAGE_VERSIONS, offset: 0 });
    },
    /** A version with the numbers of its changes and the first of its changed files. Throws 404 for an unknown one. */
    async version(branch: Branch, ordinal: number, limit: number) {
      return (await load()).listChanges(branch, { ordinal, limit, offset: 0 });
    },
    /** The versions that changed a file, newest first; empty for an unknown file. */
    async fileHistory(branch: string, path: string) {
      const changes = await (await load()).listHistory(branch, path).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'not_found') return [];
        throw error;
      });
      return changes.slice(0, PAGE_CHANGES).map(({ change: { type }, version: { ordinal, versionTag: tag, capturedAt } }) => ({
        type,
        ordinal,
        tag,
        capturedAt,
      }));
    },
  };
}

/** `/v1/updates/*`: reads of the stored archive. */
export function createArchiveRoutes(db: PublicReads, contents: ContentStore): LazyRoutes {
  return lazyRoutes(['/v1/updates'], async () => {
    const [{ createArchiveService }, { createListingEndpoints }, { createFileEndpoints }] = await Promise.all([
      import('./reads/archive.service.ts'),
      import('./reads/listings.routes.ts'),
      import('./reads/files.routes.ts'),
    ]);
    const archive = createArchiveService(createArchiveStore(db), contents);
    return [...createListingEndpoints(archive), ...createFileEndpoints(archive)];
  });
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** Complete versions of a branch, for the codex index and the renderer. */
    archive: ReturnType<typeof createArchiveListing>;
    /** Versions and their changes, for pages. */
    updatePages: ReturnType<typeof createUpdatePages>;
  }
}

export const updatesArea = defineArea({
  settings: updatesSettings,
  rateLimitGroups: [fileRateLimit],
  scopes: updatesScopes,
  tags: {
    Updates: 'Archive of the game files: branches, versions, changes, the file tree and files.',
  },
  events: [gameUpdateEvent],
  tables: updatesTables,
  create({ db, publicReads, env, events, ports }) {
    const contents = createContentStore(env.ARCHIVE);
    const syncObjects = nextToDatabase(env.ARCHIVE_SYNC, env.REGION);
    const announcements = createAnnouncementsStore(db);
    return {
      endpoints: [createArchiveRoutes(publicReads, contents)],
      jobs: createUpdateJobs({
        probeSeconds: periodSeconds(env, 'UPDATES_PROBE_SECONDS'),
        isConfigured: env.UPDATES_SOURCE_BASE.trim() !== '',
        startSync: (branch, now, skipBackoff) => syncObjects.getByName(branch).start(branch, now, skipBackoff),
        announcer: createAnnouncer({ announcements, events, hooks: hooksOf(ports) }),
      }),
      eventSources: createUpdateEventSources(announcements),
      eventSchemas: async () => ({ game_update: (await import('./versions.schemas.ts')).GameUpdateBody }),
      provides: {
        archive: createArchiveListing(db, publicReads),
        updatePages: createUpdatePages(publicReads, contents),
      },
    };
  },
});

/** Event source of the archive: the newest version of the live branch. */
export function createUpdateEventSources(announcements: Pick<AnnouncementsStore, 'newestVersion'>): EventSource[] {
  return [
    {
      type: gameUpdateEvent.type,
      feature: 'featureUpdatesEnabled',
      async stateAt() {
        const version = await announcements.newestVersion(EVENT_BRANCH);
        const { gameUpdateBody } = await import('./versions.schemas.ts');
        return version && { body: gameUpdateBody(version), signature: `${version.branch}:${version.ordinal}` };
      },
    },
  ];
}
