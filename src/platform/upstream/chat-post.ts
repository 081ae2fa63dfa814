import { objectOf, trimmedTextOf } from '../kit/values/json-values.ts';
import type { UpstreamClient, UpstreamRequest } from './upstream-client.ts';
import { UpstreamError } from './upstream-error.ts';

/** A file of a chat message. */
export interface MessageFile {
  name: string;
  contentType: string;
  size: number;
  open(): Promise<ReadableStream<Uint8Array> | null>;
}

/** A message for a Discord webhook. */
export interface ChatPost {
  /** Name of the source in errors and in its stored state, which `storesState: false` disables. */
  source: string;
  url: string;
  message: object;
  files: readonly MessageFile[];
  timeoutSeconds: number;
  signal?: AbortSignal;
  storesState?: boolean;
}

/** Result of a post. */
export interface ChatReply {
  /** Null without a response. */
  status: number | null;
  /** Reason of the failure: `HTTP <status>`, `bad_address` for an invalid URL, or the kind of `UpstreamError`. Null for a success. */
  reason: string | null;
  /** Error detail of the Discord response; null without one. */
  detail: string | null;
  retryAfterSeconds: number | null;
}

/** Makes one attempt to post a message, without following redirects. Never rejects. */
export type ChatClient = (post: ChatPost) => Promise<ChatReply>;

const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_DETAIL_LENGTH = 150;
const encoder = new TextEncoder();

/** Creates the client. Files are streamed, so they are not held in memory. */
export function createChatClient(upstream: UpstreamClient, newId: () => string, baseUrlOverride: string | null): ChatClient {
  return async ({ message, files, url, ...request }) => {
    const body = files.length === 0 ? jsonBody(message) : formBody(message, files, `form-${newId()}`);
    try {
      const { status } = await upstream.fetch({
        ...request,
        url: chatPostUrl(url, baseUrlOverride),
        ...body.request,
        method: 'POST',
        maxBytes: MAX_RESPONSE_BYTES,
        attempts: 1,
        redirect: 'manual',
        circuit: false,
      });
      return { status, reason: null, detail: null, retryAfterSeconds: null };
    } catch (error) {
      return failureReply(error);
    } finally {
      await body.close();
    }
  };
}

function failureReply(error: unknown): ChatReply {
  const nothing = { status: null, detail: null, retryAfterSeconds: null };
  if (!(error instanceof UpstreamError)) return { ...nothing, reason: 'bad_address' };
  // Only the body of a success is read completely, so the post succeeded.
  if (error.kind === 'too_large') return { ...nothing, status: 200, reason: null };
  if (error.status === null) return { ...nothing, reason: error.kind };
  const { status, retryAfterSeconds } = error;
  return { status, reason: `HTTP ${status}`, detail: messageIn(error.excerpt), retryAfterSeconds };
}

/** `message` of a JSON response. */
function messageIn(excerpt: string): string | null {
  try {
    return trimmedTextOf(objectOf(JSON.parse(excerpt)).message)?.slice(0, MAX_DETAIL_LENGTH) ?? null;
  } catch {
    return null;
  }
}

/** A request body. `close` must be called after the request, even if the request failed. */
interface OutgoingBody {
  request: Pick<UpstreamRequest, 'body' | 'headers'>;
  close(): Promise<void>;
}

function jsonBody(message: object): OutgoingBody {
  return { request: { body: JSON.stringify(message), headers: { 'Content-Type': 'application/json' } }, close: async () => {} };
}

/** `payload_json` and `files[n]` as multipart/form-data with a declared length. */
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
      if (!bytes) throw new Error('attachment not found');
      await bytes.pipeTo(writable, { preventClose: true, preventAbort: true });
      await writeAll(writable, [newLine]);
    }
    await writeAll(writable, [last]);
    await writable.close();
  }

  // A failure aborts the body, so the request fails.
  const pumping = pump().catch((error: unknown) => writable.abort(error).catch(() => {}));
  return {
    request: { body: readable, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } },
    async close() {
      await readable.cancel().catch(() => {});
      await pumping;
    },
  };
}

async function writeAll(writable: WritableStream<Uint8Array>, chunks: readonly Uint8Array[]): Promise<void> {
  const writer = writable.getWriter();
  try {
    for (const chunk of chunks) await writer.write(chunk);
  } finally {
    writer.releaseLock();
  }
}

/** Hosts of Discord webhook URLs. */
export const CHAT_HOSTS: readonly string[] = ['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'];

/** The URL for a webhook post. `baseUrlOverride` replaces the Discord hosts in development; null in production. */
export function chatPostUrl(url: string, baseUrlOverride: string | null): string {
  const address = baseUrlOverride === null ? null : URL.parse(url);
  return address?.protocol === 'https:' && CHAT_HOSTS.includes(address.hostname)
    ? `${baseUrlOverride}${address.pathname}${address.search}`
    : url;
}
