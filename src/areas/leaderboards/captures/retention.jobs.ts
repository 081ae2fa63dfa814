import type { Job } from '../../../platform/schedule/job.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../../platform/time/clock.ts';
import type { IngestClient } from '../ingest/ingest-client.ts';
import type { RawDumps } from '../ingest/raw-dumps.repository.ts';
import type { CapturesRepository } from './captures.repository.ts';
import type { PackingService } from './packing.service.ts';

export interface RetentionDeps {
  captures: CapturesRepository;
  raw: RawDumps;
  packing: PackingService;
  ingest: IngestClient;
}

/** An hour after the start of the game day, when the last capture of the day before is in. */
const OFFSET_SECONDS = 12 * SECONDS_PER_HOUR;
const TIMEOUT_SECONDS = 300;

/** Deletes old raw dumps and has captures of past game days packed; captures themselves are never deleted. */
export function createRetentionJob({ captures, raw, packing, ingest }: RetentionDeps): Job {
  return {
    name: 'leaderboards-retention',
    schedule: { everySeconds: SECONDS_PER_DAY, offsetSeconds: OFFSET_SECONDS, text: 'daily at 12:00 UTC' },
    timeoutSeconds: TIMEOUT_SECONDS,
    async run({ now, settings }) {
      const removed = await raw.removeBefore(now - settings.leaderboardsRawRetentionDays * SECONDS_PER_DAY);
      if (removed.length > 0) await captures.forgetRaw(removed);
      const tasks = await packing.plan(settings, now);
      if (tasks.length > 0) await ingest.enqueue(tasks.map((task) => ({ kind: 'pack', task })));
    },
  };
}
