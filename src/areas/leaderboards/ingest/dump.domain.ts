import { CONTEST_CATEGORIES, FAVORITES_CATEGORY, MAX_BOARDS, MAX_LINE_LENGTH, MAX_NOTES, NOTE_LENGTH } from '../leaderboards.data.ts';
import { type BoardLine, parseBoardLine, type Rows, scanEntries } from './dump-line.domain.ts';

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
  /** The first dropped lines and entries. */
  problems: { line: number; reason: string }[];
}

/** Parses a dump line by line. Keeps only the names of boards in memory. */
export interface DumpReader {
  /** Rows of a board if this is its first line; null for every other line. */
  read(line: string): { uuid: number; rows: Rows } | null;
  /** Counts a line that is too long to read. */
  skipLongLine(): void;
  /** Boards read so far, in the order of the dump. A later line can still change category and contest. */
  metas(): BoardMeta[];
  report(): DumpReport;
}

export function createDumpReader(): DumpReader {
  const metas = new Map<number, BoardMeta>();
  const report: DumpReport = { lines: 0, droppedLines: 0, droppedEntries: 0, problems: [] };

  function note(text: string): void {
    if (report.problems.length < MAX_NOTES) report.problems.push({ line: report.lines, reason: text });
  }

  function drop(reason: string): null {
    report.droppedLines += 1;
    note(reason);
    return null;
  }

  return {
    read(line) {
      report.lines += 1;
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
    skipLongLine() {
      report.lines += 1;
      drop(`has more than ${MAX_LINE_LENGTH} characters`);
    },
    metas: () => [...metas.values()],
    report: () => report,
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

/** Parses a whole dump; for small texts. */
export function parseLeaderboardDump(text: string): (BoardMeta & { rows: Rows })[] {
  const reader = createDumpReader();
  const rows = new Map<number, Rows>();
  for (const line of text.split('\n')) {
    const read = reader.read(line);
    if (read) rows.set(read.uuid, read.rows);
  }
  return reader.metas().map((meta) => ({ ...meta, rows: rows.get(meta.uuid) ?? { ranks: [], names: [], scores: [] } }));
}
