import { z } from '@hono/zod-openapi';
import { normalizeAddress } from '../../platform/access/policy/addresses.ts';
import { pageAccess, sessionAccess } from '../../platform/access/policy/policy.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { Ports, StoredKind } from '../../platform/area/area.ts';
import type { EventRegistry } from '../../platform/events/event-declaration.ts';
import { defineRoute, type Endpoint, type RouteInput } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError, notFound } from '../../platform/kit/errors/api-error.ts';
import { accountPage, sessionsPage } from './account.pages.tsx';
import {
  ingestPage,
  interestItemsPage,
  jobsPage,
  modsPage,
  overviewPage,
  serviceUsagePage,
  settingsPage,
  supportersPage,
  usersPage,
} from './admin.pages.tsx';
import { announcementsPage } from './announcements.page.tsx';
import { createBoardPageEndpoints } from './boards/boards.routes.ts';
import { createChartPageEndpoints } from './charts/charts.routes.ts';
import { createCodexPageEndpoints } from './codex/codex.routes.ts';
import { createDayPageEndpoints } from './days/days.routes.ts';
import type { NewsReader } from './days/news.service.ts';
import { createFollowedEndpoint } from './followed.routes.ts';
import { frontPage } from './front/front.page.tsx';
import type { createFrontFacts } from './front/front.service.ts';
import { enterGiveawaysPage, giveawaysPage } from './giveaways.pages.tsx';
import { htmlPage } from './layout/html-page.routes.ts';
import { type PageContent, type PageMaker, pageReply, viewerOf } from './layout/layout.page.tsx';
import { gameNames, nameLanguage } from './layout/reader-language.service.ts';
import { privacyPage, termsPage } from './legal.pages.tsx';
import { createModPageEndpoints, ModPageParams } from './mods.routes.ts';
import { movedPages } from './moved.routes.ts';
import type { PreviewImages } from './previews/previews.service.ts';
import { frontPreview } from './previews/previews.service.ts';
import { createPreviewEndpoints } from './previews.routes.ts';
import { invitationPage, projectPage, projectsPage } from './projects.pages.tsx';
import { reportPage, reportsPage } from './reports.pages.tsx';
import { createSearchPageEndpoints } from './search.page.tsx';
import {
  checkMailPage,
  confirmChangePage,
  confirmDevicePage,
  forgotPage,
  loginPage,
  type MailboxMessage,
  mailboxPage,
  resendPage,
  resetPage,
  signUpPage,
  verifyPage,
} from './sign-in.pages.tsx';
import { tokensPage, usagePage } from './tokens.pages.tsx';
import { createToolPageEndpoints } from './tools/tools.routes.ts';
import { createUpdatePageEndpoints } from './updates.routes.ts';
import { webhookDesignsPage, webhooksPage } from './webhooks/chat.pages.tsx';
import { signedWebhooksPage } from './webhooks/signed.page.tsx';

interface PortalRoutesDeps extends PageMaker {
  captchaSiteKey: string | null;
  /** `mailto:` or web URL of the operator. */
  contact: string;
  /** Personal data that the areas store. */
  stored: readonly StoredKind[];
  scopes: ScopeRegistry;
  events: EventRegistry;
  ports: Ports;
  frontFacts: ReturnType<typeof createFrontFacts>;
  previews: PreviewImages;
  /** The newest articles of the news. */
  news: NewsReader;
  /** Emails that a development server stores; null if a mail service is configured. */
  mailbox(): Promise<readonly MailboxMessage[]> | null;
  hasMailbox: boolean;
}

type PageInput = RouteInput<undefined, undefined, undefined>;

interface PageSpec {
  path: string;
  operationId: string;
  summary: string;
  content(input: PageInput): PageContent | Promise<PageContent>;
  /** Signed-in accounts that are not superusers get 403. */
  isForSuperusers: boolean;
}

const page = (path: string, operationId: string, summary: string, content: PageSpec['content']): PageSpec => ({
  path,
  operationId,
  summary,
  content,
  isForSuperusers: false,
});
const adminPage: typeof page = (...spec) => ({ ...page(...spec), isForSuperusers: true });

