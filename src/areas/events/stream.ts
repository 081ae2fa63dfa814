import { logError } from '../../platform/logging.ts';
import { CLIENT_QUEUE, HEARTBEAT_SECONDS, RETRY_MILLISECONDS } from './events.data.ts';
import { commentFrame, eventFrame, retryFrame, type StreamEvent } from './framing.domain.ts';
import { decodeFromSocket, HELLO } from './shards.ts';

const PING = commentFrame('ping');
const encoder = new TextEncoder();

export interface StreamDeps {
  socket: WebSocket;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  types: ReadonlySet<string> | null;
  /** What comes before the live events, once the newest id is known; written at the reader's pace. */
  prologue(latestId: number): AsyncIterable<string>;
}

/**
 * One client's stream: prologue, then live events, with a ping now and then. Live events wait in a bounded queue; a
 * reader that lets it fill up is cut off, and is primed again when it reconnects.
 */
export function openStream({ socket, signal, types, prologue }: StreamDeps): ReadableStream {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  const waiting: StreamEvent[] = [];
  let pingIsDue = false;
  let ended = false;
  let latestId = 0;
  let wake: (() => void) | null = null;
  let greeted: (id: number) => void = () => {};
  const hello = new Promise<number>((resolve) => {
    greeted = resolve;
  });

  const heartbeat = setInterval(() => {
    pingIsDue = true;
    wake?.();
  }, HEARTBEAT_SECONDS * 1000);

  /** Ends the stream for whatever reason; harmless when it has ended. */
  function end(): void {
    if (ended) return;
    ended = true;
    clearInterval(heartbeat);
    signal.removeEventListener('abort', end);
    closeQuietly(socket);
    greeted(-1);
    wake?.();
    void writer.abort().catch(() => {});
  }

  function receive(message: string | ArrayBuffer): void {
    const event = typeof message === 'string' ? decodeFromSocket(message) : null;
    if (!event || ended) return;
    if (event.type === HELLO) {
      greeted(event.id);
    } else if (types === null || types.has(event.type)) {
      waiting.push(event);
      if (waiting.length > CLIENT_QUEUE) end();
      else wake?.();
    }
  }

  const write = (text: string) => writer.write(encoder.encode(text));

  async function run(): Promise<void> {
    await write(retryFrame(RETRY_MILLISECONDS));
    latestId = await hello;
    if (ended) return;
    for await (const text of prologue(latestId)) {
      if (ended) return;
      await write(text);
    }
    while (!ended) {
      const event = waiting.shift();
      if (event) {
        if (event.id > latestId) await write(eventFrame(event));
      } else if (pingIsDue) {
        pingIsDue = false;
        await write(PING);
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = null;
      }
    }
  }

  signal.addEventListener('abort', end);
  socket.addEventListener('message', ({ data }) => receive(data as string | ArrayBuffer));
  socket.addEventListener('close', end);
  socket.addEventListener('error', end);
  socket.accept();
  if (signal.aborted) end();
  run().catch((error: unknown) => {
    if (!ended) logError('event stream ended', error);
    end();
  });
  return readable;
}

function closeQuietly(socket: WebSocket): void {
  try {
    socket.close(1000);
  } catch {
    // Closed already.
  }
}
