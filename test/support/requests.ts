import { exports } from 'cloudflare:workers';
import type { UnixSeconds } from '../../src/platform/time/clock.ts';

/** Origin the tests call; no network is behind it. */
export const ORIGIN = 'https://api.test';

/** A client address; requests that name no other come from here. */
export const HOME_ADDRESS = '10.20.30.40';

export interface CallOptions {
  method?: string;
  /** Complete value of `Authorization`; absent or null: none. */
  authorization?: string | null;
  /** Address of the client; null: the header is left out. */
  address?: string | null;
  /** Clock of the request. Absent: an instant in windows that no other call has used. */
  now?: UnixSeconds;
  headers?: Record<string, string>;
  body?: BodyInit | null;
}

/** A response whose body was read: unread bodies stall the runtime. */
export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  text: string;
  /** Instant the request was made for. */
  now: UnixSeconds;
}

/** Anything that responds to requests: the deployed entry point, or an application made for one test. */
export type Fetch = (request: Request) => Promise<Response>;

/** The Worker's own entry point. */
export const fetchWorker: Fetch = (request) => exports.default.fetch(request);

/** 2026-03-10 15:30 UTC, a Tuesday, 30 s into a minute. */
export const FIRST_INSTANT: UnixSeconds = 1_773_156_630;

/** Twice the longest window of a budget: a case may step into the next window without meeting the next case. */
const STEP_SECONDS = 7200;
let instants = 0;

/** An instant whose windows nothing was counted in: budgets of different cases never mix, and counters are reused. */
export function freshInstant(): UnixSeconds {
  instants += 1;
  return FIRST_INSTANT + instants * STEP_SECONDS;
}

/** Calls a path of the service and reads the whole response. */
export async function call(path: string, options: CallOptions = {}, fetch: Fetch = fetchWorker): Promise<Answer> {
  const { method = 'GET', authorization = null, address = HOME_ADDRESS, now = freshInstant(), body = null } = options;
  const headers = new Headers({ 'X-Test-Now': String(now) });
  if (address !== null) headers.set('CF-Connecting-IP', address);
  if (authorization !== null) headers.set('Authorization', authorization);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const abort = new AbortController();
  const url = path.startsWith('/') ? ORIGIN + path : path;
  const response = await fetch(new Request(url, { method, headers, body, redirect: 'manual', signal: abort.signal }));
  const bytes = await readWhole(response, abort);
  return { status: response.status, headers: response.headers, bytes, text: new TextDecoder().decode(bytes), now };
}

/** The body of a response; an event stream never ends and is broken off instead, as by a client that leaves. */
async function readWhole(response: Response, abort: AbortController): Promise<Uint8Array> {
  if (response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    abort.abort();
    await response.body?.cancel().catch(() => {});
    return new Uint8Array();
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** `Authorization` value of a token. */
export function bearer(secret: string): string {
  return `Bearer ${secret}`;
}
