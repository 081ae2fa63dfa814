import { escapeXml } from '../values/escape-xml.ts';
import { OPEN_SANS } from './font-widths.data.ts';
import { IMAGE_FONTS, type ImageTheme } from './image-theme.data.ts';
import { printableText, textWidth, wrapText } from './text-layout.domain.ts';

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

interface Colors {
  back: string;
  line: string;
  ink: string;
  muted: string;
  accent: string;
}

/** Each text has a contrast ratio of at least 4.5 on the background. */
const COLORS: Readonly<Record<ImageTheme, Colors>> = {
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
const MAX_TEXT_LENGTH = 100;

interface TextPlace {
  x: number;
  y: number;
  size: number;
  width: number;
  color: string;
  isRight?: boolean;
}

function textElement(text: string, { x, y, size, width, color, isRight = false }: TextPlace): string {
  const [line = ''] = wrapText(printableText(text, MAX_TEXT_LENGTH), { font: OPEN_SANS, size, width, maxLines: 1 });
  if (line === '') return '';
  const length = Math.ceil(textWidth(line, OPEN_SANS, size));
  const left = isRight ? x - length : x;
  return `<text x="${left}" y="${y}" font-size="${size}" fill="${color}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeXml(line)}</text>`;
}

/** Renders a card as SVG with an accessible name and its rows as the description. Its size is bounded for texts of any length. */
export function cardSvg({ kind, title, rows: all, note }: Card, theme: ImageTheme): string {
  const rows = all.slice(0, MAX_CARD_ROWS);
  const colors = COLORS[theme];
  const height = cardHeight(rows.length);
  const name = escapeXml(printableText(`${kind}: ${title}`, MAX_TEXT_LENGTH));
  const description = rows.map(({ label, value }) => `${printableText(label, MAX_TEXT_LENGTH)}: ${printableText(value, MAX_TEXT_LENGTH)}`);
  const left = { x: MARGIN, width: INNER_WIDTH };
  const elements = rows.map(({ label, value }, index) => {
    const y = ROW.y + index * ROW.height;
    const valueWidth = Math.min(VALUE_WIDTH, Math.ceil(textWidth(printableText(value, MAX_TEXT_LENGTH), OPEN_SANS, ROW.size)));
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
