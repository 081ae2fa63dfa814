import type { Rows } from '../ingest/dump.domain.ts';
import { comparedName } from './comparison.domain.ts';

/**
 * Encodes the rows of a board by column: a line of ranks (empty if they are 1 to n), a line of scores, and one line per name.
 * Names contain no line feed because the dump is read line by line.
 */
export function encodeColumns({ ranks, names, scores }: Rows): string {
  const isCounting = ranks.every((rank, index) => rank === index + 1);
  return [isCounting ? '' : ranks.join(','), scores.join(','), ...names].join('\n');
}

/** The rows of one board at one capture. */
export interface BoardColumns extends Rows {
  /** Indexes of the rows of a name, case-insensitive, best rank first. */
  findAll(name: string): readonly number[];
  /** Index of the best row of a name; undefined if there is none. */
  find(name: string): number | undefined;
}

export function decodeColumns(text: string): BoardColumns {
  const afterRanks = text.indexOf('\n');
  const afterScores = text.indexOf('\n', afterRanks + 1);
  const scoreText = text.slice(afterRanks + 1, afterScores);
  const scores = scoreText === '' ? [] : scoreText.split(',').map(Number);
  const names = scores.length === 0 ? [] : text.slice(afterScores + 1).split('\n');
  const rankText = text.slice(0, afterRanks);
  const ranks = rankText === '' ? scores.map((_, index) => index + 1) : rankText.split(',').map(Number);
  let byName: NameIndex | null = null;
  const indexed = () => {
    byName ??= indexOf(names);
    return byName;
  };
  return {
    ranks,
    names,
    scores,
    find: (name) => indexed().first.get(comparedName(name)),

    findAll(name) {
      const key = comparedName(name);
      const first = indexed().first.get(key);
      return first === undefined ? [] : [first, ...(indexed().others.get(key) ?? [])];
    },
  };
}

/** First index of each name, and the others of the few names with several rows. */
interface NameIndex {
  first: Map<string, number>;
  others: Map<string, number[]>;
}

function indexOf(names: readonly string[]): NameIndex {
  const first = new Map<string, number>();
  const others = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const key = comparedName(name);
    if (!first.has(key)) first.set(key, index);
    else others.set(key, [...(others.get(key) ?? []), index]);
  }
  return { first, others };
}

/** A row of a board: its index, rank and score. */
export interface FoundRow {
  index: number;
  rank: number;
  score: number;
}

/**
 * The rows of each name in the encoded rows of a board, best rank first; keys are names in the form of `comparedName`. Searches the
 * text and parses only the numbers up to the last match: a chart of the leaders needs few of the 20,000 rows of a board.
 */
export function findRows(text: string, keys: Iterable<string>): Map<string, FoundRow[]> {
  const afterScores = text.indexOf('\n', text.indexOf('\n') + 1);
  if (afterScores < 0) return new Map();
  const names = `${comparedName(text.slice(afterScores))}\n`;
  const indexes = new Map<string, number[]>();
  for (const key of keys) {
    const matches = matchesOf(names, `\n${key}\n`);
    if (matches.length > 0) indexes.set(key, matches);
  }
  const last = Math.max(-1, ...[...indexes.values()].map((matches) => matches.at(-1) ?? -1));
  const ranks = firstNumbers(text, 0, last + 1);
  const scores = firstNumbers(text, text.indexOf('\n') + 1, last + 1);
  const rowAt = (index: number): FoundRow => ({ index, rank: ranks[index] ?? index + 1, score: scores[index] ?? 0 });
  return new Map([...indexes].map(([key, matches]) => [key, matches.map(rowAt)]));
}

/** Indexes of the lines that equal a line, which is given with the line feeds around it. */
function matchesOf(lines: string, line: string): number[] {
  const matches: number[] = [];
  for (let at = lines.indexOf(line), index = 0, counted = 0; at >= 0; at = lines.indexOf(line, at + 1)) {
    for (let next = lines.indexOf('\n', counted); next < at; next = lines.indexOf('\n', next + 1)) index += 1;
    counted = at;
    matches.push(index);
  }
  return matches;
}

/** The first `count` numbers of the comma-separated line at an offset; empty for an empty line. */
function firstNumbers(text: string, start: number, count: number): number[] {
  const end = text.indexOf('\n', start);
  const numbers: number[] = [];
  for (let at = start; at < end && numbers.length < count; ) {
    const comma = text.indexOf(',', at);
    const stop = comma < 0 || comma > end ? end : comma;
    numbers.push(Number(text.slice(at, stop)));
    at = stop + 1;
  }
  return numbers;
}
