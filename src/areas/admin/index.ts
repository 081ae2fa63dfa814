import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { adminBackup } from './admin.tables.ts';
import { storageSizeJob } from './storage-sizes.jobs.ts';

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
  impersonalTables: ['storage_sizes'],
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
    jobs: [storageSizeJob(db, { OUTBOX: env.OUTBOX, BOARDS: env.BOARDS, ARCHIVE: env.ARCHIVE, BACKUPS: env.BACKUPS })],
  }),
});
