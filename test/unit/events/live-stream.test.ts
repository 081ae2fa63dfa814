import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pageScript } from '../../support/page-scripts.ts';

type Listener = (event: object) => void;

/** The parts of `EventSource` that the script uses. */
class FakeSource {
  static readonly CLOSED = 2;
  static opened: FakeSource[] = [];
  readyState = 1;
  readonly #listeners = new Map<string, Listener>();
  constructor() {
    FakeSource.opened.push(this);
  }
  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener);
  }
  async emit(type: string): Promise<void> {
    await this.#listeners.get(type)?.({});
  }
}

async function followStream(...args: unknown[]): Promise<void> {
  (await pageScript('live/stream.js')).followStream(...args);
}

beforeEach(() => {
  FakeSource.opened = [];
  vi.stubGlobal('EventSource', FakeSource);
  vi.useFakeTimers();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('reports the 429 that ended the stream and reconnects after Retry-After', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ error: { code: 'rate_limited' } }, { status: 429, headers: { 'Retry-After': '5' } }));
  const notify = vi.fn();
  await followStream('/v1/events/stream', [], () => {}, notify);
  const [source] = FakeSource.opened as [FakeSource];
  source.readyState = FakeSource.CLOSED;
  await source.emit('error');
  expect(notify).toHaveBeenLastCalledWith('lost', 'Rate limited (429). Retrying in 5 s.');
  await vi.advanceTimersByTimeAsync(4000);
  expect(FakeSource.opened).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(FakeSource.opened).toHaveLength(2);
});

it('does not reconnect while the browser reconnects by itself', async () => {
  const fetch = vi.fn();
  vi.stubGlobal('fetch', fetch);
  const tell = vi.fn();
  await followStream('/v1/events/stream', [], () => {}, tell);
  await FakeSource.opened[0]?.emit('error');
  expect(tell).toHaveBeenLastCalledWith('waiting', 'Reconnecting…');
  expect(fetch).not.toHaveBeenCalled();
});
