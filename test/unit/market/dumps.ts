import fc from 'fast-check';
import { expect } from 'vitest';
import { parseMarketDump, uuidTime } from '../../../src/areas/market/insert.domain.ts';
import { anyCodePoint } from '../../support/code-points.ts';

export interface LineParts {
  id?: string;
  name?: string;
  type?: string;
  stack?: number;
  price?: number;
}

/** A line of a dump. */
export function listingLine({ id, name = 'Sun Sap', type = 'Crafting', stack = 250, price = 40_000 }: LineParts = {}): string {
  return `${id ?? '5f0f8e80-6a1c-11ef-9a3e-01005161a8df'};${name};${type};${stack};${price}`;
}

const line = fc
  .record({
    id: fc.uuid(),
    name: fc.constantFrom('Sun Sap', 'Bardium', 'Mount: A.T.M.O.S. - D-R4C', 'Äther, Soul'),
    type: fc.constantFrom('', 'Crafting', 'Mount'),
    stack: fc.integer({ min: 0, max: 9999 }),
    price: fc.integer({ min: 0, max: 60_000_000 }),
  })
  .map(listingLine);

const dump = fc
  .array(line, { minLength: 1, maxLength: 6 })
  .chain((lines) => fc.constantFrom('\n', '\r\n', ',').map((end) => lines.join(end)));

type Edit = (text: string) => string;
const at = (text: string, share: number) => Math.floor(share * text.length);
const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const junk = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.string({ unit: anyCodePoint, maxLength: 5 }),
  fc.constantFrom(';', ',', '\r', '\n', '-', '\u0000', '\ud800', '٣'),
);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(share, junk).map(
    ([where, what]): Edit =>
      (text) =>
        text.slice(0, at(text, where)) + what + text.slice(at(text, where)),
  ),
  fc.tuple(share, junk).map(
    ([where, what]): Edit =>
      (text) =>
        text.slice(0, at(text, where)) + what + text.slice(at(text, where) + what.length),
  ),
  fc.tuple(share, share).map(
    ([from, to]): Edit =>
      (text) =>
        text.slice(0, at(text, Math.min(from, to))) + text.slice(at(text, Math.max(from, to))),
  ),
  fc.tuple(share, share).map(
    ([from, to]): Edit =>
      (text) =>
        text + text.slice(at(text, Math.min(from, to)), at(text, Math.max(from, to))),
  ),
);

/** Dumps with random damage. */
export const mutated: fc.Arbitrary<string> = fc
  .tuple(dump, fc.array(edit, { maxLength: 4 }))
  .map(([text, edits]) => edits.reduce((damaged, change) => change(damaged), text));

/** Checks the invariants of a parsed dump: only valid listings, each once. */
export function expectValidDump(text: string): void {
  const { listings, dropped, droppedCount } = parseMarketDump(text, 100);
  expect(new Set(listings.map(({ id }) => id)).size).toBe(listings.length);
  expect(droppedCount).toBeGreaterThanOrEqual(dropped.length);
  for (const { id, name, type, stack, price, milliEach, createdAt } of listings) {
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(name.trim()).toBe(name);
    expect(name).toMatch(/^[^;\r\n\p{Cc}]{1,200}$/u);
    if (type !== null) expect(type).toMatch(/^[^;\r\n\p{Cc}]{1,200}$/u);
    expect(stack).toBeGreaterThan(0);
    expect(stack).toBeLessThan(10_000);
    expect(price).toBeGreaterThan(0);
    expect(price).toBeLessThanOrEqual(50_000_000);
    expect(Math.abs(milliEach / 1000 - price / stack)).toBeLessThan(0.000501);
    expect(createdAt).toBe(uuidTime(id));
    expect(text.toLowerCase()).toContain(id);
  }
}
