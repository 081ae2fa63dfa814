import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { outbox } from '../../../../src/platform/durable/outbox.tables.ts';
import { createOutbox, type DeliveryOutcome, type ItemEnd, type OutboxKind } from '../../../../src/platform/durable/outbox.ts';
import { jobRuns } from '../../../../src/platform/durable/schedule/jobs.tables.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { eventually, withQuickTimers } from '../../../support/eventually.ts';
import { recordingDatabase, scansOf } from '../../../support/query-plans.ts';
import { FIRST_INSTANT as NOW } from '../../../support/requests.ts';

const db = createDatabase(env.DB);
const LEASE_SECONDS = 30;

/** A queue whose delivery results the test sets; `real`: the clock for leases. */
function queueOf(
  respond: (key: string) => Promise<DeliveryOutcome> | DeliveryOutcome,
  more: Partial<OutboxKind> = {},
  real = { now: NOW },
  database = env.DB,
) {
  const attempted: string[] = [];
  const ended: (ItemEnd & { key: string })[] = [];
  const queue = createOutbox(createDatabase(database), () => real.now).kind({
    name: 'letters',
    policy: { tries: 3, firstPauseSeconds: 60, factor: 10, longestPauseSeconds: 3600 },
    leaseSeconds: LEASE_SECONDS,
    batch: 10,
    concurrency: 2,
    async deliver({ key, payload }) {
      attempted.push(`${key}${payload}`);
      return respond(key);
    },
    onEnd(key, end) {
      ended.push({ key, ...end });
      return [];
    },
    ...more,
  });
  return { queue, attempted, ended };
}

const done = (): DeliveryOutcome => ({ kind: 'done' });
const retry = (retryAfterSeconds?: number): DeliveryOutcome => ({
  kind: 'retry',
  reason: 'busy',
  ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
});
const rows = () => db.select().from(outbox);

beforeEach(async () => {
  vi.restoreAllMocks();
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await db.batch([db.delete(outbox), db.delete(jobRuns)]);
});

describe('OutboxQueue.insertion', () => {
  it('queues an item and stores the related record in one transaction', async () => {
    const { queue } = queueOf(done);
    const subject = () => db.insert(jobRuns).values({ name: 'subject' });
    await db.batch([subject(), queue.insertion({ key: 'a' }, NOW)]);
    await expect(db.batch([queue.insertion({ key: 'b' }, NOW), subject()])).rejects.toThrow();
    expect((await rows()).map(({ key }) => key)).toEqual(['a']);
  });

  it('does not change an item that is already queued', async () => {
    const { queue } = queueOf(done);
    await queue.insertion({ key: 'a', payload: 'first' }, NOW);
    await queue.insertion({ key: 'a', payload: 'second' }, NOW + 5);
    expect(await rows()).toMatchObject([{ payload: 'first', nextTryAt: NOW, tries: 0 }]);
  });
});

