import { html } from 'hono/html';
import type { ApiError } from '../../errors/api-error.ts';

/** An error as a page, for a browser that asked for one. */
export function errorPage({ status, message }: ApiError): string {
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
      <p>${message}</p>
      <p><a href="/">Front page</a></p>
    </main>
  </body>
</html>
`);
}

/** Whether the caller would rather have a page than JSON. Browsers name HTML first; programs do not ask for it. */
export function wantsPage(request: Request): boolean {
  return /^\s*text\/html\b/i.test(request.headers.get('Accept') ?? '');
}
