import { logError } from '../logging.ts';
import { type Clock, SECONDS_PER_DAY, systemClock, type UnixSeconds } from '../time/clock.ts';
import { afterFailure, afterSuccess, deservesRetries, isPaused, unknownState } from './circuit.ts';
import { attempt, type HttpCall, type HttpReply } from './http-call.ts';
import { decodedText, parsedJson } from './response-text.ts';
import { isWorthRetrying, pauseBeforeRetry, pauseFor } from './retry.ts';
import { UpstreamError } from './upstream-error.ts';
import type { UpstreamState, UpstreamStates, Validators } from './upstream-states.ts';

const DEFAULT_TIMEOUT_SECONDS = 15;
const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;
const DEFAULT_GET_ATTEMPTS = 3;
/** Older validators are not used: once per day the whole response is read again. */
const VALIDATORS_TTL_SECONDS = SECONDS_PER_DAY;
const NOT_MODIFIED = 304;

/** One call of an upstream. */
export interface UpstreamRequest {
  /** Name of the source: state, validators and errors are kept under it. */
  source: string;
  url: string | URL;
  method?: 'GET' | 'POST';
  /** Added to `User-Agent`, which the client sends by default and which may be replaced here. */
  headers?: Readonly<Record<string, string>>;
  body?: BodyInit;
  /** Ends with the job: no attempt and no pause outlasts it. */
  signal?: AbortSignal;
  /** Per attempt, response and body together; default: that of the client. */
  timeoutSeconds?: number;
  /** Largest body read; 4 MiB when absent. */
  maxBytes?: number;
  /** Attempts in all; absent: 3 of a GET, 1 of a POST. */
  attempts?: number;
  /** Statuses that are responses rather than failures; default: 2xx. */
  accepts?(status: number): boolean;
  /** `follow` (the default) within the redirect policy; `manual`: returns a redirect like any other response. */
  redirect?: 'follow' | 'manual';
  /** Sends the validators stored for this source and address; the response may then be `notModified`. */
  conditional?: boolean;
  /** False: requested even while the source is paused, and failures do not pause it. For probes. */
  circuit?: boolean;
  /** False: stores nothing about the source. For URLs that belong to users. */
  remembers?: boolean;
}

/** A response of an upstream, read completely. */
export interface UpstreamResponse {
  status: number;
  headers: Headers;
  /** Final URL after redirects. */
  url: string;
  /** The upstream has nothing newer than the last confirmed response; the body is empty. */
  notModified: boolean;
  bytes: Uint8Array<ArrayBuffer>;
  /** The body as text in its declared encoding; throws `malformed` for invalid bytes. */
  text(): string;
  /** The body as JSON; throws `malformed`. */
  json(): unknown;
  /** To be called once what was fetched is stored: only then may the next conditional request rely on it. */
  confirm(): Promise<void>;
}

/** Calls upstreams: bounded in time and size, patient with short failures, polite to long ones. Throws `UpstreamError`. */
export interface UpstreamClient {
  fetch(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Pauses a source until an instant because of its response. */
  pause(source: string, until: UnixSeconds, reason: string): Promise<void>;
}

export interface UpstreamClientDeps {
  /** Sent as `User-Agent`. */
  userAgent: string;
  states: Pick<UpstreamStates, 'find' | 'save'>;
  /** Uniform in [0, 1): spreads retries. */
  random(): number;
  fetch?: typeof fetch;
  /** Per attempt unless the request sets another; default 15. */
  timeoutSeconds?: number;
  /** Real time: pauses and validators use it whatever the clock of a job is. */
  nowSeconds?: Clock;
  /** Waits so many milliseconds, or rejects when the signal aborts. */
  pause?(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

export function createUpstreamClient(deps: UpstreamClientDeps): UpstreamClient {
  const { states, random, nowSeconds = systemClock, pause = pauseFor } = deps;
  const doFetch = deps.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init));

  async function withRetries(call: HttpCall, attempts: number): Promise<HttpReply> {
    for (let made = 1; ; made++) {
      try {
        return await attempt(call, doFetch, nowSeconds);
      } catch (error) {
        if (!(error instanceof UpstreamError) || made >= attempts || call.signal?.aborted || !isWorthRetrying(error)) throw error;
        await pause(pauseBeforeRetry(made, error, random), call.signal).catch(() => {
          throw error;
        });
      }
    }
  }

