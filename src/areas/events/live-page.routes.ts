import { html } from 'hono/html';
import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute } from '../../platform/http/pipeline/define-route.ts';
import { digestOf } from '../../platform/http/replies/reply.ts';

const MAX_AGE = 300;

const PAGE = String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Live events · Game Data API</title>
    <meta name="description" content="Every message of the event stream as it comes: rotations, merchants, server status, news." />
    <link rel="icon" href="/docs/vendor/favicon-32x32.png" />
    <link rel="stylesheet" href="/live/live.css" />
  </head>
  <body>
    <header>
      <h1>Live events</h1>
      <p>
        Every change as it happens, without polling: <code>GET /v1/events/stream</code>, described in the
        <a href="/docs#reference">documentation</a>.
      </p>
      <p>On a command line: <code id="command">curl -N /v1/events/stream</code></p>
      <p class="status"><span id="state" role="status">Connecting…</span> <span id="next"></span></p>
      <noscript><p>This page needs JavaScript.</p></noscript>
    </header>
    <main>
      <section aria-label="State of every source" id="cards"></section>
      <section aria-labelledby="log-title">
        <h2 id="log-title">Messages</h2>
        <p class="hint">Newest first. A connection begins with a snapshot of every source; open a line to see the message.</p>
        <ol id="log" reversed></ol>
      </section>
    </main>
    <script src="/live/live.js" type="module"></script>
  </body>
</html>`);

/** `/live`: a page that shows the stream arriving. */
export const livePage = defineRoute({
  method: 'get',
  path: '/live',
  operationId: 'getLivePage',
  tag: 'Events',
  summary: 'Page that shows the event stream',
  description: 'The stream arriving, with countdowns, for people.',
  access: openAccess,
  surface: 'page',
  hidden: true,
  ok: { contentTypes: ['text/html'], description: 'HTML page.' },
}).handle(() => ({ kind: 'raw', body: PAGE, contentType: 'text/html; charset=utf-8', etag: `"${digestOf(PAGE)}"`, maxAge: MAX_AGE }));
