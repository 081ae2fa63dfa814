import { type BoardMeta, createDumpReader, createLineSplitter, type Rows } from '../../src/areas/leaderboards/dump.domain.ts';
import { type RandomSource, randomBelow, seededRandom } from '../../src/platform/kit/random.ts';

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

const BASE = [
  '# comment',
  'Leaderboard_MetaExperience$Leaderboard_Category_Meta$1 = TROVE MASTERY POINTS$META##1;Nimbus;1204455|2;Oriole;1190021.5|3;名前;-5e3',
  'Leaderboard_Kills$Leaderboard_Category_Contests_Daily$10003 = ENEMIES$CONTESTS##1;A;1|1;B;1|2;C;0.25',
  'Leaderboard_Kills$Leaderboard_Category_Stats$10003 = ENEMIES$STATS##',
  'Fav$X$5 = Y$FAVORITES##1;A;1',
  'done = true',
  '',
].join('\n');

const PIECES = [
  '$',
  '#',
  '##',
  ';',
  '|',
  ' = ',
  '=',
  '\n',
  '\r\n',
  '\0',
  '-',
  '1e999',
  'NaN',
  '0x1',
  '9'.repeat(400),
  '\ud800',
  '\u2028',
  '$$$',
  ';;;',
  ' ',
  'ß',
  '__proto__',
];

/** Applies one to eight mutations: cuts, duplicates, swaps or inserts syntax of the format. */
export function mutatedDump(random: RandomSource): string {
  let text = BASE;
  for (let left = 1 + randomBelow(random, 8); left > 0; left -= 1) {
    const at = randomBelow(random, text.length + 1);
    const length = randomBelow(random, 40);
    const piece = PIECES[randomBelow(random, PIECES.length)] ?? '';
    const kind = randomBelow(random, 4);
    const cut = text.slice(at, at + length);
    if (kind === 0) text = text.slice(0, at) + piece + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + length);
    else if (kind === 2) text = text.slice(0, at) + cut + cut + text.slice(at + length);
    else text = text.slice(0, at) + piece + text.slice(at + length);
  }
  return text;
}

/** Checks the invariants of parsed boards and rows. Returns the violation, or null. Throws if the parser does. */
export function faultOfParse(text: string): string | null {
  const boards = parseLeaderboardDump(text);
  if (new Set(boards.map(({ uuid }) => uuid)).size !== boards.length) return 'duplicate board';
  for (const { uuid, name, category, rows } of boards) {
    if (!Number.isSafeInteger(uuid) || uuid < 0) return 'uuid must be a number';
    if (name === '' || category !== category.trim() || category.toUpperCase() === 'FAVORITES') return 'invalid board name or category';
    const { ranks, names, scores } = rows;
    if (ranks.length !== names.length || ranks.length !== scores.length) return 'columns differ in length';
    if (ranks.some((rank, index) => !Number.isInteger(rank) || rank < (ranks[index - 1] ?? 0))) return 'ranks are out of order';
    if (scores.some((score) => !Number.isFinite(score))) return 'a score is not finite';
    if (names.some((player) => player === '' || /[;|\n]/.test(player))) return 'invalid player name';
  }
  return null;
}

/** Parses mutated dumps. Throws on the first violation. */
export function tryMutations(seed: number, count: number): void {
  const random = seededRandom(seed);
  for (let tried = 0; tried < count; tried += 1) {
    const text = mutatedDump(random);
    const fault = faultOfParse(text) ?? (sameLines(text, random) ? null : 'lines depend on chunk boundaries');
    if (fault !== null) throw new Error(`${fault} (attempt ${tried}): ${JSON.stringify(text)}`);
  }
}

/** Whether a text in random chunks gives the same lines as in one chunk. */
function sameLines(text: string, random: RandomSource): boolean {
  const at = randomBelow(random, text.length + 1);
  const linesOf = (pieces: string[]) => {
    const splitter = createLineSplitter(1000);
    return JSON.stringify([...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()]);
  };
  return linesOf([text]) === linesOf([text.slice(0, at), text.slice(at)]);
}