/** `/`, `/portal/*` and the targets of links in emails. Portal pages contain no data; their scripts load it from the API. */
export function createPortalEndpoints(deps: PortalRoutesDeps): Endpoint[] {
  const { ports } = deps;
  const pages = [...publicPages(deps), ...accountPages(deps), ...adminPages(deps), ...(deps.hasMailbox ? [mailboxPageSpec(deps)] : [])];
  return [
    ...pages.map((spec) => pageEndpoint(spec, deps)),
    projectPageEndpoint(deps),
    ...createModPageEndpoints(deps, ports),
    ...createUpdatePageEndpoints(deps, ports),
    ...createCodexPageEndpoints(deps, ports),
    ...createSearchPageEndpoints(deps, ports),
    ...createChartPageEndpoints(deps, ports),
    ...createBoardPageEndpoints(deps, ports),
    ...createDayPageEndpoints(deps, ports, deps.news),
    ...createToolPageEndpoints(deps),
    ...createPreviewEndpoints(deps.appName, deps.previews, ports),
    ...movedPages,
    createFollowedEndpoint(ports),
    myAddress,
  ];
}

function pageEndpoint({ path, operationId, summary, content, isForSuperusers }: PageSpec, site: PageMaker): Endpoint {
  return defineRoute({
    ...htmlPage,
    path,
    operationId,
    summary,
    description: `${summary}.`,
    access: pageAccess,
    errors: [...(isForSuperusers ? (['forbidden'] as const) : []), ...(path.startsWith('/portal/dev/') ? (['not_found'] as const) : [])],
  }).handle(async (input) => {
    const { caller } = input;
    if (isForSuperusers && caller.kind === 'session' && !caller.isSuperuser)
      throw new ApiError('forbidden', 'this page requires a superuser account');
    return pageReply(site, await content(input), viewerOf(caller));
  });
}

/** The page of one project. Its script reads the address from the path. */
function projectPageEndpoint(site: PageMaker): Endpoint {
  return defineRoute({
    ...htmlPage,
    path: '/portal/projects/{handle}/{slug}',
    operationId: 'getProjectPage',
    summary: 'Page of a project',
    description: 'Page of a project.',
    access: pageAccess,
    params: ModPageParams,
  }).handle(({ caller }) => pageReply(site, projectPage(), viewerOf(caller)));
}

const MyAddressBody = z
  .object({
    address: z.string().nullable().openapi({ description: 'IP address of the client; null when unknown.', example: '198.51.100.7' }),
  })
  .openapi('MyAddress');

/** The allowlist editor uses it for "Add my address". */
const myAddress = defineRoute({
  method: 'get',
  path: '/portal/my-address',
  operationId: 'getMyAddress',
  tag: 'Portal',
  summary: 'Get the client address',
  description: 'Returns the IP address of the client in the form that allowlists use.',
  access: sessionAccess(),
  surface: 'portal',
  hidden: true,
  ok: { description: 'The address.', schema: MyAddressBody },
}).handle(({ request }) => {
  const address = request.headers.get('CF-Connecting-IP');
  return json({ address: address === null ? null : normalizeAddress(address) });
});