  /** Storing the state is optional: a request does not fail because of it. */
  async function remember(state: UpstreamState, isKept = true): Promise<void> {
    if (isKept)
      await states.save(state).catch((error: unknown) => logError('upstream state was not stored', error, { source: state.source }));
  }

  return {
    async fetch(request) {
      const { source, circuit = true, remembers = true } = request;
      const state = (remembers ? await states.find(source) : null) ?? unknownState(source);
      if (circuit && isPaused(state, nowSeconds())) throw pausedError(state);
      const validators = request.conditional ? usableValidators(state, request, nowSeconds()) : null;
      const call = callOf(request, deps, validators);
      const attempts = deservesRetries(state) || !circuit ? (request.attempts ?? (call.method === 'GET' ? DEFAULT_GET_ATTEMPTS : 1)) : 1;
      try {
        const answer = await withRetries(call, attempts);
        const succeeded = afterSuccess(state, nowSeconds());
        await remember(succeeded, remembers);
        return responseOf(source, answer, () => remember({ ...succeeded, validators: validatorsOf(call.url, answer, nowSeconds()) }));
      } catch (error) {
        const retryAfterSeconds = error instanceof UpstreamError ? error.retryAfterSeconds : null;
        const failed = afterFailure(state, { message: messageOf(error), retryAfterSeconds }, nowSeconds());
        await remember(circuit ? failed : { ...failed, pausedUntil: state.pausedUntil }, remembers);
        throw error;
      }
    },

    async pause(source, until, reason) {
      const state = (await states.find(source)) ?? unknownState(source);
      await remember({ ...state, lastError: `${source}: ${reason}`, pausedUntil: until });
    },
  };
}

function pausedError({ source, pausedUntil, lastError }: UpstreamState): UpstreamError {
  const until = new Date((pausedUntil ?? 0) * 1000).toISOString();
  return new UpstreamError(source, 'paused', `paused until ${until}, last: ${lastError ?? 'no error'}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function callOf(request: UpstreamRequest, deps: UpstreamClientDeps, validators: Validators | null): HttpCall {
  const headers = new Headers({ 'User-Agent': deps.userAgent, ...request.headers });
  if (validators?.etag) headers.set('If-None-Match', validators.etag);
  if (validators?.lastModified) headers.set('If-Modified-Since', validators.lastModified);
  const accepts = request.accepts ?? ((status: number) => status >= 200 && status < 300);
  return {
    source: request.source,
    url: new URL(request.url),
    method: request.method ?? 'GET',
    headers,
    body: request.body ?? null,
    timeoutSeconds: request.timeoutSeconds ?? deps.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    maxBytes: request.maxBytes ?? DEFAULT_MAX_BYTES,
    redirect: request.redirect ?? 'follow',
    accepts: (status) => accepts(status) || (status === NOT_MODIFIED && validators !== null),
    signal: request.signal,
  };
}

function usableValidators({ validators }: UpstreamState, { url }: UpstreamRequest, now: UnixSeconds): Validators | null {
  if (validators === null || validators.url !== new URL(url).href) return null;
  const age = now - validators.confirmedAt;
  return age >= 0 && age < VALIDATORS_TTL_SECONDS ? validators : null;
}

function validatorsOf(url: URL, { headers }: HttpReply, now: UnixSeconds): Validators | null {
  const etag = headers.get('ETag');
  const lastModified = headers.get('Last-Modified');
  return etag === null && lastModified === null ? null : { url: url.href, etag, lastModified, confirmedAt: now };
}

function responseOf(source: string, answer: HttpReply, storeValidators: () => Promise<void>): UpstreamResponse {
  const { status, headers, url, bytes } = answer;
  const notModified = status === NOT_MODIFIED;
  const text = () => decodedText(source, bytes, headers.get('Content-Type'));
  return {
    status,
    headers,
    url,
    notModified,
    bytes,
    text,
    json: () => parsedJson(source, text()),
    // Validators age from the last complete response, so "not modified" does not renew them.
    confirm: () => (notModified ? Promise.resolve() : storeValidators()),
  };
}
