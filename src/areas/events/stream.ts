import { logError } from '../../platform/logging.ts';
import { CLIENT_QUEUE, MAX_STALLED_BEATS, RETRY_MS } from './events.data.ts';
import { commentFrame, retryFrame, type StreamEvent } from './framing.domain.ts';

const encoder = new TextEncoder();
const PING = encoder.encode(commentFrame('ping'));
const RETRY = encoder.encode(retryFrame(RETRY_MS));

/** An event with its encoded frame, shared by all clients. */
export interface EncodedEvent extends Pick<StreamEvent, 'id' | 'type'> {
  frame: Uint8Array;
}

export interface StreamDeps {
  /** Types to send; null for all. */
  types: ReadonlySet<string> | null;
  /** The bytes before the live events. Returns the id of the newest event they cover. */
  prologue: AsyncGenerator<Uint8Array, number>;
  /** Runs once when the stream ends for any reason. */
  onEnd(): void;
}

/**
 * Stream of one client: the prologue at the pace of the client, then live events and pings from a bounded queue. A client that fills the
 * queue, or reads nothing for `MAX_STALLED_BEATS`, is aborted and catches up after a reconnect.
 */
export class ClientStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #deps: StreamDeps;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** Live events that wait for the end of the prologue; null afterwards. */
  #early: EncodedEvent[] | null = [];
  /** Id of the newest event the client has. */
  #sentId = 0;
  #enqueued = 0;
  #takenAtBeat = 0;
  #stalledBeats = 0;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          this.#enqueue(RETRY);
        },
        // No work after the prologue: pull runs for every event of every client.
        pull: () => (this.#early ? this.#writePrologue() : undefined),
        cancel: () => this.#stop(),
      },
      // Data is created on demand.
      { highWaterMark: 0 },
    );
  }

  /** Sends an event, unless the client has it. */
  send(event: EncodedEvent): void {
    if (this.#deps.types && !this.#deps.types.has(event.type)) return;
    if (this.#early) {
      this.#early.push(event);
      if (this.#early.length > CLIENT_QUEUE) this.cut();
    } else if (event.id > this.#sentId) {
      this.#sentId = event.id;
      this.#enqueue(event.frame);
      if (this.#queued() > CLIENT_QUEUE) this.cut();
    }
  }

  /** Sends a ping to an idle stream and aborts a stream without progress. */
  beat(): void {
    const queued = this.#queued();
    const taken = this.#enqueued - queued;
    const isIdle = queued === 0 && !this.#early;
    this.#stalledBeats = isIdle || taken !== this.#takenAtBeat ? 0 : this.#stalledBeats + 1;
    this.#takenAtBeat = taken;
    if (this.#stalledBeats >= MAX_STALLED_BEATS) this.cut();
    else if (isIdle) this.#enqueue(PING);
  }

  /** Aborts the stream. No effect after its end. */
  cut(): void {
    this.#controller?.error(new Error('event stream aborted'));
    this.#stop();
  }

  /** Runs for each read that finds the queue empty. */
  async #writePrologue(): Promise<void> {
    try {
      const step = await this.#deps.prologue.next();
      if (!step.done) {
        this.#enqueue(step.value);
        return;
      }
      this.#sentId = step.value;
      const early = this.#early ?? [];
      this.#early = null;
      for (const event of early) this.send(event);
    } catch (error) {
      logError('event stream could not be opened', error);
      this.cut();
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
