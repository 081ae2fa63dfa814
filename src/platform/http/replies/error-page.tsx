import type { FC } from 'hono/jsx';
import { type ApiError, errorDocUrl } from '../../kit/errors/api-error.ts';
import { SiteFooter, SiteHead, SiteHeader } from '../pages/site-header.tsx';
import type { RequestScope } from '../pipeline/request-scope.ts';

const APP_NAME = 'Game Data API';

export function errorPage({ status, code, message, hint }: ApiError, { baseUrl, requestId }: RequestScope): string {
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
            </p>
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
