/** Advance widths in hundredths of the font size. `ascii`: U+0020 to U+007E. `other`: upper estimate for other characters. */
export interface FontWidths {
  family: string;
  weight: number;
  ascii: readonly number[];
  other: number;
}

export const EXO_BOLD: FontWidths = {
  family: 'Exo 2',
  weight: 700,
  ascii: [
    ...[22, 30, 37, 71, 58, 91, 77, 21, 37, 37, 45, 54, 24, 41, 24, 55, 63, 43, 58, 57, 64, 55, 59, 53, 62, 59, 26, 26, 52, 58, 52, 52],
    ...[76, 65, 64, 59, 68, 58, 56, 65, 69, 29, 37, 63, 54, 92, 72, 69, 62, 69, 65, 59, 60, 69, 64, 98, 64, 61, 59, 35, 55, 35, 46, 45],
    ...[35, 57, 59, 51, 60, 56, 40, 58, 60, 28, 28, 56, 33, 88, 60, 59, 60, 59, 43, 53, 41, 59, 57, 85, 57, 57, 53, 34, 26, 34, 51],
  ],
  other: 80,
};

export const OPEN_SANS: FontWidths = {
  family: 'Open Sans',
  weight: 400,
  ascii: [
    ...[26, 26, 40, 65, 57, 83, 73, 22, 29, 29, 55, 57, 26, 32, 26, 37, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 26, 26, 57, 57, 57, 43],
    ...[90, 63, 65, 63, 73, 56, 52, 73, 74, 28, 27, 61, 52, 90, 75, 78, 60, 78, 62, 55, 55, 73, 60, 92, 58, 56, 57, 33, 37, 33, 57, 44],
    ...[28, 56, 61, 48, 61, 56, 34, 54, 61, 25, 25, 53, 25, 93, 61, 60, 61, 61, 41, 48, 36, 61, 50, 77, 52, 50, 47, 38, 55, 38, 57],
  ],
  other: 80,
};

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

interface TextBox {
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
