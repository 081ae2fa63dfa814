import { BRANCH_NAMES, type Branch } from '../../../game/branches.data.ts';
import type { Job } from '../../../platform/durable/schedule/job.ts';
import type { EventPublisher } from '../../../platform/events/event-source.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { runEach } from '../../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { EVENT_BRANCH, upstreamName } from '../updates.data.ts';
import { gameUpdateEvent } from '../updates.events.ts';
import type { AnnouncementsStore } from './announcements.store.ts';
import type { SyncStart } from './engine/engine.service.ts';

interface UpdateJobsDeps {
  probeSeconds: number;
  /** Whether the base URL of the patch network is set. */
  isConfigured: boolean;
  /** `skipBackoff` retries a failed step immediately. */
  startSync(branch: Branch, now: UnixSeconds, skipBackoff: boolean): Promise<SyncStart>;
  announcer: Announcer;
}

const PROBE_TIMEOUT_SECONDS = 180;
const ANNOUNCE_EVERY_SECONDS = 60;
const ANNOUNCE_TIMEOUT_SECONDS = 600;

/** Jobs: a probe per branch, and the announcement of versions, including those that a bulk load stored. */
export function createUpdateJobs({ probeSeconds, isConfigured, startSync, announcer }: UpdateJobsDeps): Job[] {
  const probes = BRANCH_NAMES.map(
    (branch): Job => ({
      name: `archive-sync-${branch}`,
      schedule: { everySeconds: probeSeconds },
      timeoutSeconds: PROBE_TIMEOUT_SECONDS,
      sources: [upstreamName(branch)],
      availability: (settings) => (settings.updatesArchiverEnabled ? (isConfigured ? 'enabled' : 'unconfigured') : 'disabled'),
      async run({ now, isManual }) {
        const outcome = await startSync(branch, now, isManual);
        if (outcome === 'leased') logError('the branch is being synced by another worker', null, { branch });
      },
    }),
  );
  return [
    ...probes,
    {
      name: 'archive-announce',
      schedule: { everySeconds: ANNOUNCE_EVERY_SECONDS },
      timeoutSeconds: ANNOUNCE_TIMEOUT_SECONDS,
      run: ({ now }) => announcer.announce(now),
    },
  ];
}

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
  announcements: AnnouncementsStore;
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
        // Last: a hook that failed, or a crash, repeats the announcement within a minute.
        await announcements.markAnnounced({ branch, ordinal });
      });
    },
  };
}
