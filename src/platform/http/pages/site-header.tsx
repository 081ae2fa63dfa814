import type { FC } from 'hono/jsx';
import { EXPLORE, MENU } from './menu.data.ts';

/** Data of the service that every page shows. */
export interface Site {
  appName: string;
  /** The service runs with demo data: every page shows a notice. */
  isDemo?: boolean;
  /** Configured URL of the service, for link previews; absent or empty in development. */
  publicUrl?: string;
}

export interface SiteHeadProps {
  /** Nonce of the scripts; undefined where the policy allows scripts by origin. */
  nonce?: string | undefined;
}

/** Colour of the header, which browsers give to their own bars. */
const THEME_COLOR = '#21174a';

/** Icon, style sheet and scripts of every page, for the `<head>`. */
export const SiteHead: FC<SiteHeadProps> = ({ nonce }) => (
  <>
    <link rel="icon" href="/ui/logo.svg" type="image/svg+xml" />
    <link rel="apple-touch-icon" href="/ui/icon-192.png" />
    <link rel="manifest" href="/ui/site.webmanifest" />
    <meta name="theme-color" content={THEME_COLOR} />
    <link rel="stylesheet" href="/ui/site.css" />
    {/* Blocks on purpose: a page in the other theme would flash. */}
    <script nonce={nonce} src="/ui/theme.js" />
    <script nonce={nonce} type="module" src="/ui/account-link.js" />
    <script nonce={nonce} type="module" src="/ui/search.js" />
    <script nonce={nonce} type="module" src="/ui/times.js" />
    <script nonce={nonce} type="module" src="/ui/announcement.js" />
    <script nonce={nonce} type="module" src="/ui/language.js" />
  </>
);

export interface SiteHeaderProps extends Site {
  /** Path of the page, whose link is marked as current. */
  path?: string | undefined;
  /** Name of the account; null when signed out; absent on a page that is the same for all visitors. */
  viewer?: string | null | undefined;
  /** The query that the page shows the results of. */
  query?: string | undefined;
  /** Types that the field of the header searches; absent: all. */
  searchTypes?: string | undefined;
}

/**
 * The header of every page, with a link to the content, whose `<main>` has the id `main`. On phones a button opens the links without
 * a script.
 */
export const SiteHeader: FC<SiteHeaderProps> = ({ appName, isDemo = false, path = '', viewer, query, searchTypes }) => (
  <>
    <a class="skip" href="#main">
      Skip to content
    </a>
    <header class="site">
      <div class="site-bar">
        <a class="brand" href="/">
          {appName}
        </a>
        <SearchField query={query} searchTypes={searchTypes} />
        <button type="button" class="site-menu" popovertarget="site-nav">
          Menu
        </button>
        <nav id="site-nav" class="site-nav" popover="auto" aria-label="Site">
          <SiteLink target="/docs" label="Docs" path={path} />
          {/* Opens without a script; a script of every page closes it on a click elsewhere. */}
          <details id="explore" class="explore" data-current={EXPLORE.some(([target]) => isBelow(path, target)) ? '' : undefined}>
            <summary>Explore</summary>
            <div>
              {EXPLORE.map(([target, label]) => (
                <SiteLink target={target} label={label} path={path} />
              ))}
            </div>
          </details>
          {MENU.map(([target, label]) => (
            <SiteLink target={target} label={label} path={path} />
          ))}
          <span class="site-account">
            <SiteLink target="/portal/tokens" label="Portal" path={path.startsWith('/portal/') ? '/portal' : ''} />
            {viewer ? null : (
              <a id="sign-in-link" href="/portal/login">
                Sign in
              </a>
            )}
            {/* On a page that does not know the visitor scripts show it instead: cached pages are the same for all. */}
            <a id="account-link" href="/portal/account" hidden={!viewer}>
              <span class="who">{viewer || 'Account'}</span>
            </a>
          </span>
        </nav>
      </div>
    </header>
    {isDemo ? (
      <aside class="demo-mark" aria-label="Demo data">
        <b>Demo data.</b> Nothing here is live.
      </aside>
    ) : null}
  </>
);

/** In characters, as in the query of `/search`. */
const MAX_QUERY = 100;

/** The search of the whole service. A script offers names while the visitor types. */
const SearchField: FC<Pick<SiteHeaderProps, 'query' | 'searchTypes'>> = ({ query, searchTypes }) => (
  <search>
    <form class="site-search" action="/search">
      <label class="visually-hidden" for="site-q">
        Search
      </label>
      <input
        id="site-q"
        name="q"
        type="search"
        maxlength={MAX_QUERY}
        placeholder={searchTypes === undefined ? 'Search' : 'Search the docs'}
        autocomplete="off"
        spellcheck={false}
        aria-keyshortcuts="/"
        required
        value={query}
      />
      {searchTypes === undefined ? null : <input type="hidden" name="types" value={searchTypes} />}
    </form>
  </search>
);

const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`);

/** A link of the header. It is current for its page and all pages below. */
const SiteLink: FC<{ target: string; label: string; path: string }> = ({ target, label, path }) => {
  const root = target.replace(/\/tokens$/, '');
  const isCurrent = isBelow(path, root);
  return (
    <a href={target} aria-current={isCurrent ? (path === target ? 'page' : 'true') : undefined}>
      {label}
    </a>
  );
};

/** The footer of every page. */
export const SiteFooter: FC<Pick<Site, 'appName'>> = ({ appName }) => (
  <footer class="site-footer">
    <div>
      <p>{appName}: live data of the game over HTTP and JSON.</p>
      {/* A script names the time zone of the visitor. */}
      <p id="zone">Times are in UTC.</p>
      {/* Hidden without a script, which keeps the choice on the device. */}
      <p id="theme-choice" hidden>
        <label for="theme">Theme</label>{' '}
        <select id="theme">
          <option value="">As the device</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </p>
      {/* The same: `language.js` offers the languages of the game. The site's own words are English. */}
      <details id="language-choice" hidden>
        <summary>
          Names of the game: <span id="language-name" />
        </summary>
        <p class="hint" role="status" />
        <div class="choices-bar" />
      </details>
    </div>
    <nav aria-label="About">
      <a href="/docs">Docs</a>
      <a href="/openapi.json">OpenAPI</a>
      <a href="/status">Status</a>
      <a href="/docs/privacy">Privacy</a>
      <a href="/docs/terms">Terms</a>
    </nav>
  </footer>
);
