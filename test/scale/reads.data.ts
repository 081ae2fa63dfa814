/** What a request reads. */
export interface Reads {
  rows: number;
  kv: number;
  r2: number;
}

/**
 * Reads of an operation in an isolate without cached data, from a store with 200 copies of every row: the amounts that
 * `test/contract/growth.test.ts` measures. That test fails when one of them is off.
 */
export const READS = {
  listMarketListings: { rows: 1418, kv: 0, r2: 0 },
  getMarketSummary: { rows: 1008, kv: 0, r2: 0 },
  listCodexEntries: { rows: 10, kv: 0, r2: 0 },
  getCodexEntry: { rows: 2, kv: 0, r2: 0 },
  searchCodexes: { rows: 10, kv: 0, r2: 0 },
  listMods: { rows: 152, kv: 0, r2: 0 },
  getMod: { rows: 12, kv: 0, r2: 0 },
  getLeaderboard: { rows: 3, kv: 0, r2: 0 },
  listLeaderboardEntries: { rows: 11, kv: 0, r2: 1 },
  getPlayerProfile: { rows: 1193, kv: 0, r2: 193 },
  getFileMeta: { rows: 5, kv: 0, r2: 0 },
  downloadFile: { rows: 5, kv: 0, r2: 2 },
  search: { rows: 18, kv: 0, r2: 0 },
  getSnapshot: { rows: 612, kv: 0, r2: 0 },
  getNews: { rows: 152, kv: 1, r2: 0 },
} as const satisfies Record<string, Reads>;

/** Copies of each row in the store of `READS`. */
export const READS_COPIES = 200;

/** Difference between two runs, relative and absolute: writes of the tests before leave rows. */
export const READS_TOLERANCE = { share: 0.25, amount: 30 };