describe('OutboxQueue.deliver', () => {
  it('deletes the item after a successful delivery', async () => {
    const { queue, attempted, ended } = queueOf(done);
    await queue.insertion({ key: 'a', payload: '!' }, NOW);
    expect(await queue.deliver('a', { now: NOW })).toBe(true);
    expect(await queue.deliver('a', { now: NOW })).toBe(false);
    expect([attempted, ended, await rows()]).toEqual([['a!'], [{ key: 'a', kind: 'done', tries: 1 }], []]);
  });

  it('retries an item after each pause of the policy and deletes it after the last attempt', async () => {
    const { queue, attempted, ended } = queueOf(() => retry());
    await queue.insertion({ key: 'a' }, NOW);
    await queue.deliver('a', { now: NOW });
    expect(await rows()).toMatchObject([{ tries: 1, nextTryAt: NOW + 60, leaseUntil: 0, lastError: 'busy' }]);
    await queue.drain({ now: NOW + 59 });
    expect(attempted).toHaveLength(1);
    await queue.drain({ now: NOW + 60 });
    await queue.drain({ now: NOW + 660 });
    expect([attempted.length, ended, await rows()]).toEqual([3, [{ key: 'a', kind: 'exhausted', reason: 'busy', tries: 3 }], []]);
  });

  it('waits for the Retry-After time of the recipient', async () => {
    const { queue } = queueOf(() => retry(300));
    await queue.insertion({ key: 'a' }, NOW);
    await queue.deliver('a', { now: NOW });
    expect(await rows()).toMatchObject([{ nextTryAt: NOW + 300 }]);
  });

  it('does not retry an item that the recipient rejects', async () => {
    const { queue, ended } = queueOf(() => ({ kind: 'refused', reason: 'unknown recipient' }));
    await queue.insertion({ key: 'a' }, NOW);
    await queue.deliver('a', { now: NOW });
    expect([ended, await rows()]).toEqual([[{ key: 'a', kind: 'refused', reason: 'unknown recipient', tries: 1 }], []]);
  });

  it('counts an exception as a failed attempt', async () => {
    const { queue } = queueOf(() => Promise.reject(new Error('broken')));
    await queue.insertion({ key: 'a' }, NOW);
    expect(await queue.deliver('a', { now: NOW })).toBe(true);
    expect(await rows()).toMatchObject([{ tries: 1, nextTryAt: NOW + 60, leaseUntil: 0, lastError: 'broken' }]);
  });

  it('lets another runner retry after the lease of a crashed attempt', async () => {
    const real = { now: NOW };
    const crashing = queueOf(() => new Promise<never>(() => {}), {}, real);
    const next = queueOf(done, {}, real);
    await next.queue.insertion({ key: 'a' }, NOW);
    void crashing.queue.deliver('a', { now: NOW });
    await eventually(() => expect(crashing.attempted).toEqual(['a']));
    await next.queue.drain({ now: NOW + LEASE_SECONDS - 1 });
    expect(await next.queue.deliver('a', { now: NOW })).toBe(false);
    real.now += LEASE_SECONDS;
    await next.queue.drain({ now: NOW + LEASE_SECONDS });
    expect([next.attempted, await rows()]).toEqual([['a'], []]);
  });

  it('does not postpone an item whose lease has passed to another attempt', async () => {
    const real = { now: NOW };
    const late = Promise.withResolvers<DeliveryOutcome>();
    const first = queueOf(() => late.promise, {}, real);
    const second = queueOf(() => new Promise<never>(() => {}), {}, real);
    await first.queue.insertion({ key: 'a' }, NOW);
    const slow = first.queue.deliver('a', { now: NOW });
    await eventually(() => expect(first.attempted).toEqual(['a']));
    real.now += LEASE_SECONDS;
    void second.queue.deliver('a', { now: NOW });
    await eventually(() => expect(second.attempted).toEqual(['a']));
    late.resolve(retry());
    await slow;
    expect(await rows()).toMatchObject([{ tries: 0, leaseUntil: NOW + 2 * LEASE_SECONDS }]);
  });

  it('stores the result and runs the statements of the kind in one transaction', async () => {
    const real = { now: NOW };
    const { queue, attempted } = queueOf(done, { onEnd: () => [db.insert(jobRuns).values({ name: 'end' })] }, real);
    await db.batch([queue.insertion({ key: 'a' }, NOW), db.insert(jobRuns).values({ name: 'end' })]);
    await queue.deliver('a', { now: NOW });
    expect(await rows()).toMatchObject([{ key: 'a', leaseUntil: NOW + LEASE_SECONDS }]);
    await db.delete(jobRuns);
    real.now += LEASE_SECONDS;
    await queue.drain({ now: NOW });
    expect([attempted, await rows(), (await db.select().from(jobRuns)).length]).toEqual([['a', 'a'], [], 1]);
  });

  it('runs afterEnd after the result is stored', async () => {
    const rowCounts: number[] = [];
    const { queue } = queueOf(done, { afterEnd: async () => void rowCounts.push((await rows()).length) });
    await queue.insertion({ key: 'a' }, NOW);
    await queue.deliver('a', { now: NOW });
    expect(rowCounts).toEqual([0]);
  });
});

