import { html } from 'hono/html';
import { type ApiError, errorDocUrl } from '../../errors/api-error.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';

/** An error as a page, for a browser that asked for one. */
export function errorPage({ status, code, message, hint }: ApiError, { baseUrl, requestId }: RequestScope): string {
  return String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${status} - Game Data API</title>
    <link rel="stylesheet" href="/ui/portal.css" />
  </head>
  <body>
    <main class="frame narrow">
      <h1>${status}</h1>
      <p>${capitalised(message)}.</p>
      <p>Next: ${hint}.</p>
      <p><a href="${errorDocUrl(baseUrl, code)}">About <code>${code}</code></a> · <a href="/docs">Documentation</a> · <a href="/">Front page</a></p>
      <p><small>Request ${requestId}</small></p>
    </main>
  </body>
</html>
`);
}

/** Messages are sentence fragments; a page shows sentences. */
function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether the caller would rather have a page than JSON. Browsers name HTML first; programs do not ask for it. */
export function wantsPage(request: Request): boolean {
  return /^\s*text\/html\b/i.test(request.headers.get('Accept') ?? '');
}
