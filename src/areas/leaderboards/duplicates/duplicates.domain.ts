import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { splitLines } from '../captures/board-rows.domain.ts';
import type { PlayerRow } from '../captures/player-shards.domain.ts';

/** Version of the rules, sent with each response. */
export const METHOD_VERSION = 1;
/** Maximum number of boards in the evidence, and of spellings of a name. */
const MAX_EVIDENCE_BOARDS = 40;
export const MAX_SPELLINGS = 20;

export const DUPLICATE_KINDS = namedValues('DuplicateKind', 'Kind of duplicate.', ['same_name', 'case', 'both']);
export const DUPLICATE_VERDICTS = namedValues('DuplicateVerdict', 'Result of the analysis of a duplicate.', [
  'one_live',
  'multi_live',
  'all_idle',
  'case_only',
  'not_analysed',
]);

export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];
export type DuplicateVerdict = (typeof DUPLICATE_VERDICTS)[number];

/** A name that a capture lists more than once, or in several spellings. */
export interface DuplicateName {
  key: string;
  name: string;
  kind: DuplicateKind;
  /** Boards with several rows of the name; of spellings alone, boards with the name. */
  boards: number[];
  /** The most rows on one board; of spellings alone, their number. */
  maxOccurrences: number;
  /** A to Z. */
  spellings: string[];
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/**
 * The duplicate names among the rows of a key in one capture; null for an ordinary name. Rows with the same rank and score are one:
 * captures repeat some rows.
 */
export function findDuplicate(key: string, rows: readonly PlayerRow[], minBoards: number): DuplicateName | null {
  const spellings = [...new Set(rows.map(({ playerName }) => playerName.trim()))].sort(byText).slice(0, MAX_SPELLINGS);
  const occurrences = new Map(
    [...Map.groupBy(rows, ({ uuid }) => uuid)].map(([uuid, listed]) => [
      uuid,
      new Set(listed.map(({ rank, score }) => `${rank}:${score}`)).size,
    ]),
  );
  const repeated = [...occurrences].filter(([, count]) => count > 1).map(([uuid]) => uuid);
  const isRepeated = repeated.length >= minBoards && repeated.length > 0;
  const hasSpellings = spellings.length > 1;
  const name = spellings[0];
  if (name === undefined || (!isRepeated && !hasSpellings)) return null;
  const boards = (isRepeated ? repeated : [...occurrences.keys()]).sort((one, other) => one - other);
  const most = Math.max(...occurrences.values());
  return {
    key,
    name,
    kind: !isRepeated ? 'case' : hasSpellings ? 'both' : 'same_name',
    boards,
    maxOccurrences: isRepeated ? most : spellings.length,
    spellings,
  };
}

/** Most boards first: the order in which names are analysed. */
export const byBoards = (one: DuplicateName, other: DuplicateName) => other.boards.length - one.boards.length || byText(one.key, other.key);

/** One line of a name on a board, over the analysed days. */
export interface DuplicateSeries {
  slot: number;
  captures: number;
  first_anchor: UnixSeconds;
  last_anchor: UnixSeconds;
  first_score: number;
  last_score: number;
  last_rank: number;
  /** Whether the score changed. */
  moved: boolean;
  /** Whether it did not, in enough captures. */
  frozen: boolean;
}

/** Splits the rows of a name on one board into the series of its lines. */
export function seriesOf(
  rows: readonly (Pick<PlayerRow, 'rank' | 'score'> & { anchor: UnixSeconds })[],
  frozenCaptures: number,
): DuplicateSeries[] {
  const distinct = new Map(rows.map((row) => [`${row.anchor}:${row.rank}:${row.score}`, row]));
  return splitLines([...distinct.values()]).flatMap((line, slot) => {
    const [first, last] = [line[0], line.at(-1)];
    if (!first || !last) return [];
    const moved = line.some(({ score }) => score !== first.score);
    return {
      slot,
      captures: line.length,
      first_anchor: first.anchor,
      last_anchor: last.anchor,
      first_score: first.score,
      last_score: last.score,
      last_rank: last.rank,
      moved,
      frozen: !moved && line.length >= frozenCaptures,
    };
  });
}

/** Number of characters that play under a name: slots whose score changed on any board. */
export function verdictOf(series: readonly Pick<DuplicateSeries, 'slot' | 'moved'>[]): DuplicateVerdict {
  const moved = new Set(series.filter((line) => line.moved).map(({ slot }) => slot));
  if (moved.size > 1) return 'multi_live';
  return moved.size === 1 && series.some(({ slot }) => !moved.has(slot)) ? 'one_live' : 'all_idle';
}

export interface DuplicateBoard {
  uuid: number;
  name: string;
  occurrences: number;
  series: DuplicateSeries[];
}

/** Evidence as stored and sent; `{}` for names that were not analysed. */
export type DuplicateEvidence = Record<string, never> | { lookback_days: number; boards: DuplicateBoard[]; summary: string };

const SUMMARIES: Record<DuplicateVerdict, string> = {
  one_live: 'one of the characters plays',
  multi_live: 'several of the characters play',
  all_idle: 'none of the characters plays',
  case_only: 'spellings differ in case',
  not_analysed: 'not analysed',
};

export function evidenceOf(
  name: string,
  boards: readonly DuplicateBoard[],
  verdict: DuplicateVerdict,
  lookbackDays: number,
): DuplicateEvidence {
  const count = `${boards.length} ${boards.length === 1 ? 'board' : 'boards'}`;
  return {
    lookback_days: lookbackDays,
    boards: boards.slice(0, MAX_EVIDENCE_BOARDS),
    summary: `${name} appears several times on ${count}; ${SUMMARIES[verdict]}`,
  };
}
