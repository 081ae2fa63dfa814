import { afterEach, describe, expect, it, vi } from 'vitest';
import { CLIENT_QUEUE } from '../../../src/areas/events/events.data.ts';
import type { Newest } from '../../../src/areas/events/framing.domain.ts';
import { encodeEvent, encodeHello, PROBE, PROBE_ANSWER } from '../../../src/areas/events/shards.ts';
import { openStream, type StreamDeps } from '../../../src/areas/events/stream.ts';
import { eventually, pause } from './hub.ts';

const NOW = 1_773_824_700;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const event = (id: number, type = 'chaos') => encodeEvent({ id, at: NOW, type, text: `{"n":${id}}` });
const frame = (id: number, type = 'chaos') => `event: ${type}\nid: ${id}\ndata: {"n":${id}}\n\n`;

async function* snapshotOnly(newest: Newest): AsyncGenerator<Uint8Array, number> {
  yield encoder.encode(`: snapshot ${newest.id} ${newest.at}\n\n`);
  return newest.id;
}

/** A stream with the shard's end of its socket and the client's end of its body. */
function kit(options: Partial<Pick<StreamDeps, 'types' | 'prologue' | 'heartbeatMilliseconds' | 'renew'>> = {}) {
  const { 0: client, 1: shard } = new WebSocketPair();
  const abort = new AbortController();
  const slot = { renew: async () => true, onEnd: vi.fn() };
  const stream = openStream({ socket: client, signal: abort.signal, types: null, prologue: snapshotOnly, ...slot, ...options });
  const reader = stream.getReader();
  let isClosed = false;
  shard.addEventListener('close', () => {
    isClosed = true;
  });
  shard.accept();
  return {
    shard,
    abort,
    reader,
    onEnd: slot.onEnd,
    isClosed: () => isClosed,
    read: async () => decoder.decode((await reader.read()).value),
    /** Greets and reads up to the end of the prologue. */
    async prime(id = 0): Promise<void> {
      shard.send(encodeHello({ id, at: NOW }));
      expect(decoder.decode((await reader.read()).value)).toBe('retry: 5000\n\n');
      expect(decoder.decode((await reader.read()).value)).toBe(`: snapshot ${id} ${NOW}\n\n`);
    },
  };
}

