import { SECONDS_PER_DAY } from '../../kit/time/clock.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { type RateLimit, scaleLimit } from '../limits/window.ts';
import type { TokenCounter } from '../tokens/token-gate.contract.ts';
import { type RateLimitGroup, type RateLimitRule, type SessionRateLimit, STANDARD_GROUP } from './policy.ts';

/** Maximum number of tokens that an account may create per day. */
export const MINTING_LIMIT = 3;

/** Counts created tokens, not attempts. */
export const mintingRateLimit: SessionRateLimit = {
  name: 'token-creation',
  limitOf: () => ({ limit: MINTING_LIMIT, windowSeconds: SECONDS_PER_DAY }),
  countsAccepted: true,
};

/** The rate limits in force: anonymous (per address), token (per token), and declared ones. */
export interface RateLimits {
  anonymous(group: RateLimitGroup): { rateLimit: RateLimit; bucketPrefix: string };
  token(group: RateLimitGroup): { rateLimit: RateLimit; counter: TokenCounter };
  of(rule: RateLimitRule): RateLimit;
  /** Scales a limit without a window by the same factor. */
  scaled(limit: number): number;
}

/** The rate limits that `GET /v1/token` reports: the standard one, and those of groups that always have separate buckets. */
export function reportedRateLimits({ token }: Pick<RateLimits, 'token'>, separateGroups: readonly RateLimitGroup[]) {
  return [{ name: 'token', ...token(STANDARD_GROUP) }, ...separateGroups.map((group) => ({ name: group.name, ...token(group) }))];
}

/** Bucket that counts an account's requests. */
export function sessionRateLimitKey(rateLimit: SessionRateLimit, userId: string): string {
  return `${rateLimit.name}:${userId}`;
}

/** Derives the rate limits from the settings; `scale` multiplies every limit (development and test only). */
export function rateLimitsFrom(settings: Settings, scale: number): RateLimits {
  const scaled = (limit: number) => scaleLimit(limit, scale);
  const anonymous = new Map<RateLimitGroup, { rateLimit: RateLimit; bucketPrefix: string }>();
  const token = new Map<RateLimitGroup, { rateLimit: RateLimit; counter: TokenCounter }>();

  const anonymousOf = (group: RateLimitGroup) => {
    const { multiplier, isSeparate } = bucketsOf(settings, group);
    return {
      bucketPrefix: isSeparate ? `anon:${group.name}:` : 'anon:',
      rateLimit: {
        name: isSeparate ? `anon-${group.name}` : 'anon',
        limit: scaled(settings.publicAnonRateLimitMax * multiplier),
        windowSeconds: settings.publicAnonRateLimitWindowSeconds,
      },
    };
  };
  const tokenOf = (group: RateLimitGroup) => {
    const { multiplier, isSeparate } = bucketsOf(settings, group);
    const counter: TokenCounter = isSeparate ? `token-${group.name}` : 'token';
    return {
      counter,
      rateLimit: { name: counter, limit: scaled(settings.apiRateLimitMax * multiplier), windowSeconds: settings.apiRateLimitWindowSeconds },
    };
  };

  return {
    anonymous: (group) => memoized(anonymous, group, anonymousOf),
    token: (group) => memoized(token, group, tokenOf),
    of({ name, limitOf }) {
      const { limit, windowSeconds } = limitOf(settings);
      return { name, limit: scaled(limit), windowSeconds };
    },
    scaled,
  };
}

/** A group has separate buckets when its multiplier is not 1 or `isAlwaysSeparate` is set. */
function bucketsOf(
  settings: Settings,
  { multiplierOf, isAlwaysSeparate = false }: RateLimitGroup,
): { multiplier: number; isSeparate: boolean } {
  const multiplier = multiplierOf(settings);
  return { multiplier, isSeparate: isAlwaysSeparate || multiplier !== 1 };
}

function memoized<Key, Value>(cache: Map<Key, Value>, key: Key, compute: (key: Key) => Value): Value {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const value = compute(key);
  cache.set(key, value);
  return value;
}
