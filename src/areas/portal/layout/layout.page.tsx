import type { Child, FC } from 'hono/jsx';
import type { Caller } from '../../../platform/access/policy/admission.ts';
import { formatCount } from '../../../platform/http/pages/charts.tsx';
import { defaultPreview, type Preview, PreviewTags } from '../../../platform/http/pages/preview-tags.tsx';
import { type Site, SiteFooter, SiteHead, SiteHeader } from '../../../platform/http/pages/site-header.tsx';
import { digestOf, type RawReply } from '../../../platform/http/replies/reply.ts';

/** The account that the session cookie belongs to. */
interface Viewer {
  /** Display name; null without a session. */
  name: string | null;
  isSuperuser: boolean;
}

export interface PageContent {
  title: string;
  description?: string;
  preview?: Preview;
  /** The page in other languages of names of the game. */
  alternates?: readonly { language: string; path: string }[];
  /** Name of the script in `/ui/`. */
  script?: string;
  /** Name of an additional style sheet in `/ui/`. */
  style?: string;
  /** Omits the notice that the page needs JavaScript. */
  worksWithoutScript?: boolean;
  /** Path of the current menu entry; absent for a page without a menu. */
  path?: string;
  /** Path of the current link of the site header, for a page without a menu. */
  section?: string;
  /** Query of the search field, and the types it searches. */
  query?: string;
  searchTypes?: string;
  /** Uses the full width. */
  isWide?: boolean;
  /** The script of the page starts workers, which need a policy of Trusted Types for the address of their script. */
  hasWorkers?: boolean;
  /** Site key of the captcha, for pages with a captcha. */
  captchaSiteKey?: string | null;
  main: Child;
}

/** A page that is identical for all clients and complete without its script. */
export type OpenPage = Pick<
  PageContent,
  | 'title'
  | 'description'
  | 'preview'
  | 'alternates'
  | 'script'
  | 'style'
  | 'hasWorkers'
  | 'captchaSiteKey'
  | 'section'
  | 'query'
  | 'searchTypes'
  | 'main'
>;

export interface PageMaker extends Required<Site> {
  /** Nonce for the scripts of one response. */
  newNonce(): string;
}

const HTML = 'text/html; charset=utf-8';
const CAPTCHA_ORIGIN = 'https://challenges.cloudflare.com';

const ANONYMOUS_VIEWER: Viewer = { name: null, isSuperuser: false };

/** The account of the session cookie. The cookie is accepted for pages only. */
export function viewerOf(caller: Caller): Viewer {
  return caller.kind === 'session' ? { name: caller.name, isSuperuser: caller.isSuperuser } : ANONYMOUS_VIEWER;
}

/** Whether the client has a session: public pages with `visitorAccess` then show more. */
export const isSignedIn = (caller: Caller): boolean => caller.kind === 'session';

/**
 * Response of a public page that shows more to a signed-in account: to visitors the same page, which caches may share for `maxAge`
 * seconds; to a session a page of its own, which no cache keeps.
 */
export function visitorReply(site: PageMaker, caller: Caller, content: OpenPage, maxAge?: number): RawReply {
  if (isSignedIn(caller)) return pageReply(site, { ...content, worksWithoutScript: true }, viewerOf(caller));
  const reply = plainPageReply(site, content);
  return maxAge === undefined ? reply : { ...reply, maxAge };
}

/** Response of a page whose scripts have the nonce of its Content-Security-Policy. */
export function pageReply({ appName, isDemo, publicUrl, newNonce }: PageMaker, content: PageContent, viewer: Viewer): RawReply {
  const nonce = newNonce();
  const body = `<!doctype html>${String(<Page appName={appName} isDemo={isDemo} publicUrl={publicUrl} nonce={nonce} viewer={viewer} {...content} />)}`;
  const hasCaptcha = Boolean(content.captchaSiteKey);
  return {
    kind: 'raw',
    body,
    contentType: HTML,
    headers: {
      'Content-Security-Policy': policyFor(`'nonce-${nonce}'${hasCaptcha ? " 'strict-dynamic'" : ''}`, { hasCaptcha }),
      'Cache-Control': 'private, no-cache, no-store',
    },
  };
}

