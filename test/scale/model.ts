import { OBJECT_GB, sumOf, type Usage } from '../../src/areas/admin/bill/prices.data.ts';
import { MAX_DELIVERIES_PER_ROUND } from '../../src/areas/webhooks/delivery/delivery.data.ts';
import { BUSY_PAUSE_MS, BUSY_REQUESTS } from '../../src/platform/access/usage/traffic.ts';
import { USAGE_DELAY_SECONDS } from '../../src/platform/access/usage/usage-buffer.ts';
import { happens, randomUnit, seededRandom } from '../../src/platform/kit/random.ts';
import { type Content, usageOfContent } from './content.ts';
import { READS, type Reads } from './reads.data.ts';
import { SimClock, SimToken, type TokenCosts } from './sim-token.ts';
import { CONTENT_COSTS, UNIT_COSTS } from './unit-costs.data.ts';

const DAY = 86_400;
export const MONTH = 30 * DAY;

/** Traffic of a month. */
export interface Traffic {
  requestsPerSecond: number;
  /** Tokens, each of its own account (the worst case), and addresses without a token. */
  tokens: number;
  addresses: number;
  /** Share of the requests that send a token. */
  tokenShare: number;
  /** Event streams that are open all the time, each of its own client. */
  streams: number;
  /** Webhooks that receive events. */
  webhooks: number;
}

/** Measured by `npm run bench`: CPU time of a request, and time of an RPC in an object, in milliseconds. */
const CPU_MS = 0.5;
const OBJECT_MS = 2;
const CRON_CPU_MS = 50;
/** Time that an object stays in memory after an RPC because of a timer. The bill test finds no pending timer. */
const IDLE_MS = 0;
/** The default of LOG_SAMPLE. */
const LOG_SAMPLE = 0.1;
/** Share of requests that log an error or have status 500 or above. */
const ERROR_SHARE = 0.001;
/**
 * Assumed: share of all requests of each operation that reads a store; the others return from memory. `READS` are those of an
 * isolate without cached data: it reads so much once a minute. A further request reads at most a page of its own.
 */
const READ_SHARES: Readonly<Record<keyof typeof READS, number>> = {
  listMarketListings: 0.01,
  getMarketSummary: 0.01,
  listCodexEntries: 0.01,
  getCodexEntry: 0.02,
  searchCodexes: 0.01,
  listMods: 0.01,
  getMod: 0.01,
  getLeaderboard: 0.01,
  listLeaderboardEntries: 0.01,
  getPlayerProfile: 0.005,
  getFileMeta: 0.005,
  downloadFile: 0.01,
  search: 0.005,
  getSnapshot: 0.005,
  getNews: 0.01,
};
/** Assumed: what a request reads at most when its isolate has the names, boards, feeds and settings that requests share. */
const MAX_OWN: Reads = { rows: 100, kv: 0, r2: 4 };
/** Requests a second of one isolate, and what an isolate reads a minute to refresh settings and feeds. */
const REQUESTS_PER_ISOLATE = 25;
const ISOLATE_MINUTE: Partial<Usage> = { 'D1 rows read': 400, 'KV reads': 10 };
/** A gate in use reads its row again at this interval. */
const REFRESH_SECONDS = 600;
const MESSAGES_PER_DAY = 300;
/** Assumed: events a day that a webhook receives. */
const EVENTS_PER_WEBHOOK = 30;
const STREAMS_PER_SHARD = 1000;
/** Shards that `UNIT_COSTS.streamMessage` includes. */
const MESSAGE_SHARDS = 8;
const HEARTBEAT_SECONDS = 20;
const CHECK_SECONDS = 30;
const RENEWAL_SECONDS = 900;
const LEASE_SECONDS = 1800;
/** A client reconnects once in this time. */
const STREAM_SECONDS = 3600;
/** Exponent of the power law over tokens, and requests a second of a token at its rate limit. */
const SKEW = 0.9;
const MAX_RATE = 2;
const ROUTES = 5;
/** Maximum simulated requests of a token; results are scaled up. */
const MAX_EVENTS = 10_000;
const SAMPLES = 40;
/** Bytes of a day row in D1: 64 measured with full pages, plus an allowance for split pages. */
const DAY_ROW_BYTES = 90;
const KEPT_DAYS = 400;

/** Amounts of a second of all tokens; `historyBytes` of the last requests, `sumBytes` and `dayRows` after 400 days. */
export interface TokenFlow extends TokenCosts {
  requests: number;
  lookups: number;
  historyBytes: number;
  sumBytes: number;
  dayRows: number;
  simulatedRequests: number;
}

