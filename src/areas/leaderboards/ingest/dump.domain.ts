import { CONTEST_CATEGORIES, FAVORITES_CATEGORY, MAX_BOARDS, MAX_LINE_LENGTH, MAX_NOTES, NOTE_LENGTH } from '../leaderboards.data.ts';
import { type BoardLine, parseBoardLine, type Rows, scanEntries } from './dump-line.domain.ts';

export type ContestType = 'daily' | 'weekly';

/** A board as a dump describes it. */
export interface BoardMeta {
  uuid: number;
  nameId: string;
  name: string;
  /** From the first non-contest line of the board, otherwise from its first line. */
  categoryId: string;
  category: string;
  contestType: ContestType | null;
}

/** Report of a dump besides its boards. */
export interface DumpReport {
  lines: number;
  /** Lines that look like a board and are none, and entries that are none. */
  droppedLines: number;
  droppedEntries: number;
  /** The first of both, for the log. */
  notes: string[];
}

/** Parses a dump line by line. Rows are passed on and released; only board names stay in memory. */
export interface DumpReader {
  /** The rows of the board that the line is the first of; null for every other line. */
  read(line: string): { uuid: number; rows: Rows } | null;
  /** Reports an overlong line. */
  skipLong(): void;
  /** The boards read so far, in the order of the dump. A later line can still change category and contest. */
  metas(): BoardMeta[];
  report(): DumpReport;
}

export function createDumpReader(): DumpReader {
  const metas = new Map<number, BoardMeta>();
  const report: DumpReport = { lines: 0, droppedLines: 0, droppedEntries: 0, notes: [] };

  function note(text: string): void {
    if (report.notes.length < MAX_NOTES) report.notes.push(`line ${report.lines} ${text}`);
  }

  function drop(why: string): null {
    report.droppedLines += 1;
    note(why);
    return null;
  }

  return {
    read(line) {
      report.lines += 1;
      const parsed = parseBoardLine(line);
      if (parsed.kind === 'broken') return drop(`${parsed.why}: ${line.slice(0, NOTE_LENGTH)}`);
      if (parsed.kind === 'other' || parsed.board.category.toUpperCase() === FAVORITES_CATEGORY) return null;
      const { board } = parsed;
      const known = metas.get(board.uuid);
      if (known) {
        addLine(known, board);
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
    skipLong() {
      report.lines += 1;
      drop(`has more than ${MAX_LINE_LENGTH} characters`);
    },
    metas: () => [...metas.values()],
    report: () => report,
  };
}

function metaOf({ uuid, nameId, name, categoryId, category }: BoardLine): BoardMeta {
  const texts = { nameId: detached(nameId), name: detached(name), categoryId: detached(categoryId), category: detached(category) };
  return { uuid, ...texts, contestType: CONTEST_CATEGORIES.get(categoryId) ?? null };
}

/** A further line of a board: marks a contest, or sets the category of a board first seen as a contest. */
function addLine(meta: BoardMeta, { categoryId, category }: BoardLine): void {
  const contest = CONTEST_CATEGORIES.get(categoryId);
  if (contest) meta.contestType ??= contest;
  else if (CONTEST_CATEGORIES.has(meta.categoryId)) {
    meta.categoryId = detached(categoryId);
    meta.category = detached(category);
  }
}

/** A copy of a piece of a line: engines keep the whole line alive for a piece of it, and that is a megabyte a board. */
function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** A whole dump at once, for texts that are small. */
export function parseLeaderboardDump(text: string): (BoardMeta & { rows: Rows })[] {
  const reader = createDumpReader();
  const rows = new Map<number, Rows>();
  for (const line of text.split('\n')) {
    const read = reader.read(line);
    if (read) rows.set(read.uuid, read.rows);
  }
  return reader.metas().map((meta) => ({ ...meta, rows: rows.get(meta.uuid) ?? { ranks: [], names: [], scores: [] } }));
}