describe('OutboxQueue.drain', () => {
  it('delivers each item once when several runners drain at the same time', async () => {
    const { queue, attempted } = queueOf(done);
    for (let index = 0; index < 8; index += 1) await queue.insertion({ key: `k${index}` }, NOW);
    await Promise.all([queue.drain({ now: NOW }), queue.drain({ now: NOW }), queue.drain({ now: NOW })]);
    expect([attempted.sort(), await rows()]).toEqual([Array.from({ length: 8 }, (_, index) => `k${index}`), []]);
  });

  it('does not retry an item that another runner postponed meanwhile', async () => {
    const slow = Promise.withResolvers<DeliveryOutcome>();
    const { queue, attempted } = queueOf((key) => (key === 'a' ? slow.promise : retry()), { concurrency: 1 });
    for (const key of ['a', 'b']) await queue.insertion({ key }, NOW);
    const drained = queue.drain({ now: NOW });
    await eventually(() => expect(attempted).toEqual(['a']));
    await queue.deliver('b', { now: NOW });
    slow.resolve(done());
    await drained;
    expect(attempted).toEqual(['a', 'b']);
  });

  it('delivers due items oldest first up to the batch size, and continues after a failure', async () => {
    const { queue, attempted } = queueOf((key) => (key === 'old' ? Promise.reject(new Error('broken')) : done()), {
      batch: 2,
      concurrency: 1,
    });
    for (const [key, at] of [
      ['new', 0],
      ['old', -9],
      ['older', -5],
      ['future', 9],
    ] as const)
      await queue.insertion({ key }, NOW + at);
    await queue.drain({ now: NOW });
    expect(attempted).toEqual(['old', 'older']);
    await queue.drain({ now: NOW });
    expect(attempted).toEqual(['old', 'older', 'new']);
  });

  it('stops when its signal is aborted', async () => {
    const { queue, attempted } = queueOf(done);
    await queue.insertion({ key: 'a' }, NOW);
    await queue.drain({ now: NOW, signal: AbortSignal.abort() });
    expect(attempted).toEqual([]);
  });

  it('ignores items of other kinds', async () => {
    const { queue } = queueOf(done, { name: 'parcels' });
    const other = queueOf(done);
    await queue.insertion({ key: 'a', expiresAt: NOW }, NOW);
    await other.queue.drain({ now: NOW });
    expect([other.attempted, await other.queue.deliver('a', { now: NOW }), await other.queue.deleteExpired(NOW)]).toEqual([[], false, 0]);
    expect(await rows()).toHaveLength(1);
  });
});

describe('item expiry', () => {
  it('stops the retries of an item, and deleteExpired deletes the item', async () => {
    const { queue, attempted } = queueOf(done);
    await queue.insertion({ key: 'a', expiresAt: NOW + 100 }, NOW);
    await queue.insertion({ key: 'b' }, NOW + 200);
    await queue.drain({ now: NOW + 100 });
    expect([attempted, await queue.deliver('a', { now: NOW + 100 })]).toEqual([[], false]);
    expect([await queue.deleteExpired(NOW + 99), await queue.deleteExpired(NOW + 100), (await rows()).length]).toEqual([0, 1, 1]);
  });
});

describe('outbox query', () => {
  it('never scans a whole table', async () => {
    const { database, statements } = recordingDatabase();
    const { queue } = queueOf(() => retry(), {}, { now: NOW }, database);
    await queue.insertion({ key: 'a' }, NOW);
    await queue.drain({ now: NOW });
    await queue.end('a', { kind: 'done', tries: 1 }, NOW);
    await queue.deleteExpired(NOW);
    expect(statements.size).toBe(6);
    expect(await scansOf(statements, ['outbox'])).toEqual([]);
  });
});

describe('attempt that hangs', () => {
  it('ends before its lease, is retried later, and does not hold up other items', async () => {
    const signals: AbortSignal[] = [];
    const { queue, attempted } = queueOf(done, {
      concurrency: 1,
      deliver: async ({ key }, { signal }) => {
        attempted.push(key);
        if (signal) signals.push(signal);
        return key === 'a' ? new Promise<DeliveryOutcome>(() => {}) : done();
      },
    });
    await db.batch([queue.insertion({ key: 'a' }, NOW), queue.insertion({ key: 'b' }, NOW)]);
    await withQuickTimers(() => queue.drain({ now: NOW }));
    expect([attempted, signals.map(({ aborted }) => aborted)]).toEqual([
      ['a', 'b'],
      [true, true],
    ]);
    expect(await rows()).toMatchObject([
      { key: 'a', tries: 1, leaseUntil: 0, nextTryAt: NOW + 60, lastError: 'an attempt of letters took longer than 25000 ms' },
    ]);
  });
});
