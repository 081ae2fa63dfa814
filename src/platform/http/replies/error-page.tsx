import type { FC } from 'hono/jsx';
import { type ApiError, ERROR_CATALOGUE, errorDocUrl, type FieldProblem } from '../../kit/errors/api-error.ts';
import { nearestOf } from '../../kit/errors/input-error.ts';
import { EXPLORE, MENU, TOOLS } from '../pages/menu.data.ts';
import { SiteFooter, SiteHead, SiteHeader } from '../pages/site-header.tsx';
import { nearestPath } from '../pipeline/nearest-path.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';

const APP_NAME = 'Game Data API';

export function errorPage(error: ApiError, { request, baseUrl, requestId }: RequestScope): string {
  const { status, code, message, hint } = error;
  const url = new URL(request.url);
  const corrected = correctedPath(url.pathname, error);
  const isUnknown = message === UNKNOWN_PATH && !url.pathname.startsWith('/v1/');
  const nearest = isUnknown ? nearestPage(url.pathname) : undefined;
  return `<!doctype html>${String(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${titleOf(status)} · ${APP_NAME}`}</title>
        <SiteHead />
        <link rel="stylesheet" href="/ui/portal.css" />
      </head>
      <body>
        <SiteHeader appName={APP_NAME} />
        <div class="frame">
          <main id="main" class="narrow error-page" tabindex={-1}>
            <h1>{titleOf(status)}</h1>
            <p class="lead">
              {isUnknown ? (
                <>
                  This site has no page <code>{decoded(url.pathname).slice(0, MAX_SHOWN_PATH)}</code>.
                </>
              ) : (
                `${capitalise(message.replace(FIELD_PREFIX, '$1 '))}.`
              )}
            </p>
            <p>
              Next:{' '}
              {nearest === undefined ? (
                <Hint text={PAGE_HINTS[hint] ?? hint} />
              ) : (
                <>
                  did you mean <a href={nearest}>{nearest}</a>?
                </>
              )}
              {corrected === null ? null : (
                <>
                  {' '}
                  Open <a href={corrected}>{corrected}</a>.
                </>
              )}
            </p>
            {status === 404 ? <Search typed={typedIn(url)} /> : null}
            <p class="links">
              <a class="button primary" href="/">
                Front page
              </a>
              <a class="button" href="/docs">
                Documentation
              </a>
              <a href={errorDocUrl(baseUrl, code)}>
                About <code>{code}</code>
              </a>
            </p>
            <p class="hint">
              Error {status}, request {requestId}
            </p>
          </main>
        </div>
        <SiteFooter appName={APP_NAME} />
      </body>
    </html>,
  )}`;
}

/** Message of a request that no endpoint has. */
const UNKNOWN_PATH = 'path not found';
/** In characters. */
const MAX_SHOWN_PATH = 80;
/** Start of the message about a parameter of the address. */
const FIELD_PREFIX = /^(?:path|query)\.(\w+): /;

/** Hints for programs, in words for a person with a browser. */
const PAGE_HINTS: Readonly<Record<string, string>> = {
  [ERROR_CATALOGUE.not_found.hint]: 'search for it below, or start at the front page',
  [ERROR_CATALOGUE.validation_error.hint]: 'correct the address of the page',
};

const TITLES: Readonly<Record<number, string>> = {
  400: 'This address has a mistake',
  401: 'Sign in first',
  403: 'Not for this account',
  404: 'Not found',
  422: 'This address has a mistake',
  429: 'Too many requests',
  503: 'Not available at the moment',
};

function titleOf(status: number): string {
  return TITLES[status] ?? (status >= 500 ? 'Something failed' : 'This does not work');
}

const PAGE_PATHS = [...EXPLORE, ...MENU].map(([path]) => path).concat(['/docs', '/search', '/portal']);

/** The page whose path is most like an unknown one; undefined if none is. */
const nearestPage = (path: string) => nearestPath(path, [...PAGE_PATHS, ...TOOLS.map(({ name }) => `/tools/${name}`)]);

/** What the visitor looked for: a name or text of the query, otherwise the words of the path. */
function typedIn({ pathname, searchParams }: URL): string {
  return wordsIn(searchParams.get('name') ?? searchParams.get('q') ?? '') || wordsOf(pathname);
}

/** The path with the suggested value of a path parameter in place of the one it is like; null without a suggestion. */
function correctedPath(path: string, { details }: ApiError): string | null {
  const problems = Array.isArray(details) ? (details as FieldProblem[]) : [];
  const nearest = problems.find(({ loc }) => loc?.[0] === 'path')?.nearest;
  if (nearest === undefined) return null;
  const segments = path.split('/');
  const index = segments.findIndex((segment) => segment !== '' && nearestOf(decoded(segment), [nearest]) !== undefined);
  return index < 0 ? null : segments.with(index, encodeURIComponent(nearest)).join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** In characters, as in the query of `/search`. */
const MAX_QUERY = 100;

/** A search for what the visitor typed. */
const Search: FC<{ typed: string }> = ({ typed }) => (
  <search>
    <form class="row error-search" action="/search">
      <div class="field">
        <label for="error-q">Search the service</label>
        <input id="error-q" name="q" type="search" maxlength={MAX_QUERY} autocomplete="off" required value={typed} />
      </div>
      <button type="submit">Search</button>
    </form>
  </search>
);

/** The last segment of a path as words. */
function wordsOf(path: string): string {
  return wordsIn(decoded(path.split('/').findLast((segment) => segment !== '') ?? ''));
}

function wordsIn(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, MAX_QUERY);
}

/** A path in a hint; one with a parameter is not a page. */
const PATH = /((?<=^|\s)\/[\w./{}-]*[\w/}])/;

/** A hint whose paths are links. */
const Hint: FC<{ text: string }> = ({ text }) => (
  <>
    {text.split(PATH).map((part) => {
      if (!PATH.test(part)) return part;
      return part.includes('{') ? <code>{part}</code> : <a href={part}>{part}</a>;
    })}
    {/[.?!]$/.test(text) ? '' : '.'}
  </>
);

/** Starts a message, which is a sentence fragment, with a capital letter. */
function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** True when `Accept` starts with HTML, as it does in browsers. */
export function wantsPage(request: Request): boolean {
  return /^\s*text\/html\b/i.test(request.headers.get('Accept') ?? '');
}