/**
 * Response of a page that is identical for all clients. It has an ETag, so its Content-Security-Policy allows scripts by origin: a nonce
 * would change with each response.
 */
export function plainPageReply({ appName, isDemo, publicUrl }: Site, content: OpenPage): RawReply {
  const body = `<!doctype html>${String(<Page appName={appName} isDemo={isDemo} publicUrl={publicUrl} nonce={null} viewer={ANONYMOUS_VIEWER} worksWithoutScript {...content} />)}`;
  const hasCaptcha = Boolean(content.captchaSiteKey);
  const scriptSource = hasCaptcha ? `'self' ${CAPTCHA_ORIGIN}` : "'self'";
  return {
    kind: 'raw',
    body,
    contentType: HTML,
    etag: `"${digestOf(body)}"`,
    headers: { 'Content-Security-Policy': policyFor(scriptSource, { hasCaptcha, hasWorkers: content.hasWorkers ?? false }) },
  };
}

/**
 * Content-Security-Policy of a page. Enforces Trusted Types; with a captcha, allows the frame and the scripts of the captcha instead. A page
 * with workers may name the address of a script, by one policy, which accepts scripts of tools only.
 */
function policyFor(scriptSource: string, { hasCaptcha = false, hasWorkers = false }): string {
  const own = [
    "default-src 'none'",
    `script-src ${scriptSource}`,
    "style-src 'self'",
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "manifest-src 'self'",
  ];
  const types = ["require-trusted-types-for 'script'", `trusted-types ${hasWorkers ? 'tool-work' : "'none'"}`];
  const rest = hasCaptcha ? [`frame-src ${CAPTCHA_ORIGIN}`] : [...(hasWorkers ? ["worker-src 'self'"] : []), ...types];
  return [...own, ...rest].join('; ');
}

