import { readVarint64 } from '../format/bytes.domain.ts';
import { encodeRowMark, type FileBytes, isPrintable, readLatin1 } from '../format/strings.domain.ts';
import { COMPANION_GEODE_BASE, MASTERY_BASES, MASTERY_FACTORS, SKIN_MASTERY_BASE } from './codex-tables.data.ts';

/** Array in field 1: header `AE` with the count, or `2E` if empty. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes of the format
const ARRAY_MARK = /\xbe\x01([\xae\x2e])/g;
const EMPTY_HEADER = '\x2e';
const FIRST_ARRAY_FROM = 9;
const MAX_MASTERY_ROWS = 100_000;
const AFTER_ROW_MARK = '\x00';
/** Bytes between the mark of a row and the length of its identifier: value of the first field and key of the next. */
const BYTES_BEFORE_ID = 2;

/** Rows of a multiplier table: four arrays of identifiers, one per factor. */
export function parseMultipliers(file: FileBytes): [id: string, factor: number][] {
  const rows: [string, number][] = [];
  let at = FIRST_ARRAY_FROM;
  for (const factor of MASTERY_FACTORS) {
    ARRAY_MARK.lastIndex = at;
    const mark = ARRAY_MARK.exec(file.latin1);
    const count = mark && readVarint64(file.bytes, ARRAY_MARK.lastIndex);
    if (mark === null || count === null) break;
    at = mark.index + mark[0].length;
    if (mark[1] === EMPTY_HEADER) continue;
    at = count.next;
    const rowCount = Math.min(Number(count.value), MAX_MASTERY_ROWS);
    for (let row = 1; row <= rowCount; row += 1) {
      const rowStart = encodeRowMark(row) + AFTER_ROW_MARK;
      const rowOffset = file.latin1.indexOf(rowStart, at);
      const id = rowOffset < 0 ? null : readLatin1(file, rowOffset + rowStart.length + BYTES_BEFORE_ID);
      if (id === null) break;
      const isId = id.text !== '' && isPrintable(file.bytes, id.next - id.text.length, id.next);
      if (isId) rows.push([id.text, factor]);
      at = isId ? id.next : rowOffset + rowStart.length;
    }
  }
  return rows;
}

/** Factors by mastery identifier. */
export type Multipliers = ReadonlyMap<string, number>;

export function createMultipliers(rows: readonly (readonly [id: string, factor: number])[]): Multipliers {
  const factors = new Map<string, number>();
  for (const [id, factor] of rows) {
    const key = masteryId(id.toLowerCase());
    if (!factors.has(key)) factors.set(key, factor);
  }
  return factors;
}

/** Mastery key of an identifier: a name without a path is a skin unless it contains a fragment of `MASTERY_BASES`. */
export function masteryId(identifier: string): string {
  if (identifier.startsWith('skins/')) return `collections/skin/${identifier.slice('skins/'.length)}`;
  if (identifier.includes('/') || listedBase(identifier) !== null) return identifier;
  return `collections/skin/${identifier}`;
}

function listedBase(id: string): number | null {
  return MASTERY_BASES.find(({ fragment }) => id.includes(fragment))?.base ?? null;
}

/** Base mastery of a mastery key. */
export function masteryBase(id: string): number {
  return id.startsWith('collections/skin/') ? SKIN_MASTERY_BASE : (listedBase(id) ?? 0);
}

/** Base times factor; without a factor the base, or null if it is 0. */
export function masteryOf(factor: number | undefined, base: number): number | null {
  if (factor !== undefined) return base * factor;
  return base === 0 ? null : base;
}

/** Geode mastery; null without a factor in the geode table. Collectibles and items with factor 0 have their base. */
export function geodeMasteryOf(id: string, factor: number | undefined, base: number): number | null {
  if (factor === undefined) return null;
  const geodeBase = id.includes('item/companion') ? COMPANION_GEODE_BASE : base;
  if (factor > 0) return geodeBase * factor;
  return id.startsWith('collections/') || id.startsWith('item/') ? geodeBase : 0;
}
