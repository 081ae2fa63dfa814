import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { billJob } from '../../../src/areas/admin/bill/bill.jobs.ts';
import { createBillStore } from '../../../src/areas/admin/bill/bill.store.ts';
import { createUsageAnalytics } from '../../../src/areas/admin/bill/usage-analytics.upstream.ts';
import { createTraffic } from '../../../src/platform/access/usage/traffic.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { testUpstream } from '../../support/upstreams/test-upstream.ts';
import type { AnalyticsState } from '../../support/upstreams/usage-analytics.ts';

const db = createDatabase(env.DB);
const store = createBillStore(db, env.CACHE);
const DAY = 86_400;
/** The eleventh of November, at noon. */
const NOW = Date.UTC(2026, 10, 11, 12) / 1000;
const [DATE, BEFORE] = ['2026-11-11', '2026-11-10'];

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await env.CACHE.delete('bill');
  await env.DB.prepare('DELETE FROM usage_hours').run();
});

function analyticsWith(state: Partial<AnalyticsState> = {}) {
  const session = upstreamSession('usage-analytics');
  const { ANALYTICS_URL: url = '', ANALYTICS_ACCOUNT: account = '', ANALYTICS_TOKEN: token = '' } = session.vars;
  const client = testUpstream();
  return { session, ready: session.order({ state }), analytics: createUsageAnalytics({ client, url, account, token }) };
}

async function run({
  now = NOW,
  limit = 0,
  analytics = null as ReturnType<typeof createUsageAnalytics> | null,
  isDelivered = true,
} = {}): Promise<string[]> {
  const sent: string[] = [];
  const alert = async (lines: readonly string[]) => {
    sent.push(lines.join('\n'));
    return isDelivered;
  };
  const settings = { ...DEFAULT_SETTINGS, alarmDailyDollars: limit };
  await billJob({ store, analytics, alert }).run({ now, settings, signal: new AbortController().signal, isManual: false });
  return sent;
}

/** Counts requests without a token, one in ten of which is counted as ten. */
async function countRequests(at: number, count: number): Promise<void> {
  const traffic = createTraffic(db, null, () => 0);
  traffic.record({ hasToken: false, status: 200, durationMs: 5, at }, () => {});
  await traffic.flush();
  const hour = at - (at % 3600);
  await env.DB.prepare('UPDATE usage_hours SET request_count = ? WHERE hour = ?').bind(count, hour).run();
}

const groups = (sums: AnalyticsState['groups']) => ({
  ...Object.fromEntries(
    [
      'workersInvocationsAdaptive',
      'durableObjectsInvocationsAdaptiveGroups',
      'durableObjectsPeriodicGroups',
      'd1AnalyticsAdaptiveGroups',
      'kvOperationsAdaptiveGroups',
      'r2OperationsAdaptiveGroups',
    ].map((name) => [name, []]),
  ),
  ...sums,
});

