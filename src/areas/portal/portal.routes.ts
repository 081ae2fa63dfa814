import { normalizeAddress } from '../../platform/access/policy/addresses.ts';
import { pageAccess, sessionAccess, tokenlessAccess } from '../../platform/access/policy/policy.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { Ports, StoredKind } from '../../platform/area/area.ts';
import type { EventRegistry } from '../../platform/events/event-declaration.ts';
import { type AnyRouteSpec, defineRoute, type Endpoint, type RouteInput } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError, notFound } from '../../platform/kit/errors/api-error.ts';
import { accountPage, sessionsPage } from './account.pages.tsx';
import {
  interestItemsPage,
  jobsPage,
  modsPage,
  overviewPage,
  serviceUsagePage,
  settingsPage,
  supportersPage,
  usersPage,
} from './admin.pages.tsx';
import { createBoardPageEndpoints } from './boards/boards.routes.ts';
import { createChartPageEndpoints } from './charts/charts.routes.ts';
import { createCodexPageEndpoints } from './codex/codex.routes.ts';
import { createExploreEndpoints } from './explore.routes.ts';
import { frontPage } from './front/front.page.tsx';
import type { ReadFrontFacts } from './front/front.service.ts';
import { enterGiveawaysPage, giveawaysPage } from './giveaways.pages.tsx';
import { ingestPage } from './ingest.page.tsx';
import type { PageMaker } from './layout.page.tsx';
import { type PageContent, pageReply, plainPageReply, viewerOf } from './layout.page.tsx';
import { privacyPage, termsPage } from './legal.pages.tsx';
import { type MailboxMessage, mailboxPage } from './mailbox.page.tsx';
import { modPage } from './mod.page.tsx';
import { packPage, packsPage } from './packs.pages.tsx';
import { pagesBudget } from './portal.budgets.ts';
import { ModPageParams, MyAddressBody, PackPageParams } from './portal.schemas.ts';
import { frontPreview, modPreview } from './previews/preview-cards.service.ts';
import type { PreviewImages } from './previews/preview-images.service.ts';
import { createPreviewEndpoints } from './previews/previews.routes.ts';
import { projectPage } from './projects/project.page.tsx';
import { projectsPage } from './projects/projects.pages.tsx';
import { createSearchPageEndpoint } from './search.page.tsx';
import {
  checkMailPage,
  confirmChangePage,
  confirmDevicePage,
  forgotPage,
  loginPage,
  resendPage,
  resetPage,
  signUpPage,
  verifyPage,
} from './sign-in.pages.tsx';
import { tokensPage, usagePage } from './tokens.pages.tsx';
import { webhookDesignsPage, webhooksPage } from './webhooks/chat.pages.tsx';
import { signedWebhooksPage } from './webhooks/signed.page.tsx';

export interface PortalRoutesDeps extends PageMaker {
  captchaSiteKey: string | null;
  /** `mailto:` or web URL of the operator. */
  contact: string;
  /** Personal data that the areas store. */
  stored: readonly StoredKind[];
  scopes: ScopeRegistry;
  events: EventRegistry;
  /** Throws 404 for a mod that is not public. */
  publicMod: Ports['publicMod'];
  publicPacks: Ports['publicPacks'];
  publicMods: Ports['publicMods'];
  updatePages: Ports['updatePages'];
  codex: Ports['codexReader'];
  patches: Ports['codexPatches'];
  craftingTree: Ports['craftingTree'];
  search: Ports['search'];
  listVersions: Ports['archive']['listVersions'];
  activity: Ports['activitySeries'];
  marketFigures: Ports['marketFigures'];
  marketItemPrices: Ports['marketItemPrices'];
  boardPages: Ports['boardPages'];
  gameStatusHistory: Ports['gameStatusHistory'];
  frontFacts: ReadFrontFacts;
  previews: PreviewImages;
  /** Emails that a development server stores; null if a mail service is configured. */
  mailbox(): Promise<readonly MailboxMessage[]> | null;
  hasMailbox: boolean;
}

type Content = Omit<PageContent, 'viewer'>;
type PageInput = RouteInput<undefined, undefined, undefined>;

interface PageSpec {
  path: string;
  operationId: string;
  summary: string;
  content(input: PageInput): Content | Promise<Content>;
  /** Signed-in accounts that are not superusers get 403. */
  isForSuperusers?: boolean;
}

/** `/`, `/portal/*` and the targets of links in emails. Portal pages contain no data; their scripts load it from the API. */
export function createPortalEndpoints(deps: PortalRoutesDeps): Endpoint[] {
  const pages = [...publicPages(deps), ...accountPages(deps), ...ADMIN_PAGES, ...(deps.hasMailbox ? [mailboxPageSpec(deps)] : [])];
  return [
    ...pages.map((page) => pageEndpoint(page, deps)),
    projectPageEndpoint(deps),
    ...createExploreEndpoints(deps),
    ...packPageEndpoints(deps),
    modPageEndpoint(deps),
    ...createCodexPageEndpoints(deps),
    createSearchPageEndpoint(deps),
    ...createChartPageEndpoints(deps),
    ...createBoardPageEndpoints(deps),
    ...createPreviewEndpoints(deps),
    myAddress,
  ];
}

