import type { FC } from 'hono/jsx';
import { cardHeight } from '../../platform/kit/images/embedded-images.domain.ts';
import { escapeXml } from '../../platform/kit/values/escape-xml.ts';
import type { OpenPage } from './layout.page.tsx';

/** Width of a card in pixels. */
const CARD_WIDTH = 420;
/** Name of the script of pages with copy buttons. */
export const COPY_SCRIPT = 'dom.js';

interface EmbedProps {
  /** Unique on the page. */
  id: string;
  /** Heading; default `Embed`. */
  title?: string;
  /** Alternative text of the images. */
  alt: string;
  /** Paths of the images. */
  badge: string;
  card: string;
  /** Number of rows of the card, which sets the space for the image before it has loaded. */
  rows: number;
  /** Path of the page that the images link to. */
  page: string;
  baseUrl: string;
}

/** A value as a path segment or as part of a query, without the parentheses that would end a Markdown link. */
export const urlPart = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(/[()']/g, (character) => `%${character.charCodeAt(0).toString(16)}`);

const markdownText = (text: string) => text.replace(/[\\[\]<>*_`]/g, '\\$&');

function snippetsOf({ alt, badge, card, page, baseUrl }: EmbedProps): [title: string, text: string][] {
  const link = baseUrl + page;
  const markdown = (image: string) => `[![${markdownText(alt)}](${baseUrl}${image})](${link})`;
  const image = (path: string, size = '') => `<img src="${escapeXml(baseUrl + path)}" alt="${escapeXml(alt)}"${size}>`;
  const anchor = (content: string) => `<a href="${escapeXml(link)}">${content}</a>`;
  const light = `<source media="(prefers-color-scheme: light)" srcset="${escapeXml(`${baseUrl}${card}?theme=light`)}">`;
  return [
    ['Card, Markdown', markdown(card)],
    ['Card, HTML', anchor(`<picture>${light}${image(card, ` width="${CARD_WIDTH}"`)}</picture>`)],
    ['Badge, Markdown', markdown(badge)],
    ['Badge, HTML', anchor(image(badge))],
  ];
}

/** Card and badge of the subject of a page, with the code to embed them. */
export const Embed: FC<EmbedProps> = (props) => {
  const { id, title: heading = 'Embed', alt, badge, card, rows } = props;
  return (
    <section class="card embed-code" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{heading}</h2>
      <p class="hint">
        These images update themselves. Add <code>?theme=light</code> to an address for light pages.
      </p>
      <p>
        <picture>
          <source media="(prefers-color-scheme: light)" srcset={`${card}?theme=light`} />
          <img src={card} alt={alt} width={CARD_WIDTH} height={cardHeight(rows)} loading="lazy" />
        </picture>
      </p>
      <p>
        <picture>
          <source media="(prefers-color-scheme: light)" srcset={`${badge}?theme=light`} />
          <img src={badge} alt={alt} loading="lazy" />
        </picture>
      </p>
      <dl>
        {snippetsOf(props).map(([title, text], index) => (
          <>
            <dt>
              {title}{' '}
              <button type="button" data-copy={`${id}-${index}`} aria-label={`Copy: ${title}`}>
                Copy
              </button>
            </dt>
            <dd>
              <pre id={`${id}-${index}`} tabindex={0}>
                {text}
              </pre>
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
};

const MERCHANTS = [
  ['corruxion', 'Corruxion'],
  ['fluxion', 'Fluxion'],
] as const;

/** Rows of the card of a merchant. */
const CARD_ROWS = 4;

/** `/merchants`: the card of each merchant shows the next visits. */
export function merchantsPage(baseUrl: string): OpenPage {
  const main = (
    <div class="figures">
      <h1>Merchants</h1>
      <p class="lead">When the merchants are here, and when they return.</p>
      {MERCHANTS.map(([name, title]) => (
        <Embed
          id={name}
          rows={CARD_ROWS}
          title={title}
          alt={`Next visits of ${title}`}
          badge={`/v1/rotations/badge/${name}.svg`}
          card={`/v1/rotations/card/${name}.svg`}
          page="/merchants"
          baseUrl={baseUrl}
        />
      ))}
      <p class="links">
        <a href="/v1/rotations/calendar.ics">All visits as a calendar (.ics)</a>
        <a href="/docs/reference/rotations">API reference</a>
      </p>
    </div>
  );
  return { title: 'Merchants', description: 'Next visits of the merchants, as cards to embed.', script: COPY_SCRIPT, main };
}
