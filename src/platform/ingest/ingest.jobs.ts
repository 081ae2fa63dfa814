import type { Job } from '../schedule/job.ts';
import { SECONDS_PER_DAY } from '../time/clock.ts';
import type { IngestLog } from './ingest-log.ts';

/** Retention of the ingest log: three times that of the dumps it describes. */
const INGEST_LOG_TTL_SECONDS = 90 * SECONDS_PER_DAY;
const TIMEOUT_SECONDS = 60;

/** Forgetting what is old. */
export function ingestJobs(log: Pick<IngestLog, 'deleteExpired'>): Job[] {
  return [
    {
      name: 'ingest-sweep',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: TIMEOUT_SECONDS,
      run: ({ now }) => log.deleteExpired(now - INGEST_LOG_TTL_SECONDS),
    },
  ];
}
