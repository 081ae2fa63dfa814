import type { Rows } from '../ingest/dump-line.domain.ts';
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
  /** Index of the best row of a name, case-insensitive; undefined if there is none. */
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
  let byName: Map<string, number> | null = null;
  return {
    ranks,
    names,
    scores,
    find(name) {
      byName ??= indexOf(names);
      return byName.get(comparedName(name));
    },
  };
}

function indexOf(names: readonly string[]): Map<string, number> {
  const byName = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const key = comparedName(name);
    if (!byName.has(key)) byName.set(key, index);
  }
  return byName;
}

/** Rank and score of a row. */
export interface RankAndScore {
  rank: number;
  score: number;
}

/**
 * Best row of each name in the encoded rows of a board; keys are names in the form of `comparedName`. Stops after the last
 * name is found: a chart of the leaders parses few of the 20,000 rows of a board.
 */
export function findRows(text: string, keys: ReadonlySet<string>): Map<string, RankAndScore> {
  const indexes = new Map<string, number>();
  const afterScores = text.indexOf('\n', text.indexOf('\n') + 1);
  for (let at = afterScores, index = 0; at >= 0 && indexes.size < keys.size; index += 1) {
    const end = text.indexOf('\n', at + 1);
    const key = comparedName(text.slice(at + 1, end < 0 ? undefined : end));
    if (keys.has(key) && !indexes.has(key)) indexes.set(key, index);
    at = end;
  }
  const last = Math.max(-1, ...indexes.values());
  const ranks = firstNumbers(text, 0, last + 1);
  const scores = firstNumbers(text, text.indexOf('\n') + 1, last + 1);
  return new Map([...indexes].map(([key, index]) => [key, { rank: ranks[index] ?? index + 1, score: scores[index] ?? 0 }]));
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
