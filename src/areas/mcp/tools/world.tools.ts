import { z } from '@hono/zod-openapi';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { defineTool, durationText, instantText, numberText, pathSegment, shortText, ToolFailure } from './tool.domain.ts';

const MAX_POINTS = 14;
const MAX_BOARDS = 15;
const MAX_NEWS = 10;
const MAX_NAME_LENGTH = 200;

interface Summary {
  name: string;
  count: number;
  total_stack: number;
  min_each: number;
  max_each: number;
  median_each: number;
}
interface Timeline {
  points: { bucket: UnixSeconds; listings: number; p50: number; p25: number; p75: number }[];
}

export const priceTool = defineTool({
  name: 'price_history',
  title: 'Price history',
  description:
    'Returns unit prices of an item on the marketplace in the game currency: current listings and daily medians. The name must match exactly. Requires a token with the scope market:read.',
  input: z.object({
    item: z.string().min(1).max(MAX_NAME_LENGTH).describe('Name of the item, such as "Sun Sap".'),
    days: z.number().int().min(1).max(90).default(14).describe('Number of days.'),
  }),
  endpoints: ['GET /v1/market/items/{name}/summary', 'GET /v1/market/items/{name}/timeline'],
  async run({ item, days }, { read }) {
    const base = `/v1/market/items/${pathSegment(item)}`;
    const bucketHours = Math.min(168, Math.ceil(days / MAX_POINTS) * 24);
    const query = { days, bucket_hours: bucketHours };
    const summary = await read<Summary>(`${base}/summary`);
    const { points } = await read<Timeline>(`${base}/timeline`, { query });
    const recentPoints = points.slice(-MAX_POINTS);
    return {
      lines: [
        summary.count > 0
          ? `${summary.name}: listings now: ${numberText(summary.count)}, pieces: ${numberText(summary.total_stack)}; each ${numberText(summary.min_each)} to ${numberText(summary.max_each)}, median ${numberText(summary.median_each)}.`
          : `${summary.name}: no current listings.`,
        ...(recentPoints.length > 0
          ? [`Median each per ${bucketHours} h (25th to 75th percentile, listings):`]
          : ['No prices in this period.']),
        ...recentPoints.map(
          ({ bucket, p50, p25, p75, listings }) =>
            `- ${instantText(bucket)}: ${numberText(p50)} (${numberText(p25)} to ${numberText(p75)}, ${numberText(listings)})`,
        ),
      ],
      links: { API: `${base}/timeline?days=${days}&bucket_hours=${bucketHours}` },
    };
  },
});

interface Overview {
  active_listings: number;
  active_items: number;
  total_value: number;
}
interface Mover {
  name: string;
  recent_med: number;
  prior_med: number;
  change: number;
}
interface Deals {
  items: { name: string; stack: number; price_each: number; median_each: number; discount: number }[];
}

const MAX_MARKET_ROWS = 10;
const ANALYTICS = '/v1/market/analytics';

export const marketTool = defineTool({
  name: 'market_overview',
  title: 'Market overview',
  description:
    'Returns the size of the marketplace, the items whose median price rose or fell most, and the best deals among current listings. Requires a token with the scope market:read.',
  input: z.object({ days: z.number().int().min(1).max(30).default(7).describe('Length of the window in days.') }),
  endpoints: [`GET ${ANALYTICS}/overview`, `GET ${ANALYTICS}/movers`, `GET ${ANALYTICS}/deals`],
  async run({ days }, { read }) {
    const query = { days };
    const overview = await read<Overview>(`${ANALYTICS}/overview`, { query });
    const { risers, fallers } = await read<{ risers: Mover[]; fallers: Mover[] }>(`${ANALYTICS}/movers`, { query });
    const deals = await read<Deals>(`${ANALYTICS}/deals`, { query: { ...query, limit: MAX_MARKET_ROWS } });
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
    const moverLine = ({ name, prior_med: prior, recent_med: recent, change }: Mover) =>
      `- ${name}: ${numberText(prior)} to ${numberText(recent)} (${percent(change)})`;
    const list = (title: string, lines: string[]) => (lines.length > 0 ? [title, ...lines.slice(0, MAX_MARKET_ROWS)] : [`${title} none`]);
    return {
      lines: [
        `Active listings: ${numberText(overview.active_listings)} of ${numberText(overview.active_items)} items, worth ${numberText(overview.total_value)}.`,
        ...list(`Risers of ${days} days:`, risers.map(moverLine)),
        ...list('Fallers:', fallers.map(moverLine)),
        ...list(
          'Deals:',
          deals.items.map(
            ({ name, stack, price_each: each, median_each: median, discount }) =>
              `- ${numberText(stack)} ${name} at ${numberText(each)} each, ${percent(discount)} below ${numberText(median)}`,
          ),
        ),
      ],
      links: { API: `${ANALYTICS}/overview?days=${days}` },
    };
  },
});

