import type { FC } from 'hono/jsx';
import { installText } from '../../../platform/http/pages/client-packages.ts';
import { Instant } from '../../../platform/http/pages/parts.tsx';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { Histories } from '../charts/servers.page.tsx';
import { entryUrl } from '../codex/codex-links.domain.ts';
import { ModelImage } from '../codex/list.pages.tsx';
import { FollowedRow } from '../layout/followed.page.tsx';
import type { PageContent } from '../layout/layout.page.tsx';
import { GUIDES, ICONS, OFFERS, TILES, type TileSpec } from './front.data.ts';
import type { FrontFacts, Model, TileFacts } from './front.service.ts';

const MODEL_SIZE = 128;
const EXAMPLE_PATH = '/v1/rotations/server-time';

interface FrontRequest {
  settings: Settings;
  baseUrl: string;
  now: UnixSeconds;
}

/** `/`. Complete without its script, which updates the tiles. */
export function frontPage(facts: FrontFacts, { settings, baseUrl, now }: FrontRequest): PageContent {
  const main = (
    <>
      <div class="first">
        <div class="first-inside">
          <Now facts={facts} baseUrl={baseUrl} now={now} />
          <Api facts={facts} baseUrl={baseUrl} />
        </div>
      </div>
      <div class="front">
        {facts.models.length === 0 ? null : <Models models={facts.models} />}
        {facts.histories.length === 0 ? null : <Servers facts={facts} />}
        <section aria-labelledby="offers-title">
          <h2 id="offers-title">Available data</h2>
          <ul class="offers">
            {OFFERS.map(([title, text, path]) => (
              <li class="card">
                <h3>
                  <Icon name={title} /> <a href={path}>{title}</a>
                </h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </section>
        <Start baseUrl={baseUrl} settings={settings} />
      </div>
    </>
  );
  return { title: 'Live game data over HTTP', script: 'front.js', style: 'front.css', worksWithoutScript: true, isWide: true, main };
}

const Icon: FC<{ name: string }> = ({ name }) =>
  ICONS[name] === undefined ? null : (
    <svg class="icon" viewBox="0 0 24 24" width={20} height={20} aria-hidden="true" focusable="false">
      <path d={ICONS[name]} />
    </svg>
  );

/** Beside the state of the game on wide screens, after it on phones. */
const Api: FC<{ facts: FrontFacts; baseUrl: string }> = ({ facts: { example }, baseUrl }) => (
  <section class="api-part" aria-labelledby="api-title">
    <h2 id="api-title">Live game data over plain HTTP</h2>
    <p>Rotations, merchants, market, leaderboards, codex, mods and every game build as JSON. No token is needed to start.</p>
    <div class="terminal">
      <div class="terminal-line">
        <code id="try-it">{`curl ${baseUrl}${EXAMPLE_PATH}`}</code>
        <button type="button" data-copy="try-it">
          Copy
        </button>
      </div>
      {example === null ? null : <pre tabindex={0}>{JSON.stringify(JSON.parse(example), null, 2)}</pre>}
    </div>
    <p class="links">
      <a class="button gold" href="/portal/signup">
        Get a free token
      </a>
      <a class="button" href="/docs">
        Read the docs
      </a>
    </p>
  </section>
);

const Models: FC<{ models: readonly Model[] }> = ({ models }) => (
  <section aria-labelledby="models-title">
    <div class="page-head">
      <h2 id="models-title">From the codex</h2>
      <p class="hint">
        <a href="/codex">Browse the codex</a>
      </p>
    </div>
    <ul class="models">
      {models.map(({ type, path, name, image }) => (
        <li>
          <a href={entryUrl(type, path)}>
            <ModelImage url={image} size={MODEL_SIZE} isEager />
            <span>{name}</span>
          </a>
        </li>
      ))}
    </ul>
  </section>
);

const Now: FC<{ facts: FrontFacts; baseUrl: string; now: UnixSeconds }> = ({ facts, baseUrl, now }) => (
  <section class="game-now" aria-labelledby="now-title">
    <div class="page-head">
      <h1 id="now-title">In the game now</h1>
      <p class="hint">
        <span id="stream-state" role="status">
          As of <Instant at={now} clockOnly />
        </span>{' '}
        · <a href="/live">Live event stream</a>
      </p>
    </div>
    <FollowedRow />
    <ul id="rotations" class="rotations">
      {TILES.map((spec) => (
        <Tile spec={spec} tile={facts.tiles.get(spec.type)} now={now} />
      ))}
    </ul>
    <p class="links">
      <a class="button" href={`webcal://${new URL(baseUrl).host}/v1/rotations/calendar.ics`}>
        Subscribe to the calendar
      </a>
      <a href="/v1/rotations/calendar.ics">Calendar file (.ics)</a>
      <a href="/docs/recipes/calendar">How to add it to your calendar</a>
    </p>
  </section>
);

const Tile: FC<{ spec: TileSpec; tile: TileFacts | undefined; now: UnixSeconds }> = ({
  spec: { type, title, path, absent = 'Not known yet', isWide = false, hasWindows = true },
  tile,
  now,
}) => {
  const { startsAt = null, endsAt = null } = tile ?? {};
  const isBefore = startsAt !== null && now < startsAt;
  const place = startsAt === null || endsAt === null ? undefined : isBefore ? 'before' : now < endsAt ? 'inside' : 'after';
  return (
    <li
      class={isWide ? 'card whole' : 'card'}
      data-type={type}
      data-now={place}
      data-from={startsAt ?? undefined}
      data-to={endsAt ?? undefined}
    >
      <h2>
        <a href={path}>
          <Icon name={type} /> {title}
        </a>
      </h2>
      <p class="headline">{tile?.headline || absent}</p>
      {hasWindows ? (
        <p class="hint countdown">
          {startsAt === null || endsAt === null ? (
            '\u00a0'
          ) : (
            <>
              {isBefore ? 'from ' : now < endsAt ? 'until ' : 'ended '}
              <Instant at={isBefore ? startsAt : endsAt} />
            </>
          )}
        </p>
      ) : null}
    </li>
  );
};

const Servers: FC<{ facts: FrontFacts }> = ({ facts: { histories } }) => (
  <section aria-labelledby="status-title">
    <div class="page-head">
      <h2 id="status-title">Game servers</h2>
      <p class="hint">
        <a href="/servers">Every outage</a> · <a href="/status">Service status</a>
      </p>
    </div>
    <div class="card timelines">
      <Histories histories={histories} />
    </div>
  </section>
);

const Start: FC<{ baseUrl: string; settings: Settings }> = ({ baseUrl, settings }) => (
  <section aria-labelledby="start-title">
    <h2 id="start-title">Start</h2>
    <div class="starts">
      <div class="card">
        <h3>Guides</h3>
        <ul class="columns">
          {GUIDES.map(([title, path]) => (
            <li>
              <a href={path}>{title}</a>
            </li>
          ))}
        </ul>
      </div>
      <div class="card">
        <h3>Client libraries</h3>
        <p>
          For <a href="/docs/clients#typescript">TypeScript</a> and <a href="/docs/clients#python">Python</a>, with retries, caching, rate
          limit handling and an event stream that resumes.
        </p>
        <pre class="sample" tabindex={0}>
          {installText(baseUrl, settings)}
        </pre>
        <p>
          For other languages, generate a client from <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). Language models read{' '}
          <a href="/llms.txt">llms.txt</a>.
        </p>
      </div>
    </div>
  </section>
);
