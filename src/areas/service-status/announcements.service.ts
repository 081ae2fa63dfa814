import type { EventBodies } from '../../platform/events/event-declaration.ts';
import type { EventPublisher } from '../../platform/events/event-source.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import { withTimeout } from '../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { waitFor } from '../../platform/upstream/retry.ts';
import { COPY_REPEAT_PAUSE_MS } from './announcements.data.ts';
import {
  type Announcement,
  type AnnouncementChange,
  copyOf,
  countsBeforeNewest,
  type PendingUpdate,
  type PublishedCounts,
  parsePublishedCounts,
  pendingUpdates,
} from './announcements.domain.ts';
import type { AnnouncementsStore } from './announcements.store.ts';
import { PROBE_TIMEOUT_MS, READ_TIMEOUT_MS } from './status.data.ts';
import { announcementEvent } from './status.events.ts';

interface AnnouncementsDeps {
  store: AnnouncementsStore;
  events: Pick<EventPublisher, 'announce'>;
}

export type AnnouncementsService = ReturnType<typeof createAnnouncementsService>;

/** Changes announcements, and shares them: with the event stream, then with the copy that pages read. */
export function createAnnouncementsService({ store, events }: AnnouncementsDeps) {
  /** Ends earlier than the publisher, because the copy that pages read waits for it. */
  const announce = (key: string, data: string, now: UnixSeconds) =>
    withTimeout(events.announce(announcementEvent.type, key, data, now), PROBE_TIMEOUT_MS, 'announcement event').catch(() => false);

  /** Publishes the events without one. The stream has each key once, so a repeat after a lost count sends nothing twice. */
  async function publish(
    announcements: readonly Announcement[],
    published: PublishedCounts,
    baseUrl: string,
    now: UnixSeconds,
  ): Promise<PublishedCounts> {
    const counts = new Map(announcements.map(({ id, updates }) => [id, Math.min(published.get(id) ?? 0, updates.length)]));
    for (const updates of pendingUpdates(announcements, counts)) {
      for (const pending of updates) {
        const { id } = pending.announcement;
        const data = JSON.stringify(toAnnouncementEventBody(pending, baseUrl));
        if (!(await announce(`${id}:${pending.index}`, data, now))) return counts;
        counts.set(id, pending.index + 1);
      }
    }
    return counts;
  }

  async function writeCopyTwice(copy: string): Promise<boolean> {
    if (await store.writeCopy(copy)) return true;
    await waitFor(COPY_REPEAT_PAUSE_MS, undefined);
    return store.writeCopy(copy);
  }

  return {
    /** Throws 404, 409, and 503 when the copy was not written: the next check writes it. */
    async change(change: AnnouncementChange, baseUrl: string): Promise<Announcement[]> {
      const announcements = await store.change(change);
      const copy = await store.readCopy();
      const id = change.kind === 'new' ? change.announcement.id : change.id;
      const before = copy === undefined ? countsBeforeNewest(announcements, id) : parsePublishedCounts(copy);
      const published = await publish(announcements, before, baseUrl, change.at);
      if (!(await writeCopyTwice(copyOf(announcements, published)))) {
        throw new ApiError('service_unavailable', 'the announcement is stored but not yet shown', {
          hint: 'do not repeat it: the next check shows it, within a minute',
        });
      }
      return announcements;
    },

    /** Publishes and copies what an earlier change left. Never rejects. */
    async share(baseUrl: string, now: UnixSeconds): Promise<void> {
      try {
        const announcements = await withTimeout(store.readNewest(), READ_TIMEOUT_MS, 'announcements');
        if (announcements.length === 0) return;
        const copy = await store.readCopy();
        if (copy === undefined) return;
        const shared = copyOf(announcements, await publish(announcements, parsePublishedCounts(copy), baseUrl, now));
        if (shared !== copy) await store.writeCopy(shared);
      } catch (error) {
        logError('the announcements could not be shared', error);
      }
    },
  };
}

/** `baseUrl`: public address of the service. */
function toAnnouncementEventBody({ announcement, update, change }: PendingUpdate, baseUrl: string): EventBodies['announcement'] {
  const { id, title, severity, parts, startsAt, endsAt } = announcement;
  return {
    id,
    change,
    title,
    severity,
    parts,
    text: update.text,
    changed_at: update.at,
    starts_at: startsAt,
    ends_at: endsAt,
    url: `${baseUrl}/status#announcements`,
  };
}
