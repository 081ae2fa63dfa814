import { logError } from '../../platform/logging.ts';
import { SLOT_RENEWAL_SECONDS } from '../../platform/rate-limits/stored-slots.ts';
import { CLIENT_QUEUE, HEARTBEAT_SECONDS, RETRY_MILLISECONDS } from './events.data.ts';
import { commentFrame, type Newest, retryFrame } from './framing.domain.ts';
import { decodeMessage, PROBE, PROBE_ANSWER } from './shards.ts';

const encoder = new TextEncoder();
const PING = encoder.encode(commentFrame('ping'));
/** Pings from one renewal of the slot to the next. */
const RENEWAL_PINGS = SLOT_RENEWAL_SECONDS / HEARTBEAT_SECONDS;
const RETRY = encoder.encode(retryFrame(RETRY_MILLISECONDS));

export interface StreamDeps {
  socket: WebSocket;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** Types to pass on; null for all. */
  types: ReadonlySet<string> | null;
  /** What comes before the live events, given the newest event of the shard. Returns the id of the newest event it covers. */
  prologue(newest: Newest): AsyncGenerator<Uint8Array, number>;
  /** Renews the slot of the stream. False when the slot is lost. */
  renew(): Promise<boolean>;
  /** Called once when the stream has ended, however it ended. */
  onEnd(): void;
  heartbeatMilliseconds?: number;
}

/** One client's stream: prologue, then live events, with a ping now and then. */
export function openStream(deps: StreamDeps): ReadableStream {
  const { readable, writable } = new IdentityTransformStream();
  new ClientStream(deps, writable.getWriter()).open();
  return readable;
}

/**
 * Live events wait in a bounded queue; a reader that lets it fill up is cut off, and catches up when it reconnects.
 * So is a stream whose shard no longer answers, as silence must mean that nothing happened, and one that lost its slot.
 */
class ClientStream {
  readonly #deps: StreamDeps;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  readonly #waiting: { id: number; frame: Uint8Array }[] = [];
  /** Id of the newest event the client has; null until the prologue is written. */
  #sentId: number | null = null;
  #isWriting = false;
  #pingIsDue = false;
  #shardAnswered = true;
  #pingsSinceRenewal = 0;
  #isRenewing = false;
  #ended = false;

  constructor(deps: StreamDeps, writer: WritableStreamDefaultWriter<Uint8Array>) {
    this.#deps = deps;
    this.#writer = writer;
    this.#heartbeat = setInterval(() => this.#beat(), deps.heartbeatMilliseconds ?? HEARTBEAT_SECONDS * 1000);
  }

  open(): void {
    const { socket, signal } = this.#deps;
    signal.addEventListener('abort', this.#end);
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', this.#finish);
    socket.addEventListener('error', this.#finish);
    socket.accept();
    if (signal.aborted) this.#end();
  }

  #receive(data: unknown): void {
    if (this.#ended || typeof data !== 'string') return;
    if (data === PROBE_ANSWER) {
      this.#shardAnswered = true;
      return;
    }
    const message = decodeMessage(data);
    if (!message) return;
    if (message.kind === 'hello') {
      void this.#writePrologue(message);
    } else if (!this.#deps.types || this.#deps.types.has(message.type)) {
      this.#waiting.push(message);
      if (this.#waiting.length > CLIENT_QUEUE) this.#end();
      else this.#pump();
    }
  }

  /** At the reader's pace; live events wait meanwhile. */
  async #writePrologue(newest: Newest): Promise<void> {
    const prologue = this.#deps.prologue(newest);
    try {
      for (let bytes = RETRY; await this.#write(bytes); ) {
        const step = await prologue.next();
        if (step.done) {
          this.#sentId = step.value;
          this.#pump();
          return;
        }
        bytes = step.value;
      }
    } catch (error) {
      logError('event stream could not be opened', error);
      this.#end();
    }
  }

  /** Writes what waits, one frame at a time: the next one when the reader has taken the last. */
  #pump(): void {
    if (this.#isWriting || this.#sentId === null) return;
    const frame = this.#nextFrame(this.#sentId);
    if (!frame) return;
    void this.#write(frame).then(() => this.#pump());
  }

  #nextFrame(sentId: number): Uint8Array | null {
    for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) {
      // One that the prologue covered.
      if (event.id <= sentId) continue;
      this.#sentId = event.id;
      return event.frame;
    }
    if (!this.#pingIsDue) return null;
    this.#pingIsDue = false;
    return PING;
  }

  /** False when the stream has ended; a client that went away is nothing to report. */
  async #write(bytes: Uint8Array): Promise<boolean> {
    if (this.#ended) return false;
    this.#isWriting = true;
    try {
      await this.#writer.write(bytes);
    } catch {
      this.#end();
    }
    this.#isWriting = false;
    return !this.#ended;
  }

  #beat(): void {
    if (!this.#shardAnswered) {
      this.#end();
      return;
    }
    this.#shardAnswered = false;
    try {
      this.#deps.socket.send(PROBE);
    } catch {
      this.#end();
      return;
    }
    this.#pingIsDue = true;
    this.#pump();
    this.#pingsSinceRenewal += 1;
    if (this.#pingsSinceRenewal >= RENEWAL_PINGS && !this.#isRenewing) void this.#renew();
  }

  /** A renewal that fails is tried again with the next ping; the stream goes on meanwhile. */
  async #renew(): Promise<void> {
    this.#isRenewing = true;
    try {
      if (await this.#deps.renew()) this.#pingsSinceRenewal = 0;
      else this.#end();
    } catch (error) {
      logError('the slot of a stream could not be renewed', error);
    }
    this.#isRenewing = false;
  }

  /** Breaks the stream off, whatever the reason. */
  readonly #end = (): void => this.#stop('abort');

  /** The shard is gone: a client that has taken everything gets a clean end. */
  readonly #finish = (): void => this.#stop(this.#isWriting ? 'abort' : 'close');

  /** Harmless when the stream has ended. */
  #stop(how: 'abort' | 'close'): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#heartbeat);
    this.#deps.signal.removeEventListener('abort', this.#end);
    this.#waiting.length = 0;
    this.#pingIsDue = false;
    closeQuietly(this.#deps.socket);
    this.#deps.onEnd();
    void this.#writer[how]().catch(() => {});
  }
}

function closeQuietly(socket: WebSocket): void {
  try {
    socket.close(1000);
  } catch {
    // Closed already.
  }
}
