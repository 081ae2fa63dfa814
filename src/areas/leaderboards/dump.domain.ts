import { hasHiddenCharacters, visibleText } from '../../platform/kit/values/visible-text.ts';
import {
  CONTEST_CATEGORIES,
  FAVORITES_CATEGORY,
  MAX_BOARDS,
  MAX_LINE_LENGTH,
  MAX_NAME_LENGTH,
  MAX_NOTES,
  MAX_TEXT_LENGTH,
  NOTE_LENGTH,
} from './leaderboards.data.ts';

/** Splits streamed text into lines. Buffers at most one unfinished line of `maxLength` characters. */
export function createLineSplitter(maxLength: number) {
  let pending = '';
  let isTooLong = false;

  function append(text: string): void {
    isTooLong ||= pending.length + text.length > maxLength;
    pending = isTooLong ? '' : pending + text;
  }

  function finish(): string | null {
    const line = isTooLong ? null : pending;
    pending = '';
    isTooLong = false;
    return line;
  }

  return {
    /** Lines completed by the chunk; null for an overlong one. */
    push(chunk: string): (string | null)[] {
      const lines: (string | null)[] = [];
      let start = 0;
      for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
        append(chunk.slice(start, end));
        lines.push(finish());
        start = end + 1;
      }
      append(chunk.slice(start));
      return lines;
    },
    /** The last line, if it has no line feed. */
    end: (): (string | null)[] => (pending === '' && !isTooLong ? [] : [finish()]),
  };
}

/** Board header of a dump line, before its entries are parsed. */
interface BoardLine {
  nameId: string;
  categoryId: string;
  uuid: number;
  name: string;
  category: string;
  /** The rest of the line. */
  entries: string;
}

/** A parsed line: a board, a line to ignore, or a malformed board. */
type Line = { kind: 'board'; board: BoardLine } | { kind: 'other' } | { kind: 'broken'; reason: string };

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

interface ScannedEntries {
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

export type ContestType = 'daily' | 'weekly';

/** A board of a dump, without rows. */
export interface BoardMeta {
  uuid: number;
  nameId: string;
  name: string;
  /** From the first non-contest line of the board, otherwise from its first line. */
  categoryId: string;
  category: string;
  contestType: ContestType | null;
}

/** Statistics of a dump. */
export interface DumpReport {
  lines: number;
  /** Malformed board lines. */
  droppedLines: number;
  /** Malformed entries. */
  droppedEntries: number;
  /** Removed hidden characters. */
  hiddenCharacters: number;
  /** The first dropped lines and entries. */
  problems: { line: number; reason: string }[];
}

/** Parses a dump line by line. Keeps only the names of boards in memory. */
export function createDumpReader() {
  const metas = new Map<number, BoardMeta>();
  const report: DumpReport = { lines: 0, droppedLines: 0, droppedEntries: 0, hiddenCharacters: 0, problems: [] };

  function note(text: string): void {
    if (report.problems.length < MAX_NOTES) report.problems.push({ line: report.lines, reason: text });
  }

  function drop(reason: string): null {
    report.droppedLines += 1;
    note(reason);
    return null;
  }

  return {
    /** Rows of a board if this is its first line; null for every other line. */
    read(given: string): { uuid: number; rows: Rows } | null {
      report.lines += 1;
      const line = hasHiddenCharacters(given) ? visibleText(given) : given;
      report.hiddenCharacters += given.length - line.length;
      const parsed = parseBoardLine(line);
      if (parsed.kind === 'broken') return drop(`${parsed.reason}: ${line.slice(0, NOTE_LENGTH)}`);
      if (parsed.kind === 'other' || parsed.board.category.toUpperCase() === FAVORITES_CATEGORY) return null;
      const { board } = parsed;
      const existing = metas.get(board.uuid);
      if (existing) {
        addLine(existing, board);
        return null;
      }
      if (metas.size >= MAX_BOARDS) return drop(`exceeds the maximum of ${MAX_BOARDS} boards`);
      metas.set(board.uuid, metaOf(board));
      const { rows, dropped, firstDropped } = scanEntries(board.entries);
      if (dropped > 0) {
        report.droppedEntries += dropped;
        note(`(board ${board.uuid}) has ${dropped} malformed entries, the first: ${firstDropped}`);
      }
      return { uuid: board.uuid, rows };
    },
    /** Counts a line that is too long to read. */
    skipLongLine(): void {
      report.lines += 1;
      drop(`has more than ${MAX_LINE_LENGTH} characters`);
    },
    /** Boards read so far, in the order of the dump. A later line can still change category and contest. */
    metas: (): BoardMeta[] => [...metas.values()],
    report: (): DumpReport => report,
  };
}

function metaOf({ uuid, nameId, name, categoryId, category }: BoardLine): BoardMeta {
  const texts = { nameId: copyOf(nameId), name: copyOf(name), categoryId: copyOf(categoryId), category: copyOf(category) };
  return { uuid, ...texts, contestType: CONTEST_CATEGORIES.get(categoryId) ?? null };
}

/** A further line of a board: marks a contest, or sets the category of a board first seen as a contest. */
function addLine(meta: BoardMeta, { categoryId, category }: BoardLine): void {
  const contest = CONTEST_CATEGORIES.get(categoryId);
  if (contest) meta.contestType ??= contest;
  else if (CONTEST_CATEGORIES.has(meta.categoryId)) {
    meta.categoryId = copyOf(categoryId);
    meta.category = copyOf(category);
  }
}

/** Copies a slice of a line. A slice would keep its whole line in memory, up to a megabyte per board. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** Number of rows by uuid of the board. */
type BoardCounts = ReadonlyMap<number, number>;

interface GuardRules {
  /** Maximum number of missing boards. */
  maxMissing: number;
  /** Boards with fewer rows in the previous capture are not compared. */
  minEntries: number;
  /** Minimum share of the previous rows of a board. */
  collapseFraction: number;
}

/** Missing and collapsed boards of an incomplete capture, uuids ascending. */
interface CaptureLosses {
  missingBoards: number[];
  collapsedBoards: number[];
}

/** Compares a capture with the previous one; null if it looks complete. */
export function captureLosses(current: BoardCounts, previous: BoardCounts, rules: GuardRules): CaptureLosses | null {
  const uuids = [...previous.keys()].sort((one, other) => one - other);
  const missingBoards = uuids.filter((uuid) => !current.has(uuid));
  const collapsedBoards = uuids.filter((uuid) => {
    const previousRows = previous.get(uuid) ?? 0;
    const rows = current.get(uuid);
    return rows !== undefined && previousRows >= rules.minEntries && rows < previousRows * rules.collapseFraction;
  });
  if (missingBoards.length <= rules.maxMissing && collapsedBoards.length === 0) return null;
  return { missingBoards, collapsedBoards };
}
