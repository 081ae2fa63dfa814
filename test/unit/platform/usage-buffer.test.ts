import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UsageBuffer } from '../../../src/platform/access/usage/usage-buffer.ts';
import { usageRecord } from '../../support/usage-record.ts';

const SECOND = 1000;
const record = usageRecord({ at: 0 });

/** A buffer that notes the time and number of records of each delivery, and the longest wait of a request. */
function world(delaySeconds: number | null = 20) {
  const buffer = new UsageBuffer(delaySeconds);
  const start = Date.now();
  const deliveries: [second: number, records: number][] = [];
  const waits: number[] = [];
  const second = () => Math.round((Date.now() - start) / SECOND);
  return {
    buffer,
    deliveries,
    waits,
    request() {
      const startedAt = Date.now();
      const note = (work: Promise<unknown>) => void work.then(() => waits.push((Date.now() - startedAt) / SECOND));
      buffer.add('token', record, note, async () => {
        const { records } = buffer.drain('token');
        if (records.length > 0) deliveries.push([second(), records.length]);
      });
    },
    pause: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * SECOND),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('UsageBuffer', () => {
  it('is due with 20 records', () => {
    const { buffer, request } = world();
    for (let index = 0; index < 19; index += 1) request();
    expect(buffer.drainDue('token').records).toEqual([]);
    request();
    expect(buffer.drainDue('token').records).toHaveLength(20);
    expect(buffer.drainDue('token').records).toEqual([]);
  });

  it('delivers 20 s after the last request', async () => {
    const { deliveries, request, pause } = world();
    request();
    await pause(5);
    request();
    await pause(19.9);
    expect(deliveries).toEqual([]);
    await pause(1);
    expect(deliveries).toEqual([[25, 2]]);
  });

  it('delivers once for requests at any interval, in a request that waits less than 30 s', async () => {
    for (const interval of [0.1, 1, 4, 7, 9, 11, 19]) {
      const { buffer, deliveries, waits, request, pause } = world();
      const count = Math.ceil(100 / interval);
      let sent = 0;
      for (let index = 0; index < count; index += 1) {
        sent += buffer.drainDue('token').records.length;
        request();
        if (index < count - 1) await pause(interval);
      }
      expect(deliveries).toEqual([]);
      await pause(20.1);
      expect([interval, deliveries.length, sent + (deliveries[0]?.[1] ?? 0)]).toEqual([interval, 1, count]);
      await pause(60);
      expect(deliveries).toHaveLength(1);
      expect(Math.max(...waits)).toBeLessThan(30);
    }
  });

  it('is due with the next request when the wait of the last one was lost', async () => {
    const { buffer, pause } = world();
    buffer.add(
      'token',
      record,
      () => {},
      async () => {},
    );
    await pause(19);
    expect(buffer.drainDue('token').records).toEqual([]);
    await pause(1);
    expect(buffer.drainDue('token').records).toHaveLength(1);
  });

  it('starts at most one wait per 9 s', async () => {
    const { request, pause } = world();
    for (let index = 0; index < 90; index += 1) {
      request();
      await pause(0.1);
    }
    expect(vi.getTimerCount()).toBe(1);
  });

  it('waits for a request without a delay', async () => {
    const { buffer, deliveries, request, pause } = world(null);
    request();
    await pause(1000);
    expect([deliveries, buffer.drainDue('token').records, vi.getTimerCount()]).toEqual([[], [], 0]);
  });

  it('repeats a delivery that failed under its id, alone, before later records', () => {
    const { buffer, request } = world(null);
    for (let index = 0; index < 20; index += 1) request();
    const first = buffer.drainDue('token');
    buffer.restore('token', first);
    request();
    expect(buffer.drainDue('token')).toEqual(first);
    expect(buffer.drainDue('token').records).toEqual([]);
    const second = buffer.drain('token');
    expect([second.records.length, second.id === first.id]).toEqual([1, false]);
  });

  it('keeps the records of two deliveries that failed', () => {
    const { buffer, request } = world(null);
    request();
    const first = buffer.drain('token');
    request();
    const second = buffer.drain('token');
    buffer.restore('token', first);
    buffer.restore('token', second);
    expect([buffer.drain('token').id, buffer.drain('token').records.length]).toEqual([first.id, 1]);
  });
});
