import type { FontWidths } from './font-widths.data.ts';

/** Characters outside the fonts, which have Latin, Cyrillic and Greek letters, ASCII and common punctuation. */
const UNKNOWN_CHARACTERS = /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\x20-\x7e‘’“”–—…·×€°™®]+/gu;
/** Longer input is truncated. No image has room for more. */
const MAX_TEXT_LENGTH = 400;
const FIRST_ASCII = 0x20;
/** The first character of the East Asian scripts, and the width of each of them, in hundredths. */
const FIRST_WIDE = 0x2e80;
const WIDE = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const REMOVED_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]+/g;
const ELLIPSIS = '…';

/** Removes unsupported characters, joins lines and truncates the text. */
export function plainText(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).normalize('NFC').replace(UNKNOWN_CHARACTERS, ' ').replace(/\s+/g, ' ').trim();
}

/** Width in the unit of `size`. Characters outside the font are estimated: those of East Asian scripts and emoji are square. */
export function textWidth(text: string, { ascii, other }: FontWidths, size: number): number {
  let hundredths = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    hundredths += ascii[code - FIRST_ASCII] ?? (code < FIRST_WIDE ? other : WIDE);
  }
  return (hundredths * size) / 100;
}

/** Removes characters that XML does not allow and those that change the direction of text, and truncates the text. */
export function printableText(text: string, maxLength: number): string {
  // Bounded before the text is split: a name may have any length.
  const characters = [
    ...text
      .slice(0, 2 * MAX_TEXT_LENGTH)
      .toWellFormed()
      .replace(REMOVED_CHARACTERS, ' ')
      .trim(),
  ];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}${ELLIPSIS}` : characters.join('');
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
