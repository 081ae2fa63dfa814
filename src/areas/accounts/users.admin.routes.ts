import { adminAccess } from '../../platform/access/policy/policy.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { UsageRepository } from '../../platform/usage/usage.repository.ts';
import type { Account, AccountsRepository } from './accounts.repository.ts';
import { AccountSummaryBody, AccountsBody, toAccountSummary, UserParams, UserQuery, UsersQuery } from './accounts.schemas.ts';

const shared = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess, method: 'get' } as const;

/** `/admin/users`: the accounts with their use. */
export function createUserAdminEndpoints(accounts: AccountsRepository, usage: UsageRepository): Endpoint[] {
  async function summaries(rows: readonly Account[], days: number, now: number) {
    const ids = rows.map(({ id }) => id);
    const [totals, counts] = await Promise.all([accounts.tokenTotals(ids), usage.ofUsers(ids, { days, now })]);
    return rows.map((account) => toAccountSummary(account, totals.get(account.id), counts.get(account.id)));
  }

  return [
    defineRoute({
      ...shared,
      path: '/admin/users',
      operationId: 'listUsers',
      summary: 'Accounts',
      description: 'Accounts with their use in the last days, newest first.',
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
      summary: 'An account',
      description: 'One account with its use in the last days.',
      params: UserParams,
      query: UserQuery,
      errors: ['not_found'],
      ok: { description: 'The account.', schema: AccountSummaryBody },
    }).handle(async ({ params, query, now }) => {
      const account = await accounts.byId(params.id);
      const [summary] = account ? await summaries([account], query.days, now) : [];
      if (!summary) throw notFound('no such account');
      return json(summary);
    }),
  ];
}