function answerProbes(shard: WebSocket): void {
  shard.addEventListener('message', ({ data }) => {
    if (data === PROBE) shard.send(PROBE_ANSWER);
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a stream', () => {
  it('passes on what is newer than its prologue, each event once', async () => {
    const { shard, prime, read, abort } = kit();
    await prime(5);
    for (const id of [4, 5, 6, 6, 7, 3, 8]) shard.send(event(id));
    expect([await read(), await read(), await read()]).toEqual([frame(6), frame(7), frame(8)]);
    abort.abort();
  });

  it('keeps what happens while the prologue is written', async () => {
    const { shard, reader, read, abort } = kit();
    shard.send(encodeHello({ id: 5, at: NOW }));
    shard.send(event(6));
    shard.send(event(7));
    expect(await read()).toContain('retry');
    await pause(20);
    expect([await read(), await read(), await read()]).toEqual([`: snapshot 5 ${NOW}\n\n`, frame(6), frame(7)]);
    abort.abort();
    await expect(reader.read()).rejects.toThrow();
  });

  it('passes on only the types asked for', async () => {
    const { shard, prime, read, abort } = kit({ types: new Set(['stampy']) });
    await prime();
    shard.send(event(1, 'chaos'));
    shard.send(event(2, 'stampy'));
    expect(await read()).toBe(frame(2, 'stampy'));
    abort.abort();
  });

  it('is written by the pace of its reader, however long the prologue', async () => {
    const pulled = vi.fn();
    async function* long(newest: Newest) {
      for (let page = 0; page < 200; page += 1) {
        pulled();
        yield encoder.encode(`: page ${page}\n\n`);
      }
      return newest.id;
    }
    const { shard, read, abort } = kit({ prologue: long });
    shard.send(encodeHello({ id: 0, at: NOW }));
    await read();
    await pause(30);
    expect(pulled).toHaveBeenCalledTimes(1);
    for (let page = 0; page < 200; page += 1) expect(await read()).toBe(`: page ${page}\n\n`);
    shard.send(event(1));
    expect(await read()).toBe(frame(1));
    abort.abort();
  });
});

describe('a stream ends', () => {
  it('when more messages wait than its queue holds, and not before', async () => {
    const { shard, prime, isClosed, reader } = kit();
    await prime();
    // The first is on its way to the reader and waits no longer.
    for (let id = 1; id <= CLIENT_QUEUE + 1; id += 1) shard.send(event(id));
    await pause(30);
    expect(isClosed()).toBe(false);
    shard.send(event(CLIENT_QUEUE + 2));
    await eventually(isClosed);
    await expect(
      (async () => {
        for (;;) if ((await reader.read()).done) throw new Error('ended');
      })(),
    ).rejects.toThrow();
  });

  it('not for a reader that is slow but keeps up', async () => {
    const { shard, prime, read, isClosed, abort } = kit();
    await prime();
    for (let id = 1; id <= 300; id += 1) {
      shard.send(event(id));
      if (id > CLIENT_QUEUE) expect(await read()).toBe(frame(id - CLIENT_QUEUE));
    }
    expect(isClosed()).toBe(false);
    abort.abort();
  });

  it('when the client goes away, and frees its slot at once, once', async () => {
    const { prime, abort, isClosed, onEnd } = kit();
    await prime();
    expect(onEnd).not.toHaveBeenCalled();
    abort.abort();
    expect(onEnd).toHaveBeenCalledOnce();
    await eventually(isClosed);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('when its slot is lost', async () => {
    const { prime, shard, isClosed, onEnd } = kit({ heartbeatMilliseconds: 20, renew: async () => false });
    answerProbes(shard);
    await prime();
    await eventually(isClosed);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('when the client was gone before it began', async () => {
    const { abort, isClosed } = kit();
    abort.abort();
    await eventually(isClosed);
  });

  it('when the reader cancels, at the next write', async () => {
    const { prime, reader, shard, isClosed } = kit();
    await prime();
    await reader.cancel();
    shard.send(event(1));
    await eventually(isClosed);
  });

  it('cleanly when the shard closes the socket and everything was read', async () => {
    const { prime, shard, reader } = kit();
    await prime();
    shard.close(1011, 'gone');
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  it('in the middle when the shard closes the socket while something is on its way', async () => {
    const { prime, shard, reader } = kit();
    await prime();
    shard.send(event(1));
    await pause(20);
    shard.close(1011, 'gone');
    await pause(20);
    await expect(reader.read()).rejects.toThrow();
  });

  it('when the prologue cannot be made, so that nothing is passed over', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { shard, read, reader, isClosed } = kit({
      async *prologue() {
        yield encoder.encode(': page\n\n');
        throw new Error('out of reach');
      },
    });
    shard.send(encodeHello({ id: 0, at: NOW }));
    expect([await read(), await read()]).toEqual(['retry: 5000\n\n', ': page\n\n']);
    await expect(reader.read()).rejects.toThrow();
    await eventually(isClosed);
    expect(log).toHaveBeenCalledOnce();
  });
});

describe('the heartbeat', () => {
  it('sends pings while the shard answers, also between messages', async () => {
    const { shard, prime, read, abort } = kit({ heartbeatMilliseconds: 20 });
    answerProbes(shard);
    await prime();
    expect([await read(), await read()]).toEqual([': ping\n\n', ': ping\n\n']);
    shard.send(event(1));
    expect(await read()).toBe(frame(1));
    expect(await read()).toBe(': ping\n\n');
    abort.abort();
  });

  it('ends a stream whose shard no longer answers: silence must mean that nothing happened', async () => {
    const { prime, read, reader, isClosed } = kit({ heartbeatMilliseconds: 20 });
    await prime();
    expect(await read()).toBe(': ping\n\n');
    await expect(reader.read()).rejects.toThrow();
    await eventually(isClosed);
  });
});

describe('the slot of a stream', () => {
  it('is renewed with every third ping', async () => {
    const renew = vi.fn(async () => true);
    const { shard, prime, read, abort } = kit({ heartbeatMilliseconds: 20, renew });
    answerProbes(shard);
    await prime();
    for (let ping = 1; ping <= 7; ping += 1) expect(await read()).toBe(': ping\n\n');
    expect(renew).toHaveBeenCalledTimes(2);
    abort.abort();
  });

  it('is renewed with the next ping when a renewal failed, and the stream goes on', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const renew = vi.fn().mockRejectedValueOnce(new Error('out of reach')).mockResolvedValue(true);
    const { shard, prime, read, abort, isClosed } = kit({ heartbeatMilliseconds: 20, renew });
    answerProbes(shard);
    await prime();
    for (let ping = 1; ping <= 5; ping += 1) expect(await read()).toBe(': ping\n\n');
    expect(renew).toHaveBeenCalledTimes(2);
    expect(isClosed()).toBe(false);
    abort.abort();
  });
});
