import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClientStream, type StreamDeps } from '../../../src/areas/events/client-stream.service.ts';
import { MAX_QUEUED_EVENTS, MAX_STALLED_HEARTBEATS } from '../../../src/areas/events/events.data.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const frame = (id: number, type = 'chaos') => `event: ${type}\nid: ${id}\ndata: {"n":${id}}\n\n`;
const event = (id: number, type = 'chaos') => ({ id, type, frame: encoder.encode(frame(id, type)) });

async function* snapshotUpTo(id: number): AsyncGenerator<Uint8Array, number> {
  yield encoder.encode(`: snapshot ${id}\n\n`);
  return id;
}

/** A stream and its reader. */
function kit(options: Partial<StreamDeps> = {}) {
  const onEnd = vi.fn();
  const stream = new ClientStream({ types: null, prologue: snapshotUpTo(0), random: () => 0.5, onEnd, ...options });
  const reader = stream.readable.getReader();
  const read = async () => decoder.decode((await reader.read()).value);
  return {
    stream,
    reader,
    onEnd,
    read,
    /** Reads to the end of the prologue. */
    async prime(id = 0): Promise<void> {
      expect([await read(), await read()]).toEqual(['retry: 8000\n\n', `: snapshot ${id}\n\n`]);
    },
  };
}

/** A stream after its prologue; the prologue ends with the next read. */
async function primed(options: Partial<StreamDeps> = {}) {
  const all = kit(options);
  await all.prime();
  const pending = all.read();
  await settled();
  all.stream.send(event(1));
  expect(await pending).toBe(frame(1));
  return all;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('ClientStream', () => {
  it('draws the reconnect delay of each client', async () => {
    const draws = [0.25, 0.75];
    const random = () => draws.shift() ?? 0;
    expect([await kit({ random }).read(), await kit({ random }).read()]).toEqual(['retry: 4500\n\n', 'retry: 11500\n\n']);
  });

  it('sends events newer than its prologue, each once', async () => {
    const { stream, prime, read } = kit({ prologue: snapshotUpTo(5) });
    for (const id of [4, 5, 6]) stream.send(event(id));
    await prime(5);
    const next = read();
    await settled();
    for (const id of [6, 7, 3, 8]) stream.send(event(id));
    expect([await next, await read(), await read()]).toEqual([frame(6), frame(7), frame(8)]);
  });

  it('queues events that arrive while the prologue is written', async () => {
    const { stream, prime, read } = kit({ prologue: snapshotUpTo(5) });
    stream.send(event(6));
    await prime(5);
    stream.send(event(7));
    expect([await read(), await read()]).toEqual([frame(6), frame(7)]);
  });

  it('sends only the requested types', async () => {
    const { stream, read } = await primed({ types: new Set(['stampy', 'chaos']) });
    stream.send(event(2, 'longshade'));
    stream.send(event(3, 'stampy'));
    expect(await read()).toBe(frame(3, 'stampy'));
  });

  it('creates each page of the prologue when the client reads it', async () => {
    const pulled = vi.fn();
    async function* pages() {
      for (let page = 0; page < 200; page += 1) {
        pulled();
        yield encoder.encode(`: page ${page}\n\n`);
      }
      return 0;
    }
    const { stream, read } = kit({ prologue: pages() });
    await read();
    await settled();
    expect(pulled).not.toHaveBeenCalled();
    expect(await read()).toBe(': page 0\n\n');
    await settled();
    expect(pulled).toHaveBeenCalledTimes(1);
    for (let page = 1; page < 200; page += 1) expect(await read()).toBe(`: page ${page}\n\n`);
    stream.send(event(1));
    expect(await read()).toBe(frame(1));
  });

  it('is aborted when its queue is full, and not before', async () => {
    const { stream, reader, onEnd } = await primed();
    for (let id = 2; id <= MAX_QUEUED_EVENTS + 1; id += 1) stream.send(event(id));
    expect(onEnd).not.toHaveBeenCalled();
    stream.send(event(MAX_QUEUED_EVENTS + 2));
    expect(onEnd).toHaveBeenCalledOnce();
    await expect(reader.read()).rejects.toThrow('event stream aborted');
  });

  it('is aborted when its queue is full during the prologue', () => {
    const { stream, onEnd } = kit();
    for (let id = 1; id <= MAX_QUEUED_EVENTS; id += 1) stream.send(event(id));
    expect(onEnd).not.toHaveBeenCalled();
    stream.send(event(MAX_QUEUED_EVENTS + 1));
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('is not aborted for a slow client that keeps up', async () => {
    const { stream, read, onEnd } = await primed();
    for (let id = 2; id <= 300; id += 1) {
      stream.send(event(id));
      if (id > MAX_QUEUED_EVENTS) expect(await read()).toBe(frame(id - MAX_QUEUED_EVENTS + 1));
    }
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('ends once when the client cancels', async () => {
    const { stream, prime, reader, onEnd } = kit();
    await prime();
    await reader.cancel();
    expect(onEnd).toHaveBeenCalledOnce();
    stream.send(event(1));
    stream.heartbeat();
    stream.abort();
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('is aborted when the prologue fails', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    async function* failing(): AsyncGenerator<Uint8Array, number> {
      yield encoder.encode(': page\n\n');
      throw new Error('out of reach');
    }
    const { read, reader, onEnd } = kit({ prologue: failing() });
    expect([await read(), await read()]).toEqual(['retry: 8000\n\n', ': page\n\n']);
    await expect(reader.read()).rejects.toThrow('event stream aborted');
    expect(onEnd).toHaveBeenCalledOnce();
    expect(log).toHaveBeenCalledOnce();
  });
});

describe('ClientStream.heartbeat', () => {
  it('sends a ping between events', async () => {
    const { stream, read } = await primed();
    stream.heartbeat();
    stream.send(event(2));
    expect([await read(), await read()]).toEqual([': ping\n\n', frame(2)]);
  });

  it('sends no ping while another message is queued', async () => {
    const { stream, read } = await primed();
    stream.send(event(2));
    stream.heartbeat();
    expect(await read()).toBe(frame(2));
    stream.heartbeat();
    expect(await read()).toBe(': ping\n\n');
  });

  it('aborts the stream of a client that reads nothing for several heartbeats', async () => {
    const { stream, reader, onEnd } = await primed();
    stream.send(event(2));
    for (let heartbeat = 0; heartbeat < MAX_STALLED_HEARTBEATS; heartbeat += 1) stream.heartbeat();
    expect(onEnd).not.toHaveBeenCalled();
    stream.heartbeat();
    expect(onEnd).toHaveBeenCalledOnce();
    await expect(reader.read()).rejects.toThrow('event stream aborted');
  });

  it('does not abort the stream of a client that reads one event per heartbeat', async () => {
    const { stream, read, onEnd } = await primed();
    for (let id = 2; id <= 20; id += 1) stream.send(event(id));
    for (let id = 2; id <= 20; id += 1) {
      stream.heartbeat();
      expect(await read()).toBe(frame(id));
    }
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('aborts a stream whose prologue makes no progress', async () => {
    async function* hanging(): AsyncGenerator<Uint8Array, number> {
      await new Promise(() => {});
      return 0;
    }
    const { stream, read, onEnd } = kit({ prologue: hanging() });
    await read();
    for (let heartbeat = 0; heartbeat <= MAX_STALLED_HEARTBEATS; heartbeat += 1) stream.heartbeat();
    expect(onEnd).toHaveBeenCalledOnce();
  });
});
