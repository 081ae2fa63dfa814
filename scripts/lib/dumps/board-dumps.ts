import { KNOWN_BOARDS, type KnownBoard } from '../../../src/areas/leaderboards/boards/board-table.data.ts';
import { seededRandom } from '../../../src/platform/values/random-source.ts';

const WORD = 2 ** 32;
const SECONDS_PER_HOUR = 3600;
const SYLLABLES = ['ka', 'ri', 'mo', 'ven', 'thu', 'lis', 'pax', 'or', 'ny', 'dra', 'zel', 'qui', 'bo', 'fen', 'sha', 'tor'];

export interface DumpWorld {
  /** Any number: the same seed makes the same players and boards. */
  seed: number;
  /** So many boards from the first one on, or those of some numbers. */
  boards: number | readonly number[];
  /** Rows of each board. */
  entries: number;
  /** The first boards may have more rows than the others. */
  large?: { boards: number; entries: number };
  players: number;
  /** Players have hours and days of rest, and boards are more or less popular: otherwise all scores rise all the time. */
  hasRhythm?: boolean;
}

/** A number in [0, 1) that depends on everything given and nothing else. */
function unit(...parts: (string | number)[]): number {
  return seededRandom(parts.join(':'))() / WORD;
}

/** Players in the examples of the documentation. */
const EXAMPLE_PLAYERS = ['Nimbus', 'Oriole'];

function nameOf(seed: number, player: number): string {
  const example = EXAMPLE_PLAYERS[player];
  if (example !== undefined) return example;
  const random = seededRandom(`${seed}:player:${player}`);
  const count = 2 + (random() % 3);
  const word = Array.from({ length: count }, () => SYLLABLES[random() % SYLLABLES.length]).join('');
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}${player}`;
}

/** Hours since the board was emptied, or since a fixed instant for boards that never are. */
function hoursRunning(board: KnownBoard, at: number): number {
  const sinceReset = at - 39_600;
  if (board.resets === 'daily') return (sinceReset % 86_400) / SECONDS_PER_HOUR;
  // 1970-01-05 was a Monday.
  if (board.resets === 'weekly') return ((sinceReset - 4 * 86_400) % 604_800) / SECONDS_PER_HOUR;
  return (at - 1_700_000_000) / SECONDS_PER_HOUR;
}

/** Experience of the week is counted in millions. */
const EXPERIENCE_BOARD = 21_005;

/** Hours that a player with a rhythm played of the first `hours`: some hours from a time of the day on, on two days of three. */
function hoursPlayed(player: number, hours: number): number {
  const perDay = 2 + (player % 7);
  const from = (player * 5) % (24 - perDay);
  const days = Math.floor(hours / 24);
  const phase = player % 3;
  const rests = Math.floor((days + phase + 2) / 3) - Math.floor((phase + 2) / 3);
  const isResting = (days + phase) % 3 === 0;
  return (days - rests) * perDay + (isResting ? 0 : Math.min(perDay, Math.max(0, (hours % 24) - from)));
}

/** A world of players whose scores grow from hour to hour, and the dumps a game bot would write of it. */
export function createDumpWorld(world: DumpWorld) {
  const names = Array.from({ length: world.players }, (_, player) => nameOf(world.seed, player));
  const { boards: wanted } = world;
  const known = [...KNOWN_BOARDS.values()];
  const boards = typeof wanted === 'number' ? known.slice(0, wanted) : known.filter(({ uuid }) => wanted.includes(uuid));

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
      const pace = (player * 2_654_435_761 + board.uuid) % 97;
      // A third of the players rest at any hour, so that scores do not all rise together.
      const active = world.hasRhythm ? hoursPlayed(player, Math.max(0, hours)) : hours - Math.floor(hours / 24) * (pace % 3 === 0 ? 24 : 8);
      return { name: names[player] ?? '', score: Math.round((skill * 40 + Math.max(0, active) * (1 + pace / 10)) * scale * 100) / 100 };
    }).sort((one, other) => other.score - one.score);
  }

  return {
    names,
    boards,
    /** The line of a board at an instant. */
    line(board: KnownBoard, at: number): string {
      const entries = rowsOf(board, at).map(({ name, score }, index) => `${index + 1};${name};${score}`);
      const category = board.displayIndex < 8 ? 'Leaderboard_Category_Meta$' : 'Leaderboard_Category_Other$';
      return `Leaderboard_${board.uuid}$${category}${board.uuid} = ${board.name}$${categoryOf(board)}##${entries.join('|')}`;
    },
    /** The dump of an instant. */
    dump(at: number): string {
      return ['# leaderboards', ...boards.map((board) => this.line(board, at)), 'done = true', ''].join('\n');
    },
  };
}

function categoryOf({ displayIndex }: KnownBoard): string {
  if (displayIndex < 8) return 'META';
  return displayIndex < 36 ? 'STATS' : 'OTHER';
}
