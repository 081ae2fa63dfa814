import { readVarint64 } from '../format/bytes.domain.ts';
import { encodeRowMark, type FileBytes, readLatin1, scanRealTexts } from '../format/strings.domain.ts';
import { foldCase, stemOf } from '../paths.domain.ts';
import type { StyleRowParse } from './codex-parse.domain.ts';
import { BANNER_CATALOGUE } from './codex-tables.data.ts';

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
