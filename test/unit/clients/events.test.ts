import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStreamError, type EventsOptions, streamEvents } from '../../../clients/typescript/src/events.ts';
import { GAP_COMMENT } from '../../../src/areas/events/events.data.ts';
import { commentFrame, eventFrame, messageText } from '../../../src/areas/events/framing.domain.ts';

const URL_OF_STREAM = 'https://api.example.com/v1/events/stream';
const STREAM = { 'Content-Type': 'text/event-stream' };
const event = (id: number, type: string) => eventFrame({ id, type, text: messageText(type, `{"n":${id}}`, 1) });

/** A stream of connections, each of which sends its text at once and ends. */
function connections(texts: (string | Response)[], options: EventsOptions = {}, url = URL_OF_STREAM, headers = {}) {
  const requests: Request[] = [];
  const respond = async (request: Request) => {
    requests.push(request);
    const next = texts.shift();
    if (requests.length > 50) throw new EventStreamError(0, 'retried without end');
    return next instanceof Response ? next : new Response(next ?? '', { headers: STREAM });
  };
  return { requests, events: streamEvents(respond, url, headers, options) };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The next message while the delays between connections pass. */
async function next(events: ReturnType<typeof streamEvents>) {
  let isDone = false;
  const end = events.next().finally(() => {
    isDone = true;
  });
  end.catch(() => {});
  for (let turn = 0; turn < 500 && !isDone; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!isDone && vi.getTimerCount() > 0) await vi.advanceTimersByTimeAsync(1000);
  }
  return end;
}

async function typesOf(events: ReturnType<typeof streamEvents>, count: number): Promise<string[]> {
  const types: string[] = [];
  while (types.length < count) {
    const { value } = await next(events);
    types.push(value ? `${value.id} ${value.type}` : 'end');
  }
  return types;
}

describe('streamEvents', () => {
  it.each([GAP_COMMENT, 'some missed events are older than the log'])(
    'reports a gap for the comment "%s", and repeats the state',
    async (text) => {
      const gaps: number[] = [];
      const first = event(7, 'stampy') + event(7, 'chaos');
      const { events } = connections([first, commentFrame(text) + first], { onGap: () => gaps.push(1) });
      expect(await typesOf(events, 4)).toEqual(['7 stampy', '7 chaos', '7 stampy', '7 chaos']);
      expect(gaps).toEqual([1]);
    },
  );

  it('reports a gap when ids start again, because the service lost its log', async () => {
    const gaps: number[] = [];
    const { events } = connections([event(7, 'stampy'), event(2, 'stampy')], { onGap: () => gaps.push(1) });
    expect(await typesOf(events, 2)).toEqual(['7 stampy', '2 stampy']);
    expect(gaps).toEqual([1]);
  });

  it('reports no gap for other comments, and does not repeat a state that did not change', async () => {
    const gaps: number[] = [];
    const { events } = connections([event(7, 'stampy'), commentFrame('ping') + event(7, 'stampy') + event(8, 'chaos')], {
      onGap: () => gaps.push(1),
    });
    expect(await typesOf(events, 2)).toEqual(['7 stampy', '8 chaos']);
    expect(gaps).toEqual([]);
  });

  it('yields no message after the signal aborts, although one was already received', async () => {
    const abort = new AbortController();
    const { events } = connections([event(1, 'stampy') + event(2, 'chaos')], { signal: abort.signal });
    expect(await typesOf(events, 1)).toEqual(['1 stampy']);
    abort.abort();
    expect(await next(events)).toEqual({ done: true, value: undefined });
  });

  it.each([
    ['an invalid URL', 'api.example.com/v1/events/stream', {}],
    ['an invalid header', URL_OF_STREAM, { Authorization: 'Bearer a\nb' }],
  ])('throws for %s instead of connecting again and again', async (_, url, headers) => {
    await expect(next(connections([], {}, url, headers).events)).rejects.toThrow(TypeError);
  });

  it.each([429, 503])('waits for Retry-After of a %i at connect, longer than its own maximum delay', async (status) => {
    const refused = new Response('{}', { status, headers: { 'Retry-After': '40' } });
    const { events, requests } = connections([refused, event(7, 'stampy')], { maxDelayMs: 100 });
    const first = events.next();
    await vi.advanceTimersByTimeAsync(39_999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toHaveLength(2);
    expect((await first).value).toMatchObject({ id: '7', type: 'stampy' });
    await events.return();
  });

  it('throws for a response that is not an event stream', async () => {
    const page = () => new Response('<html>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
    const { events, requests } = connections([page(), page(), page()]);
    await expect(next(events)).rejects.toThrow(/refused with 200: the response is text\/html/);
    expect(requests).toHaveLength(1);
  });
});
