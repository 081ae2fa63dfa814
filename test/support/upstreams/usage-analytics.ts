import { httpUpstream } from './http-upstream.ts';

/** Groups of each dataset; one that is missing gets an error, as an account without the product does. */
export interface AnalyticsState {
  groups: Record<string, { sum: Record<string, number>; dimensions: Record<string, string> }[]>;
  /** The token that has the permission. */
  token: string;
}

const ACCOUNT = '0123456789abcdef0123456789abcdef';
const TOKEN = 'analytics-token';

/**
 * Mock of the platform's GraphQL analytics: one account, a dataset for each query, in the shape of
 * developers.cloudflare.com/analytics/graphql-api/tutorials/querying-workers-metrics. Errors have status 200.
 */
export const usageAnalyticsUpstream = httpUpstream<AnalyticsState>({
  name: 'usage-analytics',
  port: 9833,
  initial: (now) => ({ groups: typicalGroups(new Date(now * 1000).toISOString().slice(0, 10)), token: TOKEN }),
  respond({ method, headers, body }, { groups, token }) {
    if (method !== 'POST') return { status: 405, body: '' };
    if (headers.authorization !== `Bearer ${token}`) return failure('Authentication error');
    const { query = '', variables = {} } = JSON.parse(body) as { query?: string; variables?: Record<string, string> };
    const dataset = /accounts\(filter: \{ accountTag: \$accountTag \}\) \{\s*(\w+)\(/.exec(query)?.[1] ?? '';
    const found = groups[dataset];
    if (!found) return failure(`unknown field "${dataset}"`);
    if (variables.accountTag !== ACCOUNT) return { body: { data: { viewer: { accounts: [] } }, errors: null } };
    const { start = '', end = '' } = variables;
    const rows = found.filter(({ dimensions: { date = '' } }) => date >= start && date <= end);
    return { body: { data: { viewer: { accounts: [{ [dataset]: rows }] } }, errors: null } };
  },
  wiring: (url) => ({ vars: { ANALYTICS_URL: `${url}/graphql`, ANALYTICS_ACCOUNT: ACCOUNT, ANALYTICS_TOKEN: TOKEN } }),
});

const failure = (message: string) => ({ body: { data: null, errors: [{ message, path: null, extensions: { code: 'authz' } }] } });

function typicalGroups(date: string): AnalyticsState['groups'] {
  return {
    workersInvocationsAdaptive: [{ sum: { requests: 433_000, cpuTimeUs: 288_000_000 }, dimensions: { date } }],
    durableObjectsInvocationsAdaptiveGroups: [{ sum: { requests: 515_000 }, dimensions: { date } }],
    durableObjectsPeriodicGroups: [{ sum: { activeTime: 87_000_000_000, rowsRead: 470_000, rowsWritten: 117_000 }, dimensions: { date } }],
    d1AnalyticsAdaptiveGroups: [{ sum: { rowsRead: 186_000_000, rowsWritten: 1_310_000 }, dimensions: { date } }],
    kvOperationsAdaptiveGroups: [
      { sum: { requests: 18_700 }, dimensions: { date, actionType: 'read' } },
      { sum: { requests: 2880 }, dimensions: { date, actionType: 'write' } },
    ],
    r2OperationsAdaptiveGroups: [
      { sum: { requests: 4900 }, dimensions: { date, actionType: 'PutObject' } },
      { sum: { requests: 30_500 }, dimensions: { date, actionType: 'GetObject' } },
      { sum: { requests: 900 }, dimensions: { date, actionType: 'DeleteObject' } },
    ],
  };
}
