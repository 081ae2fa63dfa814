import { foldCase } from '../../../platform/kit/values/fold.ts';
import { type BinSection, fieldOf, rowsOf, sectionOf, textOf } from '../format/binfab.domain.ts';
import { encodeRowMark, type FileBytes, readLatin1, readVarint64, scanRealTexts } from '../format/bytes.domain.ts';
import { decodeTable } from '../format/decode-binfab.domain.ts';
import { stemOf } from '../paths.domain.ts';
import type { CollectionMember, StyleRowParse, UnlockGroup } from './codex-parse.domain.ts';
import { BANNER_CATALOGUE } from './codex-tables.data.ts';

const GROUP_KEY = /^\$?CollectionName_?/;
const MEMBER_FOLDERS = ['collections/', 'item/'];

/** Members of a collection table with their groups, in file order; the first group of a member is used. */
export function parseCollection(file: FileBytes): CollectionMember[] {
  const members = new Map<string, CollectionMember>();
  for (const row of rowsOf(fieldOf(decodeTable(file), 0))) {
    const group = textOf(fieldOf(row, 0)) || (textOf(fieldOf(row, 1)) ?? '').replace(GROUP_KEY, '');
    for (const listed of rowsOf(fieldOf(row, 3))) {
      const member = textOf(fieldOf(listed, 0)) ?? '';
      const key = foldCase(member);
      if (MEMBER_FOLDERS.some((folder) => key.startsWith(folder)) && !members.has(key)) members.set(key, { group, member });
    }
  }
  return [...members.values()];
}

/**
 * Groups of the unlock table: a source and its targets, in file order. The second array of the table lists what every account has from
 * the start, which unlocks nothing.
 */
export function parseUnlocks(file: FileBytes): UnlockGroup[] {
  const groups = rowsOf(fieldOf(decodeTable(file), 0)).map((row) => ({
    source: unlockName(sectionOf(fieldOf(row, 0))),
    targets: rowsOf(fieldOf(row, 1))
      .map(unlockName)
      .filter((target) => target !== ''),
  }));
  return groups.filter(({ source, targets }) => source !== '' && targets.length > 0);
}

function unlockName(section: BinSection): string {
  return textOf(fieldOf(section, 1)) ?? '';
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
