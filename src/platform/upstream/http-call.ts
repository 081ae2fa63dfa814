import type { Clock } from '../kit/time/clock.ts';
import { headersAfterRedirect, redirectProblem } from './redirect-policy.ts';
import { BodyTooLarge, readBounded, readExcerpt } from './response-body.ts';
import { retryAfterSeconds } from './retry.ts';
import { UpstreamError } from './upstream-error.ts';

const MAX_REDIRECTS = 5;
const EXCERPT_BYTES = 2048;
const REDIRECTS = [301, 302, 303, 307, 308];

/** A request with all defaults resolved. */
export interface HttpCall {
  source: string;
  url: URL;
  method: 'GET' | 'POST';
  headers: Headers;
  body: BodyInit | null;
  timeoutSeconds: number;
  maxBytes: number;
  redirect: 'follow' | 'manual';
  accepts(status: number): boolean;
  signal: AbortSignal | undefined;
}

export interface HttpReply {
  status: number;
  headers: Headers;
  url: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Makes one attempt: follows redirects within the policy, checks the status and reads the body. Throws only `UpstreamError`. */
export async function attempt(call: HttpCall, doFetch: typeof fetch, nowSeconds: Clock): Promise<HttpReply> {
  const timeout = new AbortController();
  const abort = () => timeout.abort();
  const timer = setTimeout(abort, call.timeoutSeconds * 1000);
  call.signal?.addEventListener('abort', abort, { once: true });
  if (call.signal?.aborted) abort();
  try {
    // The race enforces the timeout even if the runtime ignores the signal while it reads the body.
    return await Promise.race([exchange(call, doFetch, nowSeconds, timeout.signal), rejectOnAbort(timeout.signal)]);
  } catch (error) {
    throw toUpstreamError(call, error, timeout.signal.aborted);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', abort);
  }
}

async function exchange(call: HttpCall, doFetch: typeof fetch, nowSeconds: Clock, signal: AbortSignal): Promise<HttpReply> {
  const { response, url } = await followRedirects(call, doFetch, signal);
  const { status, headers } = response;
  if (call.accepts(status)) {
    // A response without a body: 204, 304.
    const bytes = response.body === null ? new Uint8Array() : await readBounded(response, call.maxBytes);
    return { status, headers, url: url.href, bytes };
  }
  const excerpt = await readExcerpt(response, EXCERPT_BYTES);
  const retryAfter = retryAfterSeconds(headers.get('Retry-After'), nowSeconds());
  throw new UpstreamError(call.source, 'status', `HTTP ${status}`, { status, retryAfterSeconds: retryAfter, excerpt });
}

/** Follows redirects manually. Each target is checked before the request. */
async function followRedirects(call: HttpCall, doFetch: typeof fetch, signal: AbortSignal): Promise<{ response: Response; url: URL }> {
  let { url, headers } = call;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await doFetch(url.href, { method: call.method, headers, body: call.body, redirect: 'manual', signal });
    if (call.redirect === 'manual' || !REDIRECTS.includes(response.status)) return { response, url };
    await response.body?.cancel();
    const target = redirectTarget(call, url, response.headers.get('Location'));
    headers = headersAfterRedirect(url, target, headers);
    url = target;
  }
  throw new UpstreamError(call.source, 'redirect', `more than ${MAX_REDIRECTS} redirects`);
}

function redirectTarget(call: HttpCall, from: URL, location: string | null): URL {
  if (call.method !== 'GET') throw new UpstreamError(call.source, 'redirect', 'redirect of a request with a body');
  const target = location === null ? null : URL.parse(location, from);
  if (target === null) throw new UpstreamError(call.source, 'redirect', 'redirect without a valid URL');
  const problem = redirectProblem(call.url, target);
  if (problem !== null) throw new UpstreamError(call.source, 'redirect', problem);
  return target;
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new Error('aborted'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function toUpstreamError(call: HttpCall, error: unknown, isAborted: boolean): UpstreamError {
  if (error instanceof UpstreamError) return error;
  if (error instanceof BodyTooLarge) return new UpstreamError(call.source, 'too_large', error.message);
  if (call.signal?.aborted) return new UpstreamError(call.source, 'timeout', 'aborted before the response was complete', { cause: error });
  if (isAborted) return new UpstreamError(call.source, 'timeout', `no complete response within ${call.timeoutSeconds} s`, { cause: error });
  return new UpstreamError(call.source, 'network', 'no response, or a truncated one', { cause: error });
}
