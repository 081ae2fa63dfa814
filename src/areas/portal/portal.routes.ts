import { normalizeAddress } from '../../platform/access/policy/addresses.ts';
import { pageAccess, sessionAccess, tokenlessAccess } from '../../platform/access/policy/policy.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { Ports, StoredKind } from '../../platform/area.ts';
import { ApiError, notFound } from '../../platform/errors/api-error.ts';
import { defineRoute, type Endpoint, type RouteInput } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { accountPage, sessionsPage } from './account.pages.tsx';
import { interestItemsPage, jobsPage, modsPage, serviceUsagePage, settingsPage, supportersPage, usersPage } from './admin.pages.tsx';
import { createChartPageEndpoints } from './charts/charts.routes.ts';
import { createCodexPageEndpoints } from './codex/codex.routes.ts';
import { frontPage } from './front/front.page.tsx';
import type { ReadFrontFacts } from './front/front.service.ts';
import { enterGiveawaysPage, giveawaysPage } from './giveaways.pages.tsx';
import { ingestPage } from './ingest.page.tsx';
import { privacyPage, termsPage } from './legal.pages.tsx';
import { mailboxPage, type ShownMail } from './mailbox.page.tsx';
import { modPage } from './mod.page.tsx';
import type { PageMaker } from './page.tsx';
import { type PageContent, pageReply, plainPageReply } from './page.tsx';
import { ModPageParams, MyAddressBody } from './portal.schemas.ts';
import { frontPreview, modPreview } from './previews/preview-cards.ts';
import type { PreviewImages } from './previews/preview-images.service.ts';
import { createPreviewEndpoints } from './previews/previews.routes.ts';
import {
  checkMailPage,
  confirmChangePage,
  forgotPage,
  loginPage,
  resendPage,
  resetPage,
  signUpPage,
  verifyPage,
} from './sign-in.pages.tsx';
import { signedWebhooksPage } from './signed-webhooks.page.tsx';
import { tokensPage, usagePage } from './tokens.pages.tsx';
import type { ViewerOf } from './viewer.ts';
import { webhookDesignsPage, webhooksPage } from './webhooks.pages.tsx';

export interface PortalRoutesDeps extends PageMaker {
  captchaSiteKey: string | null;
  /** Address of the operator, as a URI. */
  contact: string;
  /** Everything stored that says something of a person. */
  stored: readonly StoredKind[];
  scopes: ScopeRegistry;
  /** Types of the event stream. */
  eventTypes: readonly string[];
  viewerOf: ViewerOf;
  /** A mod of the catalog; throws 404 for one that not everybody sees. */
  publicMod: Ports['publicMod'];
  codex: Ports['codexReader'];
  versionOf: Ports['archive']['version'];
  activity: Ports['activitySeries'];
  gameStatusHistory: Ports['gameStatusHistory'];
  frontFacts: ReadFrontFacts;
  previews: PreviewImages;
  /** The mails that were kept instead of sent; null where mail is sent. */
  mailbox(): Promise<readonly ShownMail[]> | null;
  /** Whether the mailbox has a page. */
  hasMailbox: boolean;
}

type Content = Omit<PageContent, 'viewer'>;
type PageInput = RouteInput<undefined, undefined, undefined>;

interface PageSpec {
  path: string;
  operationId: string;
  summary: string;
  content(input: PageInput): Content | Promise<Content>;
  /** Somebody who is signed in as no superuser is turned away. */
  forSuperusers?: boolean;
}

/** `/`, `/portal/*` and the targets of mailed links. The pages hold no data: their scripts ask the endpoints for it, which check who asks. */
export function createPortalEndpoints(deps: PortalRoutesDeps): Endpoint[] {
  const pages = [...openPages(deps), ...accountPages(deps), ...ADMIN_PAGES, ...(deps.hasMailbox ? [mailboxOf(deps)] : [])];
  return [
    ...pages.map((page) => pageEndpoint(page, deps)),
    modPageEndpoint(deps),
    ...createCodexPageEndpoints(deps),
    ...createChartPageEndpoints(deps),
    ...createPreviewEndpoints(deps),
    myAddress,
  ];
}

function pageEndpoint({ path, operationId, summary, content, forSuperusers = false }: PageSpec, deps: PortalRoutesDeps): Endpoint {
  return defineRoute({
    method: 'get',
    path,
    operationId,
    tag: 'Portal',
    summary,
    description: `${summary}, for people.`,
    access: pageAccess,
    surface: 'page',
    hidden: true,
    errors: [...(forSuperusers ? (['forbidden'] as const) : []), ...(path.startsWith('/portal/dev/') ? (['not_found'] as const) : [])],
    ok: { contentTypes: ['text/html'], description: 'HTML page.' },
  }).handle(async (input) => {
    const { caller } = input;
    if (forSuperusers && caller.kind === 'session' && !caller.isSuperuser) throw new ApiError('forbidden', 'this page is for superusers');
    const [viewer, shown] = await Promise.all([deps.viewerOf(caller), content(input)]);
    return pageReply(deps, { ...shown, viewer });
  });
}

/** The page that `page_url` of a mod names. It is charged like a read of the catalog and the same for everybody. */
function modPageEndpoint(deps: PortalRoutesDeps): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/mods/{handle}/{slug}',
    operationId: 'getModPage',
    tag: 'Portal',
    summary: 'Page of a mod',
    description: 'A mod of the catalog with its releases, for people.',
    access: tokenlessAccess('mods:read'),
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

