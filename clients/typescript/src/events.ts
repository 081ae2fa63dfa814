import type { components } from './schema.js';
import { backoff, retryAfter, wait } from './wait.js';

type StreamMessage = components['schemas']['StreamMessage'];

/** A message of the stream with its id. Store the id and pass it as `lastEventId` to resume after a restart. */
export type ResumableEvent = StreamMessage & { id: string };

export interface EventsOptions {
  /** Types to receive. Default: all. */
  types?: readonly components['schemas']['StreamEventType'][];
  /** Resume after this event. Missed events come first. */
  lastEventId?: string;
  /** Ends the stream. */
  signal?: AbortSignal;
  /** Milliseconds of silence after which the client reconnects. The service sends a line every 20 s. Default: 60000. */
  idleMs?: number;
  /** Maximum delay between two attempts to connect, in milliseconds, unless the service names one in `Retry-After`. Default: 30000. */
  maxDelayMs?: number;
  /** Called when missed events are no longer in the service's log, and so are lost. */
  onGap?: () => void;
}

/** The service refused the stream, or the response is not a stream, and a retry would not help (such as 401, 403 or 422). */
export class EventStreamError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`the event stream was refused with ${status}: ${text}`);
    this.status = status;
  }
}

const MAX_ERROR_TEXT = 500;
/** Maximum length of a line in characters, larger than any message of the service. */
const MAX_LINE = 8 * 1024 * 1024;
/** Comments of the stream that report lost events: the text of the service, and that of earlier versions. */
const GAPS = ['some missed events are no longer in the log', 'some missed events are older'];
/** Maximum `Retry-After` that the client waits for. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const CONTENT_TYPE = 'text/event-stream';

/**
 * Yields messages in order, each once. After a reconnect it yields missed messages, but not state that did not change. It does not
 * read ahead: while the reader is busy the service waits, and may disconnect the client, which then reconnects.
 */
export async function* streamEvents(
  plainFetch: (request: Request) => Promise<Response>,
  url: string,
  headers: Record<string, string>,
  { types, lastEventId, signal, idleMs = 60_000, maxDelayMs = 30_000, onGap }: EventsOptions,
): AsyncGenerator<ResumableEvent, void, undefined> {
  const address = types ? `${url}?types=${types.join(',')}` : url;
  let lastId = lastEventId ?? '';
  let firstDelay = 1000;
  let failures = 0;
  const seen = new Set<string>();
  while (!signal?.aborted) {
    const connection = new AbortController();
    // Outside the retries: another attempt would not mend an invalid URL or header.
    const sent = { ...headers, Accept: CONTENT_TYPE, ...(lastId ? { 'Last-Event-ID': lastId } : {}) };
    const request = new Request(address, { headers: sent, signal: connection.signal });
    const stop = () => connection.abort();
    signal?.addEventListener('abort', stop, { once: true });
    let idle = setTimeout(stop, idleMs);
    let delay: number | null = null;
    try {
      const response = await plainFetch(request);
      if (!response.ok || !response.body) {
        const text = (await response.text()).slice(0, MAX_ERROR_TEXT);
        if (response.status < 500 && response.status !== 429 && response.status !== 408) throw new EventStreamError(response.status, text);
        delay = retryAfter(response);
        throw new Error(text);
      }
      const type = response.headers.get('Content-Type') ?? '';
      if (!type.startsWith(CONTENT_TYPE)) throw new EventStreamError(response.status, `the response is ${type}, not ${CONTENT_TYPE}`);
      let isResumed = lastId !== '';
      const reportGap = () => {
        isResumed = false;
        onGap?.();
      };
      let fields: Record<string, string> = {};
      for await (const line of linesOf(response.body, () => {
        clearTimeout(idle);
        idle = setTimeout(stop, idleMs);
      })) {
        if (signal?.aborted) return;
        if (line === '') {
          const { id = lastId, data } = fields;
          fields = {};
          if (data === undefined) continue;
          const message = JSON.parse(data) as StreamMessage;
          // Ids increase unless the service lost its log. Then only the state can be sent.
          if (Number(id) < Number(lastId)) reportGap();
          const isRepeat = isResumed && id === lastId && seen.has(message.type);
          lastId = id;
          seen.add(message.type);
          failures = 0;
          if (!isRepeat) {
            // The time the reader takes does not count as silence.
            clearTimeout(idle);
            yield { ...message, id };
            idle = setTimeout(stop, idleMs);
          }
        } else if (line.startsWith(':')) {
          if (GAPS.some((gap) => line.includes(gap))) reportGap();
        } else {
          const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
          fields[name] = name === 'data' && fields.data !== undefined ? `${fields.data}\n${value}` : value;
          if (name === 'retry' && /^\d{1,6}$/.test(value)) firstDelay = Math.min(Number(value), maxDelayMs);
        }
      }
    } catch (error) {
      if (error instanceof EventStreamError) throw error;
    } finally {
      clearTimeout(idle);
      signal?.removeEventListener('abort', stop);
      connection.abort();
    }
    if (signal?.aborted) return;
    await wait(delay === null ? backoff(failures, firstDelay, maxDelayMs) : Math.min(delay, MAX_RETRY_AFTER_MS), signal).catch(() => {});
    failures += 1;
  }
}

/** Splits a stream into lines without line ends. Calls `onBytes` for every chunk. */
async function* linesOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<string, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  try {
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      rest += value;
      if (rest.length > MAX_LINE) throw new Error('a line of the event stream is too long');
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
