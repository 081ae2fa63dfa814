import type { Usage } from '../../src/areas/admin/bill/prices.data.ts';

/** Maximum amounts of the actions of the model. `test/worker/platform/bill.suite.ts` measures them with the code of the service. */
export const UNIT_COSTS = {
  /** A request without a token, counted in the shared object of its location. */
  anonymousRequest: { 'object requests': 1 },
  /** A request with a token. The simulation adds the rows of its counters and of its usage. */
  tokenRequest: { 'object requests': 1 },
  /** An isolate adds its counts of requests, with and without a token. */
  trafficFlush: { 'D1 rows written': 2, 'D1 rows read': 4 },
  /** The first use of a token, and each later refresh of its row in the gate. */
  tokenLookup: { 'object rows read': 4, 'object rows written': 1, 'D1 rows read': 4 },
  /** Rate limit, shard and slot; the handle in the shard, the slot and its alarm. */
  streamOpen: { 'object requests': 3, 'object rows written': 3, 'object rows read': 20 },
  /** Release of the slot. */
  streamClose: { 'object requests': 1, 'object rows written': 2 },
  /** Every 15 minutes and stream. */
  slotRenewal: { 'object requests': 1, 'object rows written': 1 },
  /** Every 30 minutes and client: the alarm that deletes expired slots, and the next one. */
  slotAlarm: { 'object requests': 1, 'object rows written': 1 },
  /** Every 20 s and shard with streams. */
  shardHeartbeat: { 'object requests': 1, 'object rows written': 1 },
  /** Every 30 s, with or without streams. */
  coordinatorCheck: { 'object requests': 1, 'object rows written': 2, 'object rows read': 100, 'D1 rows read': 40 },
  /** A minute of the cron job in a service without requests. */
  cronMinute: {
    'object requests': 7,
    'object rows written': 2,
    'object rows read': 60,
    'D1 rows written': 32,
    'D1 rows read': 166,
    'KV reads': 2,
    'KV writes': 2,
    'R2 class B': 3,
    'log events': 3,
  },
  /** The jobs of a day, mostly the retention of boards. Measured once, because the test would take 20 s. */
  cronDay: { 'D1 rows written': 100, 'D1 rows read': 400, 'R2 class A': 260, 'R2 class B': 260 },
  /** The daily lists of the buckets: one for 1,000 objects. Assumed: 200,000 objects. */
  storageSizesDay: { 'R2 class A': 200, 'D1 rows written': 90, 'D1 rows read': 180 },
  /** A message of the stream: the coordinator, and at most eight shards with streams. */
  streamMessage: { 'object requests': 9, 'object rows written': 20, 'object rows read': 200, 'D1 rows read': 40 },
  /** A message to one more shard. */
  shardMessage: { 'object requests': 1, 'object rows written': 2, 'object rows read': 10 },
  /** An alarm of a sender object: the lease of the step, its result, the windows and the next alarm. */
  webhookRound: { 'object requests': 1, 'object rows written': 6, 'object rows read': 10 },
} as const satisfies Record<string, Partial<Usage>>;

/** Amounts of the content that the service stores. `test/worker/platform/bill-content.test.ts` measures them. */
export const CONTENT_COSTS = {
  /** A listing that a market dump has for the first time: a row and nine indexes. */
  newListing: { 'D1 rows written': 11.3, 'D1 rows read': 8.4 },
  /** A live listing in a dump. */
  knownListing: { 'D1 rows written': 3, 'D1 rows read': 5.1 },
  /** A listing that the dump lacks for three hours: it leaves the indexes of live ones. */
  endedListing: { 'D1 rows written': 8, 'D1 rows read': 3.1 },
  /** The statistics of the market, for each listing of 60 days. They are computed every 15 minutes. */
  statisticsOfListing: { 'D1 rows read': 6 },
  /** The same, whatever the number of listings. */
  statistics: { 'D1 rows written': 80 },
  /** A board of a leaderboard capture, with the search index and the analyses of its names. */
  board: { 'D1 rows written': 14, 'D1 rows read': 41, 'R2 class A': 1.1, 'R2 class B': 1.1 },
  /** A delivery of an event to a webhook: queued, attempted, ended. */
  delivery: { 'D1 rows written': 7.2, 'D1 rows read': 40 },
} as const satisfies Record<string, Partial<Usage>>;
