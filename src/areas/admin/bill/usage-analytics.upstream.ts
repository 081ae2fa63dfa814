import { SECONDS_PER_DAY, toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type JsonObject, objectOf, objectsIn, textOf } from '../../../platform/kit/values/json-values.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import type { Measured } from './bill.domain.ts';
import { type Meter, OBJECT_GB } from './prices.data.ts';

export const ANALYTICS_SOURCE = 'usage-analytics';
/** Groups of a response; a month has 31 days, and each has at most some twenty actions. */
const MAX_GROUPS = 10_000;

/** Actions of R2 that cost nothing, and those of class B. All others are class A, the dearer one, as new kinds of actions may be. */
const FREE_ACTIONS: readonly unknown[] = ['DeleteObject', 'DeleteBucket', 'AbortMultipartUpload'];
const CLASS_B_ACTIONS: readonly unknown[] = [
  'HeadBucket',
  'HeadObject',
  'GetObject',
  'UsageSummary',
  'GetBucketEncryption',
  'GetBucketLocation',
  'GetBucketCors',
  'GetBucketLifecycleConfiguration',
];

interface Dataset {
  name: string;
  sums: string;
  dimensions: string;
  meters: readonly Meter[];
  /** Amounts of a group. */
  amountsOf(sum: (name: string) => number, dimensions: JsonObject): Partial<Record<Meter, number>>;
}

/**
 * The datasets of an account by day. Sources: developers.cloudflare.com/analytics/graphql-api/tutorials/querying-workers-metrics,
 * /durable-objects/observability/metrics-and-analytics, /d1/observability/metrics-analytics, /kv/observability/metrics-analytics and
 * /r2/platform/metrics-analytics; `cpuTimeUs` and `activeTime` are in microseconds.
 */
const DATASETS: readonly Dataset[] = [
  {
    name: 'workersInvocationsAdaptive',
    sums: 'requests cpuTimeUs',
    dimensions: 'date',
    meters: ['Worker requests', 'Worker CPU ms'],
    amountsOf: (sum) => ({ 'Worker requests': sum('requests'), 'Worker CPU ms': sum('cpuTimeUs') / 1000 }),
  },
  {
    name: 'durableObjectsInvocationsAdaptiveGroups',
    sums: 'requests',
    dimensions: 'date',
    meters: ['object requests'],
    amountsOf: (sum) => ({ 'object requests': sum('requests') }),
  },
  {
    name: 'durableObjectsPeriodicGroups',
    sums: 'activeTime rowsRead rowsWritten',
    dimensions: 'date',
    meters: ['object GB-s', 'object rows read', 'object rows written'],
    amountsOf: (sum) => ({
      'object GB-s': (sum('activeTime') / 1e6) * OBJECT_GB,
      'object rows read': sum('rowsRead'),
      'object rows written': sum('rowsWritten'),
    }),
  },
  {
    name: 'd1AnalyticsAdaptiveGroups',
    sums: 'rowsRead rowsWritten',
    dimensions: 'date',
    meters: ['D1 rows read', 'D1 rows written'],
    amountsOf: (sum) => ({ 'D1 rows read': sum('rowsRead'), 'D1 rows written': sum('rowsWritten') }),
  },
  {
    name: 'kvOperationsAdaptiveGroups',
    sums: 'requests',
    dimensions: 'date actionType',
    meters: ['KV reads', 'KV writes'],
    amountsOf: (sum, { actionType }) => ({ [actionType === 'read' ? 'KV reads' : 'KV writes']: sum('requests') }),
  },
  {
    name: 'r2OperationsAdaptiveGroups',
    sums: 'requests',
    dimensions: 'date actionType',
    meters: ['R2 class A', 'R2 class B'],
    amountsOf: (sum, { actionType }) =>
      FREE_ACTIONS.includes(actionType) ? {} : { [CLASS_B_ACTIONS.includes(actionType) ? 'R2 class B' : 'R2 class A']: sum('requests') },
  },
];

const queryOf = ({ name, sums, dimensions }: Dataset) => `query ($accountTag: string!, $start: Date, $end: Date) {
  viewer {
    accounts(filter: { accountTag: $accountTag }) {
      ${name}(limit: ${MAX_GROUPS}, filter: { date_geq: $start, date_leq: $end }) {
        sum { ${sums} }
        dimensions { ${dimensions} }
      }
    }
  }
}`;

interface UsageAnalyticsDeps {
  client: UpstreamClient;
  /** Address of the GraphQL API. */
  url: string;
  /** Id of the account. */
  account: string;
  /** Token with the permission Account Analytics: Read. */
  token: string;
}

export type UsageAnalytics = ReturnType<typeof createUsageAnalytics>;

/** Client of the platform's analytics. Figures lag by some minutes, and are of the whole account. */
export function createUsageAnalytics({ client, url, account, token }: UsageAnalyticsDeps) {
  /** Throws `UpstreamError`. */
  async function readDataset(dataset: Dataset, start: UnixSeconds, now: UnixSeconds, signal: AbortSignal): Promise<Measured> {
    const variables = { accountTag: account, start: dateOf(start), end: dateOf(now) };
    const response = await client.fetch({
      source: ANALYTICS_SOURCE,
      url,
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ query: queryOf(dataset), variables }),
      // The token is for this address only.
      redirect: 'manual',
      // A query changes nothing.
      attempts: 2,
      signal,
    });
    const body = objectOf(response.json());
    const [error] = objectsIn(body.errors);
    const [found] = objectsIn(objectOf(objectOf(body.data).viewer).accounts);
    const groups = found?.[dataset.name];
    if (error || !Array.isArray(groups)) {
      throw new UpstreamError(ANALYTICS_SOURCE, 'malformed', `${dataset.name}: ${textOf(error?.message) ?? 'no such account or dataset'}`);
    }
    return measuredOf(dataset, objectsIn(groups));
  }

  return {
    /**
     * The amounts of each day since a time, and the first failure. A dataset that cannot be read is left out: an account without a bucket
     * may not have the one of R2.
     */
    async read(start: UnixSeconds, now: UnixSeconds, signal: AbortSignal): Promise<{ measured: Measured; failure: unknown }> {
      let measured: Measured = {};
      let failure: unknown = null;
      // One after the other: an invocation has six connections for all jobs of a minute.
      for (const dataset of DATASETS) {
        try {
          measured = { ...measured, ...(await readDataset(dataset, start, now, signal)) };
        } catch (error) {
          failure ??= error;
          // Without a response the others would only use up the time of the job.
          if (error instanceof UpstreamError && error.status === null && error.kind !== 'malformed') break;
        }
      }
      return { measured, failure };
    },
  };
}

/** Adds up the groups by day. */
function measuredOf({ meters, amountsOf }: Dataset, groups: readonly JsonObject[]): Measured {
  const byMeter = new Map(meters.map((meter) => [meter, new Map<UnixSeconds, number>()]));
  for (const group of groups) {
    const dimensions = objectOf(group.dimensions);
    const sums = objectOf(group.sum);
    const day = Date.parse(`${textOf(dimensions.date)}T00:00:00Z`) / 1000;
    if (!Number.isSafeInteger(day) || day % SECONDS_PER_DAY !== 0) continue;
    const amounts = amountsOf((name) => amountOf(sums[name]), dimensions);
    for (const [meter, byDay] of byMeter) byDay.set(day, (byDay.get(day) ?? 0) + (amounts[meter] ?? 0));
  }
  return Object.fromEntries(byMeter);
}

const amountOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0);

/** The date in UTC, such as `2026-11-29`. */
const dateOf = (at: UnixSeconds): string => toIso(at).slice(0, 10);