describe('the job bill', () => {
  it("estimates the bill from the service's own counts without a token of the analytics", async () => {
    await countRequests(NOW - 3600, 100e6);
    await countRequests(Date.UTC(2026, 9, 31, 23) / 1000, 70e6);
    expect(await run()).toEqual([]);
    const found = await store.find();
    expect(found).toMatchObject({ alarmedDay: null, problem: null, bill: { at: NOW, source: 'estimate' } });
    // 100 million requests of November; those of October do not count.
    expect(found?.bill.lines.find(({ meter }) => meter === 'Worker requests')).toMatchObject({ isEstimate: true });
    expect(found?.bill.lines.find(({ meter }) => meter === 'Worker requests')?.amount).toBeCloseTo(100e6 + 10.5 * 1440, -2);
  });

  it('reads the amounts of each day from the analytics, in their units', async () => {
    const { analytics, ready } = analyticsWith({
      groups: groups({
        workersInvocationsAdaptive: [
          { sum: { requests: 40e6, cpuTimeUs: 90e9 }, dimensions: { date: DATE } },
          { sum: { requests: 10e6, cpuTimeUs: 0 }, dimensions: { date: BEFORE } },
          { sum: { requests: 99e6, cpuTimeUs: 0 }, dimensions: { date: '2026-10-31' } },
        ],
        durableObjectsInvocationsAdaptiveGroups: [{ sum: { requests: 3e6 }, dimensions: { date: DATE } }],
        durableObjectsPeriodicGroups: [
          { sum: { activeTime: 5e12, rowsRead: 26e9, rowsWritten: 60e6 }, dimensions: { date: DATE } },
          { sum: { activeTime: 5e12, rowsRead: 0, rowsWritten: 0 }, dimensions: { date: BEFORE } },
        ],
        d1AnalyticsAdaptiveGroups: [{ sum: { rowsRead: 30e9, rowsWritten: 51e6 }, dimensions: { date: DATE } }],
        kvOperationsAdaptiveGroups: ['read', 'write', 'delete', 'list'].map((actionType) => ({
          sum: { requests: 11e6 },
          dimensions: { date: DATE, actionType },
        })),
        r2OperationsAdaptiveGroups: ['PutObject', 'ANewAction', 'GetObject', 'HeadObject', 'DeleteObject'].map((actionType) => ({
          sum: { requests: 8e6 },
          dimensions: { date: DATE, actionType },
        })),
      }),
    });
    await ready;
    await run({ analytics });
    const { bill } = (await store.find()) ?? { bill: null };
    expect(bill?.source).toBe('analytics');
    expect(Object.fromEntries(bill?.lines.map(({ meter, amount }) => [meter, amount]) ?? [])).toMatchObject({
      'Worker requests': 50e6,
      'Worker CPU ms': 90e6,
      'object requests': 3e6,
      'object GB-s': 1_280_000,
      'object rows written': 60e6,
      'object rows read': 26e9,
      'D1 rows read': 30e9,
      'D1 rows written': 51e6,
      'KV reads': 11e6,
      'KV writes': 33e6,
      'R2 class A': 16e6,
      'R2 class B': 16e6,
    });
  });

  it('sends the token to the address of the analytics, with the account and the month', async () => {
    const { analytics, session, ready } = analyticsWith();
    await ready;
    await run({ analytics });
    const calls = await session.calls();
    expect(calls).toHaveLength(6);
    for (const { method, path, headers, body } of calls) {
      expect([method, path, headers.authorization]).toEqual(['POST', '/graphql', 'Bearer analytics-token']);
      expect(JSON.parse(body).variables).toEqual({ accountTag: session.vars.ANALYTICS_ACCOUNT, start: '2026-11-01', end: DATE });
    }
  });

  it('estimates the meters of a dataset that cannot be read, and says so', async () => {
    const { r2OperationsAdaptiveGroups: _, ...some } = groups({});
    const { analytics, ready } = analyticsWith({ groups: some });
    await ready;
    await run({ analytics });
    expect(await store.find()).toMatchObject({ problem: expect.stringContaining('not be read'), bill: { source: 'partly' } });
  });

  it.each([
    ['HTTP errors', { fault: 'error-500' }],
    ['another token', { state: { token: 'another' } }],
  ] as const)('estimates everything after %s', async (_, order) => {
    const { analytics, session } = analyticsWith();
    await session.order(order);
    await run({ analytics });
    expect(await store.find()).toMatchObject({ problem: expect.stringContaining('not be read'), bill: { source: 'estimate' } });
  });

  it('sends the alarm once a day, and again when it was not delivered', async () => {
    await countRequests(NOW - 3600, 1000e6);
    expect(await run({ limit: 10_000 })).toEqual([]);
    const limit = 5;
    expect(await run({ limit, isDelivered: false })).toHaveLength(1);
    const [message, ...more] = await run({ limit, now: NOW + 3600 });
    expect(message).toMatch(/^today costs \$\d+\.\d\d up to now, above the daily amount of \$5\.00 \(an estimate\)\n/);
    expect(more).toEqual([]);
    expect(await run({ limit, now: NOW + 7200 })).toEqual([]);
    await countRequests(NOW + DAY, 900e6);
    expect(await run({ limit, now: NOW + DAY })).toHaveLength(1);
  });

  it('sends nothing while the setting is 0', async () => {
    await countRequests(NOW - 3600, 1000e6);
    expect(await run()).toEqual([]);
  });
});

describe('createBillStore', () => {
  it('finds no bill in a text that no version wrote', async () => {
    await env.CACHE.put('bill', '{"bill": 1}');
    expect(await store.find()).toBeNull();
  });
});
