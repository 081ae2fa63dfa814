import type { Traffic } from './model.ts';

/** A service without clients. */
export const NO_TRAFFIC: Traffic = { requestsPerSecond: 0, tokens: 1, addresses: 0, tokenShare: 0, streams: 0 };

/** The columns of docs/operations/scale.md with their targets in dollars a month, plan included. */
export const COLUMNS = [
  { name: 'at rest', target: 6, traffic: {} },
  { name: '1,000 streams', target: 15, traffic: { streams: 1000 } },
  { name: '5 requests/s', target: 10, traffic: { requestsPerSecond: 5, tokens: 50, addresses: 500, tokenShare: 0.5, streams: 20 } },
  { name: '100 requests/s', target: 150, traffic: { requestsPerSecond: 100, tokens: 100, addresses: 100, tokenShare: 0.5, streams: 200 } },
  {
    name: '10,000 requests/s',
    target: 20_000,
    traffic: { requestsPerSecond: 10_000, tokens: 100_000, addresses: 1_000_000, tokenShare: 0.5, streams: 2000 },
  },
] as const satisfies readonly { name: string; target: number; traffic: Partial<Traffic> }[];
