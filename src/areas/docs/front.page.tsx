import type { FC } from 'hono/jsx';
import { installText } from '../../platform/http/pages/client-packages.ts';
import { ERROR_CATALOGUE, ERROR_CODES } from '../../platform/kit/errors/api-error.ts';
import { slugOf } from '../../platform/openapi/tag-document.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { GuideEntry } from './guides.store.ts';
import { Code, Prose } from './prose.page.tsx';

export interface TagEntry {
  name: string;
  description: string;
  /** Number of operations. */
  count: number;
}

interface FrontProps {
  baseUrl: string;
  settings: Settings;
  guides: readonly GuideEntry[];
  tags: readonly TagEntry[];
}

/** Anchors of the former single-page documentation, kept for existing links. */
const FORMER_ANCHORS: Readonly<Record<string, string>> = {
  authentication: 'authentication',
  'rate-limits': 'limits',
  caching: 'caching',
  versioning: 'compatibility',
  errors: 'errors',
};

/** Conventions of all endpoints that no guide covers. */
const CONVENTIONS = [
  [
    'conventions',
    'Conventions',
    'Bodies are JSON unless an operation states otherwise. Times are integer unix seconds in UTC, unless a field is named `*_iso`. A game day starts at 11:00 UTC, a game week on Monday at 11:00 UTC. Unknown query parameters are ignored and named in the response header `Unknown-Parameters`.',
  ],
  [
    'idempotency',
    'Repeating a write',
    'Send `Idempotency-Key` with a write to repeat it safely: the same key and body get the first response again for a day, marked `Idempotent-Replay: true`. While the first request runs a repeat gets 409, with another body 422.',
  ],
  [
    'browsers',
    'Browsers',
    'Scripts of any origin may call the data API, without cookies. All headers in the documentation may be sent and read, also on errors and on 304.',
  ],
] as const;

/** `/docs`. */
export const FrontPage: FC<FrontProps> = ({ baseUrl, settings, guides, tags }) => (
  <>
    <p class="lead">Live data of the game over HTTP and JSON. Public endpoints need no token.</p>
    <h2 id="start">Start</h2>
    <Code text={`curl ${baseUrl}/v1/rotations/server-time`} caption="Shell" language="bash" />
    <p class="links">
      <a class="button primary" href="/docs/quickstart">
        Quickstart
      </a>
      <a class="button" href="/portal/tokens">
        Get a token
      </a>
      <a href="/openapi.json">openapi.json</a>
      <a href="/openapi-3.0.json">OpenAPI 3.0</a>
      <a href="/llms.txt">llms.txt</a>
    </p>
    <p>
      Client libraries for <a href="/docs/clients#typescript">TypeScript</a> and <a href="/docs/clients#python">Python</a>:
    </p>
    <Code text={installText(baseUrl, settings)} caption="Shell" language="bash" />
    <h2 id="guides">Guides</h2>
    <GuideList guides={guides.filter(({ section }) => section === 'Guides')} />
    <h2 id="recipes">Recipes</h2>
    <GuideList guides={guides.filter(({ section }) => section === 'Recipes')} />
    <h2 id="reference">Reference</h2>
    <TagTable tags={tags} />
    <details class="more">
      <summary>Conventions and error codes</summary>
      {CONVENTIONS.map(([id, title, text]) => (
        <>
          <h3 id={id}>{title}</h3>
          <p>
            <Prose text={text} />
          </p>
        </>
      ))}
      <h3 id="error-codes">Error codes</h3>
      <ul class="codes">
        {ERROR_CODES.map((code) => (
          <li id={`error-${code}`}>
            <a href={`/docs/errors#${code}`}>
              <code>{code}</code>
            </a>{' '}
            <span class="hint">{ERROR_CATALOGUE[code].status}</span>
          </li>
        ))}
      </ul>
    </details>
  </>
);

/** Titles in columns, with the description as a second line. */
const GuideList: FC<Pick<FrontProps, 'guides'>> = ({ guides }) => (
  <ul class="guide-list">
    {guides.map(({ name, title, description }) => (
      <li id={FORMER_ANCHORS[name]}>
        <a href={`/docs/${name}`}>{title}</a> <span class="hint">{description}</span>
      </li>
    ))}
  </ul>
);

export const GuideCards: FC<Pick<FrontProps, 'guides'>> = ({ guides }) => (
  <ul class="cards">
    {guides.map(({ name, title, description }) => (
      <li>
        <a href={`/docs/${name}`}>{title}</a>
        <p>{description}</p>
      </li>
    ))}
  </ul>
);

/** The tags of the reference. */
export const TagTable: FC<Pick<FrontProps, 'tags'>> = ({ tags }) => (
  <section class="scroll" tabindex={0} aria-label="Reference">
    <table class="tag-table">
      <thead>
        <tr>
          <th scope="col">Tag</th>
          <th scope="col">Content</th>
          <th scope="col" class="number">
            Operations
          </th>
        </tr>
      </thead>
      <tbody>
        {tags.map(({ name, description, count }) => (
          <tr>
            <th scope="row">
              <a href={`/docs/reference/${slugOf(name)}`}>{name}</a>
            </th>
            <td>
              <Prose text={description} />
            </td>
            <td class="number">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
