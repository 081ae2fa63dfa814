import { openAccess } from '../../platform/access/policy/policy.ts';
import type { AnyEventDeclaration, EventRegistry } from '../../platform/events/event-declaration.ts';
import { defaultPreview, PreviewTags } from '../../platform/http/pages/preview-tags.tsx';
import { type Site, SiteFooter, SiteHead, SiteHeader } from '../../platform/http/pages/site-header.tsx';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { digestOf } from '../../platform/http/replies/reply.ts';

const MAX_AGE = 300;
const ABOUT = 'Every message of the event stream in real time: rotations, merchants, server status, news.';

function livePage({ appName, isDemo }: Site, events: readonly AnyEventDeclaration[], baseUrl: string): string {
  return `<!doctype html>${String(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`Live events · ${appName}`}</title>
        <meta name="description" content={ABOUT} />
        <PreviewTags appName={appName} {...defaultPreview('Live events', ABOUT, baseUrl, '/live')} />
        <SiteHead />
        <link rel="stylesheet" href="/live/live.css" />
        <script src="/live/live.js" type="module" />
      </head>
      <body>
        <SiteHeader appName={appName} isDemo={isDemo} path="/live" />
        <main id="main" tabindex={-1}>
          <h1>Live events</h1>
          <p>
            Every change as it happens, without polling: <code>GET /v1/events/stream</code>, described in the{' '}
            <a href="/docs/event-stream">documentation</a>.
          </p>
          <p>
            On a command line: <code>{`curl -N ${baseUrl}/v1/events/stream`}</code>
          </p>
          <noscript>
            <p class="notice">
              This page needs JavaScript. <a href="/">The front page</a> shows the same values without it.
            </p>
          </noscript>
          <p class="status">
            <span id="state" role="status">
              Connecting…
            </span>
            <span id="next" />
          </p>
          <section aria-label="State of every source" id="cards">
            {/* All cards are rendered before the first message, so the layout does not shift. */}
            {events.map(({ type, label }) => (
              <article class="card" data-type={type}>
                <h2>{label}</h2>
                <p class="headline">…</p>
                <p class="countdown" />
              </article>
            ))}
          </section>
          <section aria-labelledby="log-title">
            <h2 id="log-title">Messages</h2>
            <p class="hint">Newest first. A connection starts with a snapshot of every source. Select a line to see its message.</p>
            <ol id="log" reversed />
          </section>
        </main>
        <SiteFooter appName={appName} />
      </body>
    </html>,
  )}`;
}

/** `/live`: a page that shows the stream. */
export function createLivePage(site: Site, events: EventRegistry): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/live',
    operationId: 'getLivePage',
    tag: 'Events',
    summary: 'Live events page',
    description: 'HTML page that shows the event stream with countdowns.',
    access: openAccess,
    surface: 'page',
    hidden: true,
    ok: { contentTypes: ['text/html'], description: 'HTML page.' },
  }).handle(({ baseUrl }) => {
    const body = livePage(site, events.all, baseUrl);
    return { kind: 'raw', body, contentType: 'text/html; charset=utf-8', etag: `"${digestOf(body)}"`, maxAge: MAX_AGE };
  });
}
