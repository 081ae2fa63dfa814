import type { Caller } from '../../access/policy/access-control.ts';
import type { Charge } from '../../rate-limits/window.ts';
import type { Clock, UnixSeconds } from '../../time/clock.ts';
import { requestIdOf } from '../replies/headers.ts';

/** What belongs to one request from its first line to its log line. */
export interface RequestScope {
  readonly request: Request;
  readonly requestId: string;
  /** The one instant everything about this request is computed for. */
  readonly now: UnixSeconds;
  readonly startedAt: number;
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Last bucket charged; its headers go on the answer, whatever the answer is. */
  charge: Charge | null;
  caller: Caller | null;
  /** Hash of the token whose request it is, for the statistics; null when it is nobody's. */
  hashedToken: string | null;
}

/** How the clock of a request is found. `X-Test-Now` counts only where tests may set it. */
export interface RequestClock {
  clock: Clock;
  acceptsTestClock: boolean;
}

const TEST_NOW = /^\d{1,12}$/;

/** `baseUrl`: configured public address; empty: the origin of the request. */
export function openScope(request: Request, { time, baseUrl }: { time: RequestClock; baseUrl: string }): RequestScope {
  const asked = time.acceptsTestClock ? request.headers.get('X-Test-Now') : null;
  return {
    request,
    requestId: requestIdOf(request),
    now: asked !== null && TEST_NOW.test(asked) ? Number(asked) : time.clock(),
    startedAt: performance.now(),
    baseUrl: baseUrl || originOf(request.url),
    charge: null,
    caller: null,
    hashedToken: null,
  };
}

/** Scheme and host of an absolute address. */
function originOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('//') + 2);
  return end < 0 ? url : url.slice(0, end);
}
