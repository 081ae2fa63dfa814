import { exports } from 'cloudflare:workers';
import type { UnixSeconds } from '../../src/platform/kit/time/clock.ts';
import { oncePerFile } from './once-per-file.ts';

/** Origin of the tests' requests; no network is involved. */
export const ORIGIN = 'https://api.test';

/** Default client address. */
export const HOME_ADDRESS = '10.20.30.40';

export interface CallOptions {
  method?: string;
  /** Value of the `Authorization` header; absent or null: no header. */
  authorization?: string | null;
  /** Client address; null: no header. */
  address?: string | null;
  /** Clock of the request. Default: a new instant in unused rate limit windows. */
  now?: UnixSeconds;
  headers?: Record<string, string>;
  body?: BodyInit | null;
  /** A value sent as JSON with its type and length, in place of `body`; undefined: nothing. */
  json?: unknown;
}

/** A response with its body read, because unread bodies stall the runtime. */
export interface TestResponse {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  text: string;
  /** Clock of the request. */
  now: UnixSeconds;
}

/** Sends a request to the Worker's entry point or to an application created by a test. */
export type Fetch = (request: Request) => Promise<Response>;

/** The Worker's entry point. */
export const fetchWorker: Fetch = (request) => exports.default.fetch(request);

/** 2026-03-10 15:30 UTC, a Tuesday, 30 s into a minute. */
export const FIRST_INSTANT: UnixSeconds = 1_773_156_630;

/** Twice the longest rate limit window, so that a case can enter the next window without affecting the next case. */
const STEP_SECONDS = 7200;
/** Given instants and days. The counts of a test file are deleted before the next. */
const given = oncePerFile(() => ({ instants: 0, days: 0 }));

/** A new instant in unused rate limit windows, so that cases do not share counts. */
export function freshInstant(): UnixSeconds {
  given().instants += 1;
  return FIRST_INSTANT + given().instants * STEP_SECONDS;
}

/** Later than any `freshInstant`. */
const FIRST_DAY: UnixSeconds = FIRST_INSTANT + 2000 * 86_400;

/** A new instant for a rate limit with this window: on an unused day if it is longer than `freshInstant` allows. */
export function freshInstantFor(windowSeconds: number): UnixSeconds {
  if (windowSeconds * 2 <= STEP_SECONDS) return freshInstant();
  given().days += 1;
  return FIRST_DAY + given().days * 2 * 86_400;
}

/** The instant that the next `freshInstant` returns. */
export const nextInstant = (): UnixSeconds => FIRST_INSTANT + (given().instants + 1) * STEP_SECONDS;

/** Sends a request to the service and reads the response. */
export async function call(path: string, options: CallOptions = {}, fetch: Fetch = fetchWorker): Promise<TestResponse> {
  const { method = 'GET', authorization = null, address = HOME_ADDRESS, now = freshInstant(), json } = options;
  const text = json === undefined ? null : JSON.stringify(json);
  const headers = new Headers({ 'X-Test-Now': String(now) });
  if (address !== null) headers.set('CF-Connecting-IP', address);
  if (authorization !== null) headers.set('Authorization', authorization);
  if (text !== null) {
    headers.set('Content-Type', 'application/json');
    headers.set('Content-Length', String(new TextEncoder().encode(text).byteLength));
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const abort = new AbortController();
  const url = path.startsWith('/') ? ORIGIN + path : path;
  const response = await fetch(
    new Request(url, { method, headers, body: text ?? options.body ?? null, redirect: 'manual', signal: abort.signal }),
  );
  const bytes = await readBody(response, abort);
  return { status: response.status, headers: response.headers, bytes, text: new TextDecoder().decode(bytes), now };
}

/** Reads the body. Aborts event streams, which never end. */
async function readBody(response: Response, abort: AbortController): Promise<Uint8Array> {
  if (response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    abort.abort();
    await response.body?.cancel().catch(() => {});
    return new Uint8Array();
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** `Authorization` header value of a token. */
export function bearer(secret: string): string {
  return `Bearer ${secret}`;
}
