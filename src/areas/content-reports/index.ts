import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { MAX_PAGE_LENGTH, REPORT_MESSAGE_LENGTH, REPORT_TTL_SECONDS } from './reports.data.ts';
import { createReportsStore } from './reports.store.ts';
import { reportsTables } from './reports.tables.ts';

const DELETE_TIMEOUT_SECONDS = 60;

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** Greatest lengths of a report. */
    reportForm: { maxPage: number; maxMessage: number };
  }
}

/** Reports of public content: a form for everyone, and a queue for superusers. */
export const reportsArea = defineArea({
  stored: [
    {
      title: 'Reports',
      what: 'Page, reason and text of a report about public content, the account that sent it if it was signed in, and who decided.',
      until: 'Until 400 days after the decision. If you delete your account, the report stays without it.',
    },
  ],
  tables: reportsTables,
  create({ db, ports, newId }) {
    const reports = createReportsStore(db);
    return {
      endpoints: [
        lazyRoutes(['/reports', '/admin'], async () => {
          const { createReportEndpoints } = await import('./reports.routes.ts');
          return createReportEndpoints({ reports, requireCaptcha: (...given) => ports.requireCaptcha(...given), newId });
        }),
      ],
      jobs: [
        {
          name: 'reports-sweep',
          schedule: { everySeconds: SECONDS_PER_DAY },
          timeoutSeconds: DELETE_TIMEOUT_SECONDS,
          run: ({ now }) => reports.deleteDecided(now - REPORT_TTL_SECONDS),
        },
      ],
      provides: { reportForm: { maxPage: MAX_PAGE_LENGTH, maxMessage: REPORT_MESSAGE_LENGTH.max } },
      accountData: { delete: reports.deleteByAccount },
    };
  },
});
