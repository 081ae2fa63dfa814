import type { Job } from '../schedule/job.ts';
import { SECONDS_PER_DAY } from '../time/clock.ts';
import type { IngestLog } from './ingest-log.ts';

/** How long the log of inserts is kept: three times as long as the dumps it tells of. */
const KEPT_SECONDS = 90 * SECONDS_PER_DAY;
const TIMEOUT_SECONDS = 60;

/** Forgetting what is old. */
export function ingestJobs(log: Pick<IngestLog, 'prune'>): Job[] {
  return [
    {
      name: 'ingest-sweep',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: TIMEOUT_SECONDS,
      run: ({ now }) => log.prune(now - KEPT_SECONDS),
    },
  ];
}
