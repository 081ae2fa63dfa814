import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KNOWN_STATS } from '../../../src/areas/ocr/character-stats.data.ts';
import { extractCharacterStats } from '../../../src/areas/ocr/character-stats.domain.ts';
import { tokenizeLine } from '../../../src/areas/ocr/line-parts.domain.ts';

/** `LONG_TESTS=1` reads more lines and sheets; `FUZZ_SEED` selects them. */
const LONG = process.env.LONG_TESTS === '1';
const SEED = process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {};
const LINES = { numRuns: LONG ? 50_000 : 2000, ...SEED };
const SHEETS = { numRuns: LONG ? 3000 : 150, ...SEED };
/** Numbers with more digits are text. */
const MAX_DIGITS = 15;

const isDigit = (char: string | undefined) => char !== undefined && char >= '0' && char <= '9';
const isBlank = (char: string | undefined) => char !== undefined && char.trim() === '';
const digitsOf = (text: string) => [...text].filter(isDigit).length;

/** The value of digits with separators: the last one is a decimal point before one or two digits, all others group. */
function referenceValue(text: string): number {
  let [whole, sinceSeparator, hasSeparator] = ['', '', false];
  for (const char of text) {
    if (isDigit(char)) sinceSeparator += char;
    else if (isBlank(char)) continue;
    else [whole, sinceSeparator, hasSeparator] = [whole + sinceSeparator, '', true];
  }
  return hasSeparator && sinceSeparator.length < 3 ? Number(`${whole}.${sinceSeparator}`) : Number(whole + sinceSeparator);
}

/** The numbers of a line, character by character: written from the description, without regular expressions. */
function referenceNumbers(line: string): [value: number, isPercent: boolean][] {
  const pieces: { text: string; start: number; end: number }[] = [];
  for (let at = 0; at < line.length; at += 1) {
    if (!isDigit(line[at])) continue;
    let end = at + 1;
    // Separators belong to the number while a digit follows them.
    for (let next = end; next < line.length && (isDigit(line[next]) || line[next] === '.' || line[next] === ','); next += 1) {
      if (isDigit(line[next])) end = next + 1;
    }
    pieces.push({ text: line.slice(at, end), start: at, end });
    at = end - 1;
  }
  const found: [number, boolean][] = [];
  const isPercentAfter = (end: number) => {
    let at = end;
    while (isBlank(line[at])) at += 1;
    return line[at] === '%';
  };
  for (let first = 0; first < pieces.length; ) {
    let last = first;
    while (pieces[last + 1] && (pieces[last + 1]?.start ?? 0) === (pieces[last]?.end ?? 0) + 1 && isBlank(line[pieces[last]?.end ?? 0]))
      last += 1;
    const run = pieces.slice(first, last + 1);
    first = last + 1;
    const isGroup = (text: string) => text.length === 3 && digitsOf(text) === 3;
    const isLast = (text: string) => {
      const fraction = text.slice(4);
      return (
        isGroup(text) ||
        (isGroup(text.slice(0, 3)) && !isDigit(text[3]) && [1, 2].includes(fraction.length) && digitsOf(fraction) === fraction.length)
      );
    };
    const texts = run.map(({ text }) => text);
    const isGrouped =
      run.length > 1 &&
      digitsOf(texts[0] ?? '') === texts[0]?.length &&
      (texts[0]?.length ?? 9) <= 3 &&
      texts.slice(1, -1).every(isGroup) &&
      isLast(texts.at(-1) ?? '');
    const joined = texts.join(' ');
    const numbers = isGrouped && digitsOf(joined) <= MAX_DIGITS ? [{ text: joined, end: run.at(-1)?.end ?? 0 }] : run;
    for (const { text, end } of numbers) if (digitsOf(text) <= MAX_DIGITS) found.push([referenceValue(text), isPercentAfter(end)]);
  }
  return found;
}

