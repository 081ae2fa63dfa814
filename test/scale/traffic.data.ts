import type { Content } from './content.ts';
import type { Traffic } from './model.ts';

/** A service without clients. */
export const NO_TRAFFIC: Traffic = { requestsPerSecond: 0, tokens: 1, addresses: 0, tokenShare: 0, streams: 0, webhooks: 0 };

/** Content of a typical and of a large deployment, as docs/operations/storage-growth.md describes them. */
export const TYPICAL: Content = { newListingsPerDay: 11_000, branches: 1, otherGbPerYear: 0.1 };
export const LARGE: Content = { newListingsPerDay: 20_000, branches: 2, otherGbPerYear: 0.25 };

interface Column {
  name: string;
  /** Dollars a month in the first month, plan included. */
  target: number;
  content: Content;
  traffic: Partial<Traffic>;
}

const FIVE = { requestsPerSecond: 5, tokens: 50, addresses: 500, tokenShare: 0.5, streams: 20, webhooks: 100 };
const HUNDRED = { requestsPerSecond: 100, tokens: 100, addresses: 100, tokenShare: 0.5, streams: 200, webhooks: 1000 };
const MANY = { requestsPerSecond: 10_000, tokens: 100_000, addresses: 1_000_000, tokenShare: 0.5, streams: 2000, webhooks: 10_000 };

/** The columns of docs/operations/scale.md. */
export const COLUMNS: readonly Column[] = [
  { name: 'at rest', target: 6, content: TYPICAL, traffic: {} },
  { name: '1,000 streams', target: 15, content: TYPICAL, traffic: { streams: 1000 } },
  { name: '5 requests/s', target: 10, content: TYPICAL, traffic: FIVE },
  { name: '100 requests/s', target: 150, content: LARGE, traffic: HUNDRED },
  // 20,000 before webhooks, market dumps and measured reads were part of the model.
  { name: '10,000 requests/s', target: 21_000, content: LARGE, traffic: MANY },
];

/** Columns whose bill is computed for several ages of the service, in months. */
export const AGED = ['5 requests/s', '100 requests/s', '10,000 requests/s'];
export const AGES = [1, 12, 36];
