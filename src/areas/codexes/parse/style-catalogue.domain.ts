import { readWhole } from '../format/bytes.domain.ts';
import { type FileBytes, readLatin1, rowMark, scanRealTexts } from '../format/strings.domain.ts';
import { folded, stemOf } from '../paths.domain.ts';
import type { StyleRowParse } from './codex-parse.domain.ts';
import { BANNER_CATALOGUE } from './codex-tables.data.ts';

const COUNT_AT = 2;
/** Bytes between a category's name and its row count: the key of its rows and their header's. */
const BEFORE_ROW_COUNT = 3;
const RAW_KEY = 0x30;
const TEXT_KEY = '\x08';
const MAX_MASTERY_ROWS = 50_000;

/** Styles of a loot catalogue in file order; a catalogue of references has names only. */
export function parseStyleCatalogue(file: FileBytes, path: string): StyleRowParse[] {
  return stemOf(folded(path)) === BANNER_CATALOGUE ? bannerRows(file) : catalogueRows(file);
}

function bannerRows(file: FileBytes): StyleRowParse[] {
  const rows: StyleRowParse[] = [];
  for (const { text } of scanRealTexts(file)) {
    if (text.startsWith('equipment/')) rows.push({ id: styleId(text), category: '', nameKey: '', descriptionKey: '', raw: null });
  }
  return rows;
}

function styleId(reference: string): string {
  return stemOf(folded(reference));
}

function catalogueRows(file: FileBytes): StyleRowParse[] {
  const rows: StyleRowParse[] = [];
  const categories = readWhole(file.bytes, COUNT_AT);
  let at = categories?.next ?? 0;
  for (let index = 1; index <= Number(categories?.value ?? 0) && rows.length < MAX_MASTERY_ROWS; index += 1) {
    const category = rowText(file, at, index);
    const count = category && readWhole(file.bytes, category.next + BEFORE_ROW_COUNT);
    if (category === null || count === null) break;
    at = count.next;
    for (let row = 1; row <= Number(count.value) && rows.length < MAX_MASTERY_ROWS; row += 1) {
      const read = styleRow(file, at, row, category.text);
      if (read === null) break;
      rows.push(read.row);
      at = read.next;
    }
  }
  return rows;
}

/** The text that opens a row of an array: the row's mark, a key, a length. */
function rowText(file: FileBytes, from: number, row: number): { text: string; next: number } | null {
  const mark = rowMark(row) + TEXT_KEY;
  const found = file.latin1.indexOf(mark, from);
  return found < 0 ? null : readLatin1(file, found + mark.length);
}

function styleRow(file: FileBytes, from: number, index: number, category: string): { row: StyleRowParse; next: number } | null {
  const blueprint = rowText(file, from, index);
  const nameKey = blueprint && readLatin1(file, blueprint.next + 1);
  const descriptionKey = nameKey && readLatin1(file, nameKey.next + 1);
  if (!blueprint || !nameKey || !descriptionKey) return null;
  const raw = file.bytes[descriptionKey.next] === RAW_KEY ? readWhole(file.bytes, descriptionKey.next + 1) : null;
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
