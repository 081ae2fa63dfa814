import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { defineArea } from '../../platform/area/area.ts';
import type { Scheduler } from '../../platform/durable/schedule/scheduler.ts';
import type { IngestLog } from '../../platform/http/ingest/ingest-log.ts';
import { lazyRoutes, type Routes } from '../../platform/http/pipeline/route-groups.ts';
import type { SettingRegistry } from '../../platform/settings/setting-values.ts';
import type { SettingsRepository } from '../../platform/settings/settings.repository.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { OverviewDeps } from './overview.routes.ts';
import { storageSizeJob } from './storage-sizes.ts';

export interface AdminAreaDeps extends Pick<OverviewDeps, 'db' | 'countStreams' | 'lastBackup'> {
  scheduler(): Scheduler;
  /** Cached settings of the isolate. */
  settings: SettingsSource;
  /** Stored settings, without cache. */
  stored: SettingsRepository;
  ingestLog: IngestLog;
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
  ingestLog,
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
      lazyRoutes(['/admin', '/config', '/v1/ingest'], async () => {
        const [
          { createConfigEndpoints },
          { createIngestEndpoints },
          { createJobEndpoints },
          { createOverviewEndpoint },
          { createPortalConfigEndpoint },
        ] = await Promise.all([
          import('./config.routes.ts'),
          import('./ingest.routes.ts'),
          import('./jobs.routes.ts'),
          import('./overview.routes.ts'),
          import('./portal-config.routes.ts'),
        ]);
        return [
          createOverviewEndpoint({ ...overview, scheduler, registry: settingRegistry }),
          ...createJobEndpoints(scheduler),
          ...createConfigEndpoints(stored, settings, settingRegistry),
          ...createIngestEndpoints(ingestLog),
          createPortalConfigEndpoint(appName, captchaSiteKey, scopes),
        ];
      }),
    ],
  };
}

export const adminArea = defineArea({
  tags: {
    Ingest: 'Results of inserts, for the clients that send them.',
  },
  stored: [
    {
      title: 'Administrator actions',
      what: 'The administrator who sent an insert or changed a setting, and when.',
      until: 'Inserts for 90 days, setting changes without a time limit.',
      tables: ['ingest_log', 'setting_changes', 'setting_overrides'],
    },
  ],
  impersonalTables: ['storage_sizes'],
  create({ env, db, settings, storedSettings, settingRegistry, ingestLog, scopes, service, ports }) {
    const area = createAdminArea({
      db,
      settings,
      settingRegistry,
      ingestLog,
      scopes,
      stored: storedSettings,
      scheduler: service.scheduler,
      appName: env.APP_NAME,
      captchaSiteKey: () => ports.captchaSiteKey(),
      countStreams: () => ports.countStreams(),
      lastBackup: () => ports.lastBackup(),
    });
    return { ...area, jobs: [storageSizeJob(db, { OUTBOX: env.OUTBOX, BOARDS: env.BOARDS, ARCHIVE: env.ARCHIVE, BACKUPS: env.BACKUPS })] };
  },
});
