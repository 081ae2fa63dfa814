import { z } from '@hono/zod-openapi';
import type { Caller } from '../../platform/access/policy/admission.ts';
import { adminAccess, feedbackAccess, sessionAccess } from '../../platform/access/policy/policy.ts';
import { sessionOf } from '../../platform/access/sessions/session-admission.ts';
import type { Ports } from '../../platform/area/area.ts';
import { severalLines } from '../../platform/http/bodies/typed-texts.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError, notFound } from '../../platform/kit/errors/api-error.ts';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { MAX_PAGE_LENGTH, REPORT_MESSAGE_LENGTH, REPORT_REASONS, REPORTABLE_PAGES } from './reports.data.ts';
import { allReportsRateLimit, reportRateLimit } from './reports.settings.ts';
import type { ListedReport, ReportsStore } from './reports.store.ts';

const MAX_CAPTCHA_LENGTH = 4096;
const EXAMPLE_TIME = '2026-03-10T15:30:00.000Z';

const fields = {
  page: z
    .string()
    .max(MAX_PAGE_LENGTH)
    .regex(REPORTABLE_PAGES, 'must be the path of a mod, a pack or an author')
    .openapi({ description: 'Path of the page: of a mod, a pack or an author.', example: '/mods/ada/better-maps' }),
  reason: z.enum(REPORT_REASONS).openapi({ description: 'Kind of problem.', example: 'malware' }),
  message: severalLines(z.string().trim().min(REPORT_MESSAGE_LENGTH.min).max(REPORT_MESSAGE_LENGTH.max)).openapi({
    description: 'What is wrong, 10 to 2000 characters.',
    example: 'The newest release starts a miner.',
  }),
};
const AccountReportInput = z.object(fields).openapi('AccountReport');
const VisitorReportInput = z
  .object({
    ...fields,
    captcha_token: z
      .string()
      .max(MAX_CAPTCHA_LENGTH)
      .optional()
      .openapi({ description: 'Response token of the captcha, when one is shown.', example: 'XXXX.DUMMY.TOKEN.XXXX' }),
  })
  .openapi('VisitorReport');

const ReportReceivedBody = z
  .object({ message: z.string().openapi({ description: 'Result, as a sentence for the user.', example: 'The report was received.' }) })
  .openapi('ReportReceived');

const time = (description: string) => z.string().openapi({ description, example: EXAMPLE_TIME });
const ReportBody = z
  .object({
    id: z.string().openapi({ description: 'Id of the report.', example: '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11' }),
    page: z.string().openapi({ description: 'Path of the page.', example: '/mods/ada/better-maps' }),
    reason: fields.reason,
    message: z.string().openapi({ description: 'What is wrong.', example: 'The newest release starts a miner.' }),
    reporter_email: z
      .string()
      .nullable()
      .openapi({ description: 'Email address of the reporter; null for a visitor.', example: 'ada@example.com' }),
    created_at: time('Time of the report.'),
    decided_at: time('Time of the decision; null while open.').nullable(),
    decided_by: z
      .string()
      .nullable()
      .openapi({ description: 'Account of the superuser, or null.', example: '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11' }),
    decision: z.enum(['acted', 'dismissed']).nullable().openapi({ description: 'Decision; null while open.', example: 'acted' }),
    decision_note: z.string().nullable().openapi({ description: 'Note of the superuser, or null.', example: 'Taken down.' }),
  })
  .openapi('ContentReport');

const ReportsBody = z
  .object({
    items: z.array(ReportBody).openapi({ description: 'Open reports oldest first, decided ones newest first.' }),
    count: z.number().int().openapi({ description: 'Number of items on this page.', example: 1 }),
    open: z.number().int().openapi({ description: 'Number of open reports.', example: 1 }),
  })
  .openapi('ContentReports');

const ReportsQuery = z.object({
  state: z.enum(['open', 'decided']).default('open').openapi({ description: 'Which reports.', example: 'open' }),
  limit: integerWithDefault({ min: 1, max: 200, default: 50, description: 'Maximum number of items on the page.', example: 50 }),
  offset: integerWithDefault({ min: 0, max: 1_000_000_000, default: 0, description: 'Number of items to skip.', example: 0 }),
});
const ReportParams = z.object({ id: z.string().max(64).openapi({ description: 'Id of the report.', example: 'unknown' }) });
const DecisionInput = z
  .object({
    decision: z.enum(['acted', 'dismissed']).openapi({ description: '`acted`: something was done about the content.', example: 'acted' }),
    note: severalLines(z.string().trim().max(500))
      .nullish()
      .openapi({ description: 'Note for the audit trail. Up to 500 characters.', example: 'Taken down.' }),
  })
  .openapi('ReportDecision');

