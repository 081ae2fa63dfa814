import {
  type BinFile,
  type BinValue,
  fieldOf,
  leafSection,
  numberOf,
  rawNumberOf,
  rowsOf,
  sectionOf,
  textOf,
  textsIn,
} from '../format/binfab.domain.ts';
import {
  type FileBytes,
  isPrintable,
  readLatin1,
  readVarint64,
  type ScannedText,
  scanRealTexts,
  scanTexts,
  toExactNumber,
  unzigzag,
} from '../format/bytes.domain.ts';
import type { RecipeParse, RecipeRow } from './codex-parse.domain.ts';
import { RECIPE_MATERIAL_PREFIXES, RECIPE_OUTPUT_PREFIXES, RECIPE_PATH_PREFIXES, RECIPE_REQUIREMENT_LABELS } from './codex-tables.data.ts';

const PATH_KEY = 0x08;
const AMOUNT_KEY = 0x10;
const MAX_QUANTIFIED_PATHS = 256;
const MAX_TEXTS = 4096;
/** Fields that contain the product, in order of preference. */
const PRODUCT_FIELDS = [16, 1] as const;
const TOKEN_FIELDS: ReadonlySet<number> = new Set([1, 2]);
const TOKEN = /^[A-Za-z0-9_]{4,}$/;
const BLOCKS = 'placeable/block/';

const INGREDIENTS_FIELD = 0;
const RESULTS_FIELD = 1;
const MASTERY_FIELD = 5;
const PRODUCT_FIELD = 16;
/** Fields of a row of ingredients or results. */
const ROW_PATH_FIELD = 0;
const ROW_AMOUNT_FIELD = 1;
const ROW_UNLOCK_FIELD = 3;
const UNLOCK_NAME_FIELD = 1;

/** Data of a recipe from its own file, without shared tables and other prefabs. Bytes are searched only if it could not be decoded. */
export function parseRecipe(file: FileBytes, structure: BinFile | null): RecipeParse {
  if (structure?.kind !== 'object') return findRecipe(file);
  const section = leafSection(structure.object);
  const results = fieldOf(section, RESULTS_FIELD);
  const unlocks = rowsOf(results).map((row) => textOf(fieldOf(sectionOf(fieldOf(row, ROW_UNLOCK_FIELD)), UNLOCK_NAME_FIELD)) ?? '');
  return {
    ingredients: readRows(fieldOf(section, INGREDIENTS_FIELD)),
    results: readRows(results),
    product: textOf(fieldOf(section, PRODUCT_FIELD)) || null,
    unlocks: unlocks.filter((name) => name !== ''),
    requirements: readRequirements(textsIn(structure)),
    masteryByte: rawNumberOf(fieldOf(section, MASTERY_FIELD)),
  };
}

/** Rows that name a path. */
function readRows(array: BinValue | null): RecipeRow[] {
  return rowsOf(array).flatMap((row) => {
    const path = textOf(fieldOf(row, ROW_PATH_FIELD)) ?? '';
    return path === '' ? [] : [{ path, amount: numberOf(fieldOf(row, ROW_AMOUNT_FIELD)) ?? 1 }];
  });
}

/** Searches the bytes of a recipe for its rows and its product. */
function findRecipe(file: FileBytes): RecipeParse {
  const texts: ScannedText[] = [];
  for (const found of scanTexts(file)) if (texts.push(found) >= MAX_TEXTS) break;
  const rows = readQuantifiedPaths(file);
  const tokens = texts.filter(({ field, text }) => TOKEN_FIELDS.has(field) && TOKEN.test(text)).map(({ text }) => text);
  const paths = [findLastProduct(rows), findTextProduct(file.latin1, new Set(rows.map(({ path }) => path)))];
  return {
    ingredients: rows.map(({ path, amount }) => ({ path, amount })),
    results: [],
    product: findNamedProduct(texts, new Set(rows.map(({ at }) => at))),
    unlocks: [...new Set(tokens), ...paths.filter((path) => path !== null)],
    isRecovered: true,
    requirements: readRequirements([...scanRealTexts(file)].map(({ text }) => text)),
    masteryByte: readMastery(file),
  };
}

