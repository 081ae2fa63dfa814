import { escapeXml } from '../values/escape-xml.ts';
import { OPEN_SANS } from './font-widths.data.ts';
import { IMAGE_FONTS, type ImageTheme } from './image-theme.data.ts';
import { printableText, textWidth } from './text-layout.domain.ts';

/*
 * Badges are small SVG images with a label and a value, for READMEs and forums. They contain no fonts: text is laid out by the widths of
 * one font, and `textLength` scales other fonts to them.
 */

/** Colors by meaning. White text has a contrast ratio of at least 4.5 on each. */
const COLORS = { good: '#1f6f35', warn: '#8a5a00', bad: '#b3204f', info: '#0b5cb8', none: '#55606f' } as const;
export type BadgeTone = keyof typeof COLORS;

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
const MAX_TEXT_LENGTH = 60;

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
  const left = halfOf(printableText(label, MAX_TEXT_LENGTH), 0);
  const right = halfOf(printableText(value, MAX_TEXT_LENGTH), left.width);
  const width = left.width + right.width;
  const name = escapeXml(`${left.text}: ${right.text}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${name}">` +
    `<title>${name}</title><clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="4"/></clipPath>` +
    `<g clip-path="url(#r)">${backgroundOf(left, LABEL[theme].back)}${backgroundOf(right, COLORS[tone])}</g>` +
    `<g font-family="${IMAGE_FONTS}" font-size="${FONT_SIZE}">${textOf(left, LABEL[theme].ink)}${textOf(right, VALUE_INK)}</g></svg>`
  );
}
