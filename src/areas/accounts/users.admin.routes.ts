import { adminAccess } from '../../platform/access/policy/policy.ts';
import { UserParams } from '../../platform/access/tokens/token-view.schemas.ts';
import { USAGE_LAG_SECONDS } from '../../platform/access/usage/token-usage.ts';
import { totalOf } from '../../platform/access/usage/usage-sums.ts';
import type { Ports } from '../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import { AccountSummaryBody, AccountsBody, toAccountSummary, UserQuery, UsersQuery } from './accounts.schemas.ts';
import type { Account, AccountsStore } from './accounts.store.ts';

const shared = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess, method: 'get' } as const;

/** `/admin/users`: accounts with their usage. */
export function createUserAdminEndpoints(accounts: AccountsStore, usage: Ports['usage']): Endpoint[] {
  async function summaries(rows: readonly Account[], days: number, now: number) {
    const ids = rows.map(({ id }) => id);
    const [totals, counts] = await Promise.all([accounts.tokenTotals(ids), usage.countByAccounts(ids, { days, now })]);
    return rows.map((account) => toAccountSummary(account, totals.get(account.id), counts.get(account.id)));
  }

  /** Like the pages of its tokens, reads their objects, which know each request. */
  async function currentSummary(account: Account, days: number, now: number) {
    const [totals, report] = await Promise.all([
      accounts.tokenTotals([account.id]),
      usage.summarize({ userId: account.id }, { days, now }),
    ]);
    const stored = totals.get(account.id) ?? { tokenCount: 0, lastUsedAt: null };
    const lastUsedAt = Math.max(stored.lastUsedAt ?? 0, report.lastUsedAt ?? 0) || null;
    return toAccountSummary(account, { ...stored, lastUsedAt }, totalOf(report.days));
  }

  return [
    defineRoute({
      ...shared,
      path: '/admin/users',
      operationId: 'listUsers',
      summary: 'List accounts',
      description: 'Lists accounts with their usage in the window, newest first. The tokens report every 6 hours.',
      query: UsersQuery,
      ok: { description: 'A page of accounts.', schema: AccountsBody },
    }).handle(async ({ query: { days, limit, offset, q }, now }) => {
      const { rows, total } = await accounts.page({ limit, offset, matching: q });
      const items = await summaries(rows, days, now);
      return json({ items, count: items.length, total, as_of: toIso(now - USAGE_LAG_SECONDS) });
    }),

    defineRoute({
      ...shared,
      path: '/admin/users/{id}',
      operationId: 'getUser',
      summary: 'Get an account',
      description: 'Returns one account with its usage in the window.',
      params: UserParams,
      query: UserQuery,
      errors: ['not_found'],
      ok: { description: 'The account.', schema: AccountSummaryBody },
    }).handle(async ({ params, query, now }) => {
      const account = await accounts.byId(params.id);
      if (!account) throw notFound('account not found');
      return json(await currentSummary(account, query.days, now));
    }),
  ];
}
