import type { EventPublisher } from '../../../platform/events/event-source.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { EVENT_BRANCH, GAME_UPDATE_EVENT } from '../updates.data.ts';
import type { AnnouncementsRepository } from './announcements.repository.ts';

/** A version that became visible. */
export interface VersionNews {
  branch: string;
  ordinal: number;
  now: UnixSeconds;
}

/**
 * Called when a version became visible: at least once for the newest version of a branch, so it must be idempotent; versions
 * that were followed by another at once may be skipped. What throws is called again a minute later.
 */
export type VersionHook = (news: VersionNews) => Promise<void>;

/** Notifies followers of the archive about new versions. */
export interface Announcer {
  /** Publishes pending version events. */
  announce(now: UnixSeconds): Promise<void>;
}

export interface AnnouncerDeps {
  announcements: AnnouncementsRepository;
  events: Pick<EventPublisher, 'changed'>;
  hooks: readonly VersionHook[];
}

export function createAnnouncer({ announcements, events, hooks }: AnnouncerDeps): Announcer {
  return {
    async announce(now) {
      for (const { branch, ordinal } of await announcements.pending()) {
        // The event depends on nothing that a hook does, and must not wait for one that fails.
        if (branch === EVENT_BRANCH) await events.changed(GAME_UPDATE_EVENT, now);
        for (const hook of hooks) await hook({ branch, ordinal, now });
        await announcements.announced({ branch, ordinal });
      }
    },
  };
}
