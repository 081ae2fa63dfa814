import { escapeXml } from '../values/escape-xml.ts';

/*
 * Badges are small SVG images with a label and a value, for READMEs and forums. They contain no fonts, so text widths are estimated
 * for common sans-serif fonts, and `textLength` scales the text to the estimate.
 */

/** Colors by meaning. White text has a contrast ratio of at least 4.5 on each. */
const COLORS = { good: '#1f6f35', warn: '#8a5a00', bad: '#b3204f', info: '#0b5cb8', none: '#55606f' } as const;
export type BadgeTone = keyof typeof COLORS;

export interface Badge {
  label: string;
  value: string;
  tone: BadgeTone;
}

const LABEL_COLOR = '#333b47';
const HEIGHT = 20;
const PADDING = 7;
const FONT_SIZE = 11;
const BASELINE = 14;
/** Longer labels and values are truncated. */
const MAX_TEXT_LENGTH = 60;
const NARROW = /[ ijlftrI.,:;'’!|()[\]·-]/;
const WIDE = /[mwMW%@—…\u2e80-\u{10ffff}]/u;
const CAPITAL = /[A-Z]/;
/** Characters that XML does not allow, and characters that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the badge replaces these characters
const REMOVED_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]+/g;

/** Estimated width of a character in pixels. */
function widthOf(character: string): number {
  if (NARROW.test(character)) return 4.3;
  if (WIDE.test(character)) return 10.5;
  return CAPITAL.test(character) ? 7.9 : 6.7;
}

function printableText(text: string): string {
  const characters = [...text.toWellFormed().replace(REMOVED_CHARACTERS, ' ').trim()];
  return characters.length > MAX_TEXT_LENGTH ? `${characters.slice(0, MAX_TEXT_LENGTH - 1).join('')}…` : characters.join('');
}

interface Half {
  text: string;
  x: number;
  textWidth: number;
  width: number;
}

function halfOf(text: string, x: number): Half {
  const textWidth = Math.round([...text].reduce((sum, character) => sum + widthOf(character), 0));
  return { text, x, textWidth, width: textWidth + 2 * PADDING };
}

const backgroundOf = ({ x, width }: Half, color: string) => `<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${color}"/>`;
const textOf = ({ text, x, textWidth }: Half) =>
  textWidth === 0
    ? ''
    : `<text x="${x + PADDING}" y="${BASELINE}" textLength="${textWidth}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`;

/** Renders a badge as SVG with an accessible name. Its size is bounded for texts of any length. */
export function badgeSvg({ label, value, tone }: Badge): string {
  const left = halfOf(printableText(label), 0);
  const right = halfOf(printableText(value), left.width);
  const width = left.width + right.width;
  const name = escapeXml(`${left.text}: ${right.text}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${name}">` +
    `<title>${name}</title><clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="4"/></clipPath>` +
    `<g clip-path="url(#r)">${backgroundOf(left, LABEL_COLOR)}${backgroundOf(right, COLORS[tone])}</g>` +
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="${FONT_SIZE}">${textOf(left)}${textOf(right)}</g></svg>`
  );
}
