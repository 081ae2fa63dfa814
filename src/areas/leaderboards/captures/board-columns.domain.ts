import type { Rows } from '../ingest/dump-line.domain.ts';
import { comparedName } from './comparison.domain.ts';

/**
 * Text of a board's rows, column by column: a line of ranks (empty when they are 1 to n), a line of scores, and a line for
 * each name. Names cannot hold a line feed, as they come out of lines.
 */
export function encodeColumns({ ranks, names, scores }: Rows): string {
  const isCounting = ranks.every((rank, index) => rank === index + 1);
  return [isCounting ? '' : ranks.join(','), scores.join(','), ...names].join('\n');
}

/** The rows of one board at one capture. */
export interface BoardColumns extends Rows {
  /** Index of the best row of a name, compared without case; undefined when it has none. */
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
