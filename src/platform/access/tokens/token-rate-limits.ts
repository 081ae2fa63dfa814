import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { type Charge, chargeOf } from '../limits/window.ts';
import type { RateLimitGroup } from '../policy/policy.ts';
import { rateLimitsFrom, reportedRateLimits } from '../policy/rate-limits.ts';
import type { TokenGate } from './token-gate.ts';

/** Remaining rate limits of a token, for its owner. Reading them does not count as a request. */
export interface TokenRateLimits {
  /** Names of the limits. */
  names: readonly string[];
  listRemaining(tokenId: string, settings: Settings, now: UnixSeconds): Promise<{ name: string; charge: Charge }[]>;
}

export function createTokenRateLimits(
  gate: Pick<TokenGate, 'countUsed'>,
  groups: readonly RateLimitGroup[],
  scale: number,
): TokenRateLimits {
  const separateGroups = groups.filter(({ isAlwaysSeparate }) => isAlwaysSeparate);
  return {
    names: ['token', ...separateGroups.map(({ name }) => name)],
    async listRemaining(tokenId, settings, now) {
      const reported = reportedRateLimits(rateLimitsFrom(settings, scale), separateGroups);
      const windows = Object.fromEntries(reported.map(({ counter, rateLimit }) => [counter, rateLimit.windowSeconds]));
      const used = await gate.countUsed(tokenId, now, windows);
      return reported.map(({ name, counter, rateLimit }) => ({ name, charge: chargeOf(rateLimit, used[counter] ?? 0, now) }));
    },
  };
}
