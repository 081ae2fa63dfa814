import type { Child, FC } from 'hono/jsx';
import { defaultPreview, PreviewTags } from '../../platform/http/pages/preview-tags.tsx';
import { SiteFooter, SiteHead, SiteHeader } from '../../platform/http/pages/site-header.tsx';
import { digestOf, type RawReply } from '../../platform/http/replies/reply.ts';

export interface Link {
  path: string;
  title: string;
}

/** A menu group with its pages in reading order. */
interface MenuSection {
  title: string;
  /** Overview page of the group. */
  path: string;
  links: readonly Link[];
}

interface DocsPage {
  path: string;
  title: string;
  /** One sentence, for search engines. */
  description: string;
  /** Headings, listed in the menu below the link of the page. */
  headings?: readonly { id: string; text: string }[];
  main: Child;
}

export interface Frame {
  appName: string;
  isDemo: boolean;
  baseUrl: string;
  menu: readonly MenuSection[];
}

const MAX_AGE = 300;
/** Allows scripts and styles of this origin only, and enforces Trusted Types. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "manifest-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Pages of the reference, whose titles may be those of guides. */
const REFERENCE = '/docs/reference/';
const FRONT: Link = { path: '/docs', title: 'Docs' };

/** Response of a documentation page. Identical for all clients, with an ETag. */
export function docsReply(frame: Frame, page: DocsPage): RawReply {
  return pageReply(docsHtml(frame, page));
}

export function pageReply(body: string): RawReply {
  return {
    kind: 'raw',
    body,
    contentType: 'text/html; charset=utf-8',
    etag: `"${digestOf(body)}"`,
    maxAge: MAX_AGE,
    headers: { 'Content-Security-Policy': POLICY },
  };
}

export function docsHtml(frame: Frame, page: DocsPage): string {
  return `<!doctype html>${String(<Page {...frame} {...page} />)}`;
}

const Page: FC<Frame & DocsPage> = ({ appName, isDemo, baseUrl, menu, path, title, description, headings = [], main }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · ${appName}${path === FRONT.path ? '' : path.startsWith(REFERENCE) ? ' reference' : ' docs'}`}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={`${baseUrl}${path}`} />
      <PreviewTags appName={appName} {...defaultPreview(title, description, baseUrl, '/docs')} />
      <SiteHead />
      <link rel="stylesheet" href="/docs/assets/docs.css" />
      <script type="module" src="/docs/assets/docs.js" />
    </head>
    <body class="docs">
      <SiteHeader appName={appName} isDemo={isDemo} path={path} searchTypes="doc" />
      <div class="docs-frame">
        <div class="docs-side">
          <button type="button" class="docs-menu-button" popovertarget="docs-menu">
            Contents
          </button>
          <Menu menu={menu} path={path} headings={headings} />
        </div>
        <main id="main" tabindex={-1}>
          <Crumbs menu={menu} path={path} />
          <article>
            <h1>{title}</h1>
            {main}
          </article>
          <Neighbours menu={menu} path={path} />
        </main>
      </div>
      <p id="announcer" class="toast" role="status" aria-live="polite" />
      <SiteFooter appName={appName} />
    </body>
  </html>
);

const Menu: FC<Pick<Frame, 'menu'> & Required<Pick<DocsPage, 'path' | 'headings'>>> = ({ menu, path, headings }) => (
  <nav id="docs-menu" class="docs-menu" popover="auto" aria-label="Documentation">
    <ul>
      <li>
        <a href={FRONT.path} aria-current={path === FRONT.path ? 'page' : undefined}>
          Overview
        </a>
      </li>
    </ul>
    {menu.map(({ title, links }) => (
      <>
        <h2 class="group">{title}</h2>
        <ul>
          {links.map((link) => (
            <li>
              <a href={link.path} aria-current={link.path === path ? 'page' : undefined}>
                {link.title}
              </a>
              {link.path === path && headings.length > 0 ? (
                <ul class="parts">
                  {headings.map(({ id, text }) => (
                    <li>
                      <a href={`#${id}`}>{text}</a>
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          ))}
        </ul>
      </>
    ))}
  </nav>
);

const Crumbs: FC<Pick<Frame, 'menu'> & Pick<DocsPage, 'path'>> = ({ menu, path }) => {
  if (path === FRONT.path) return null;
  const section = menu.find(({ links }) => links.some((link) => link.path === path));
  const title = section?.links.find((link) => link.path === path)?.title;
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      <ol>
        <li>
          <a href={FRONT.path}>{FRONT.title}</a>
        </li>
        {section && section.path !== FRONT.path ? (
          <li>
            <a href={section.path}>{section.title}</a>
          </li>
        ) : null}
        {title === undefined ? null : <li aria-current="page">{title}</li>}
      </ol>
    </nav>
  );
};

/** Links to the previous and the next page in menu order. */
const Neighbours: FC<Pick<Frame, 'menu'> & Pick<DocsPage, 'path'>> = ({ menu, path }) => {
  const links = menu.flatMap((section) => section.links);
  const at = links.findIndex((link) => link.path === path);
  if (at < 0) return null;
  const previous = at === 0 ? { ...FRONT, title: 'Overview' } : links[at - 1];
  const next = links[at + 1];
  return (
    <nav class="neighbours" aria-label="Pages">
      {previous ? (
        <a rel="prev" href={previous.path}>
          <span>Previous</span> {previous.title}
        </a>
      ) : null}
      {next ? (
        <a rel="next" href={next.path}>
          <span>Next</span> {next.title}
        </a>
      ) : null}
    </nav>
  );
};
