import type { Clock } from '../../platform/time/clock.ts';
import { retryAfterSeconds } from '../../platform/upstream/retry.ts';
import type { UpstreamClient, UpstreamRequest } from '../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import type { DeliveryResult } from './feedback.domain.ts';

/** A file of a chat message. */
export interface MessageFile {
  name: string;
  contentType: string;
  size: number;
  open(): Promise<ReadableStream<Uint8Array> | null>;
}

/** One try to post a message. Never fails: a failure is a result. */
export type ChatWebhook = (url: string, message: object, files: readonly MessageFile[], signal: AbortSignal) => Promise<DeliveryResult>;

const SOURCE = 'feedback-webhook';
const TIMEOUT_SECONDS = 20;
const MAX_ANSWER_BYTES = 64 * 1024;
const encoder = new TextEncoder();

/** Posts messages with their files, which pass through without ever being held as a whole. */
export function createChatWebhook(upstream: UpstreamClient, drawId: () => string, realTime: Clock): ChatWebhook {
  return async (url, message, files, signal) => {
    const body = files.length === 0 ? jsonBody(message) : formBody(message, files, `form-${drawId()}`);
    try {
      const { status, headers } = await upstream.fetch({
        ...body.request,
        source: SOURCE,
        url,
        method: 'POST',
        signal,
        timeoutSeconds: TIMEOUT_SECONDS,
        maxBytes: MAX_ANSWER_BYTES,
        attempts: 1,
        accepts: () => true,
        redirect: 'manual',
        circuit: false,
      });
      return resultOf(status, retryAfterSeconds(headers.get('Retry-After'), realTime()));
    } catch (error) {
      const reason = error instanceof UpstreamError ? error.kind : 'bad_address';
      return reason === 'bad_address' ? { kind: 'rejected', reason } : { kind: 'failed', reason, retryAfterSeconds: null };
    } finally {
      await body.end();
    }
  };
}

function resultOf(status: number, retryAfter: number | null): DeliveryResult {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = `HTTP ${status}`;
  const mayPass = status >= 500 || status === 429 || status === 408;
  return mayPass ? { kind: 'failed', reason, retryAfterSeconds: retryAfter } : { kind: 'rejected', reason };
}

/** A request body, and what to do once the call is over, however it ended. */
interface OutgoingBody {
  request: Pick<UpstreamRequest, 'body' | 'headers'>;
  end(): Promise<void>;
}

function jsonBody(message: object): OutgoingBody {
  return { request: { body: JSON.stringify(message), headers: { 'Content-Type': 'application/json' } }, end: async () => {} };
}

/** `payload_json` and `files[n]` as multipart/form-data with its length declared. */
function formBody(message: object, files: readonly MessageFile[], boundary: string): OutgoingBody {
  const start = (disposition: string, contentType: string) =>
    encoder.encode(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${contentType}\r\n\r\n`);
  const newLine = encoder.encode('\r\n');
  const payload = [start('name="payload_json"', 'application/json'), encoder.encode(JSON.stringify(message)), newLine];
  const heads = files.map(({ name, contentType }, index) => start(`name="files[${index}]"; filename="${name}"`, contentType));
  const last = encoder.encode(`--${boundary}--\r\n`);
  const sizes = [...payload, ...heads, last].map((bytes) => bytes.byteLength);
  const total = [...sizes, ...files.map(({ size }) => size + newLine.byteLength)].reduce((sum, size) => sum + size, 0);
  const { readable, writable } = new FixedLengthStream(total);

  async function pump(): Promise<void> {
    await writeAll(writable, payload);
    for (const [index, file] of files.entries()) {
      await writeAll(writable, [heads[index] ?? newLine]);
      const bytes = await file.open();
      if (!bytes) throw new Error('an attachment is gone');
      await bytes.pipeTo(writable, { preventClose: true, preventAbort: true });
      await writeAll(writable, [newLine]);
    }
    await writeAll(writable, [last]);
    await writable.close();
  }

  // A failure to send shows in the answer, or in its absence.
  const pumping = pump().catch((error: unknown) => writable.abort(error).catch(() => {}));
  return {
    request: { body: readable, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } },
    async end() {
      await readable.cancel().catch(() => {});
      await pumping;
    },
  };
}

async function writeAll(writable: WritableStream<Uint8Array>, pieces: readonly Uint8Array[]): Promise<void> {
  const writer = writable.getWriter();
  try {
    for (const piece of pieces) await writer.write(piece);
  } finally {
    writer.releaseLock();
  }
}
