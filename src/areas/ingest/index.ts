import { defineArea } from '../../platform/area/area.ts';
import type { IngestLog } from '../../platform/http/pipeline/receipt.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { createIngestLog, selectInserts } from './ingest.store.ts';
import { ingestTables } from './ingest.tables.ts';

/** Retention of the log: three times the retention of the dumps. */
const LOG_TTL_SECONDS = 90 * SECONDS_PER_DAY;
const DELETE_TIMEOUT_SECONDS = 60;

declare module '../../platform/area/area.ts' {
  interface Ports {
    ingestLog: IngestLog;
    selectInserts: typeof selectInserts;
  }
}

/** The log of inserts, and their receipts. */
export const ingestArea = defineArea({
  tags: {
    Ingest: 'Results of inserts, for the clients that send them.',
  },
  stored: [
    {
      title: 'Inserts',
      what: 'The administrator who sent an insert, and when.',
      until: 'For 90 days.',
    },
  ],
  tables: ingestTables,
  create({ db }) {
    const log = createIngestLog(db);
    return {
      endpoints: [lazyRoutes(['/v1/ingest', '/admin'], async () => (await import('./ingest.routes.ts')).createIngestEndpoints(log))],
      jobs: [
        {
          name: 'ingest-sweep',
          schedule: { everySeconds: SECONDS_PER_DAY },
          timeoutSeconds: DELETE_TIMEOUT_SECONDS,
          run: ({ now }) => log.deleteExpired(now - LOG_TTL_SECONDS),
        },
      ],
      provides: { ingestLog: log, selectInserts },
    };
  },
});