const numbersOf = (line: string) =>
  tokenizeLine(line).flatMap((token): [number, boolean][] => (token.kind === 'number' ? [[token.value, token.isPercent]] : []));

/** The ways in which a sheet shows a number, and an engine reads its separators. */
const shownAs = (value: number, decimals: number, style: number): string => {
  const [whole = '', fraction] = value.toFixed(decimals).split('.');
  const groups = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '\0');
  const [group, point] = [
    [',', '.'],
    ['.', ','],
    [',', ','],
    ['.', '.'],
    [' ', ','],
    ['\u00a0', '.'],
    ['', '.'],
  ][style] ?? ['', '.'];
  return groups.replaceAll('\0', group ?? '') + (fraction === undefined ? '' : `${point}${fraction}`);
};

describe('numbers in a line of text, beside a reference', () => {
  it('are the same in any line of digits, separators, blanks and letters', () => {
    const parts = fc.constantFrom('0', '1', '12', '155', '050', '9999', '.', ',', ' ', '  ', '\u00a0', '%', ' %', 'a', 'Light', '-');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 14 }), (chosen) => {
        const line = chosen.join('');
        expect(numbersOf(line), JSON.stringify(line)).toEqual(referenceNumbers(line));
      }),
      LINES,
    );
  });

  it('have the value that was shown, however it is grouped', () => {
    const shown = fc.record({
      value: fc.integer({ min: 0, max: 99_999_999 }),
      decimals: fc.constantFrom(0, 1, 2),
      style: fc.nat(6),
      isPercent: fc.boolean(),
    });
    fc.assert(
      fc.property(shown, ({ value, decimals, style, isPercent }) => {
        const exact = value / 10 ** decimals;
        expect(numbersOf(`${shownAs(exact, decimals, style)}${isPercent ? ' %' : ''}`)).toEqual([[exact, isPercent]]);
      }),
      LINES,
    );
  });
});

describe('a character sheet, beside a reference', () => {
  const STATS = KNOWN_STATS.filter(({ key }) => key !== 'coefficient');
  const sheet = fc.record({
    rows: fc.shuffledSubarray([...STATS], { minLength: 1 }).chain((stats) =>
      fc.tuple(
        ...stats.map(({ key, kind, max, labels }) =>
          fc.record({
            key: fc.constant(key),
            kind: fc.constant(kind),
            label: fc.constantFrom(...labels),
            value:
              kind === 'percent'
                ? fc.integer({ min: 0, max: Math.min(max, 100_000) * 10 }).map((tenths) => tenths / 10)
                : fc.integer({ min: 0, max }),
            style: fc.nat(6),
          }),
        ),
      ),
    ),
    isAfter: fc.boolean(),
    isUpper: fc.boolean(),
  });

  it('returns the value of each row, and the coefficient of the damage', () => {
    fc.assert(
      fc.property(sheet, ({ rows, isAfter, isUpper }) => {
        const lines = rows.map(({ label, kind, value, style }) => {
          const number = `${shownAs(value, kind === 'percent' ? 1 : 0, style)}${kind === 'percent' ? '%' : ''}`;
          const words = isUpper ? label.toUpperCase() : label;
          return isAfter ? `${words} ${number}` : `${number} ${words}`;
        });
        const { stats } = extractCharacterStats(lines);
        const values = new Map(rows.map(({ key, value }): [string, number] => [key, value]));
        const damage = Math.max(values.get('physical_damage') ?? -1, values.get('magic_damage') ?? -1);
        const critical = values.get('critical_damage');
        if (damage >= 0 && critical !== undefined) {
          // In tenths of a percent, so that the product is exact.
          values.set('coefficient', Number((BigInt(damage) * (1000n + BigInt(Math.round(critical * 10)))) / 1000n));
        }
        expect(Object.fromEntries(Object.entries(stats).map(([key, stat]) => [key, stat.value])), lines.join('\n')).toEqual(
          Object.fromEntries(values),
        );
      }),
      SHEETS,
    );
  });
});
