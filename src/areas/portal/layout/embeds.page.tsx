import type { FC } from 'hono/jsx';
import { cardHeight } from '../../../platform/kit/images/embedded-images.domain.ts';
import { escapeXml } from '../../../platform/kit/values/escape-xml.ts';

/** Width of a card in pixels. */
const CARD_WIDTH = 420;
/** Name of the script of pages with copy buttons. */
export const COPY_SCRIPT = 'dom.js';

interface EmbedProps {
  /** Unique on the page. */
  id: string;
  /** Text of the fold; default `Embed`. */
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

/** Card and badge of the subject of a page, with the code to embed them. Folded, because most visitors do not embed them. */
export const Embed: FC<EmbedProps> = (props) => {
  const { id, title: heading = 'Embed', alt, badge, card, rows } = props;
  return (
    <details class="card embed-code" id={id}>
      <summary>{heading}</summary>
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
    </details>
  );
};
