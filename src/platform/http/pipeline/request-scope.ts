import type { Caller } from '../../access/policy/access-control.ts';
import type { Charge } from '../../rate-limits/window.ts';
import type { Clock, UnixSeconds } from '../../time/clock.ts';
import { requestIdOf } from '../replies/headers.ts';

/** State of one request from its start to its log line. */
export interface RequestScope {
  readonly request: Request;
  readonly requestId: string;
  /** The one instant everything about this request is computed for. */
  readonly now: UnixSeconds;
  readonly startedAt: number;
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Last charged bucket; its headers are sent on every response. */
  charge: Charge | null;
  caller: Caller | null;
  /** Hash of the token of the request, for the statistics; null without a token. */
  hashedToken: string | null;
}

/** Reads the clock of a request. `X-Test-Now` applies only outside production. */
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
