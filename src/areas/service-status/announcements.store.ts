import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import { withTimeout } from '../../platform/kit/tasks.ts';
import type { NamedObjects } from '../../platform/storage/regional-objects.ts';
import { type Announcement, type AnnouncementChange, parseAnnouncements } from './announcements.domain.ts';
import { READ_TIMEOUT_MS } from './status.data.ts';
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

  return {
    /** From the object, for superusers. */
    async readNewest(): Promise<Announcement[]> {
      return parseAnnouncements(await object().readAnnouncements());
    },

    /** From the copy. None when it cannot be read: a page must not fail because of its header. */
    async read(): Promise<Announcement[]> {
      try {
        const copy = cache.get(COPY_KEY, { type: 'text', cacheTtl: EDGE_CACHE_SECONDS });
        return parseAnnouncements(await withTimeout(copy, READ_TIMEOUT_MS, 'announcements'));
      } catch (error) {
        logError('the announcements could not be read', error);
        return [];
      }
    },

    /** Throws 404, 409, and 503 when the copy was not written: a repeated update writes it. */
    async change(change: AnnouncementChange): Promise<Announcement[]> {
      const { json, problem } = await object().changeAnnouncements(change);
      if (problem === 'unknown') throw new ApiError('not_found', 'announcement not found');
      if (problem === 'closed') throw new ApiError('conflict', 'the announcement is closed');
      if (problem === 'full') throw new ApiError('conflict', 'too many announcements or updates; close some');
      try {
        await cache.put(COPY_KEY, json);
      } catch (error) {
        logError('the copy of the announcements was not written', error);
        throw new ApiError('service_unavailable', 'the announcement is stored but not yet shown', {
          hint: 'read before you repeat, and send an update to show it',
        });
      }
      return parseAnnouncements(json);
    },
  };
}