/** Reads paths with an amount: `08 <length> <path> 10 <amount>`. */
function readQuantifiedPaths(file: FileBytes): { at: number; path: string; amount: number }[] {
  const { bytes } = file;
  const rows: { at: number; path: string; amount: number }[] = [];
  for (let at = bytes.indexOf(PATH_KEY); at >= 0 && rows.length < MAX_QUANTIFIED_PATHS; at = bytes.indexOf(PATH_KEY, at + 1)) {
    const path = readLatin1(file, at + 1);
    if (path === null || bytes[path.next] !== AMOUNT_KEY || !startsWithAny(path.text, RECIPE_PATH_PREFIXES)) continue;
    if (!isPrintable(bytes, path.next - path.text.length, path.next)) continue;
    const raw = readVarint64(bytes, path.next + 1);
    const amount = raw && toExactNumber(unzigzag(raw.value));
    if (amount !== null && amount >= 0) rows.push({ at, path: path.text, amount });
  }
  return rows;
}

/** Product from field 16, otherwise field 1, otherwise the last path in field 0 without an amount. */
function findNamedProduct(texts: readonly ScannedText[], quantifiedAt: ReadonlySet<number>): string | null {
  const paths = texts.filter(({ text }) => startsWithAny(text, RECIPE_OUTPUT_PREFIXES));
  for (const productField of PRODUCT_FIELDS) {
    const named = paths.find(({ field }) => field === productField);
    if (named) return named.text;
  }
  return paths.findLast(({ field, at }) => field === 0 && !quantifiedAt.has(at))?.text ?? null;
}

/** Last path with an amount that is neither a material nor a block. */
function findLastProduct(quantified: readonly RecipeRow[]): string | null {
  return quantified.findLast(({ path }) => !startsWithAny(path, [...RECIPE_MATERIAL_PREFIXES, BLOCKS]))?.path ?? null;
}

const PATH_IN_TEXT = new RegExp(`(?:${RECIPE_OUTPUT_PREFIXES.join('|')})[A-Za-z0-9_/.-]+`, 'g');
const COLLECTIBLES = 'collections/';
const NULL_TOKEN = /(?<![A-Za-z0-9_])null(?![A-Za-z0-9_])/g;

/** Most likely product path in the printable text: first after the second (or only) `null`, then anywhere, collectibles last. */
function findTextProduct(latin1: string, quantified: ReadonlySet<string>): string | null {
  const nulls = [...latin1.matchAll(NULL_TOKEN)];
  const mark = nulls[1] ?? nulls[0];
  const candidates = mark === undefined ? [latin1] : [latin1.slice(mark.index), latin1];
  for (const part of candidates) {
    for (const [path] of part.matchAll(PATH_IN_TEXT)) {
      if (!path.startsWith(COLLECTIBLES) && !quantified.has(path)) return path;
    }
  }
  return latin1.match(PATH_IN_TEXT)?.find((path) => path.startsWith(COLLECTIBLES) && !quantified.has(path)) ?? null;
}

function readRequirements(texts: readonly string[]): string[] {
  const found = new Set<string>();
  texts.forEach((text, index) => {
    const token = text.toLowerCase();
    const label = Object.hasOwn(RECIPE_REQUIREMENT_LABELS, token) ? RECIPE_REQUIREMENT_LABELS[token] : undefined;
    if (label !== undefined) found.add(label);
    const zone = token === 'zonetag' ? texts[index + 1] : undefined;
    if (zone !== undefined) found.add(`Zone: ${zone}`);
  });
  return [...found];
}

const MASTERY_START = 0x30;

/** Mastery `m` of the patterns `30 (00|02) 50 <m> 70 <n> 80 01 <n> 98 01`; null if there are none or they disagree. */
function readMastery({ bytes }: FileBytes): number | null {
  const values = new Set<number>();
  for (let at = bytes.indexOf(MASTERY_START); at >= 0; at = bytes.indexOf(MASTERY_START, at + 1)) {
    const value = matchMasteryPattern(bytes, at);
    if (value !== null) values.add(value);
  }
  const [value] = values;
  return values.size === 1 && value !== undefined ? value : null;
}

function matchMasteryPattern(bytes: Uint8Array, at: number): number | null {
  if ((bytes[at + 1] !== 0 && bytes[at + 1] !== 2) || bytes[at + 2] !== 0x50) return null;
  const mastery = readVarint64(bytes, at + 3);
  const second = mastery && bytes[mastery.next] === 0x70 ? readVarint64(bytes, mastery.next + 1) : null;
  if (mastery === null || second === null || bytes[second.next] !== 0x80 || bytes[second.next + 1] !== 0x01) return null;
  const third = readVarint64(bytes, second.next + 2);
  if (third === null || bytes[third.next] !== 0x98 || bytes[third.next + 1] !== 0x01) return null;
  return toExactNumber(mastery.value);
}

function startsWithAny(text: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => text.startsWith(prefix));
}
