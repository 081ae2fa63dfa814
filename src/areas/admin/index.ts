import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { logError } from '../../platform/kit/logging.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { correctRowCounts } from '../../platform/storage/row-counts.ts';
import { adminBackup } from './admin.tables.ts';
import { storageSizeJob } from './storage-sizes.jobs.ts';

const ROW_COUNTS_TIMEOUT_SECONDS = 60;

/** Admin endpoints; hidden from the OpenAPI document. */
export const adminArea = defineArea({
  stored: [
    {
      title: 'Administrator actions',
      what: 'The administrator who changed a setting, and when.',
      until: 'Without a time limit.',
      tables: ['setting_changes', 'setting_overrides'],
    },
  ],
  impersonalTables: ['storage_sizes', 'row_counts'],
  backup: adminBackup,
  create: ({ env, db, settings, storedSettings, settingRegistry, scopes, service, ports }) => ({
    endpoints: [
      lazyRoutes(['/admin', '/config'], async () => {
        const [{ createConfigEndpoints }, { createJobEndpoints }, { createOverviewEndpoint }, { createPortalConfigEndpoint }] =
          await Promise.all([
            import('./config.routes.ts'),
            import('./jobs.routes.ts'),
            import('./overview.routes.ts'),
            import('./portal-config.routes.ts'),
          ]);
        return [
          await createOverviewEndpoint(db, service.scheduler, settingRegistry, ports),
          ...createJobEndpoints(service.scheduler),
          ...createConfigEndpoints(storedSettings, settings, settingRegistry),
          createPortalConfigEndpoint(env.APP_NAME, ports.captchaSiteKey, scopes),
        ];
      }),
    ],
    jobs: [
      storageSizeJob(db, { OUTBOX: env.OUTBOX, BOARDS: env.BOARDS, ARCHIVE: env.ARCHIVE, BACKUPS: env.BACKUPS }),
      {
        name: 'row-counts',
        schedule: { everySeconds: SECONDS_PER_DAY, text: 'daily, for kept totals that differ from their tables' },
        timeoutSeconds: ROW_COUNTS_TIMEOUT_SECONDS,
        async run() {
          const corrected = await correctRowCounts(db);
          if (corrected.length > 0) logError('totals were wrong', corrected.join(', '));
        },
      },
    ],
  }),
});
