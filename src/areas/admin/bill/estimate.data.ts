import type { Usage } from './prices.data.ts';

/**
 * Amounts for an estimate from the service's own counts of requests. They are those of the model of docs/operations/scale.md, which counts a
 * service of the typical size; a test compares the two. Event streams and webhooks are not part of them.
 */

/** A day without requests: cron, dumps of the market and of the leaderboards, archive, backups. */
export const REST_DAY: Partial<Usage> = {
  'Worker requests': 1440,
  'Worker CPU ms': 72_000,
  'object requests': 15_800,
  'object GB-s': 4,
  'object rows written': 14_600,
  'object rows read': 434_000,
  'D1 rows written': 1_280_000,
  'D1 rows read': 177_000_000,
  'KV reads': 2880,
  'KV writes': 2880,
  'R2 class A': 4930,
  'R2 class B': 8940,
  'log events': 4320,
};

/** A request, with or without a token. */
export const EACH_REQUEST: Partial<Usage> = {
  'Worker requests': 1,
  'Worker CPU ms': 0.5,
  'object requests': 1,
  'object GB-s': 0.000256,
  'D1 rows written': 0.02,
  'D1 rows read': 20,
  'KV reads': 0.037,
  'R2 class B': 0.05,
  'log events': 0.101,
};

/** What a request with a token adds: its counters, its history and the delivery of its usage. */
export const EACH_TOKEN_REQUEST: Partial<Usage> = {
  'object requests': 0.15,
  'object GB-s': 0.00004,
  'object rows written': 0.29,
  'object rows read': 0.067,
};