const Page: FC<PageContent & Site & { viewer: Viewer; nonce: string | null }> = ({
  appName,
  isDemo,
  publicUrl = '',
  nonce,
  title,
  description,
  preview,
  alternates = [],
  script,
  style,
  worksWithoutScript = false,
  path,
  section,
  query,
  searchTypes,
  viewer,
  isWide = false,
  captchaSiteKey,
  main,
}) => {
  const metaDescription =
    description ?? preview?.description ?? `${title}: a page of ${appName}, live data of the game over HTTP and JSON.`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${appName}`}</title>
        <meta name="description" content={metaDescription} />
        <PreviewTags appName={appName} {...(preview ?? defaultPreview(title, metaDescription, publicUrl, section))} />
        {alternates.map((alternate) => (
          <link rel="alternate" hreflang={alternate.language} href={`${publicUrl}${alternate.path}`} />
        ))}
        <SiteHead nonce={nonce ?? undefined} />
        <link rel="stylesheet" href="/ui/portal.css" />
        {style ? <link rel="stylesheet" href={`/ui/${style}`} /> : null}
        {captchaSiteKey ? <script nonce={nonce ?? undefined} src={`${CAPTCHA_ORIGIN}/turnstile/v0/api.js?render=explicit`} defer /> : null}
        {script ? <script nonce={nonce ?? undefined} type="module" src={`/ui/${script}`} /> : null}
      </head>
      <body>
        <SiteHeader
          appName={appName}
          isDemo={isDemo}
          path={path ?? section}
          viewer={nonce === null ? undefined : viewer.name}
          query={query}
          searchTypes={searchTypes}
        />
        <div class={isWide ? 'wide' : path === undefined ? 'frame' : 'frame with-menu'}>
          {path === undefined ? null : (
            <>
              <button type="button" class="menu-button" popovertarget="portal-menu">
                {MENU.find((entry) => entry.path === path)?.label ?? 'Portal'}
              </button>
              <Menu path={path} viewer={viewer} />
            </>
          )}
          <main id="main" tabindex={-1}>
            {main}
          </main>
        </div>
        <p id="announcer" class="toast" role="status" aria-live="polite" />
        {script && !worksWithoutScript ? (
          <noscript>
            <p class="notice">This page needs JavaScript.</p>
          </noscript>
        ) : null}
        <SiteFooter appName={appName} />
      </body>
    </html>
  );
};

interface MenuEntry {
  path: string;
  label: string;
  audience: 'everyone' | 'superuser';
}

/** Entries of the menu, in order. */
const MENU: readonly MenuEntry[] = [
  { path: '/portal/tokens', label: 'Tokens', audience: 'everyone' },
  { path: '/portal/usage', label: 'Usage', audience: 'everyone' },
  { path: '/portal/webhooks', label: 'Webhooks', audience: 'everyone' },
  { path: '/portal/projects', label: 'Your mods', audience: 'everyone' },
  { path: '/portal/giveaways', label: 'Giveaways', audience: 'everyone' },
  { path: '/portal/account', label: 'Account', audience: 'everyone' },
  { path: '/portal/sessions', label: 'Sessions', audience: 'everyone' },
  { path: '/portal/admin', label: 'Overview', audience: 'superuser' },
  { path: '/portal/admin/users', label: 'Users', audience: 'superuser' },
  { path: '/portal/admin/usage', label: 'All usage', audience: 'superuser' },
  { path: '/portal/admin/settings', label: 'Settings', audience: 'superuser' },
  { path: '/portal/admin/jobs', label: 'Jobs', audience: 'superuser' },
  { path: '/portal/admin/interest-items', label: 'Interest items', audience: 'superuser' },
  { path: '/portal/admin/supporters', label: 'Supporters', audience: 'superuser' },
  { path: '/portal/admin/ingest', label: 'Ingest', audience: 'superuser' },
  { path: '/portal/admin/mods', label: 'Mods', audience: 'superuser' },
  { path: '/portal/admin/announcements', label: 'Announcements', audience: 'superuser' },
  { path: '/portal/admin/reports', label: 'Reports', audience: 'superuser' },
  { path: '/portal/admin/giveaways', label: 'Giveaways', audience: 'superuser' },
];

/** The menu. The admin part is in every page, and the script shows it to superusers. The endpoints check access. */
const Menu: FC<{ path: string; viewer: Viewer }> = ({ path, viewer }) => {
  const entriesFor = (audience: MenuEntry['audience']) =>
    MENU.filter((entry) => entry.audience === audience).map(({ path: target, label }) => (
      <li>
        <a href={target} aria-current={target === path ? 'page' : undefined}>
          {label}
        </a>
      </li>
    ));
  return (
    <nav id="portal-menu" class="menu" popover="auto" aria-label="Portal">
      <ul>{entriesFor('everyone')}</ul>
      <div id="superuser-menu" hidden={!viewer.isSuperuser}>
        <h2>Administration</h2>
        <ul>{entriesFor('superuser')}</ul>
      </div>
      <button type="button" id="sign-out" class="quiet">
        Sign out
      </button>
    </nav>
  );
};

/**
 * Says on a public page what only signed-in accounts see of it. `path`: of the page, to return to. A script renews the session of a
 * browser that is signed in, and loads the page again.
 */
export const MoreForAccounts: FC<{ path: string; label: string }> = ({ path, label }) => (
  <p id="for-accounts" class="card for-accounts">
    Signed-in accounts see {label}. <a href={`/portal/login?${new URLSearchParams({ next: path })}`}>Sign in</a> or{' '}
    <a href="/portal/signup">create a free account</a>.
  </p>
);

/** Links to the previous and next page with the current position. */
export const Pager: FC<{ page: number; pages: number; urlOf(page: number): string }> = ({ page, pages, urlOf }) =>
  pages <= 1 ? null : (
    <nav class="pager" aria-label="Pages">
      {page > 1 ? (
        <a class="button" rel="prev" href={urlOf(Math.min(page - 1, pages))}>
          Previous
        </a>
      ) : null}
      <span>
        Page {formatCount(page)} of {formatCount(pages)}
      </span>
      {page < pages ? (
        <a class="button" rel="next" href={urlOf(page + 1)}>
          Next
        </a>
      ) : null}
    </nav>
  );
