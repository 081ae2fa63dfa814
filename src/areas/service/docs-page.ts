import { html, raw } from 'hono/html';
import { ERROR_CATALOGUE, ERROR_CODES } from '../../platform/errors/catalogue.ts';
import { type Chapter, GUIDE } from './guide.data.ts';

/** The documentation page: the guide, the error codes, and the reference rendered from `/openapi.json`. */
export function docsPage(baseUrl: string): string {
  return String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Game Data API</title>
    <meta name="description" content="Documentation of the Game Data API: guide, error codes and reference." />
    <link rel="icon" href="/docs/vendor/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/vendor/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/docs.css" />
  </head>
  <body>
    <header>
      <h1>Game Data API</h1>
      <p>Live data for an online game over HTTP: quick, public where it can be, and described to the last field.</p>
      <pre><code>curl ${baseUrl}/v1/rotations/server-time</code></pre>
      <nav aria-label="Contents">
        <a href="#reference">Reference</a>
        ${GUIDE.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}
        <a href="#errors">Errors</a>
        <a href="/live">Live</a>
        <a href="/openapi.json">openapi.json</a>
        <a href="/llms.txt">llms.txt</a>
      </nav>
    </header>
    <main>
      ${GUIDE.map(chapterSection)}
      <section id="errors">
        <h2>Errors</h2>
        <p>Every error has one form: <code>{"error": {"code": "…", "message": "…", "details": …}}</code>. Branch on <code>code</code>.</p>
        ${ERROR_CODES.map(errorSection)}
      </section>
      <section id="reference">
        <h2>Reference</h2>
        <div id="swagger-ui"></div>
        <noscript><p>The reference needs JavaScript; <a href="/openapi.json">openapi.json</a> and <a href="/llms.txt">llms.txt</a> hold the same.</p></noscript>
      </section>
    </main>
    <footer>
      <nav aria-label="About"><a href="/">Start</a> <a href="/docs/privacy">Privacy</a> <a href="/docs/terms">Terms</a></nav>
    </footer>
    <script src="/docs/vendor/swagger-ui-bundle.js" defer></script>
    <script src="/docs/docs.js" defer></script>
  </body>
</html>`);
}

function chapterSection({ id, title, paragraphs }: Chapter) {
  return html`<section id="${id}"><h2>${title}</h2>${paragraphs.map((text) => html`<p>${withCode(text)}</p>`)}</section>`;
}

function errorSection(code: (typeof ERROR_CODES)[number]) {
  const { status, summary, guide } = ERROR_CATALOGUE[code];
  return html`<article id="error-${code}"><h3><code>${code}</code> <small>${status}</small></h3><p>${summary}</p><p>${withCode(guide)}</p></article>`;
}

/** Text in which `code` between backticks is marked up; everything is escaped. */
function withCode(text: string) {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return raw(parts.join(''));
}
