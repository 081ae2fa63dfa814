import { escapeXml } from '../values/escape-xml.ts';
import { namedValues } from '../values/named-values.ts';
import { OPEN_SANS, printableText, textWidth, wrapText } from './text-layout.domain.ts';

/** Color themes of images that other sites embed. An image cannot read the theme of the page around it. */
export const IMAGE_THEMES = namedValues('ImageTheme', 'Color theme of an image.', ['dark', 'light'] as const);
export type ImageTheme = (typeof IMAGE_THEMES)[number];

/** Fonts of embedded images: images load none, so the first one that the reader has is used. */
const IMAGE_FONTS = 'Open Sans,Segoe UI,Verdana,DejaVu Sans,Helvetica,Arial,sans-serif';

/*
 * Badges are small SVG images with a label and a value, for READMEs and forums. They contain no fonts: text is laid out by the widths of
 * one font, and `textLength` scales other fonts to them.
 */

/** Colors by meaning. White text has a contrast ratio of at least 4.5 on each. */
const BADGE_COLORS = { good: '#1f6f35', warn: '#8a5a00', bad: '#b3204f', info: '#0b5cb8', none: '#55606f' } as const;
export type BadgeTone = keyof typeof BADGE_COLORS;

export interface Badge {
  label: string;
  value: string;
  tone: BadgeTone;
}

/** Background and text of the label by theme. */
const LABEL: Readonly<Record<ImageTheme, { back: string; ink: string }>> = {
  dark: { back: '#333b47', ink: '#ffffff' },
  light: { back: '#dfe3e9', ink: '#1b2430' },
};
const VALUE_INK = '#ffffff';
const HEIGHT = 20;
const PADDING = 7;
const FONT_SIZE = 11;
const BASELINE = 14;
/** Longer labels and values are truncated. */
const MAX_BADGE_TEXT_LENGTH = 60;

interface Half {
  text: string;
  x: number;
  textWidth: number;
  width: number;
}

function halfOf(text: string, x: number): Half {
  const width = Math.round(textWidth(text, OPEN_SANS, FONT_SIZE));
  return { text, x, textWidth: width, width: width + 2 * PADDING };
}

const backgroundOf = ({ x, width }: Half, color: string) => `<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${color}"/>`;
const textOf = ({ text, x, textWidth: width }: Half, ink: string) =>
  width === 0
    ? ''
    : `<text x="${x + PADDING}" y="${BASELINE}" fill="${ink}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`;

/** Renders a badge as SVG with an accessible name. Its size is bounded for texts of any length. */
export function badgeSvg({ label, value, tone }: Badge, theme: ImageTheme = 'dark'): string {
  const left = halfOf(printableText(label, MAX_BADGE_TEXT_LENGTH), 0);
  const right = halfOf(printableText(value, MAX_BADGE_TEXT_LENGTH), left.width);
  const width = left.width + right.width;
  const name = escapeXml(`${left.text}: ${right.text}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${name}">` +
    `<title>${name}</title><clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="4"/></clipPath>` +
    `<g clip-path="url(#r)">${backgroundOf(left, LABEL[theme].back)}${backgroundOf(right, BADGE_COLORS[tone])}</g>` +
    `<g font-family="${IMAGE_FONTS}" font-size="${FONT_SIZE}">${textOf(left, LABEL[theme].ink)}${textOf(right, VALUE_INK)}</g></svg>`
  );
}

/** An SVG image with a title and a few rows, for READMEs and forums. Texts may contain any characters. */
export interface Card {
  /** Kind of the subject, such as `Leaderboard`. */
  kind: string;
  title: string;
  /** At most `MAX_CARD_ROWS`. */
  rows: readonly CardRow[];
  /** Age of the data. */
  note: string;
}

export interface CardRow {
  label: string;
  value: string;
}

export const MAX_CARD_ROWS = 5;

interface CardColors {
  back: string;
  line: string;
  ink: string;
  muted: string;
  accent: string;
}

/** Each text has a contrast ratio of at least 4.5 on the background. */
const CARD_COLORS: Readonly<Record<ImageTheme, CardColors>> = {
  dark: { back: '#21174a', line: '#4a3b8c', ink: '#f3f0ff', muted: '#c4b9ef', accent: '#ffd166' },
  light: { back: '#ffffff', line: '#d3cdea', ink: '#221a44', muted: '#5b5480', accent: '#6b3fa0' },
};

const WIDTH = 420;
const MARGIN = 18;
const INNER_WIDTH = WIDTH - 2 * MARGIN;
const VALUE_WIDTH = 170;
const ROW_GAP = 12;
const KIND = { size: 12, y: 28 };
const TITLE = { size: 20, y: 54 };
const ROW = { size: 14, height: 25, y: 84 };
const NOTE = { size: 11, height: 22 };

/** Height of a card in pixels. */
export const cardHeight = (rows: number): number => ROW.y + rows * ROW.height + NOTE.height;
const MAX_CARD_TEXT_LENGTH = 100;

interface TextPlace {
  x: number;
  y: number;
  size: number;
  width: number;
  color: string;
  isRight?: boolean;
}

function textElement(text: string, { x, y, size, width, color, isRight = false }: TextPlace): string {
  const [line = ''] = wrapText(printableText(text, MAX_CARD_TEXT_LENGTH), { font: OPEN_SANS, size, width, maxLines: 1 });
  if (line === '') return '';
  const length = Math.ceil(textWidth(line, OPEN_SANS, size));
  const left = isRight ? x - length : x;
  return `<text x="${left}" y="${y}" font-size="${size}" fill="${color}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeXml(line)}</text>`;
}

/** Renders a card as SVG with an accessible name and its rows as the description. Its size is bounded for texts of any length. */
export function cardSvg({ kind, title, rows: all, note }: Card, theme: ImageTheme): string {
  const rows = all.slice(0, MAX_CARD_ROWS);
  const colors = CARD_COLORS[theme];
  const height = cardHeight(rows.length);
  const name = escapeXml(printableText(`${kind}: ${title}`, MAX_CARD_TEXT_LENGTH));
  const description = rows.map(
    ({ label, value }) => `${printableText(label, MAX_CARD_TEXT_LENGTH)}: ${printableText(value, MAX_CARD_TEXT_LENGTH)}`,
  );
  const left = { x: MARGIN, width: INNER_WIDTH };
  const elements = rows.map(({ label, value }, index) => {
    const y = ROW.y + index * ROW.height;
    const valueWidth = Math.min(VALUE_WIDTH, Math.ceil(textWidth(printableText(value, MAX_CARD_TEXT_LENGTH), OPEN_SANS, ROW.size)));
    return (
      textElement(label, { x: MARGIN, y, size: ROW.size, width: INNER_WIDTH - valueWidth - ROW_GAP, color: colors.muted }) +
      textElement(value, { x: WIDTH - MARGIN, y, size: ROW.size, width: VALUE_WIDTH, color: colors.ink, isRight: true })
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${name}">` +
    `<title>${name}</title><desc>${escapeXml(description.join('; '))}</desc>` +
    `<rect x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="${colors.back}" stroke="${colors.line}"/>` +
    `<g font-family="${IMAGE_FONTS}">` +
    textElement(kind, { ...left, y: KIND.y, size: KIND.size, color: colors.accent }) +
    textElement(title, { ...left, y: TITLE.y, size: TITLE.size, color: colors.ink }) +
    elements.join('') +
    textElement(note, { ...left, y: height - MARGIN + 4, size: NOTE.size, color: colors.muted }) +
    '</g></svg>'
  );
}