const toReportBody = (report: ListedReport): z.infer<typeof ReportBody> => ({
  id: report.id,
  page: report.page,
  reason: report.reason,
  message: report.message,
  reporter_email: report.email,
  created_at: toIso(report.createdAt),
  decided_at: isoOrNull(report.decidedAt),
  decided_by: report.decidedBy,
  decision: report.decision,
  decision_note: report.decisionNote,
});
const isoOrNull = (at: UnixSeconds | null) => (at === null ? null : toIso(at));

interface ReportRoutesDeps {
  reports: ReportsStore;
  requireCaptcha: Ports['requireCaptcha'];
  newId(): string;
}

type ReportInput = z.infer<typeof AccountReportInput>;

const sending = { method: 'post', tag: 'Portal', surface: 'portal', hidden: true } as const;
const deciding = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess } as const;

/** Reports of public content, and the queue of superusers. */
export function createReportEndpoints({ reports, requireCaptcha, newId }: ReportRoutesDeps): Endpoint[] {
  async function store({ page, reason, message }: ReportInput, userId: string | null, createdAt: UnixSeconds) {
    const isStored = await reports.add({ id: newId(), page, reason, message, userId, createdAt });
    if (!isStored) throw new ApiError('service_unavailable', 'too many reports are open', { hint: 'try again tomorrow' });
    return json({ message: 'The report was received. A moderator reads it.' });
  }

  return [
    defineRoute({
      ...sending,
      path: '/reports/account',
      operationId: 'sendReportOfAccount',
      summary: 'Report content as an account',
      description: 'Reports the content of a public page, in the name of the signed-in account.',
      access: sessionAccess('ordinary', reportRateLimit),
      body: AccountReportInput,
      errors: ['service_unavailable'],
      ok: { description: 'Received.', schema: ReportReceivedBody },
    }).handle(({ body, caller, now }) => store(body, sessionOf(caller).userId, now)),

    defineRoute({
      ...sending,
      path: '/reports/visitor',
      operationId: 'sendReportOfVisitor',
      summary: 'Report content as a visitor',
      description: 'Reports the content of a public page, after the captcha. The IP address is not stored.',
      access: feedbackAccess(reportRateLimit, allReportsRateLimit),
      body: VisitorReportInput,
      errors: ['captcha_failed', 'service_unavailable'],
      ok: { description: 'Received.', schema: ReportReceivedBody },
    }).handle(async (input) => {
      await requireCaptcha(input, 'report', input.body.captcha_token);
      if (await input.chargeLater())
        throw new ApiError('rate_limited', 'visitors have sent all reports of today', { hint: 'sign in to send a report' });
      return store(input.body, null, input.now);
    }),

    defineRoute({
      ...deciding,
      method: 'get',
      path: '/admin/reports',
      operationId: 'listReports',
      summary: 'List reports',
      description: 'Lists reports of public content: open ones, or decided ones with who decided.',
      query: ReportsQuery,
      ok: { description: 'A page of reports.', schema: ReportsBody },
    }).handle(async ({ query }) => {
      const [rows, open] = await Promise.all([reports.list(query.state, query), reports.countOpen()]);
      return json({ items: rows.map(toReportBody), count: rows.length, open });
    }),

    defineRoute({
      ...deciding,
      method: 'post',
      path: '/admin/reports/{id}/decide',
      operationId: 'decideReport',
      summary: 'Decide a report',
      description: 'Closes a report. Taking the content down or suspending the account is a request of its own.',
      params: ReportParams,
      body: DecisionInput,
      errors: ['not_found', 'conflict'],
      ok: { description: 'The report.', schema: ReportBody },
    }).handle(async ({ params: { id }, body: { decision, note }, caller, now }) => {
      const decided = await reports.decide(id, { decision, note: note || null, actor: actorOf(caller), now });
      if (decided) return json(toReportBody({ ...decided, email: null }));
      if (await reports.find(id)) throw new ApiError('conflict', 'the report was decided before');
      throw notFound('report not found');
    }),
  ];
}

function actorOf(caller: Caller): string {
  if (caller.kind === 'anonymous') throw new ApiError('not_authenticated', 'sign in');
  return caller.userId;
}
