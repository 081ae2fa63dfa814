import { type AreaContext, defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { logError } from '../../platform/kit/logging.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { correctRowCounts } from '../../platform/storage/row-counts.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { adminSettings } from './admin.settings.ts';
import { adminTables } from './admin.tables.ts';
import { billJob } from './bill/bill.jobs.ts';
import { createBillStore } from './bill/bill.store.ts';
import { createUsageAnalytics, type UsageAnalytics } from './bill/usage-analytics.upstream.ts';
import { storageSizeJob } from './storage-sizes.jobs.ts';

const ROW_COUNTS_TIMEOUT_SECONDS = 60;

/** The client of the platform's analytics; null while the account or the token is missing. */
function readAnalyticsConfig(env: AreaContext['env'], client: UpstreamClient): UsageAnalytics | null {
  const [url, account, token] = [env.ANALYTICS_URL, env.ANALYTICS_ACCOUNT, env.ANALYTICS_TOKEN ?? ''].map((value) => value.trim());
  return url && account && token ? createUsageAnalytics({ client, url, account, token }) : null;
}

/** Admin endpoints; hidden from the OpenAPI document. */
export const adminArea = defineArea({
  settings: adminSettings,
  stored: [
    {
      title: 'Administrator actions',
      what: 'The administrator who changed a setting, and when.',
      until: 'Without a time limit.',
    },
  ],
  tables: adminTables,
  create: ({ env, db, settings, storedSettings, settingRegistry, scopes, service, ports, upstream }) => ({
    endpoints: [
      lazyRoutes(['/admin', '/config'], async () => {
        const [{ createConfigEndpoints }, { createJobEndpoints }, { createOverviewEndpoint }, { createPortalConfigEndpoint }] =
          await Promise.all([
            import('./config.routes.ts'),
            import('./jobs.routes.ts'),
            import('./overview/overview.routes.ts'),
            import('./portal-config.routes.ts'),
          ]);
        return [
          await createOverviewEndpoint({ db, findBill: createBillStore(db, env.CACHE).find }, service.scheduler, settingRegistry, ports),
          ...createJobEndpoints(service.scheduler),
          ...createConfigEndpoints(storedSettings, settings, settingRegistry),
          createPortalConfigEndpoint(env.APP_NAME, ports.captchaSiteKey, scopes),
        ];
      }),
    ],
    jobs: [
      billJob({
        store: createBillStore(db, env.CACHE),
        analytics: readAnalyticsConfig(env, upstream),
        alert: (lines, now) => ports.alertOperator(lines, now),
      }),
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
