import { SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '../../kit/time/clock.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { type Budget, scaleLimit } from '../limits/window.ts';
import type { TokenCounter } from '../tokens/token-gate.contract.ts';
import { type BudgetGroup, type BudgetRule, type SessionBudget, STANDARD_GROUP } from './policy.ts';

/** Maximum number of tokens that an account may create per day. */
export const MINTING_LIMIT = 3;

/** Counts created tokens, not attempts. */
export const mintingBudget: SessionBudget = {
  name: 'token-creation',
  limitOf: () => ({ limit: MINTING_LIMIT, windowSeconds: SECONDS_PER_DAY }),
  countsAccepted: true,
};

/** Requests of one project key. */
export const projectKeyBudget: BudgetRule = {
  name: 'project-key',
  limitOf: () => ({ limit: 120, windowSeconds: SECONDS_PER_MINUTE }),
};

/**
 * The rate limits in force: anonymous (per address), token (per token), ingest (per token and endpoint), session (per account),
 * and declared ones.
 */
export interface Budgets {
  anonymous(group: BudgetGroup): { budget: Budget; bucketPrefix: string };
  token(group: BudgetGroup): { budget: Budget; counter: TokenCounter };
  ingest: Budget;
  session: Budget;
  of(rule: BudgetRule): Budget;
  /** Scales a limit without a window by the same factor. */
  scaled(limit: number): number;
}

/** The rate limits that `GET /v1/token` reports: the standard one, and those of groups that always have separate buckets. */
export function reportedBudgets({ token }: Pick<Budgets, 'token'>, separateGroups: readonly BudgetGroup[]) {
  return [{ name: 'token', ...token(STANDARD_GROUP) }, ...separateGroups.map((group) => ({ name: group.name, ...token(group) }))];
}

/** Bucket that counts an account's requests. */
export function sessionBudgetKey(budget: SessionBudget, userId: string): string {
  return `${budget.name}:${userId}`;
}

/** Derives the rate limits from the settings; `scale` multiplies every limit (development and test only). */
export function budgetsFrom(settings: Settings, scale: number): Budgets {
  const scaled = (limit: number) => scaleLimit(limit, scale);
  const anonymous = new Map<BudgetGroup, { budget: Budget; bucketPrefix: string }>();
  const token = new Map<BudgetGroup, { budget: Budget; counter: TokenCounter }>();

  const anonymousOf = (group: BudgetGroup) => {
    const { multiplier, isSeparate } = bucketsOf(settings, group);
    return {
      bucketPrefix: isSeparate ? `anon:${group.name}:` : 'anon:',
      budget: {
        name: isSeparate ? `anon-${group.name}` : 'anon',
        limit: scaled(settings.publicAnonRateLimitMax * multiplier),
        windowSeconds: settings.publicAnonRateLimitWindowSeconds,
      },
    };
  };
  const tokenOf = (group: BudgetGroup) => {
    const { multiplier, isSeparate } = bucketsOf(settings, group);
    const counter: TokenCounter = isSeparate ? `token-${group.name}` : 'token';
    return {
      counter,
      budget: { name: counter, limit: scaled(settings.apiRateLimitMax * multiplier), windowSeconds: settings.apiRateLimitWindowSeconds },
    };
  };

  return {
    anonymous: (group) => memoized(anonymous, group, anonymousOf),
    token: (group) => memoized(token, group, tokenOf),
    ingest: { name: 'ingest', limit: scaled(settings.ingestCooldownMax), windowSeconds: settings.ingestCooldownWindowSeconds },
    session: {
      name: 'session',
      limit: scaled(settings.sessionRateLimitMax),
      windowSeconds: settings.sessionRateLimitWindowSeconds,
    },
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
  { multiplierOf, isAlwaysSeparate = false }: BudgetGroup,
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