function pageEndpoint({ path, operationId, summary, content, isForSuperusers = false }: PageSpec, deps: PortalRoutesDeps): Endpoint {
  return defineRoute({
    method: 'get',
    path,
    operationId,
    tag: 'Portal',
    summary,
    description: `${summary}.`,
    access: pageAccess,
    surface: 'page',
    hidden: true,
    errors: [...(isForSuperusers ? (['forbidden'] as const) : []), ...(path.startsWith('/portal/dev/') ? (['not_found'] as const) : [])],
    ok: { contentTypes: ['text/html'], description: 'HTML page.' },
  }).handle(async (input) => {
    const { caller } = input;
    if (isForSuperusers && caller.kind === 'session' && !caller.isSuperuser)
      throw new ApiError('forbidden', 'this page requires a superuser account');
    return pageReply(deps, { ...(await content(input)), viewer: viewerOf(caller) });
  });
}

/** The page of one project. Its script reads the address from the path. */
function projectPageEndpoint(deps: PortalRoutesDeps): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/portal/projects/{handle}/{slug}',
    operationId: 'getProjectPage',
    tag: 'Portal',
    summary: 'Page of a project',
    description: 'Page of a project.',
    access: pageAccess,
    surface: 'page',
    hidden: true,
    params: ModPageParams,
    ok: { contentTypes: ['text/html'], description: 'HTML page.' },
  }).handle(({ caller }) => pageReply(deps, { ...projectPage(), viewer: viewerOf(caller) }));
}

/** The page that `page_url` of a mod links to. Requests count against the rate limit of pages. */
function modPageEndpoint(deps: PortalRoutesDeps): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/mods/{handle}/{slug}',
    operationId: 'getModPage',
    tag: 'Portal',
    summary: 'Page of a mod',
    description: 'A mod of the catalog with its releases.',
    access: tokenlessAccess('mods:read', pagesBudget),
    feature: 'featureModsHubEnabled',
    surface: 'page',
    hidden: true,
    params: ModPageParams,
    errors: ['not_found'],
    ok: { contentTypes: ['text/html'], description: 'HTML page.' },
  }).handle(async ({ params, baseUrl }) => {
    const mod = await deps.publicMod(params, baseUrl);
    return plainPageReply(deps, { ...modPage(mod), preview: modPreview(mod, baseUrl) });
  });
}

/** The list of packs, and the page that `page_url` of a pack links to. */
function packPageEndpoints(deps: PortalRoutesDeps): Endpoint[] {
  const shared = {
    method: 'get',
    tag: 'Portal',
    access: tokenlessAccess('mods:read', pagesBudget),
    feature: 'featureModsHubEnabled',
    part: { name: 'packs', isOn: ({ modpacksEnabled }) => modpacksEnabled },
    surface: 'page',
    hidden: true,
    ok: { contentTypes: ['text/html'], description: 'HTML page.' },
  } as const satisfies Partial<AnyRouteSpec>;
  return [
    defineRoute({
      ...shared,
      path: '/mods/packs',
      operationId: 'getModpacksPage',
      summary: 'Page of packs',
      description: 'The newest packs of mods.',
    }).handle(async ({ baseUrl }) => plainPageReply(deps, packsPage(await deps.publicPacks.list(baseUrl)))),
    defineRoute({
      ...shared,
      path: '/mods/packs/{handle}/{slug}',
      operationId: 'getModpackPage',
      summary: 'Page of a pack',
      description: 'A pack of mods with its variants.',
      params: PackPageParams,
      errors: ['not_found'],
    }).handle(async ({ params, baseUrl }) => {
      const pack = await deps.publicPacks.detail(params, baseUrl);
      return plainPageReply(deps, packPage(pack, `${baseUrl}/v1/modpacks/${pack.handle}/${pack.slug}`));
    }),
  ];
}

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

