import type { FontWidths } from './font-widths.data.ts';

/** Characters outside the fonts, which have Latin, Cyrillic and Greek letters, ASCII and common punctuation. */
const UNKNOWN_CHARACTERS = /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\x20-\x7e‘’“”–—…·×€°™®]+/gu;
/** Longer input is truncated. No text of a preview has room for more. */
const MAX_TEXT_LENGTH = 400;
const FIRST_ASCII = 0x20;
const ELLIPSIS = '…';

/** Removes unsupported characters, joins lines and truncates the text. */
export function plainText(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).normalize('NFC').replace(UNKNOWN_CHARACTERS, ' ').replace(/\s+/g, ' ').trim();
}

export function textWidth(text: string, { ascii, other }: FontWidths, size: number): number {
  let hundredths = 0;
  for (const character of text) hundredths += ascii[(character.codePointAt(0) ?? 0) - FIRST_ASCII] ?? other;
  return (hundredths * size) / 100;
}

export interface TextBox {
  font: FontWidths;
  size: number;
  width: number;
  maxLines: number;
}

/** Wraps plain text into a box. Breaks long words. Truncated text ends with an ellipsis. */
export function wrapText(text: string, { font, size, width, maxLines }: TextBox): string[] {
  const fits = (line: string) => textWidth(line, font, size) <= width;
  const lines: string[] = [];
  let rest = text;
  while (rest !== '' && lines.length < maxLines) {
    const isLast = lines.length === maxLines - 1;
    const line = isLast && !fits(rest) ? fittingPrefix(rest, (start) => fits(`${start}${ELLIPSIS}`)) + ELLIPSIS : fittingLine(rest, fits);
    lines.push(line.trim());
    rest = rest.slice(line.length).trim();
  }
  return lines;
}

/** The words that fit on a line. Breaks a word that is longer than a line. */
function fittingLine(text: string, fits: (line: string) => boolean): string {
  if (fits(text)) return text;
  let end = -1;
  for (let space = text.indexOf(' '); space !== -1 && fits(text.slice(0, space)); space = text.indexOf(' ', space + 1)) end = space;
  return end === -1 ? fittingPrefix(text, fits) : text.slice(0, end);
}

/** The longest prefix that fits, at least one character. */
function fittingPrefix(text: string, fits: (start: string) => boolean): string {
  const characters = [...text];
  let length = characters.length;
  while (length > 1 && !fits(characters.slice(0, length).join(''))) length -= 1;
  return characters.slice(0, length).join('').trimEnd();
}
