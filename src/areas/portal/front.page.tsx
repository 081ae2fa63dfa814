import type { PageContent } from './page.tsx';

/** `/`: what the service is, shown rather than told. */
export function frontPage(appName: string, baseUrl: string): Omit<PageContent, 'viewer'> {
  const main = (
    <div class="front">
      <section class="hero" aria-labelledby="hero-title">
        <h1 id="hero-title">{appName}</h1>
        <p class="lead">
          Live data of the game over plain HTTP and JSON: rotations, merchants, biomes, server status, news, stats, gems, mods, market and
          more. Public endpoints need no key.
        </p>
        <div class="secret">
          <code id="try-it">{`curl ${baseUrl}/v1/rotations/server-time`}</code>
          <button type="button" data-copy="try-it">
            Copy
          </button>
        </div>
        <p class="links">
          <a class="button primary" href="/docs">
            Read the docs
          </a>
          <a class="button" href="/portal/signup">
            Get a token
          </a>
          <a class="button" href="/codex">
            Browse the codex
          </a>
          <a class="button" href={`webcal://${new URL(baseUrl).host}/v1/rotations/calendar.ics`}>
            Subscribe to the calendar
          </a>
          <a href="/openapi.json">OpenAPI</a> <a href="/llms.txt">llms.txt</a>
        </p>
      </section>
      <section aria-labelledby="now-title">
        <div class="page-head">
          <h2 id="now-title">In the game now</h2>
          <p class="hint">
            <span id="stream-state" role="status">
              Connecting…
            </span>{' '}
            · <a href="/live">every message as it comes</a>
          </p>
        </div>
        <ul id="rotations" class="rotations">
          {ROTATIONS.map(([type, title]) => (
            <li class="card" data-type={type}>
              <h3>{title}</h3>
              <p class="headline">…</p>
              <p class="hint countdown">&nbsp;</p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="status-title">
        <div class="page-head">
          <h2 id="status-title">Game servers, last 30 days</h2>
          <p class="hint">
            <a href="/servers">every outage</a>
          </p>
        </div>
        <div id="status" class="timelines">
          {SERVERS.map(([environment, title]) => (
            <figure class="timeline" data-environment={environment}>
              <figcaption>
                <b>{title}</b> <span class="hint" data-role="uptime" />
              </figcaption>
              <div class="strip" />
            </figure>
          ))}
        </div>
        <p class="hint legend">
          <span class="key online">online</span> <span class="key maintenance">maintenance</span> <span class="key down">down</span>{' '}
          <span class="key unknown">not known</span>
        </p>
      </section>
    </div>
  );
  return { title: 'Live game data over HTTP', script: 'front.js', main };
}

/** Cards of the front page: type of the event stream, and title. */
const ROTATIONS = [
  ['challenge', 'Challenge'],
  ['daily_bonuses', 'Daily bonus'],
  ['corruxion', 'Corruxion'],
  ['fluxion', 'Fluxion'],
  ['longshade', 'Biomes'],
  ['wild_mana', 'Wild mana'],
  ['stampy', 'Stampy'],
  ['chaos', 'Chaos chest'],
] as const;

const SERVERS = [
  ['eu', 'Europe'],
  ['us', 'America'],
  ['pts', 'Test server'],
] as const;
