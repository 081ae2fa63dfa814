import type { Budget } from '../../rate-limits/window.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { SECONDS_PER_DAY } from '../../time/clock.ts';
import type { TokenCounter } from '../tokens/token-gate.contract.ts';
import { type BudgetGroup, type BudgetRule, type SessionBudget, STANDARD_GROUP } from './policy.ts';

/** Tokens an account may make a day. */
export const MINTING_LIMIT = 3;

/** Counts the tokens made, not the tries. */
export const mintingBudget: SessionBudget = {
  name: 'token-creation',
  limitOf: () => ({ limit: MINTING_LIMIT, windowSeconds: SECONDS_PER_DAY }),
  countsAccepted: true,
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

/** The rate limits of a token that are shown: the standard one, and those of groups that always have their own. */
export function reportedBudgets({ token }: Pick<Budgets, 'token'>, groupsApart: readonly BudgetGroup[]) {
  return [{ name: 'token', ...token(STANDARD_GROUP) }, ...groupsApart.map((group) => ({ name: group.name, ...token(group) }))];
}

/** Bucket in which an account's requests are counted. */
export function sessionBudgetKey(budget: SessionBudget, userId: string): string {
  return `${budget.name}:${userId}`;
}

/** Derives the rate limits from the settings; `scale` multiplies every limit (development and test only). */
export function budgetsFrom(settings: Settings, scale: number): Budgets {
  const scaled = (limit: number) => Math.max(1, Math.round(limit * scale));
  const anonymous = new Map<BudgetGroup, { budget: Budget; bucketPrefix: string }>();
  const token = new Map<BudgetGroup, { budget: Budget; counter: TokenCounter }>();

  const anonymousOf = (group: BudgetGroup) => {
    const { multiplier, isApart } = shareOf(settings, group);
    return {
      bucketPrefix: isApart ? `anon:${group.name}:` : 'anon:',
      budget: {
        name: isApart ? `anon-${group.name}` : 'anon',
        limit: scaled(settings.publicAnonRateLimitMax * multiplier),
        windowSeconds: settings.publicAnonRateLimitWindowSeconds,
      },
    };
  };
  const tokenOf = (group: BudgetGroup) => {
    const { multiplier, isApart } = shareOf(settings, group);
    const counter: TokenCounter = isApart ? `token-${group.name}` : 'token';
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

/** A group has buckets of its own when its multiplier is not 1 or `isAlwaysApart` is set. */
function shareOf(settings: Settings, { multiplierOf, isAlwaysApart = false }: BudgetGroup): { multiplier: number; isApart: boolean } {
  const multiplier = multiplierOf(settings);
  return { multiplier, isApart: isAlwaysApart || multiplier !== 1 };
}

function memoized<Key, Value>(known: Map<Key, Value>, key: Key, compute: (key: Key) => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = compute(key);
  known.set(key, value);
  return value;
}
