/** A number in a line of text. */
export interface NumberToken {
  kind: 'number';
  /** Text of the number with its percent sign. */
  raw: string;
  value: number;
  isPercent: boolean;
  /** Position in the line. */
  index: number;
}

/** Text between numbers, normalised to lower case. */
interface TextToken {
  kind: 'text';
  words: string;
}

export type LineToken = NumberToken | TextToken;

/** Maximum digits of a number. */
const MAX_DIGITS = 15;
/** Digits with separators between them; spaces are not separators. */
const NUMBER = /\d[\d.,]*\d|\d/g;
const PERCENT = /^\s*%/;

/** Splits a line into numbers and the text between them. */
export function tokenizeLine(line: string): LineToken[] {
  const tokens: LineToken[] = [];
  let end = 0;
  for (const match of line.matchAll(NUMBER)) {
    const digits = match[0];
    if (digits.replace(/\D/g, '').length > MAX_DIGITS) continue;
    const sign = PERCENT.exec(line.slice(match.index + digits.length))?.[0] ?? '';
    pushText(tokens, line.slice(end, match.index));
    end = match.index + digits.length + sign.length;
    tokens.push({ kind: 'number', raw: digits + sign, value: parseNumber(digits), isPercent: sign !== '', index: match.index });
  }
  pushText(tokens, line.slice(end));
  return tokens;
}

function pushText(tokens: LineToken[], text: string): void {
  const words = normalizeText(text);
  if (words !== '') tokens.push({ kind: 'text', words });
}

/** Parses a number. The engine confuses comma and point: only the last separator is decimal, if one or two digits follow. */
function parseNumber(digits: string): number {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const fraction = last < 0 ? '' : digits.slice(last + 1);
  const removeSeparators = (text: string) => text.replace(/[.,]/g, '');
  return fraction.length === 1 || fraction.length === 2
    ? Number(`${removeSeparators(digits.slice(0, last))}.${fraction}`)
    : Number(removeSeparators(digits));
}

/** Removes accents and punctuation and converts to lower case. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}
