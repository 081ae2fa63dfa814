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

/** A line as the parser sees it: a board, none of our business, or something that looks like a board and is none. */
export type Line = { kind: 'board'; board: BoardLine } | { kind: 'other' } | { kind: 'broken'; why: string };

const OTHER: Line = { kind: 'other' };
const UUID = /^\d{1,15}$/;
const EQUALS = ' = ';
const BEFORE_ENTRIES = '##';

/**
 * Reads `<name_id>$<category_id>$<uuid> = <name>$<category>##<entries>`. The line is taken whole: nothing may stand before
 * or after, and exactly one space on either side of `=`. Comments and settings of other programs are `other`.
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
  if (Math.max(equals, marks - equals) > MAX_TEXT_LENGTH) return broken('has a text that is too long');
  if (board.category.includes('#')) return broken('has a # in its category');
  return { kind: 'board', board: { ...board, category: board.category.trim() } };
}

function broken(why: string): Line {
  return { kind: 'broken', why };
}

/** The rows of one board as columns of the same length, by rank; equal ranks keep the order of the dump. */
export interface Rows {
  ranks: number[];
  names: string[];
  scores: number[];
}

export interface ScannedEntries {
  rows: Rows;
  /** Malformed entries. */
  dropped: number;
  /** The first of them, cut short; null when there is none. */
  firstDropped: string | null;
}

const RANK = /^\d{1,6}$/;
/** Integers and decimals with sign and exponent. `Number` alone would take empty text, hexadecimal and `Infinity`. */
const SCORE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Parses `<rank>;<player>;<score>|...`. Malformed entries are skipped and counted, and never fail the board. */
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
    if (!takeEntry(piece, rows)) {
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

/** Adds an entry to the rows; false when the piece is none. */
function takeEntry(piece: string, rows: Rows): boolean {
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
  // Minus zero would not survive being stored.
  rows.scores.push(value === 0 ? 0 : value);
  return true;
}

function sortedByRank({ ranks, names, scores }: Rows): Rows {
  const order = ranks.map((_, index) => index).sort((one, other) => (ranks[one] ?? 0) - (ranks[other] ?? 0));
  const inOrder = <Value>(values: readonly Value[]): Value[] => order.map((index) => values[index] as Value);
  return { ranks: inOrder(ranks), names: inOrder(names), scores: inOrder(scores) };
}