function publicPages({ appName, captchaSiteKey, contact, stored, frontFacts, ports }: PortalRoutesDeps): PageSpec[] {
  const legal = { appName, contact, stored, hasCaptcha: captchaSiteKey !== null };
  return [
    page('/', 'getFrontPage', 'Front page', async ({ baseUrl, now, settings, request }) => {
      const facts = await frontFacts(now, settings, baseUrl);
      const language = await nameLanguage(ports.codexReader, request, { isOff: facts.models.length === 0 });
      const names = await gameNames(ports.codexReader, language, { paths: facts.models.map(({ path }) => path) });
      const models = facts.models.map((model) => ({ ...model, name: names.at(model.path, model.name) }));
      return { ...frontPage({ ...facts, models }, { settings, baseUrl, now }), preview: frontPreview(appName, baseUrl) };
    }),
    page('/portal/login', 'getLoginPage', 'Sign-in page', () => loginPage(captchaSiteKey)),
    page('/portal/signup', 'getSignUpPage', 'Sign-up page', () => signUpPage(captchaSiteKey)),
    page('/portal/check-mail', 'getCheckMailPage', 'Page after sign-up', checkMailPage),
    page('/portal/verify-email', 'getResendPage', 'Page to resend the verification', () => resendPage(captchaSiteKey)),
    page('/portal/forgot-password', 'getForgotPage', 'Page to request a reset', () => forgotPage(captchaSiteKey)),
    page('/portal/reset-password', 'getResetPage', 'Page to set a new password', resetPage),
    page('/auth/verify-email', 'getVerifyPage', 'Page to verify an address', verifyPage),
    page('/auth/verify-email-change', 'getConfirmChangePage', 'Page to confirm a new address', confirmChangePage),
    page('/auth/confirm-device', 'getConfirmDevicePage', 'Page to confirm a device', confirmDevicePage),
    page('/portal/invitation', 'getInvitationPage', 'Page to decide about an invitation', invitationPage),
    page('/portal/report', 'getReportPage', 'Page to report content', ({ caller }) =>
      reportPage(ports.reportForm, captchaSiteKey, caller.kind === 'session'),
    ),
    page('/docs/privacy', 'getPrivacyPage', 'Privacy page', () => privacyPage(legal)),
    page('/docs/terms', 'getTermsPage', 'Terms page', () => termsPage(legal)),
  ];
}

const accountPages = ({ scopes, events }: PortalRoutesDeps): PageSpec[] => [
  page('/portal', 'getPortalPage', 'Portal start page', ({ caller }) =>
    caller.kind === 'session' && caller.isSuperuser ? overviewPage() : tokensPage(scopes),
  ),
  page('/portal/tokens', 'getTokensPage', 'Tokens page', () => tokensPage(scopes)),
  page('/portal/usage', 'getUsagePage', 'Usage page', usagePage),
  page('/portal/webhooks', 'getWebhooksPage', 'Chat webhooks page', () => webhooksPage(events)),
  page('/portal/webhooks/signed', 'getSignedWebhooksPage', 'Signed webhooks page', () => signedWebhooksPage(events)),
  page('/portal/webhooks/designs', 'getWebhookDesignsPage', 'Webhook designs page', () => webhookDesignsPage(events)),
  page('/portal/account', 'getAccountPage', 'Account page', accountPage),
  page('/portal/sessions', 'getSessionsPage', 'Sessions page', sessionsPage),
  page('/portal/projects', 'getProjectsPage', 'Page of own mods', projectsPage),
  page('/portal/giveaways', 'getEnterGiveawaysPage', 'Page to enter giveaways', enterGiveawaysPage),
];

const adminPages = ({ ports }: PortalRoutesDeps): PageSpec[] => [
  adminPage('/portal/admin', 'getOverviewPage', 'Overview page', overviewPage),
  adminPage('/portal/admin/users', 'getUsersPage', 'Users page', usersPage),
  adminPage('/portal/admin/usage', 'getServiceUsagePage', 'All usage page', serviceUsagePage),
  adminPage('/portal/admin/settings', 'getSettingsPage', 'Settings page', settingsPage),
  adminPage('/portal/admin/jobs', 'getJobsPage', 'Jobs page', jobsPage),
  adminPage('/portal/admin/interest-items', 'getInterestItemsPage', 'Interest items page', interestItemsPage),
  adminPage('/portal/admin/supporters', 'getSupportersPage', 'Supporters page', supportersPage),
  adminPage('/portal/admin/ingest', 'getIngestPage', 'Ingest page', ingestPage),
  adminPage('/portal/admin/mods', 'getModsPage', 'Hidden mods page', modsPage),
  adminPage('/portal/admin/announcements', 'getAnnouncementsPage', 'Announcements page', () => announcementsPage(ports.announcementForm)),
  adminPage('/portal/admin/reports', 'getReportsPage', 'Reports page', reportsPage),
  adminPage('/portal/admin/giveaways', 'getGiveawaysPage', 'Giveaways page', giveawaysPage),
];

const mailboxPageSpec = ({ mailbox }: PortalRoutesDeps): PageSpec =>
  page('/portal/dev/mailbox', 'getMailboxPage', 'Mailbox of a development server', async () => {
    const mails = mailbox();
    if (!mails) throw notFound('the mailbox is only available while no mail service is configured');
    return mailboxPage(await mails);
  });
