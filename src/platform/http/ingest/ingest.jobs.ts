import type { Job } from '../../durable/schedule/job.ts';
import { SECONDS_PER_DAY } from '../../kit/time/clock.ts';
import type { IngestLog } from './ingest-log.ts';

/** Retention of the ingest log: three times the retention of the dumps. */
const INGEST_LOG_TTL_SECONDS = 90 * SECONDS_PER_DAY;
const TIMEOUT_SECONDS = 60;

/** Deletes expired records of the ingest log. */
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
