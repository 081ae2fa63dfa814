import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH, NOTE_LENGTH } from '../leaderboards.data.ts';

/** Board header of a dump line, before its entries are parsed. */
export interface BoardLine {
  nameId: string;
  categoryId: string;
  uuid: number;
  name: string;
  category: string;
  /** The rest of the line. */
  entries: string;
}

/** A parsed line: a board, a line to ignore, or a malformed board. */
export type Line = { kind: 'board'; board: BoardLine } | { kind: 'other' } | { kind: 'broken'; reason: string };

const OTHER: Line = { kind: 'other' };
const UUID = /^\d{1,15}$/;
const EQUALS = ' = ';
const BEFORE_ENTRIES = '##';

/**
 * Parses `<name_id>$<category_id>$<uuid> = <name>$<category>##<entries>`: no other text in the line, and exactly one space on
 * either side of `=`. Comments and the settings of other programs are `other`.
 */
export function parseBoardLine(line: string): Line {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  const marks = text.indexOf(BEFORE_ENTRIES);
  const first = text.indexOf('$');
  if (first < 0 || marks < first) return OTHER;
  const second = text.indexOf('$', first + 1);
  const equals = text.indexOf(EQUALS, second);
  if (second < 0 || equals < 0 || equals > marks) return broken('must have the form name_id$category_id$uuid = name$category##');
  const nameStart = equals + EQUALS.length;
  const third = text.indexOf('$', nameStart);
  if (third < 0 || third > marks) return broken('has no $ between name and category');
  const uuid = text.slice(second + 1, equals);
  if (!UUID.test(uuid)) return broken('has a non-numeric uuid');
  const board: BoardLine = {
    nameId: text.slice(0, first),
    categoryId: text.slice(first + 1, second),
    uuid: Number(uuid),
    name: text.slice(nameStart, third),
    category: text.slice(third + 1, marks),
    entries: text.slice(marks + BEFORE_ENTRIES.length),
  };
  if (board.nameId === '' || board.categoryId === '' || board.name === '') return broken('has an empty name_id, category_id or name');
  if (board.name.startsWith(' ')) return broken('has more than one space after =');
  if (Math.max(equals, marks - equals) > MAX_TEXT_LENGTH) return broken(`has more than ${MAX_TEXT_LENGTH} characters before or after =`);
  if (board.category.includes('#')) return broken('has a # in the category');
  return { kind: 'board', board: { ...board, category: board.category.trim() } };
}

function broken(reason: string): Line {
  return { kind: 'broken', reason };
}

/** Rows of one board as columns of the same length, sorted by rank; equal ranks keep the order of the dump. */
export interface Rows {
  ranks: number[];
  names: string[];
  scores: number[];
}

export interface ScannedEntries {
  rows: Rows;
  /** Malformed entries. */
  dropped: number;
  /** Start of the first of them; null if there is none. */
  firstDropped: string | null;
}

const RANK = /^\d{1,6}$/;
/** Integers and decimals with sign and exponent. `Number` alone would accept empty text, hexadecimal and `Infinity`. */
const SCORE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Parses `<rank>;<player>;<score>|...`. Skips and counts malformed entries. */
export function scanEntries(text: string): ScannedEntries {
  const rows: Rows = { ranks: [], names: [], scores: [] };
  const result: ScannedEntries = { rows, dropped: 0, firstDropped: null };
  let isSorted = true;
  let last = -1;
  for (let start = 0; start <= text.length; ) {
    const bar = text.indexOf('|', start);
    const end = bar < 0 ? text.length : bar;
    const piece = text.slice(start, end).trim();
    start = end + 1;
    if (piece === '') continue;
    if (!addEntry(piece, rows)) {
      result.dropped += 1;
      result.firstDropped ??= piece.slice(0, NOTE_LENGTH);
      continue;
    }
    const rank = rows.ranks.at(-1) ?? 0;
    isSorted &&= rank >= last;
    last = rank;
  }
  if (!isSorted) result.rows = sortedByRank(rows);
  return result;
}

/** Adds an entry to the rows; false if it is malformed. */
function addEntry(piece: string, rows: Rows): boolean {
  const first = piece.indexOf(';');
  const second = piece.indexOf(';', first + 1);
  if (first < 1 || second <= first + 1 || second - first - 1 > MAX_NAME_LENGTH) return false;
  const rank = piece.slice(0, first);
  const score = piece.slice(second + 1).trim();
  if (!RANK.test(rank) || !SCORE.test(score)) return false;
  const value = Number(score);
  if (!Number.isFinite(value)) return false;
  rows.ranks.push(Number(rank));
  rows.names.push(piece.slice(first + 1, second));
  // The stored text has no minus zero.
  rows.scores.push(value === 0 ? 0 : value);
  return true;
}

function sortedByRank({ ranks, names, scores }: Rows): Rows {
  const order = ranks.map((_, index) => index).sort((one, other) => (ranks[one] ?? 0) - (ranks[other] ?? 0));
  const inOrder = <Value>(values: readonly Value[]): Value[] => order.map((index) => values[index] as Value);
  return { ranks: inOrder(ranks), names: inOrder(names), scores: inOrder(scores) };
}