/** Requests per second by rank of a token: a power law, capped at the rate limit; the excess is spread over the other tokens. */
function ratesOf({ tokens, requestsPerSecond, tokenShare }: Traffic): Float64Array {
  const weights = Float64Array.from({ length: tokens }, (_, rank) => (rank + 1) ** -SKEW);
  const total = Math.min(requestsPerSecond * tokenShare, tokens * MAX_RATE);
  let scale = total / weights.reduce((sum, weight) => sum + weight, 0);
  for (let round = 0; round < 50; round += 1) {
    const sum = weights.reduce((all, weight) => all + Math.min(MAX_RATE, weight * scale), 0);
    if (sum >= total * 0.999) break;
    scale *= total / sum;
  }
  return weights.map((weight) => Math.min(MAX_RATE, weight * scale));
}

/** Ranks that represent all tokens, denser at the top, each with the range of tokens it represents. */
function strata(tokens: number): { rank: number; from: number; to: number }[] {
  const edges = new Set(Array.from({ length: SAMPLES + 1 }, (_, index) => Math.round(tokens ** (index / SAMPLES)) - 1));
  const sorted = [...edges, tokens].sort((one, other) => one - other);
  return sorted
    .slice(1)
    .map((to, index) => {
      const from = sorted[index] ?? 0;
      return { rank: Math.floor((from + to) / 2), from, to };
    })
    .filter(({ from, to }) => to > from);
}

/** Simulates tokens with Poisson arrivals, from the most to the least used, and adds up the amounts of all. */
export async function simulateTokens(traffic: Traffic, maxEvents: number = MAX_EVENTS): Promise<TokenFlow> {
  const rates = ratesOf(traffic);
  const clock = new SimClock();
  const undo = clock.install();
  const flow: TokenFlow = {
    requests: 0,
    lookups: 0,
    historyBytes: 0,
    sumBytes: 0,
    dayRows: 0,
    simulatedRequests: 0,
    deliveries: 0,
    alarms: 0,
    objectRows: 0,
    d1Rows: 0,
    d1NewRows: 0,
  };
  try {
    for (const { rank, from, to } of strata(traffic.tokens)) {
      const count = to - from;
      const rate = rates.subarray(from, to).reduce((sum, each) => sum + each, 0) / count;
      const seconds = Math.min(MONTH, maxEvents / rate);
      const { token, requests } = await simulateToken(clock, rate, seconds, `token-${rank}`);
      for (const name of ['deliveries', 'alarms', 'objectRows', 'd1Rows', 'd1NewRows'] as const) {
        flow[name] += (token.costs[name] / seconds) * count;
      }
      flow.requests += rate * count;
      flow.lookups += Math.min(1 / REFRESH_SECONDS, rate) * count;
      flow.simulatedRequests += requests;
      const stored = token.stored();
      // Single requests reach their bound after a month; sums grow until 400 days or their bound.
      const single = Math.min(10_000, stored.requests * (MONTH / seconds));
      flow.historyBytes += (single * 60 + 12_288) * count;
      flow.sumBytes += Math.min(96_000, (stored.hours / seconds) * KEPT_DAYS * DAY) * 75 * count;
      token.close();
      clock.reset();
    }
  } finally {
    undo();
  }
  flow.dayRows = flow.d1NewRows * DAY * KEPT_DAYS;
  return flow;
}

async function simulateToken(clock: SimClock, rate: number, seconds: number, id: string): Promise<{ token: SimToken; requests: number }> {
  const random = seededRandom(id);
  const token = new SimToken(clock, id);
  const startedAt = clock.now;
  let requests = 0;
  for (let at = startedAt; ; requests += 1) {
    at += (-Math.log(1 - randomUnit(random)) / rate) * 1000;
    if (at > startedAt + seconds * 1000) break;
    const route = `/v1/route/${Math.floor(randomUnit(random) ** 2 * ROUTES)}`;
    const status = happens(random, 0.05) ? 404 : 200;
    await token.request(at, {
      method: 'GET',
      route,
      path: `${route}/value`,
      status,
      durationMilliseconds: 5,
      at: Math.floor(at / 1000),
      count: 1,
    });
  }
  await clock.advance(startedAt + seconds * 1000);
  return { token, requests };
}

/** Flushes of the counts of requests, of all isolates in a second. */
function trafficFlushes(requestsPerSecond: number): number {
  if (requestsPerSecond === 0) return 0;
  const isolates = Math.max(1, requestsPerSecond / REQUESTS_PER_ISOLATE);
  const isBusy = (requestsPerSecond / isolates) * USAGE_DELAY_SECONDS >= BUSY_REQUESTS;
  return isolates / (USAGE_DELAY_SECONDS + (isBusy ? BUSY_PAUSE_MS / 1000 : 0));
}

