import type { UnixSeconds } from '../../platform/time/clock.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';

/** The service has had enough of us for a while; nothing of it is asked until then. */
export class RateLimited extends UpstreamError {
  constructor(source: string, status: number, until: UnixSeconds) {
    super(source, 'status', `rate limited until ${new Date(until * 1000).toISOString()}`, { status });
  }
}
