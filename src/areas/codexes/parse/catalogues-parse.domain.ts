import { foldCase } from '../../../platform/kit/values/fold.ts';
import { encodeRowMark, type FileBytes, readLatin1, readVarint64, scanRealTexts, scanTexts } from '../format/bytes.domain.ts';
import { stemOf } from '../paths.domain.ts';
import type { CollectionMember, StyleRowParse, UnlockGroup } from './codex-parse.domain.ts';
import { BANNER_CATALOGUE } from './codex-tables.data.ts';

const GROUP_KEY = '$CollectionName';
const COMPANION_TABLE = 'collection_geodecompanion';

/** Members of a collection table with their groups, in file order; the first group of a member is used. */
export function parseCollection(file: FileBytes, path: string): CollectionMember[] {
  const prefix = stemOf(foldCase(path)) === COMPANION_TABLE ? 'item/companion/' : 'collections/';
  const members = new Map<string, CollectionMember>();
  let remembered: string | null = null;
  let group: string | null = null;
  for (const { text } of scanTexts(file)) {
    if (text.startsWith(GROUP_KEY)) {
      group = remembered ?? text.slice(GROUP_KEY.length).replace(/^_/, '');
      remembered = null;
    } else if (foldCase(text).startsWith(prefix)) {
      const key = foldCase(text);
      if (group !== null && !members.has(key)) members.set(key, { group, member: text });
    } else if (!text.includes('/') && !text.includes('$')) remembered = text;
  }
  return [...members.values()];
}

const BARE_RECIPE = /^recipe_[a-z0-9_]+$/;
const SOURCE_PREFIXES = ['collections/', 'item/', 'equipment/', 'recipes/', 'placeable/'];
const MIN_LABEL_LENGTH = 4;

/** Groups of the unlock table: a source and its targets, in file order. Targets before the first source are ignored. */
export function parseUnlocks(file: FileBytes): UnlockGroup[] {
  const groups: UnlockGroup[] = [];
  for (const { text } of scanRealTexts(file)) {
    if (text.endsWith('.blueprint') || BARE_RECIPE.test(text) || text.startsWith('collections/badge/')) groups.at(-1)?.targets.push(text);
    else if (isUnlockSource(text)) groups.push({ source: text, targets: [] });
  }
  return groups.filter(({ targets }) => targets.length > 0);
}

function isUnlockSource(text: string): boolean {
  if (text.startsWith('$')) return false;
  if (SOURCE_PREFIXES.some((prefix) => text.startsWith(prefix))) return true;
  return text.length >= MIN_LABEL_LENGTH && !/[/.]/.test(text);
}

const RECIPE_TOKEN = /recipe_[a-z0-9_]+/g;

/** Recipe tokens of a file, in lower case, in order, without duplicates. May have extra characters at the end. */
export function parseRecipeTokens(latin1: string): string[] {
  return [...new Set(latin1.toLowerCase().match(RECIPE_TOKEN))];
}

/** Longest prefix of a token that is a known recipe; null if none. */
export function resolveRecipeToken(token: string, isRecipe: (stem: string) => boolean): string | null {
  for (let end = token.length; end > 'recipe_'.length; end -= 1) {
    if (isRecipe(token.slice(0, end))) return token.slice(0, end);
  }
  return null;
}

/** Placeables and blocks of the block table, with the base name of their model. */
export function parseBlockModels(file: FileBytes): [placeable: string, model: string][] {
  const models: [string, string][] = [];
  let remembered: string | null = null;
  for (const { field, text } of scanRealTexts(file)) {
    if (field === 0 && (text.startsWith('placeable/') || text.startsWith('block/'))) remembered = text;
    else if (field === 1 && remembered !== null) {
      models.push([remembered, text]);
      remembered = null;
    }
  }
  return models;
}

const COUNT_AT = 2;
/** Bytes between the name of a category and its row count: key and header of the array of rows. */
const BEFORE_ROW_COUNT = 3;
const RAW_KEY = 0x30;
const TEXT_KEY = '\x08';
const MAX_STYLE_ROWS = 50_000;

/** Styles of a loot catalogue in file order; rows of the banner catalogue have only an id. */
export function parseStyleCatalogue(file: FileBytes, path: string): StyleRowParse[] {
  return stemOf(foldCase(path)) === BANNER_CATALOGUE ? bannerRows(file) : catalogueRows(file);
}

function bannerRows(file: FileBytes): StyleRowParse[] {
  const rows: StyleRowParse[] = [];
  for (const { text } of scanRealTexts(file)) {
    if (text.startsWith('equipment/')) rows.push({ id: styleId(text), category: '', nameKey: '', descriptionKey: '', raw: null });
  }
  return rows;
}

function styleId(reference: string): string {
  return stemOf(foldCase(reference));
}

function catalogueRows(file: FileBytes): StyleRowParse[] {
  const rows: StyleRowParse[] = [];
  const categories = readVarint64(file.bytes, COUNT_AT);
  let at = categories?.next ?? 0;
  for (let index = 1; index <= Number(categories?.value ?? 0) && rows.length < MAX_STYLE_ROWS; index += 1) {
    const category = rowText(file, at, index);
    const count = category && readVarint64(file.bytes, category.next + BEFORE_ROW_COUNT);
    if (category === null || count === null) break;
    at = count.next;
    for (let row = 1; row <= Number(count.value) && rows.length < MAX_STYLE_ROWS; row += 1) {
      const read = styleRow(file, at, row, category.text);
      if (read === null) break;
      rows.push(read.row);
      at = read.next;
    }
  }
  return rows;
}

/** First text of a row of an array: mark of the row, key, length, text. */
function rowText(file: FileBytes, from: number, row: number): { text: string; next: number } | null {
  const mark = encodeRowMark(row) + TEXT_KEY;
  const rowOffset = file.latin1.indexOf(mark, from);
  return rowOffset < 0 ? null : readLatin1(file, rowOffset + mark.length);
}

function styleRow(file: FileBytes, from: number, index: number, category: string): { row: StyleRowParse; next: number } | null {
  const blueprint = rowText(file, from, index);
  const nameKey = blueprint && readLatin1(file, blueprint.next + 1);
  const descriptionKey = nameKey && readLatin1(file, nameKey.next + 1);
  if (!blueprint || !nameKey || !descriptionKey) return null;
  const raw = file.bytes[descriptionKey.next] === RAW_KEY ? readVarint64(file.bytes, descriptionKey.next + 1) : null;
  return {
    row: {
      id: styleId(blueprint.text),
      category,
      nameKey: nameKey.text,
      descriptionKey: descriptionKey.text,
      raw: raw === null ? null : Number(raw.value),
    },
    next: raw?.next ?? descriptionKey.next,
  };
}
