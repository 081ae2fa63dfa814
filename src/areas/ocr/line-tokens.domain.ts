/** A number in a line of text. */
export interface NumberToken {
  kind: 'number';
  /** As it is written, with its percent sign. */
  raw: string;
  value: number;
  isPercent: boolean;
  /** Position in the line. */
  index: number;
}

/** Text between numbers, normalised to lower case. */
export interface TextToken {
  kind: 'text';
  words: string;
}

export type LineToken = NumberToken | TextToken;

/** Maximum digits of a number. */
const MAX_DIGITS = 15;
/** Digits with separators inside; spaces never join. */
const NUMBER = /\d[\d.,]*\d|\d/g;
const PERCENT = /^\s*%/;

/** Cuts a line into numbers and the text around them. */
export function tokensOf(line: string): LineToken[] {
  const tokens: LineToken[] = [];
  let end = 0;
  for (const match of line.matchAll(NUMBER)) {
    const digits = match[0];
    if (digits.replace(/\D/g, '').length > MAX_DIGITS) continue;
    const sign = PERCENT.exec(line.slice(match.index + digits.length))?.[0] ?? '';
    pushText(tokens, line.slice(end, match.index));
    end = match.index + digits.length + sign.length;
    tokens.push({ kind: 'number', raw: digits + sign, value: numberOf(digits), isPercent: sign !== '', index: match.index });
  }
  pushText(tokens, line.slice(end));
  return tokens;
}

function pushText(tokens: LineToken[], text: string): void {
  const words = normalised(text);
  if (words !== '') tokens.push({ kind: 'text', words });
}

/** Readers confuse comma and point, so only the last separator can be decimal: when one or two digits follow it. */
function numberOf(digits: string): number {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const fraction = last < 0 ? '' : digits.slice(last + 1);
  const plain = (text: string) => text.replace(/[.,]/g, '');
  return fraction.length === 1 || fraction.length === 2 ? Number(`${plain(digits.slice(0, last))}.${fraction}`) : Number(plain(digits));
}

/** Text without accents, capitals and punctuation. */
export function normalised(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}
