import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { type Charge, chargeOf } from '../limits/window.ts';
import { budgetsFrom, reportedBudgets } from '../policy/budgets.ts';
import type { BudgetGroup } from '../policy/policy.ts';
import type { TokenGate } from './token-gate.ts';

/** Remaining rate limits of a token, for its owner. Reading them does not count as a request. */
export interface TokenBudgets {
  /** Names of the limits. */
  names: readonly string[];
  listRemaining(tokenId: string, settings: Settings, now: UnixSeconds): Promise<{ name: string; charge: Charge }[]>;
}

export function createTokenBudgets(gate: Pick<TokenGate, 'countUsed'>, groups: readonly BudgetGroup[], scale: number): TokenBudgets {
  const separateGroups = groups.filter(({ isAlwaysSeparate }) => isAlwaysSeparate);
  return {
    names: ['token', ...separateGroups.map(({ name }) => name)],
    async listRemaining(tokenId, settings, now) {
      const reported = reportedBudgets(budgetsFrom(settings, scale), separateGroups);
      const windows = Object.fromEntries(reported.map(({ counter, budget }) => [counter, budget.windowSeconds]));
      const used = await gate.countUsed(tokenId, now, windows);
      return reported.map(({ name, counter, budget }) => ({ name, charge: chargeOf(budget, used[counter] ?? 0, now) }));
    },
  };
}
