import { logError } from '../../platform/kit/logging.ts';
import { MAX_QUEUED_EVENTS, MAX_STALLED_HEARTBEATS } from './events.data.ts';
import { commentFrame, retryFrame, type StreamEvent } from './framing.domain.ts';

const encoder = new TextEncoder();
const PING = encoder.encode(commentFrame('ping'));

/** An event with its encoded frame, shared by all clients. */
interface EncodedEvent extends Pick<StreamEvent, 'id' | 'type'> {
  frame: Uint8Array;
}

export interface StreamDeps {
  /** Types to send; null: all. */
  types: ReadonlySet<string> | null;
  /** Replay and snapshot, sent before live events. Returns the id of the newest event they cover. */
  prologue: AsyncGenerator<Uint8Array, number>;
  /** Uniform in [0, 1): the reconnect delay of the client. */
  random(): number;
  /** Runs once when the stream ends for any reason. */
  onEnd(): void;
}

/**
 * Stream of one client: the prologue at the pace of the client, then live events and pings from a bounded queue. A client whose queue is
 * full, or that reads nothing for `MAX_STALLED_HEARTBEATS` heartbeats, is disconnected and catches up after a reconnect.
 */
export class ClientStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #deps: StreamDeps;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** Live events that arrived during the prologue; null afterwards. */
  #pendingEvents: EncodedEvent[] | null = [];
  /** Id of the newest sent event. */
  #sentId = 0;
  #enqueued = 0;
  #readAtHeartbeat = 0;
  #stalledHeartbeats = 0;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          this.#enqueue(encoder.encode(retryFrame(deps.random)));
        },
        // Returns without work after the prologue, because `pull` runs for every event of every client.
        pull: () => (this.#pendingEvents ? this.#writePrologue() : undefined),
        cancel: () => this.#stop(),
      },
      // Creates data on demand.
      { highWaterMark: 0 },
    );
  }

  /** Sends an event unless the client already has it. */
  send(event: EncodedEvent): void {
    if (this.#deps.types && !this.#deps.types.has(event.type)) return;
    if (this.#pendingEvents) {
      this.#pendingEvents.push(event);
      if (this.#pendingEvents.length > MAX_QUEUED_EVENTS) this.abort();
    } else if (event.id > this.#sentId) {
      this.#sentId = event.id;
      this.#enqueue(event.frame);
      if (this.#queued() > MAX_QUEUED_EVENTS) this.abort();
    }
  }

  /** Sends a ping to an idle stream and aborts a stream without progress. */
  heartbeat(): void {
    const queued = this.#queued();
    const readCount = this.#enqueued - queued;
    const isIdle = queued === 0 && !this.#pendingEvents;
    this.#stalledHeartbeats = isIdle || readCount !== this.#readAtHeartbeat ? 0 : this.#stalledHeartbeats + 1;
    this.#readAtHeartbeat = readCount;
    if (this.#stalledHeartbeats >= MAX_STALLED_HEARTBEATS) this.abort();
    else if (isIdle) this.#enqueue(PING);
  }

  /** Ends the stream; a client that has not read everything loses the rest. No effect after its end. */
  end(): void {
    if (this.#queued() > 0 || this.#pendingEvents) this.abort();
    else {
      this.#controller?.close();
      this.#stop();
    }
  }

  /** Aborts the stream. No effect after its end. */
  abort(): void {
    this.#controller?.error(new Error('event stream aborted'));
    this.#stop();
  }

  /** Called when a read finds the queue empty. */
  async #writePrologue(): Promise<void> {
    try {
      const step = await this.#deps.prologue.next();
      if (!step.done) {
        this.#enqueue(step.value);
        return;
      }
      this.#sentId = step.value;
      const pendingEvents = this.#pendingEvents ?? [];
      this.#pendingEvents = null;
      for (const event of pendingEvents) this.send(event);
    } catch (error) {
      logError('event stream could not be opened', error);
      this.abort();
    }
  }

  #queued(): number {
    return -(this.#controller?.desiredSize ?? 0);
  }

  #enqueue(bytes: Uint8Array): void {
    if (!this.#controller) return;
    this.#enqueued += 1;
    this.#controller.enqueue(bytes);
  }

  #stop(): void {
    if (!this.#controller) return;
    this.#controller = null;
    this.#deps.onEnd();
  }
}
