import type { EventPublisher } from '../../../platform/events/event-source.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { MOD_RELEASE } from './mod-release-event.domain.ts';
import type { Announcement, ModWrites } from './mod-writes.repository.ts';

/** Releases told of in one run: the next run is a minute away. */
const BATCH = 50;

/**
 * Tells the event stream of releases. What is to be told is stored with the release and forgotten once the stream has
 * it; the stream takes each release once. So a crash between the two loses no event and doubles none.
 */
export interface Announcements {
  tell(announcement: Announcement, now: UnixSeconds): Promise<void>;
  /** Tells whatever was left over. */
  tellPending(now: UnixSeconds): Promise<void>;
}

export function createAnnouncements(writes: ModWrites, events: Pick<EventPublisher, 'announce'>): Announcements {
  async function tell({ releaseId, data }: Announcement, now: UnixSeconds): Promise<void> {
    if (await events.announce(MOD_RELEASE, releaseId, data, now)) await writes.announced(releaseId);
  }

  return {
    tell,
    async tellPending(now) {
      for (const announcement of await writes.pendingAnnouncements(BATCH)) await tell(announcement, now);
    },
  };
}
