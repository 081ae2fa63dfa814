import { exactNumber, readWhole, unzigzag } from '../format/bytes.domain.ts';
import { type FileBytes, isPrintable, readLatin1, type ScannedText, scanTexts } from '../format/strings.domain.ts';
import type { RecipeParse } from './codex-parse.domain.ts';
import { RECIPE_MATERIAL_PREFIXES, RECIPE_OUTPUT_PREFIXES, RECIPE_PATH_PREFIXES, RECIPE_REQUIREMENT_LABELS } from './codex-tables.data.ts';

const PATH_KEY = 0x08;
const AMOUNT_KEY = 0x10;
const MAX_QUANTIFIED_PATHS = 256;
const MAX_TEXTS = 4096;
/** Fields that name the product outright, the better first. */
const PRODUCT_FIELDS = [16, 1] as const;
const TOKEN_FIELDS: ReadonlySet<number> = new Set([1, 2]);
const TOKEN = /^[A-Za-z0-9_]{4,}$/;
const BLOCKS = 'placeable/block/';

/** Data from the bytes of a recipe; the rest comes from shared tables and other prefabs. */
export function parseRecipe(file: FileBytes): RecipeParse {
  const texts: ScannedText[] = [];
  for (const found of scanTexts(file)) if (texts.push(found) >= MAX_TEXTS) break;
  const rows = quantifiedRows(file);
  return {
    quantified: rows.map(({ path, amount }) => ({ path, amount })),
    product: namedProduct(texts, new Set(rows.map(({ at }) => at))),
    productTokens: [...new Set(texts.filter(({ field, text }) => TOKEN_FIELDS.has(field) && TOKEN.test(text)).map(({ text }) => text))],
    textProduct: textProduct(file.latin1, new Set(rows.map(({ path }) => path))),
    requirements: requirementsOf(texts),
    masteryByte: trustedMastery(file),
  };
}

/** Paths with an amount: `08 <length> <path> 10 <amount>`. */
function quantifiedRows(file: FileBytes): { at: number; path: string; amount: number }[] {
  const { bytes } = file;
  const rows: { at: number; path: string; amount: number }[] = [];
  for (let at = bytes.indexOf(PATH_KEY); at >= 0 && rows.length < MAX_QUANTIFIED_PATHS; at = bytes.indexOf(PATH_KEY, at + 1)) {
    const path = readLatin1(file, at + 1);
    if (path === null || bytes[path.next] !== AMOUNT_KEY || !startsWithOneOf(path.text, RECIPE_PATH_PREFIXES)) continue;
    if (!isPrintable(bytes, path.next - path.text.length, path.next)) continue;
    const raw = readWhole(bytes, path.next + 1);
    const amount = raw && exactNumber(unzigzag(raw.value));
    if (amount !== null && amount >= 0) rows.push({ at, path: path.text, amount });
  }
  return rows;
}

/** Field 16, else field 1, else the last path of field 0 that has no amount. */
function namedProduct(texts: readonly ScannedText[], quantifiedAt: ReadonlySet<number>): string | null {
  const paths = texts.filter(({ text }) => startsWithOneOf(text, RECIPE_OUTPUT_PREFIXES));
  for (const wanted of PRODUCT_FIELDS) {
    const named = paths.find(({ field }) => field === wanted);
    if (named) return named.text;
  }
  return paths.findLast(({ field, at }) => field === 0 && !quantifiedAt.has(at))?.text ?? null;
}

/** The last path with an amount that is neither a material nor a block. */
export function lastProductLike(quantified: RecipeParse['quantified']): string | null {
  return quantified.findLast(({ path }) => !startsWithOneOf(path, [...RECIPE_MATERIAL_PREFIXES, BLOCKS]))?.path ?? null;
}

const PATH_IN_TEXT = new RegExp(`(?:${RECIPE_OUTPUT_PREFIXES.join('|')})[A-Za-z0-9_/.-]+`, 'g');
const COLLECTIBLES = 'collections/';
const NULL_TOKEN = /(?<![A-Za-z0-9_])null(?![A-Za-z0-9_])/g;

/** The likeliest path of the printable text: behind the second (or only) `null` first, then anywhere, collectibles last. */
function textProduct(latin1: string, quantified: ReadonlySet<string>): string | null {
  const nulls = [...latin1.matchAll(NULL_TOKEN)];
  const mark = nulls[1] ?? nulls[0];
  const parts = mark === undefined ? [latin1] : [latin1.slice(mark.index), latin1];
  for (const part of parts) {
    for (const [path] of part.matchAll(PATH_IN_TEXT)) {
      if (!path.startsWith(COLLECTIBLES) && !quantified.has(path)) return path;
    }
  }
  return latin1.match(PATH_IN_TEXT)?.find((path) => path.startsWith(COLLECTIBLES) && !quantified.has(path)) ?? null;
}

function requirementsOf(texts: readonly ScannedText[]): string[] {
  const found = new Set<string>();
  texts.forEach(({ text, next }, index) => {
    const token = text.toLowerCase();
    const label = Object.hasOwn(RECIPE_REQUIREMENT_LABELS, token) ? RECIPE_REQUIREMENT_LABELS[token] : undefined;
    if (label !== undefined) found.add(label);
    if (token !== 'zonetag') return;
    const zone = texts.find(({ from }, place) => place > index && from >= next);
    if (zone) found.add(`Zone: ${zone.text}`);
  });
  return [...found];
}

const MASTERY_START = 0x30;

/** The mastery that every run `30 (00|02) 50 <m> 70 <n> 80 01 <n> 98 01` agrees on; null for none or a quarrel. */
function trustedMastery({ bytes }: FileBytes): number | null {
  const values = new Set<number>();
  for (let at = bytes.indexOf(MASTERY_START); at >= 0; at = bytes.indexOf(MASTERY_START, at + 1)) {
    const value = masteryAt(bytes, at);
    if (value !== null) values.add(value);
  }
  const [value] = values;
  return values.size === 1 && value !== undefined ? value : null;
}

function masteryAt(bytes: Uint8Array, at: number): number | null {
  if ((bytes[at + 1] !== 0 && bytes[at + 1] !== 2) || bytes[at + 2] !== 0x50) return null;
  const mastery = readWhole(bytes, at + 3);
  const second = mastery && bytes[mastery.next] === 0x70 ? readWhole(bytes, mastery.next + 1) : null;
  if (mastery === null || second === null || bytes[second.next] !== 0x80 || bytes[second.next + 1] !== 0x01) return null;
  const third = readWhole(bytes, second.next + 2);
  if (third === null || bytes[third.next] !== 0x98 || bytes[third.next + 1] !== 0x01) return null;
  return exactNumber(mastery.value);
}

export function startsWithOneOf(text: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => text.startsWith(prefix));
}