interface Profile {
  player_name: string;
  verified: boolean;
  summary: {
    boards_appeared: number;
    best_rank: number | null;
    best_rank_board_name: string | null;
    top10_count: number;
    top100_count: number;
  };
  renamed_from: string | null;
  boards: {
    board_name: string | null;
    leaderboard: number;
    best_rank: number;
    latest_rank: number | null;
    latest_score: number | null;
    last_seen: UnixSeconds | null;
  }[];
}

export const playerTool = defineTool({
  name: 'player',
  quotesOthers: true,
  title: 'Player on the leaderboards',
  description:
    'Returns ranks and scores of a player on the leaderboards with the time last seen, best first. A former name leads to the later one. Requires a token with the scope leaderboards:read.',
  input: z.object({ name: z.string().min(1).max(MAX_NAME_LENGTH).describe('Player name, case-insensitive.') }),
  endpoints: ['GET /v1/leaderboards/players/{name}/boards'],
  async run({ name }, { now, read }) {
    const path = `/v1/leaderboards/players/${pathSegment(name)}/boards`;
    const { player_name: spelling, renamed_from: former, summary, boards } = await read<Profile>(path);
    if (boards.length === 0) return { lines: [`"${spelling}" is not on any stored leaderboard.`], links: { API: path } };
    const line = (board: Profile['boards'][number]) => {
      const seen = board.last_seen === null ? '' : `, seen ${durationText(now - board.last_seen)} ago`;
      return `- ${board.board_name ?? `Board #${board.leaderboard}`}: rank ${board.latest_rank ?? '?'} (best ${board.best_rank}), score ${board.latest_score === null ? '?' : numberText(board.latest_score)}${seen}`;
    };
    return {
      lines: [
        ...(former ? [`${former} was probably renamed to ${spelling}.`] : []),
        `${spelling}: boards ${summary.boards_appeared}, of which in the top 10: ${summary.top10_count}, in the top 100: ${summary.top100_count}; best rank ${summary.best_rank} (${summary.best_rank_board_name ?? 'a board without a name'}).`,
        ...boards.slice(0, MAX_BOARDS).map(line),
        ...(boards.length > MAX_BOARDS ? [`and ${boards.length - MAX_BOARDS} more`] : []),
      ],
      links: { API: path },
    };
  },
});

interface Boards {
  items: { uuid: number; name: string }[];
}
interface BoardGains {
  uuid: number;
  window_start: UnixSeconds | null;
  window_end: UnixSeconds | null;
  reset_at: UnixSeconds | null;
  comparable: boolean;
  reason: string;
  items: { place: number; rank: number; player_name: string; score: number; gain: number }[];
  total: number;
}

/** The board with a number or a name. Throws with similar names if there is none. */
function findBoard({ items }: Boards, wanted: string): Boards['items'][number] {
  const key = foldCase(wanted.trim());
  const named = items.filter(({ name }) => foldCase(name).includes(key));
  const exact = items.find(({ uuid, name }) => String(uuid) === key || foldCase(name) === key);
  const found = exact ?? (named.length === 1 ? named[0] : undefined);
  if (found) return found;
  const shown = (named.length > 0 ? named : items).slice(0, MAX_BOARDS).map(({ uuid, name }) => `${name} (${uuid})`);
  throw new ToolFailure(
    `board "${shortText(wanted, 100)}" is not one board; ${named.length > 0 ? 'matching' : 'known'} boards: ${shown.join(', ')}`,
  );
}

/** Periods that the endpoint of gains has. */
const GAIN_DAYS: readonly number[] = [1, 7, 30];