/** Reads of stores in a month, over the mix of operations. */
function usageOfReads(requests: number, isolateMinutes: number): Usage {
  return sumOf(
    Object.entries(READ_SHARES).flatMap(([name, share]) => {
      const cold = READS[name as keyof typeof READS];
      const count = requests * share;
      const coldCount = Math.min(count, isolateMinutes);
      const part = (meter: 'rows' | 'kv') => coldCount * cold[meter] + (count - coldCount) * Math.min(cold[meter], MAX_OWN[meter]);
      // Objects never change, so the cache of the location has the others.
      const r2 = count * Math.min(cold.r2, MAX_OWN.r2);
      return [[1, { 'D1 rows read': part('rows'), 'KV reads': part('kv'), 'R2 class B': r2 }]] as const;
    }),
  );
}

/** Amounts of a month of the service, counted from its start: requests, streams, webhooks, content, and what the service needs at rest. */
export function usageOfMonth(traffic: Traffic, tokens: TokenFlow, content: Content, month: number): Usage {
  const { requestsPerSecond, streams, webhooks } = traffic;
  const requests = requestsPerSecond * MONTH;
  const tokenRequests = Math.min(requests, tokens.requests * MONTH);
  const shards = Math.ceil(streams / STREAMS_PER_SHARD);
  const minutes = MONTH / 60;
  const isolateMinutes = minutes * Math.max(requestsPerSecond > 0 ? 1 : 0, requestsPerSecond / REQUESTS_PER_ISOLATE);
  const deliveries = webhooks * EVENTS_PER_WEBHOOK * (MONTH / DAY);
  const sumsKept = Math.min(1, (month * MONTH) / (KEPT_DAYS * DAY));
  const sum = sumOf([
    [requests, { 'Worker requests': 1, 'Worker CPU ms': CPU_MS, 'log events': LOG_SAMPLE + ERROR_SHARE }],
    [1, usageOfReads(requests, isolateMinutes)],
    [deliveries, CONTENT_COSTS.delivery],
    [deliveries / MAX_DELIVERIES_PER_ROUND, UNIT_COSTS.webhookRound],
    [1, usageOfContent(content, month)],
    [isolateMinutes, ISOLATE_MINUTE],
    [MONTH * trafficFlushes(requestsPerSecond), UNIT_COSTS.trafficFlush],
    [requests - tokenRequests, UNIT_COSTS.anonymousRequest],
    [tokenRequests, UNIT_COSTS.tokenRequest],
    [MONTH * tokens.lookups, UNIT_COSTS.tokenLookup],
    [MONTH * (tokens.deliveries + tokens.alarms), { 'object requests': 1 }],
    [MONTH * tokens.objectRows, { 'object rows written': 1 }],
    [MONTH * tokens.d1Rows, { 'D1 rows written': 1, 'D1 rows read': 1 }],
    [(tokens.historyBytes + tokens.sumBytes * sumsKept) / 1e9, { 'object GB stored': 1 }],
    [(tokens.dayRows * sumsKept * DAY_ROW_BYTES) / 1e9, { 'D1 GB stored': 1 }],
    [(streams * MONTH) / STREAM_SECONDS, { 'Worker requests': 1, 'Worker CPU ms': CPU_MS, 'log events': LOG_SAMPLE }],
    [(streams * MONTH) / STREAM_SECONDS, UNIT_COSTS.streamOpen],
    [(streams * MONTH) / STREAM_SECONDS, UNIT_COSTS.streamClose],
    [(streams * MONTH) / RENEWAL_SECONDS, UNIT_COSTS.slotRenewal],
    [(streams * MONTH) / LEASE_SECONDS, UNIT_COSTS.slotAlarm],
    [(shards * MONTH) / HEARTBEAT_SECONDS, UNIT_COSTS.shardHeartbeat],
    [MONTH / CHECK_SECONDS, UNIT_COSTS.coordinatorCheck],
    [(MONTH / DAY) * MESSAGES_PER_DAY, UNIT_COSTS.streamMessage],
    [(MONTH / DAY) * MESSAGES_PER_DAY * Math.max(0, shards - MESSAGE_SHARDS), UNIT_COSTS.shardMessage],
    [minutes, { 'Worker requests': 1, 'Worker CPU ms': CRON_CPU_MS }],
    [minutes, UNIT_COSTS.cronMinute],
    [MONTH / DAY, UNIT_COSTS.cronDay],
    [MONTH / DAY, UNIT_COSTS.storageSizesDay],
  ]);
  // A shard with streams stays in memory; its other RPC cost no further duration.
  const shardSeconds = shards * MONTH;
  sum['object GB-s'] = (shardSeconds + (sum['object requests'] * (OBJECT_MS + IDLE_MS)) / 1000) * OBJECT_GB;
  return sum;
}
