import { html } from 'hono/html';
import { digestOf, type RawReply } from '../../platform/http/replies/reply.ts';

/** A page that says one thing and leads on, for people who opened a link in a mail. */
export function messagePage(title: string, text: string, next: { text: string; href: string }): RawReply {
  const body = String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="stylesheet" href="/ui/portal.css" />
  </head>
  <body>
    <main class="frame narrow">
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a href="${next.href}">${next.text}</a></p>
    </main>
  </body>
</html>
`);
  return { kind: 'raw', body, contentType: 'text/html; charset=utf-8', etag: `"${digestOf(body)}"` };
}
