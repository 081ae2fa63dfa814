import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';

/** The release service has rate limited a request; the client sends none before `until`. */
export class RateLimited extends UpstreamError {
  constructor(source: string, status: number, until: UnixSeconds) {
    super(source, 'status', `rate limited until ${new Date(until * 1000).toISOString()}`, { status });
  }
}
