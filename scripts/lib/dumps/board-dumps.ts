import { KNOWN_BOARDS, type KnownBoard } from '../../../src/areas/leaderboards/boards/board-table.data.ts';
import { seededRandom } from '../../../src/platform/kit/random.ts';

const WORD = 2 ** 32;
const SECONDS_PER_HOUR = 3600;
const SYLLABLES = ['ka', 'ri', 'mo', 'ven', 'thu', 'lis', 'pax', 'or', 'ny', 'dra', 'zel', 'qui', 'bo', 'fen', 'sha', 'tor'];

export interface DumpWorld {
  /** The same seed gives the same players and boards. */
  seed: number;
  /** The number of boards, or the board ids. */
  boards: number | readonly number[];
  /** Rows per board. */
  entries: number;
  /** More rows for the first boards. */
  large?: { boards: number; entries: number };
  players: number;
  /** Whether players have hours and days of rest and boards differ in popularity; otherwise all scores rise constantly. */
  hasRhythm?: boolean;
  /** Name of a player at a time, in place of the generated one. */
  nameAt?: (player: number, at: number) => string | undefined;
}

/** A deterministic number in [0, 1) for the given parts. */
function unit(...parts: (string | number)[]): number {
  return seededRandom(parts.join(':'))() / WORD;
}

/** Players in the documentation's examples. */
const EXAMPLE_PLAYERS = ['Nimbus', 'Oriole'];

function nameOf(seed: number, player: number): string {
  const example = EXAMPLE_PLAYERS[player];
  if (example !== undefined) return example;
  const random = seededRandom(`${seed}:player:${player}`);
  const count = 2 + (random() % 3);
  const word = Array.from({ length: count }, () => SYLLABLES[random() % SYLLABLES.length]).join('');
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}${player}`;
}

/** Hours since the last reset of the board, or since a fixed time for boards that do not reset. */
function hoursRunning(board: KnownBoard, at: number): number {
  const sinceReset = at - 39_600;
  if (board.resets === 'daily') return (sinceReset % 86_400) / SECONDS_PER_HOUR;
  // 1970-01-05 was a Monday.
  if (board.resets === 'weekly') return ((sinceReset - 4 * 86_400) % 604_800) / SECONDS_PER_HOUR;
  return (at - 1_700_000_000) / SECONDS_PER_HOUR;
}

/** Weekly experience, whose scores are in the millions. */
const EXPERIENCE_BOARD = 21_005;

/** Hours that a player with a rhythm played within the first `hours`: some hours a day, on two of three days. */
function hoursPlayed(player: number, hours: number): number {
  const perDay = 2 + (player % 7);
  const from = (player * 5) % (24 - perDay);
  const days = Math.floor(hours / 24);
  const phase = player % 3;
  const rests = Math.floor((days + phase + 2) / 3) - Math.floor((phase + 2) / 3);
  const isResting = (days + phase) % 3 === 0;
  return (days - rests) * perDay + (isResting ? 0 : Math.min(perDay, Math.max(0, (hours % 24) - from)));
}

/** Generates dumps of players whose scores grow every hour, in the game bot's format. */
export function createDumpWorld(world: DumpWorld) {
  const names = Array.from({ length: world.players }, (_, player) => nameOf(world.seed, player));
  const { boards: selected } = world;
  const known = [...KNOWN_BOARDS.values()];
  const boards = typeof selected === 'number' ? known.slice(0, selected) : known.filter(({ uuid }) => selected.includes(uuid));

  function entriesOf({ displayIndex, uuid }: KnownBoard): number {
    const { large } = world;
    if (world.hasRhythm) return Math.ceil(world.entries * (0.4 + 0.6 * unit(world.seed, uuid, 'popularity')));
    return Math.min(world.players, large && displayIndex < large.boards ? large.entries : world.entries);
  }

  function rowsOf(board: KnownBoard, at: number): { name: string; score: number }[] {
    const entries = entriesOf(board);
    const hours = hoursRunning(board, at);
    const scale = world.hasRhythm && board.uuid === EXPERIENCE_BOARD ? 500 : 1;
    const first = Math.floor(unit(world.seed, board.uuid, 'first') * world.players);
    return Array.from({ length: entries }, (_, index) => {
      const player = (first + index) % world.players;
      const skill = 1000 * (1 - index / (entries + 1)) ** 2 + 1;
      const speed = (player * 2_654_435_761 + board.uuid) % 97;
      // A third of the players rest at any hour, so scores do not all rise together.
      const active = world.hasRhythm
        ? hoursPlayed(player, Math.max(0, hours))
        : hours - Math.floor(hours / 24) * (speed % 3 === 0 ? 24 : 8);
      return {
        name: world.nameAt?.(player, at) ?? names[player] ?? '',
        score: Math.round((skill * 40 + Math.max(0, active) * (1 + speed / 10)) * scale * 100) / 100,
      };
    }).sort((one, other) => other.score - one.score);
  }

  return {
    names,
    boards,
    /** The line of a board at a time. */
    line(board: KnownBoard, at: number): string {
      const entries = rowsOf(board, at).map(({ name, score }, index) => `${index + 1};${name};${score}`);
      const category = board.displayIndex < 8 ? 'Leaderboard_Category_Meta$' : 'Leaderboard_Category_Other$';
      return `Leaderboard_${board.uuid}$${category}${board.uuid} = ${board.name}$${categoryOf(board)}##${entries.join('|')}`;
    },
    /** The dump at a time. */
    dump(at: number): string {
      return ['# leaderboards', ...boards.map((board) => this.line(board, at)), 'done = true', ''].join('\n');
    },
  };
}

/** Category by the first uuid of a range: class boards have the same names in each. */
const CATEGORIES = [
  [5000, 'PARAGON'],
  [4000, 'EFFORT'],
  [2000, 'DELVES'],
  [1000, 'POWER RANK'],
] as const;

function categoryOf({ displayIndex, uuid }: KnownBoard): string {
  if (displayIndex < 8) return 'META';
  if (displayIndex < 36) return 'STATS';
  const range = CATEGORIES.find(([first]) => uuid >= first && uuid < 6000);
  return range ? range[1] : 'OTHER';
}
