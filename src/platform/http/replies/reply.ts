import { createHash } from 'node:crypto';

declare const shape: unique symbol;

/**
 * A JSON body as it is sent: serialised once, by the same function for its route, the snapshot and the event stream.
 * `Body` is only the type of what was serialised.
 */
export interface Representation<Body = unknown> {
  readonly kind: 'json';
  readonly text: string;
  /**
   * For a body in which the clock moves some fields: the rest, serialised. Its hash makes a weak ETag, so that a
   * poller gets 304 until something other than the clock changes. Absent: a strong ETag over the text.
   */
  readonly state?: string;
  /** Complete ETag with its quotes, for a body that is kept and so hashed only once. */
  readonly etag?: string;
  /** Cache lifetime of the response in seconds; absent: revalidate each time. */
  readonly maxAge?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** One of `otherStatuses` of the route; absent: its usual one. */
  readonly status?: number;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  /** False leaves a master insert without a cooldown. */
  readonly accepted?: boolean;
  readonly [shape]?: Body;
}

/** A response that is not JSON. */
export interface RawReply {
  readonly kind: 'raw';
  readonly body: ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream | string | null;
  readonly contentType: string;
  readonly status?: number;
  /** Complete ETag with its quotes. */
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
  headers?: Readonly<Record<string, string>>;
  cookies?: readonly string[];
}

/** A success without a body (204). */
export function noContent(options: Pick<RawReply, 'cookies' | 'headers'> = {}): RawReply {
  return { kind: 'raw', body: null, contentType: '', ...options };
}

/** A body whose every byte matters to its ETag. */
export function json<Body>(body: Body, options: JsonOptions = {}): Representation<Body> {
  return { kind: 'json', text: JSON.stringify(body), ...options };
}

/** A body in which the named top-level fields move with the clock alone. */
export function jsonWithClock<Body extends object>(body: Body, clockFields: readonly (keyof Body & string)[]): Representation<Body> {
  const state: Record<string, unknown> = {};
  for (const key in body) if (!clockFields.includes(key)) state[key] = body[key];
  return { kind: 'json', text: JSON.stringify(body), state: JSON.stringify(state) };
}

/** A short digest for ETags (96 bits of SHA-256, base64url). */
export function digestOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