/** For "add my address" of the allowlist editor. */
const myAddress = defineRoute({
  method: 'get',
  path: '/portal/my-address',
  operationId: 'getMyAddress',
  tag: 'Portal',
  summary: 'Address of the caller',
  description: 'The address that this request came from, as allowlists see it.',
  access: sessionAccess(),
  surface: 'portal',
  hidden: true,
  ok: { description: 'The address.', schema: MyAddressBody },
}).handle(({ request }) => {
  const address = request.headers.get('CF-Connecting-IP');
  return json({ address: address === null ? null : normalizeAddress(address) });
});

function openPages({ appName, captchaSiteKey, contact, stored, frontFacts }: PortalRoutesDeps): PageSpec[] {
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
        ...frontPage(await frontFacts(now, settings, baseUrl), baseUrl, now),
        preview: frontPreview(appName, baseUrl),
      }),
    },
    page('/portal/login', 'getLoginPage', 'Page to sign in', () => loginPage(captchaSiteKey)),
    page('/portal/signup', 'getSignUpPage', 'Page to sign up', () => signUpPage(captchaSiteKey)),
    page('/portal/check-mail', 'getCheckMailPage', 'Page after signing up', checkMailPage),
    page('/portal/verify-email', 'getResendPage', 'Page to have the verification mailed again', () => resendPage(captchaSiteKey)),
    page('/portal/forgot-password', 'getForgotPage', 'Page for a forgotten password', () => forgotPage(captchaSiteKey)),
    page('/portal/reset-password', 'getResetPage', 'Page to set a new password', resetPage),
    { path: '/auth/verify-email', operationId: 'getVerifyPage', summary: 'Page to verify an address', content: verifyPage },
    {
      path: '/auth/verify-email-change',
      operationId: 'getConfirmChangePage',
      summary: 'Page to confirm a new address',
      content: confirmChangePage,
    },
    { path: '/docs/privacy', operationId: 'getPrivacyPage', summary: 'Page about privacy', content: () => privacyPage(legal) },
    { path: '/docs/terms', operationId: 'getTermsPage', summary: 'Page of the terms', content: () => termsPage(legal) },
  ];
}

const accountPages = ({ scopes, eventTypes }: PortalRoutesDeps): PageSpec[] => [
  { path: '/portal', operationId: 'getPortalPage', summary: 'Start of the portal', content: () => tokensPage(scopes) },
  { path: '/portal/tokens', operationId: 'getTokensPage', summary: 'Page of the tokens', content: () => tokensPage(scopes) },
  { path: '/portal/usage', operationId: 'getUsagePage', summary: 'Page of the usage', content: usagePage },
  { path: '/portal/webhooks', operationId: 'getWebhooksPage', summary: 'Page of the chat webhooks', content: webhooksPage },
  {
    path: '/portal/webhooks/signed',
    operationId: 'getSignedWebhooksPage',
    summary: 'Page of the signed webhooks',
    content: () => signedWebhooksPage(eventTypes),
  },
  {
    path: '/portal/webhooks/designs',
    operationId: 'getWebhookDesignsPage',
    summary: 'Page of the pictures for webhooks',
    content: webhookDesignsPage,
  },
  { path: '/portal/account', operationId: 'getAccountPage', summary: 'Page of the account', content: accountPage },
  { path: '/portal/sessions', operationId: 'getSessionsPage', summary: 'Page of the sessions', content: sessionsPage },
  { path: '/portal/giveaways', operationId: 'getEnterGiveawaysPage', summary: 'Page to enter giveaways', content: enterGiveawaysPage },
];

const adminPage = (path: string, operationId: string, summary: string, content: () => Content): PageSpec => ({
  path,
  operationId,
  summary,
  content,
  forSuperusers: true,
});

const ADMIN_PAGES: readonly PageSpec[] = [
  adminPage('/portal/admin/users', 'getUsersPage', 'Page of the users', usersPage),
  adminPage('/portal/admin/usage', 'getServiceUsagePage', 'Page of the usage of all', serviceUsagePage),
  adminPage('/portal/admin/settings', 'getSettingsPage', 'Page of the settings', settingsPage),
  adminPage('/portal/admin/jobs', 'getJobsPage', 'Page of the jobs', jobsPage),
  adminPage('/portal/admin/interest-items', 'getInterestItemsPage', 'Page of the interest items', interestItemsPage),
  adminPage('/portal/admin/supporters', 'getSupportersPage', 'Page of the supporters', supportersPage),
  adminPage('/portal/admin/ingest', 'getIngestPage', 'Page of the inserts', ingestPage),
  adminPage('/portal/admin/mods', 'getModsPage', 'Page of the mods that nobody sees', modsPage),
  adminPage('/portal/admin/giveaways', 'getGiveawaysPage', 'Page of the giveaways', giveawaysPage),
];

function mailboxOf({ mailbox }: PortalRoutesDeps): PageSpec {
  return {
    path: '/portal/dev/mailbox',
    operationId: 'getMailboxPage',
    summary: 'Mailbox of a development server',
    async content() {
      const mails = mailbox();
      if (!mails) throw notFound('mail is sent, not kept');
      return mailboxPage(await mails);
    },
  };
}
