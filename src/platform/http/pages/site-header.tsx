import type { FC } from 'hono/jsx';

/** Data of the service that every page shows. */
export interface Site {
  appName: string;
  /** The service runs with demo data: every page shows a notice. */
  isDemo?: boolean;
}

const LINKS = [
  ['/docs', 'Docs'],
  ['/codex', 'Codex'],
  ['/activity', 'Activity'],
  ['/servers', 'Servers'],
  ['/live', 'Live'],
  ['/status', 'Status'],
] as const;

/** Icon and style sheet of every page, for the `<head>`. */
export const SiteHead: FC = () => (
  <>
    <link rel="icon" href="/ui/logo.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/ui/site.css" />
  </>
);

export interface SiteHeaderProps extends Site {
  /** Path of the page, whose link is marked as current. */
  path?: string | undefined;
  /** Name of the account; null when signed out; absent on a page that is the same for all visitors. */
  viewer?: string | null | undefined;
}

/**
 * The header of every page, with a link to the content, whose `<main>` has the id `main`. On phones a button opens the links without
 * a script.
 */
export const SiteHeader: FC<SiteHeaderProps> = ({ appName, isDemo = false, path = '', viewer }) => (
  <>
    <a class="skip" href="#main">
      Skip to content
    </a>
    <header class="site">
      <div class="site-bar">
        <a class="brand" href="/">
          {appName}
        </a>
        <button type="button" class="site-menu" popovertarget="site-nav">
          Menu
        </button>
        <nav id="site-nav" class="site-nav" popover="auto" aria-label="Site">
          {LINKS.map(([target, label]) => (
            <SiteLink target={target} label={label} path={path} />
          ))}
          <span class="site-account">
            <SiteLink target="/portal/tokens" label="Portal" path={path.startsWith('/portal/') ? '/portal' : ''} />
            {viewer === null ? <a href="/portal/login">Sign in</a> : null}
            {viewer ? (
              <a href="/portal/account">
                <span class="who">{viewer}</span>
              </a>
            ) : null}
          </span>
        </nav>
      </div>
    </header>
    {isDemo ? (
      <p class="demo-mark">
        <b>Demo data.</b> This development server generates all data.
      </p>
    ) : null}
  </>
);

/** A link of the header. It is current for its page and all pages below. */
const SiteLink: FC<{ target: string; label: string; path: string }> = ({ target, label, path }) => {
  const root = target.replace(/\/tokens$/, '');
  const isCurrent = path === root || path.startsWith(`${root}/`);
  return (
    <a href={target} aria-current={isCurrent ? (path === target ? 'page' : 'true') : undefined}>
      {label}
    </a>
  );
};

/** The footer of every page. */
export const SiteFooter: FC<Pick<Site, 'appName'>> = ({ appName }) => (
  <footer class="site-footer">
    <p>{appName}: live data of the game over HTTP and JSON.</p>
    <nav aria-label="About">
      <a href="/docs">Docs</a>
      <a href="/openapi.json">OpenAPI</a>
      <a href="/status">Status</a>
      <a href="/docs/privacy">Privacy</a>
      <a href="/docs/terms">Terms</a>
    </nav>
  </footer>
);
