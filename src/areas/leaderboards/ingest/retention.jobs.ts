import type { Job } from '../../../platform/durable/schedule/job.ts';
import { gameDayStart, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../../platform/kit/time/clock.ts';
import type { CapturesStore } from '../captures/captures.store.ts';
import type { PackingService } from '../captures/packing.service.ts';
import type { IngestClient } from './ingest-client.service.ts';
import type { RawDumps } from './raw-dumps.store.ts';

interface RetentionDeps {
  captures: CapturesStore;
  raw: RawDumps;
  packing: PackingService;
  ingest: IngestClient;
}

/** One hour after the start of the game day: by then the last capture of the previous day is stored. */
const OFFSET_SECONDS = 12 * SECONDS_PER_HOUR;
const TIMEOUT_SECONDS = 300;

/** Deletes old raw dumps, and queues the packing of past game days, the update of the player totals and the check of the players in the search. Captures are never deleted. */
export function createRetentionJob({ captures, raw, packing, ingest }: RetentionDeps): Job {
  return {
    name: 'leaderboards-retention',
    schedule: { everySeconds: SECONDS_PER_DAY, offsetSeconds: OFFSET_SECONDS, text: 'daily at 12:00 UTC' },
    timeoutSeconds: TIMEOUT_SECONDS,
    async run({ now, settings }) {
      const removed = await raw.deleteBefore(now - settings.leaderboardsRawRetentionDays * SECONDS_PER_DAY);
      if (removed.length > 0) await captures.clearRawKeys(removed);
      const tasks = await packing.plan(settings, now);
      await ingest.enqueue([
        ...tasks.map((task) => ({ kind: 'pack' as const, task })),
        // Past game days only: their captures rarely change.
        { kind: 'totals', task: { until: gameDayStart(now) - 1, shard: null, rebuildOf: null } },
        { kind: 'player-documents', task: { after: '' } },
      ]);
    },
  };
}
