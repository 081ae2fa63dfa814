import type { Charge } from '../../access/limits/window.ts';
import type { Caller } from '../../access/policy/admission.ts';
import type { ApiError } from '../../kit/errors/api-error.ts';
import type { Clock, UnixSeconds } from '../../kit/time/clock.ts';

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
  /** True if the endpoint is public and the `Authorization` header has no Bearer credential. */
  ignoresToken: boolean;
  /** Id of the token, for the usage statistics; null without a token. */
  tokenId: string | null;
  /** The error of the response, for the usage statistics; null on success. */
  error: ApiError | null;
}

/** Source of the time of a request. `acceptsTestClock`: the header `X-Test-Now` overrides the clock; false in production. */
export interface RequestClock {
  clock: Clock;
  acceptsTestClock: boolean;
}
