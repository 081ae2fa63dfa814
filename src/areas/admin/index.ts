import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { defineArea } from '../../platform/area/area.ts';
import type { Scheduler } from '../../platform/durable/schedule/scheduler.ts';
import { lazyRoutes, type Routes } from '../../platform/http/pipeline/route-groups.ts';
import type { SettingRegistry } from '../../platform/settings/setting-values.ts';
import type { SettingsRepository } from '../../platform/settings/settings.repository.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import { adminBackup } from './admin.tables.ts';
import type { OverviewDeps } from './overview.routes.ts';
import { storageSizeJob } from './storage-sizes.jobs.ts';

interface AdminAreaDeps extends Pick<OverviewDeps, 'db' | 'countStreams' | 'lastBackup' | 'selectInserts' | 'trafficShape'> {
  scheduler(): Scheduler;
  /** Cached settings of the isolate. */
  settings: SettingsSource;
  /** Stored settings, without cache. */
  stored: SettingsRepository;
  appName: string;
  settingRegistry: SettingRegistry;
  scopes: ScopeRegistry;
  /** Public site key of the captcha; null: no captcha. */
  captchaSiteKey(): string | null;
}

/** Admin endpoints; hidden from the OpenAPI document. */
export function createAdminArea({
  scheduler,
  settings,
  stored,
  appName,
  settingRegistry,
  scopes,
  captchaSiteKey,
  ...overview
}: AdminAreaDeps): {
  endpoints: Routes[];
} {
  return {
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
          await createOverviewEndpoint({ ...overview, scheduler, registry: settingRegistry }),
          ...createJobEndpoints(scheduler),
          ...createConfigEndpoints(stored, settings, settingRegistry),
          createPortalConfigEndpoint(appName, captchaSiteKey, scopes),
        ];
      }),
    ],
  };
}

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
  create({ env, db, settings, storedSettings, settingRegistry, scopes, service, ports }) {
    const area = createAdminArea({
      db,
      settings,
      settingRegistry,
      scopes,
      stored: storedSettings,
      scheduler: service.scheduler,
      appName: env.APP_NAME,
      captchaSiteKey: () => ports.captchaSiteKey(),
      countStreams: () => ports.countStreams(),
      lastBackup: () => ports.lastBackup(),
      selectInserts: (...input) => ports.selectInserts(...input),
      trafficShape: () => ports.trafficShape(),
    });
    return { ...area, jobs: [storageSizeJob(db, { OUTBOX: env.OUTBOX, BOARDS: env.BOARDS, ARCHIVE: env.ARCHIVE, BACKUPS: env.BACKUPS })] };
  },
});
