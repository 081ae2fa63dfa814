import { adminAccess } from '../../platform/access/policy/policy.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { UsageRepository } from '../../platform/usage/usage.repository.ts';
import type { Account, AccountsRepository } from './accounts.repository.ts';
import { AccountSummaryBody, AccountsBody, toAccountSummary, UserParams, UserQuery, UsersQuery } from './accounts.schemas.ts';

const shared = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess, method: 'get' } as const;

/** `/admin/users`: accounts with their usage. */
export function createUserAdminEndpoints(accounts: AccountsRepository, usage: UsageRepository): Endpoint[] {
  async function summaries(rows: readonly Account[], days: number, now: number) {
    const ids = rows.map(({ id }) => id);
    const [totals, counts] = await Promise.all([accounts.tokenTotals(ids), usage.countByAccounts(ids, { days, now })]);
    return rows.map((account) => toAccountSummary(account, totals.get(account.id), counts.get(account.id)));
  }

  return [
    defineRoute({
      ...shared,
      path: '/admin/users',
      operationId: 'listUsers',
      summary: 'List accounts',
      description: 'Lists accounts with their usage in the window, newest first.',
      query: UsersQuery,
      ok: { description: 'A page of accounts.', schema: AccountsBody },
    }).handle(async ({ query: { days, limit, offset, q }, now }) => {
      const { rows, total } = await accounts.page({ limit, offset, matching: q });
      const items = await summaries(rows, days, now);
      return json({ items, count: items.length, total });
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
      const [summary] = account ? await summaries([account], query.days, now) : [];
      if (!summary) throw notFound('account not found');
      return json(summary);
    }),
  ];
}
