import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import { withTimeout } from '../../platform/kit/tasks.ts';
import type { NamedObjects } from '../../platform/storage/regional-objects.ts';
import { type Announcement, type AnnouncementChange, parseAnnouncements } from './announcements.domain.ts';
import { PROBE_TIMEOUT_MS, READ_TIMEOUT_MS } from './status.data.ts';
import type { ServiceStatusObject } from './status.object.ts';
import { OBJECT } from './status.store.ts';

const COPY_KEY = 'service-announcements';
/** Cache TTL of a KV read in a location, in seconds; the minimum that KV allows. */
const EDGE_CACHE_SECONDS = 30;

interface AnnouncementsDeps {
  objects: NamedObjects<ServiceStatusObject>;
  cache: KVNamespace;
}

export type AnnouncementsStore = ReturnType<typeof createAnnouncementsStore>;

/** Announcements in the status object, with a copy in KV that pages read. */
export function createAnnouncementsStore({ objects, cache }: AnnouncementsDeps) {
  const object = () => objects.getByName(OBJECT);
  const readText = () => cache.get(COPY_KEY, { type: 'text', cacheTtl: EDGE_CACHE_SECONDS });

  return {
    /** From the object, for superusers. */
    async readNewest(): Promise<Announcement[]> {
      return parseAnnouncements(await object().readAnnouncements());
    },

    /** From the copy. None when it cannot be read: a page must not fail because of its header. */
    async read(): Promise<Announcement[]> {
      try {
        return parseAnnouncements(await withTimeout(readText(), READ_TIMEOUT_MS, 'announcements'));
      } catch (error) {
        logError('the announcements could not be read', error);
        return [];
      }
    },

    /** The copy as text, for a write. Undefined when it cannot be read. */
    async readCopy(): Promise<string | null | undefined> {
      try {
        return await withTimeout(readText(), READ_TIMEOUT_MS, 'announcements');
      } catch (error) {
        logError('the copy of the announcements could not be read', error);
        return undefined;
      }
    },

    /** False when the write fails. KV accepts one write of a key in a second. */
    async writeCopy(copy: string): Promise<boolean> {
      try {
        await withTimeout(cache.put(COPY_KEY, copy), PROBE_TIMEOUT_MS, 'announcements');
        return true;
      } catch (error) {
        logError('the copy of the announcements was not written', error);
        return false;
      }
    },

    /** Changes the announcements in the object. Throws 404 and 409. */
    async change(change: AnnouncementChange): Promise<Announcement[]> {
      const { json, problem } = await object().changeAnnouncements(change);
      if (problem === 'unknown') throw new ApiError('not_found', 'announcement not found');
      if (problem === 'closed') throw new ApiError('conflict', 'the announcement is closed');
      if (problem === 'full') throw new ApiError('conflict', 'too many announcements or updates; close some');
      return parseAnnouncements(json);
    },
  };
}
