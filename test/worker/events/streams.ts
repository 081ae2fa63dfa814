import { ImpatientError, withPatience } from '../../support/eventually.ts';
import { type Fetch, fetchWorker, freshInstant, ORIGIN } from '../../support/requests.ts';

/** One block of the stream, up to its blank line. */
export interface Frame {
  /** Exact text, including the blank line. */
  text: string;
  /** Type, id and JSON of a message; null for other frames. */
  message: StreamMessage | null;
}

export interface StreamMessage {
  event: string;
  id: number;
  /** The data line without `data: `. */
  json: string;
  type: string;
  ts: number;
  /** Exact JSON of `data`. */
  body: string;
}

export interface StreamOptions {
  /** Query without `?`. */
  query?: string;
  headers?: Record<string, string>;
  /** IP address; default: a new one, to stay within the rate limit. */
  address?: string;
  now?: number;
  fetch?: Fetch;
}

let clients = 0;

/** A client of the event stream. */
export class TestStream {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #abort: AbortController;
  readonly #decoder = new TextDecoder();
  #text = '';

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#reader = (response.body ?? new ReadableStream()).getReader();
  }

  static async open({ query = '', headers = {}, address, now, fetch = fetchWorker }: StreamOptions = {}): Promise<TestStream> {
    clients += 1;
    const abort = new AbortController();
    const url = `${ORIGIN}/v1/events/stream${query === '' ? '' : `?${query}`}`;
    const home = { 'CF-Connecting-IP': address ?? `10.77.${clients >> 8}.${clients & 255}` };
    const requestHeaders = { 'X-Test-Now': String(now ?? freshInstant()), ...home, ...headers };
    const response = await fetch(new Request(url, { headers: requestHeaders, signal: abort.signal }));
    if (response.status !== 200) throw new Error(`the stream responded with ${response.status}: ${await response.text()}`);
    return new TestStream(response, abort);
  }

  /** The next frame; null when the stream has ended or broken. */
  async next(): Promise<Frame | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const text = this.#text.slice(0, end + 2);
        this.#text = this.#text.slice(end + 2);
        return { text, message: parseMessage(text) };
      }
      const { done, value } = await withPatience(this.#reader.read(), 'nothing arrived on the stream').catch((error: unknown) => {
        if (error instanceof ImpatientError) throw error;
        return { done: true, value: undefined };
      });
      if (done || !value) return null;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The next messages, without comments and the retry line. */
  async messages(count: number): Promise<StreamMessage[]> {
    const messages: StreamMessage[] = [];
    while (messages.length < count) {
      const frame = await this.next();
      if (!frame) throw new Error(`the stream ended after ${messages.length} of ${count} messages`);
      if (frame.message) messages.push(frame.message);
    }
    return messages;
  }

  async message(): Promise<StreamMessage> {
    const [message] = await this.messages(1);
    if (!message) throw new Error('no message');
    return message;
  }

  /** Frames up to and including the first matching message. */
  async until(fits: (message: StreamMessage) => boolean): Promise<Frame[]> {
    const frames: Frame[] = [];
    for (;;) {
      const frame = await this.next();
      if (!frame) throw new Error('the stream ended');
      frames.push(frame);
      if (frame.message && fits(frame.message)) return frames;
    }
  }

  /** Disconnects as a closed tab does. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#reader.cancel().catch(() => {});
  }
}

function parseMessage(text: string): StreamMessage | null {
  const [, event, id, json] = /^event: (\S+)\nid: (\d+)\ndata: (.*)\n\n$/.exec(text) ?? [];
  if (event === undefined || id === undefined || json === undefined) return null;
  const [, type, body, ts] = /^\{"type":"(\w+)","data":(.*),"ts":(\d+)\}$/.exec(json) ?? [];
  if (type === undefined || body === undefined || ts === undefined) throw new Error(`not an event: ${json}`);
  return { event, id: Number(id), json, type, ts: Number(ts), body };
}
