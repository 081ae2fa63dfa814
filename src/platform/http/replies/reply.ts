import { createHash } from 'node:crypto';
import type { InsertOutcome } from '../pipeline/receipt.ts';

declare const shape: unique symbol;

/**
 * A serialized JSON body. The same function serializes it for its route, the snapshot and the event stream. `Body`: type of the
 * value.
 */
export interface Representation<Body = unknown> {
  readonly kind: 'json';
  readonly text: string;
  /**
   * The serialized fields that do not depend on the clock. Their hash is a weak ETag, so a client gets 304 until one of them changes.
   * Absent: the ETag is strong and is the hash of the text.
   */
  readonly state?: string;
  /** ETag with its quotes, for a cached body that is hashed once. */
  readonly etag?: string;
  /** `max-age` of the response in seconds. Absent: clients revalidate each time. */
  readonly maxAge?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** One of `otherStatuses` of the route. Absent: its default status. */
  readonly status?: number;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  /** False: a master insert starts no cooldown. */
  readonly accepted?: boolean;
  /** For a route with `log`: the result in the log. Absent: other code logs it (`Receipt.open`). */
  readonly outcome?: InsertOutcome;
  readonly [shape]?: Body;
}

/** A response that is not JSON. */
export interface RawReply {
  readonly kind: 'raw';
  readonly body: ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream | string | null;
  readonly contentType: string;
  readonly status?: number;
  /** ETag with its quotes. */
  readonly etag?: string;
  readonly maxAge?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
}

export type Reply<Body> = Representation<Body> | RawReply;

/** Options of `json`: see `Representation`. */
interface JsonOptions {
  status?: number;
  maxAge?: number;
  accepted?: boolean;
  outcome?: InsertOutcome;
  headers?: Readonly<Record<string, string>>;
  cookies?: readonly string[];
}

/** A response without a body (204). */
export function noContent(options: Pick<RawReply, 'cookies' | 'headers'> = {}): RawReply {
  return { kind: 'raw', body: null, contentType: '', ...options };
}

/** A JSON body. Its ETag is the hash of the text. */
export function json<Body>(body: Body, options: JsonOptions = {}): Representation<Body> {
  return { kind: 'json', text: JSON.stringify(body), ...options };
}

/** A JSON body. The ETag ignores the top-level fields in `clockFields`, which depend on the clock. */
export function jsonWithClock<Body extends object>(body: Body, clockFields: readonly (keyof Body & string)[]): Representation<Body> {
  const state: Record<string, unknown> = {};
  for (const key in body) if (!clockFields.includes(key)) state[key] = body[key];
  return { kind: 'json', text: JSON.stringify(body), state: JSON.stringify(state) };
}

/** A short digest for ETags (96 bits of SHA-256, base64url). */
export function digestOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** The ETag of a reply; null for a body that is not JSON and provides none. */
export function etagOf(reply: Representation | RawReply): string | null {
  if (reply.etag !== undefined) return reply.etag;
  if (reply.kind === 'raw') return null;
  return reply.state === undefined ? `"${digestOf(reply.text)}"` : `W/"${digestOf(reply.state)}"`;
}

/** A body that is serialized and hashed once. The result is meant to be cached. */
export function fixedJson<Body>(body: Body, maxAge: number): Representation<Body> {
  const text = JSON.stringify(body);
  return { kind: 'json', text, etag: `"${digestOf(text)}"`, maxAge };
}

/** A body that is constant within a deployment. It is created on first use and cached. */
export function cachedJson<Body>(create: () => Body, maxAge: number): () => Representation<Body> {
  let cached: Representation<Body> | null = null;
  return () => {
    cached ??= fixedJson(create(), maxAge);
    return cached;
  };
}
