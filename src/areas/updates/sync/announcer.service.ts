import type { EventPublisher } from '../../../platform/events/event-source.ts';
import { runEach } from '../../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { gameUpdateEvent } from '../events.ts';
import { EVENT_BRANCH } from '../updates.data.ts';
import type { AnnouncementsRepository } from './announcements.store.ts';

/** A version that became visible. */
export interface NewVersion {
  branch: string;
  ordinal: number;
  now: UnixSeconds;
}

/**
 * Called at least once for the newest visible version of a branch: must be idempotent. Versions replaced by a newer one before
 * the call are skipped. A hook that throws is called again a minute later, with the other hooks of the branch; it does not hold up
 * other branches.
 */
export type VersionHook = (version: NewVersion) => Promise<void>;

/** Notifies followers of the archive about new versions. */
export type Announcer = ReturnType<typeof createAnnouncer>;

interface AnnouncerDeps {
  announcements: AnnouncementsRepository;
  events: Pick<EventPublisher, 'changed'>;
  hooks: readonly VersionHook[];
}

export function createAnnouncer({ announcements, events, hooks }: AnnouncerDeps) {
  /** Published first: the hooks take longer. */
  const publishEvent: VersionHook = async ({ branch, now }) => {
    if (branch === EVENT_BRANCH) await events.changed(gameUpdateEvent.type, now);
  };

  return {
    /** Publishes pending version events. */
    async announce(now: UnixSeconds): Promise<void> {
      await runEach(await announcements.listPending(), async ({ branch, ordinal }) => {
        await runEach([publishEvent, ...hooks], (hook) => hook({ branch, ordinal, now }));
        await announcements.markAnnounced({ branch, ordinal });
      });
    },
  };
}
