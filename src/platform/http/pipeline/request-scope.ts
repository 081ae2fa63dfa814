import type { Caller } from '../../access/policy/admission.ts';
import type { Charge } from '../../rate-limits/window.ts';
import type { Clock, UnixSeconds } from '../../time/clock.ts';
import { requestIdOf } from '../replies/headers.ts';

/** State of one request from its start to its log line. */
export interface RequestScope {
  readonly request: Request;
  readonly requestId: string;
  /** Time of the request. Everything in the response is computed for this instant. */
  readonly now: UnixSeconds;
  readonly startedAt: number;
  /** Public URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** The rate limits that were charged, which the headers report. */
  charges: readonly Charge[];
  caller: Caller | null;
  /** Value of the header `Unknown-Parameters`; null without unknown query parameters. */
  unknownParameters: string | null;
  /** Id of the token, for the usage statistics; null without a token. */
  tokenId: string | null;
}

/** Source of the time of a request. `acceptsTestClock`: the header `X-Test-Now` overrides the clock; false in production. */
export interface RequestClock {
  clock: Clock;
  acceptsTestClock: boolean;
}

const TEST_NOW = /^\d{1,12}$/;

/** `baseUrl`: configured public URL. Empty: the origin of the request. */
export function openScope(request: Request, { time, baseUrl }: { time: RequestClock; baseUrl: string }): RequestScope {
  const testNow = time.acceptsTestClock ? request.headers.get('X-Test-Now') : null;
  return {
    request,
    requestId: requestIdOf(request),
    now: testNow !== null && TEST_NOW.test(testNow) ? Number(testNow) : time.clock(),
    startedAt: performance.now(),
    baseUrl: baseUrl || originOf(request.url),
    charges: [],
    caller: null,
    unknownParameters: null,
    tokenId: null,
  };
}

/** Scheme and host of an absolute URL. */
function originOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('//') + 2);
  return end < 0 ? url : url.slice(0, end);
}
