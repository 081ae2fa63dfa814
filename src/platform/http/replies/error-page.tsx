import type { FC } from 'hono/jsx';
import { type ApiError, errorDocUrl, type FieldProblem } from '../../kit/errors/api-error.ts';
import { nearestOf } from '../../kit/errors/input-error.ts';
import { SiteFooter, SiteHead, SiteHeader } from '../pages/site-header.tsx';
import type { RequestScope } from '../pipeline/request-scope.ts';

const APP_NAME = 'Game Data API';

export function errorPage(error: ApiError, { request, baseUrl, requestId }: RequestScope): string {
  const { status, code, message, hint } = error;
  const corrected = correctedPath(new URL(request.url).pathname, error);
  return `<!doctype html>${String(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${status} · ${APP_NAME}`}</title>
        <SiteHead />
        <link rel="stylesheet" href="/ui/portal.css" />
      </head>
      <body>
        <SiteHeader appName={APP_NAME} />
        <div class="frame">
          <main id="main" class="narrow error-page" tabindex={-1}>
            <h1>{status}</h1>
            <p class="lead">{capitalise(message)}.</p>
            <p>
              Next: <Hint text={hint} />
              {corrected === null ? null : (
                <>
                  {' '}
                  Open <a href={corrected}>{corrected}</a>.
                </>
              )}
            </p>
            {status === 404 ? <Search path={new URL(request.url).pathname} /> : null}
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
            <p class="hint">Request {requestId}</p>
          </main>
        </div>
        <SiteFooter appName={APP_NAME} />
      </body>
    </html>,
  )}`;
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

/** A search for the words of the path. */
const Search: FC<{ path: string }> = ({ path }) => (
  <search>
    <form class="row error-search" action="/search">
      <div class="field">
        <label for="error-q">Search the service</label>
        <input id="error-q" name="q" type="search" maxlength={MAX_QUERY} autocomplete="off" required value={wordsOf(path)} />
      </div>
      <button type="submit">Search</button>
    </form>
  </search>
);

/** The last segment of a path as words. */
function wordsOf(path: string): string {
  const last = decoded(path.split('/').findLast((segment) => segment !== '') ?? '');
  return last
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