function publicPages({ appName, captchaSiteKey, contact, stored, frontFacts }: PortalRoutesDeps): PageSpec[] {
  const legal = { appName, contact, stored, hasCaptcha: captchaSiteKey !== null };
  const page = (path: string, operationId: string, summary: string, content: () => Content): PageSpec => ({
    path,
    operationId,
    summary,
    content,
  });
  return [
    {
      path: '/',
      operationId: 'getFrontPage',
      summary: 'Front page',
      content: async ({ baseUrl, now, settings }) => ({
        ...frontPage(await frontFacts(now, settings, baseUrl), { settings, baseUrl, now }),
        preview: frontPreview(appName, baseUrl),
      }),
    },
    page('/portal/login', 'getLoginPage', 'Sign-in page', () => loginPage(captchaSiteKey)),
    page('/portal/signup', 'getSignUpPage', 'Sign-up page', () => signUpPage(captchaSiteKey)),
    page('/portal/check-mail', 'getCheckMailPage', 'Page after sign-up', checkMailPage),
    page('/portal/verify-email', 'getResendPage', 'Page to resend the verification', () => resendPage(captchaSiteKey)),
    page('/portal/forgot-password', 'getForgotPage', 'Page to request a reset', () => forgotPage(captchaSiteKey)),
    page('/portal/reset-password', 'getResetPage', 'Page to set a new password', resetPage),
    { path: '/auth/verify-email', operationId: 'getVerifyPage', summary: 'Page to verify an address', content: verifyPage },
    {
      path: '/auth/verify-email-change',
      operationId: 'getConfirmChangePage',
      summary: 'Page to confirm a new address',
      content: confirmChangePage,
    },
    { path: '/auth/confirm-device', operationId: 'getConfirmDevicePage', summary: 'Page to confirm a device', content: confirmDevicePage },
    { path: '/docs/privacy', operationId: 'getPrivacyPage', summary: 'Privacy page', content: () => privacyPage(legal) },
    { path: '/docs/terms', operationId: 'getTermsPage', summary: 'Terms page', content: () => termsPage(legal) },
  ];
}

const accountPages = ({ scopes, events }: PortalRoutesDeps): PageSpec[] => [
  {
    path: '/portal',
    operationId: 'getPortalPage',
    summary: 'Portal start page',
    content: ({ caller }) => (caller.kind === 'session' && caller.isSuperuser ? overviewPage() : tokensPage(scopes)),
  },
  { path: '/portal/tokens', operationId: 'getTokensPage', summary: 'Tokens page', content: () => tokensPage(scopes) },
  { path: '/portal/usage', operationId: 'getUsagePage', summary: 'Usage page', content: usagePage },
  { path: '/portal/webhooks', operationId: 'getWebhooksPage', summary: 'Chat webhooks page', content: () => webhooksPage(events) },
  {
    path: '/portal/webhooks/signed',
    operationId: 'getSignedWebhooksPage',
    summary: 'Signed webhooks page',
    content: () => signedWebhooksPage(events),
  },
  {
    path: '/portal/webhooks/designs',
    operationId: 'getWebhookDesignsPage',
    summary: 'Webhook designs page',
    content: () => webhookDesignsPage(events),
  },
  { path: '/portal/account', operationId: 'getAccountPage', summary: 'Account page', content: accountPage },
  { path: '/portal/sessions', operationId: 'getSessionsPage', summary: 'Sessions page', content: sessionsPage },
  { path: '/portal/projects', operationId: 'getProjectsPage', summary: 'Page of own mods', content: projectsPage },
  { path: '/portal/giveaways', operationId: 'getEnterGiveawaysPage', summary: 'Page to enter giveaways', content: enterGiveawaysPage },
];

const adminPage = (path: string, operationId: string, summary: string, content: () => Content): PageSpec => ({
  path,
  operationId,
  summary,
  content,
  isForSuperusers: true,
});

const ADMIN_PAGES: readonly PageSpec[] = [
  adminPage('/portal/admin', 'getOverviewPage', 'Overview page', overviewPage),
  adminPage('/portal/admin/users', 'getUsersPage', 'Users page', usersPage),
  adminPage('/portal/admin/usage', 'getServiceUsagePage', 'All usage page', serviceUsagePage),
  adminPage('/portal/admin/settings', 'getSettingsPage', 'Settings page', settingsPage),
  adminPage('/portal/admin/jobs', 'getJobsPage', 'Jobs page', jobsPage),
  adminPage('/portal/admin/interest-items', 'getInterestItemsPage', 'Interest items page', interestItemsPage),
  adminPage('/portal/admin/supporters', 'getSupportersPage', 'Supporters page', supportersPage),
  adminPage('/portal/admin/ingest', 'getIngestPage', 'Ingest page', ingestPage),
  adminPage('/portal/admin/mods', 'getModsPage', 'Hidden mods page', modsPage),
  adminPage('/portal/admin/giveaways', 'getGiveawaysPage', 'Giveaways page', giveawaysPage),
];

function mailboxPageSpec({ mailbox }: PortalRoutesDeps): PageSpec {
  return {
    path: '/portal/dev/mailbox',
    operationId: 'getMailboxPage',
    summary: 'Mailbox of a development server',
    async content() {
      const mails = mailbox();
      if (!mails) throw notFound('the mailbox is only available while no mail service is configured');
      return mailboxPage(await mails);
    },
  };
}
