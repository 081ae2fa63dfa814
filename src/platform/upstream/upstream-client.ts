import { logError } from '../kit/logging.ts';
import { type Clock, SECONDS_PER_DAY, systemClock, type UnixSeconds } from '../kit/time/clock.ts';
import { attempt, type HttpCall, type HttpReply } from './http-call.ts';
import { decodeText, parseJson } from './response-body.ts';
import { isRetryable, retryDelayMs, waitFor } from './retry.ts';
import { UpstreamError } from './upstream-error.ts';
import {
  afterFailure,
  afterSuccess,
  allowsRetries,
  isPaused,
  type UpstreamState,
  type UpstreamStates,
  unknownState,
  type Validators,
} from './upstream-states.ts';

const DEFAULT_TIMEOUT_SECONDS = 15;
const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;
const DEFAULT_GET_ATTEMPTS = 3;
/** Older validators are not used, so the whole response is fetched at least once per day. */
const VALIDATORS_TTL_SECONDS = SECONDS_PER_DAY;
const NOT_MODIFIED = 304;

/** A request to an upstream. */
export interface UpstreamRequest {
  /** Name of the source, under which state, validators and errors are stored. */
  source: string;
  url: string | URL;
  method?: 'GET' | 'POST';
  /** Headers in addition to `User-Agent`, which they may override. */
  headers?: Readonly<Record<string, string>>;
  body?: BodyInit;
  /** Aborts attempts and pauses, for example when the job ends. */
  signal?: AbortSignal;
  /** Timeout of an attempt including the body. Default: that of the client. */
  timeoutSeconds?: number;
  /** Maximum size of the body. Default: 4 MiB. */
  maxBytes?: number;
  /** Maximum number of attempts. Default: 3 for GET, 1 for POST. */
  attempts?: number;
  /** Statuses that are not failures. Default: 2xx. */
  accepts?(status: number): boolean;
  /** `follow` (default): follows redirects within the redirect policy. `manual`: returns a redirect like any other response. */
  redirect?: 'follow' | 'manual';
  /** Sends the stored validators of this source and URL. The response may then be `notModified`. */
  conditional?: boolean;
  /** False: ignores a pause of the source, and failures do not pause the source. For probes. */
  circuit?: boolean;
  /** False: stores nothing about the source, so it is never paused. For URLs of users. */
  storesState?: boolean;
}

/** A complete response of an upstream. */
export interface UpstreamResponse {
  status: number;
  headers: Headers;
  /** Final URL after redirects. */
  url: string;
  /** True for 304: nothing changed since the last confirmed response. The body is empty. */
  notModified: boolean;
  bytes: Uint8Array<ArrayBuffer>;
  /** Decodes the body with its declared charset. Throws `malformed` for invalid bytes. */
  text(): string;
  /** Parses the body as JSON. Throws `malformed`. */
  json(): unknown;
  /** Stores the validators for the next conditional request. Call it after the content of the response is stored. */
  confirm(): Promise<void>;
}

/** Sends requests to upstreams with limits on time and size, retries, and pauses after repeated failures. Throws `UpstreamError`. */
export interface UpstreamClient {
  fetch(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Pauses a source until an instant, because of the content of a response. */
  pause(source: string, until: UnixSeconds, reason: string): Promise<void>;
}

export interface UpstreamClientDeps {
  /** Sent as `User-Agent`. */
  userAgent: string;
  states: Pick<UpstreamStates, 'find' | 'save'>;
  /** Uniform in [0, 1), for the jitter of retries. */
  random(): number;
  fetch?: typeof fetch;
  /** Default timeout of an attempt; 15 if absent. */
  timeoutSeconds?: number;
  /** Real time, for pauses and validators, even if a job runs with another clock. */
  nowSeconds?: Clock;
  /** Waits. Rejects when the signal aborts. */
  pause?(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

export function createUpstreamClient(deps: UpstreamClientDeps): UpstreamClient {
  const { states, random, nowSeconds = systemClock, pause = waitFor } = deps;
  const doFetch = deps.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init));

  async function withRetries(call: HttpCall, attempts: number): Promise<HttpReply> {
    for (let attemptCount = 1; ; attemptCount++) {
      try {
        return await attempt(call, doFetch, nowSeconds);
      } catch (error) {
        if (!(error instanceof UpstreamError) || attemptCount >= attempts || call.signal?.aborted || !isRetryable(error)) throw error;
        await pause(retryDelayMs(attemptCount, error, random), call.signal).catch(() => {
          throw error;
        });
      }
    }
  }

  /** Stores the state of a source. A failure is logged and does not fail the request. */
  async function saveState(state: UpstreamState): Promise<void> {
    await states.save(state).catch((error: unknown) => logError('upstream state was not stored', error, { source: state.source }));
  }

  return {
    async fetch(request) {
      const { source, circuit = true, storesState = true } = request;
      if (!storesState) {
        const call = callOf(request, deps, null);
        return responseOf(source, await withRetries(call, attemptsOf(request)), async () => {});
      }
      const state = (await states.find(source)) ?? unknownState(source);
      if (circuit && isPaused(state, nowSeconds())) throw pausedError(state);
      const validators = request.conditional ? usableValidators(state, request, nowSeconds()) : null;
      const call = callOf(request, deps, validators);
      const attempts = allowsRetries(state) || !circuit ? attemptsOf(request) : 1;
      try {
        const reply = await withRetries(call, attempts);
        const succeeded = afterSuccess(state, nowSeconds());
        await saveState(succeeded);
        return responseOf(source, reply, () => saveState({ ...succeeded, validators: validatorsOf(call.url, reply, nowSeconds()) }));
      } catch (error) {
        const retryAfterSeconds = error instanceof UpstreamError ? error.retryAfterSeconds : null;
        const failed = afterFailure(state, { message: messageOf(error), retryAfterSeconds }, nowSeconds());
        await saveState(circuit ? failed : { ...failed, pausedUntil: state.pausedUntil });
        throw error;
      }
    },

    async pause(source, until, reason) {
      const state = (await states.find(source)) ?? unknownState(source);
      await saveState({ ...state, lastError: `${source}: ${reason}`, pausedUntil: until });
    },
  };
}

function pausedError({ source, pausedUntil, lastError }: UpstreamState): UpstreamError {
  const until = new Date((pausedUntil ?? 0) * 1000).toISOString();
  return new UpstreamError(source, 'paused', `paused until ${until}, last error: ${lastError ?? 'none'}`);
}

function attemptsOf({ attempts, method = 'GET' }: UpstreamRequest): number {
  return attempts ?? (method === 'GET' ? DEFAULT_GET_ATTEMPTS : 1);
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

function responseOf(source: string, reply: HttpReply, storeValidators: () => Promise<void>): UpstreamResponse {
  const { status, headers, url, bytes } = reply;
  const notModified = status === NOT_MODIFIED;
  const text = () => decodeText(source, bytes, headers.get('Content-Type'));
  return {
    status,
    headers,
    url,
    notModified,
    bytes,
    text,
    json: () => parseJson(source, text()),
    // 304 does not renew the validators: their lifetime starts at the last complete response.
    confirm: () => (notModified ? Promise.resolve() : storeValidators()),
  };
}