export const gainsTool = defineTool({
  name: 'who_rose',
  quotesOthers: true,
  title: 'Largest gains on a leaderboard',
  description:
    'Returns the players who gained most on a leaderboard within a day, a week or 30 days, with the exact window. Requires a token with the scope leaderboards:read.',
  input: z.object({
    board: z.string().min(1).max(MAX_NAME_LENGTH).describe('Name or number of the leaderboard, such as "Trove Mastery Points" or "1".'),
    // Not an enumeration: model providers accept only texts in one, and refuse all tools otherwise.
    days: z
      .number()
      .int()
      .min(1)
      .max(30)
      .refine((days) => GAIN_DAYS.includes(days), `must be one of: ${GAIN_DAYS.join(', ')}`)
      .default(7)
      .describe('Length of the period in days: 1, 7 or 30.'),
  }),
  endpoints: ['GET /v1/leaderboards', 'GET /v1/leaderboards/{uuid}/gains'],
  async run({ board, days }, { read }) {
    const { uuid, name } = findBoard(await read<Boards>('/v1/leaderboards'), board);
    const path = `/v1/leaderboards/${uuid}/gains`;
    const gains = await read<BoardGains>(path, { query: { days, limit: MAX_BOARDS } });
    const { window_start: start, window_end: end, reset_at: reset } = gains;
    const links = { API: `${path}?days=${days}` };
    if (!gains.comparable || start === null || end === null) return { lines: [`${name}: no gains are known (${gains.reason}).`], links };
    const since = reset === null ? '' : ', since the reset';
    return {
      lines: [
        `${name}: players with a gain from ${instantText(start)} to ${instantText(end)}${since}: ${numberText(gains.total)}.`,
        ...gains.items.map(
          ({ place, rank, player_name: player, score, gain }) =>
            `- ${place}. ${player}: +${numberText(gain)} to ${numberText(score)}, rank ${rank}`,
        ),
      ],
      links,
    };
  },
});

interface GameStatus {
  overall: string;
  environments: Record<string, { status: string }>;
  checked_at: UnixSeconds | null;
}
interface StatusHistory {
  uptime: number | null;
  outages: { status: string; started_at: UnixSeconds; ended_at: UnixSeconds | null }[];
}

export const statusTool = defineTool({
  name: 'server_status',
  title: 'Status of the game servers',
  description: 'Returns the status of the game servers (online, maintenance or down) and the recent outages of one region.',
  input: z.object({
    region: z.enum(['eu', 'us', 'pts']).default('eu').describe('Region of the outages; pts is the test server.'),
    days: z.number().int().min(1).max(90).default(7).describe('Number of days.'),
  }),
  endpoints: ['GET /v1/misc/game-status', 'GET /v1/misc/game-status/history'],
  async run({ region, days }, { now, read }) {
    const status = await read<GameStatus>('/v1/misc/game-status');
    const history = await read<StatusHistory>('/v1/misc/game-status/history', { query: { env: region, days } });
    const regions = Object.entries(status.environments).map(([name, { status: state }]) => `${name} ${state}`);
    const checked = status.checked_at === null ? 'never checked' : `checked ${durationText(now - status.checked_at)} ago`;
    const uptime = history.uptime === null ? 'unknown' : `${(history.uptime * 100).toFixed(2)} %`;
    return {
      lines: [
        `Game servers: ${status.overall} (${regions.join(', ')}), ${checked}.`,
        `${region}, last ${days} days: uptime ${uptime}, outages: ${history.outages.length}.`,
        ...history.outages
          .slice(-5)
          .map(
            ({ status: state, started_at: from, ended_at: until }) =>
              `- ${state} from ${instantText(from)} ${until === null ? 'on' : `for ${durationText(until - from)}`}`,
          ),
      ],
      links: { Page: '/servers', 'Status of this service': '/status', API: '/v1/misc/game-status' },
    };
  },
});

interface News {
  items: { title: string; url: string; summary: string; category: string; published_at: string | null }[];
}

export const newsTool = defineTool({
  name: 'news',
  quotesOthers: true,
  title: 'News',
  description: 'Returns the latest official news of the game, newest first.',
  input: z.object({ limit: z.number().int().min(1).max(MAX_NEWS).default(5).describe('Maximum number of items.') }),
  endpoints: ['GET /v1/feeds/news'],
  async run({ limit }, { read }) {
    const { items } = await read<News>('/v1/feeds/news', { query: { limit } });
    return {
      lines:
        items.length === 0
          ? ['No news is stored.']
          : items.map(({ title, url, summary, category, published_at: at }) => {
              const when = at === null ? '' : `${at.slice(0, 10)} `;
              return `- ${when}${shortText(title, 150)} (${category}): ${shortText(summary, 300)} ${url}`;
            }),
      links: { API: `/v1/feeds/news?limit=${limit}` },
    };
  },
});
