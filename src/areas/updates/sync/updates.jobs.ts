import { BRANCH_NAMES, type Branch } from '../../../game/branches.data.ts';
import type { Job } from '../../../platform/durable/schedule/job.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { upstreamName } from '../updates.data.ts';
import type { Announcer } from './announcer.service.ts';
import type { SyncStart } from './archive-sync.service.ts';

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
