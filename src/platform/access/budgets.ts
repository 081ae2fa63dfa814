import type { Budget } from '../rate-limits/window.ts';
import type { Settings } from '../settings/settings.data.ts';
import type { BudgetGroup } from './policy.ts';
import type { TokenCounter } from './token-gate.contract.ts';

/** The budgets in force: anonymous (per address), token (per token) and ingest (per token and endpoint). */
export interface Budgets {
  anonymous(group: BudgetGroup): { budget: Budget; bucketPrefix: string };
  token(group: BudgetGroup): { budget: Budget; counter: TokenCounter };
  ingest: Budget;
}

const MULTIPLIERS = {
  codexes: 'codexesRateLimitMultiplier',
  'updates-file': 'updatesFileRateLimitMultiplier',
  'mods-catalog': 'modsCatalogRateLimitMultiplier',
} as const;

/** Derives the budgets from the settings; `scale` multiplies every limit (development and test only). */
export function budgetsFrom(settings: Settings, scale: number): Budgets {
  const scaled = (limit: number) => Math.max(1, Math.round(limit * scale));
  const anonymous = new Map<BudgetGroup, { budget: Budget; bucketPrefix: string }>();
  const token = new Map<BudgetGroup, { budget: Budget; counter: TokenCounter }>();

  const anonymousOf = (group: BudgetGroup) => {
    const own = ownMultiplier(settings, group);
    return {
      bucketPrefix: own === 1 ? 'anon:' : `anon:${group}:`,
      budget: {
        name: own === 1 ? 'anon' : `anon-${group}`,
        limit: scaled(settings.publicAnonRateLimitMax * own),
        windowSeconds: settings.publicAnonRateLimitWindowSeconds,
      },
    };
  };
  const tokenOf = (group: BudgetGroup) => {
    const own = ownMultiplier(settings, group);
    const counter: TokenCounter = group === 'standard' || own === 1 ? 'token' : `token-${group}`;
    return {
      counter,
      budget: { name: counter, limit: scaled(settings.apiRateLimitMax * own), windowSeconds: settings.apiRateLimitWindowSeconds },
    };
  };

  return {
    anonymous: (group) => memoized(anonymous, group, anonymousOf),
    token: (group) => memoized(token, group, tokenOf),
    ingest: { name: 'ingest', limit: scaled(settings.ingestCooldownMax), windowSeconds: settings.ingestCooldownWindowSeconds },
  };
}

/** A group whose multiplier is not 1 has buckets of its own; the others share the standard ones. */
function ownMultiplier(settings: Settings, group: BudgetGroup): number {
  return group === 'standard' ? 1 : settings[MULTIPLIERS[group]];
}

function memoized<Key, Value>(known: Map<Key, Value>, key: Key, compute: (key: Key) => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = compute(key);
  known.set(key, value);
  return value;
}
