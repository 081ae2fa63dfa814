import type { FC } from 'hono/jsx';

/** Data of the service shown on every page. */
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

/** The icon and the style sheet that every page shares; for the `<head>`. */
export const SiteHead: FC = () => (
  <>
    <link rel="icon" href="/ui/logo.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/ui/site.css" />
  </>
);

export interface SiteHeaderProps extends Site {
  /** Path of the page, to mark its link. */
  path?: string | undefined;
  /** Name of the account; null when signed out; absent when the page is the same for everyone. */
  viewer?: string | null | undefined;
}

/**
 * The header of every page, with the link that skips it; the page's `<main>` has the id `main`. On phones the links are behind a
 * button that opens them without a script.
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
        <b>Demo data.</b> Everything here is made up by this development server.
      </p>
    ) : null}
  </>
);

/** Pages below a link belong to it. */
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
  <footer class="site-end">
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
