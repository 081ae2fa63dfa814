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

export function openScope(request: Request, time: RequestClock): RequestScope {
  const asked = time.acceptsTestClock ? request.headers.get('X-Test-Now') : null;
  return {
    request,
    requestId: requestIdOf(request),
    now: asked !== null && TEST_NOW.test(asked) ? Number(asked) : time.clock(),
    startedAt: performance.now(),
    charge: null,
    caller: null,
    hashedToken: null,
  };
}
