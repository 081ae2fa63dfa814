import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { TokenFormat } from '../../platform/access/tokens/token-format.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import type { UsageRepository } from '../../platform/access/usage/usage.repository.ts';
import { defineArea, type Ports } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { lazyRoutes, type Routes } from '../../platform/http/pipeline/route-groups.ts';
import type { ServiceEnv } from '../../platform/settings/variables.data.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import { createTokenBudgets, type TokenBudgets } from './token-budgets.ts';
import { createTokenJobs, type TokenJobsDeps } from './tokens.jobs.ts';
import { createTokensService } from './tokens.service.ts';

export interface TokensAreaDeps {
  env: ServiceEnv;
  tokens: TokenRegistry;
  tokenFormat: TokenFormat;
  usage: UsageRepository;
  mailer: Mailer;
  scopes: ScopeRegistry;
  budgets: TokenBudgets;
  /** Email address of an account; null when the account does not exist. */
  emailOf(userId: string): Promise<string | null>;
  lastUse: TokenJobsDeps['lastUse'];
  /** Email addresses of the superusers. */
  superusers(): Promise<string[]>;
  confirmSuperuser: Ports['confirmSuperuser'];
}

/** `/tokens`: API tokens of an account, and the daily jobs on tokens. */
export function createTokensArea({
  env,
  tokens,
  tokenFormat,
  usage,
  mailer,
  scopes,
  budgets,
  lastUse,
  emailOf,
  superusers,
  confirmSuperuser,
}: TokensAreaDeps): {
  endpoints: Routes[];
  jobs: Job[];
} {
  const service = createTokensService({ tokens, mailer, scopes, emailOf, format: tokenFormat, appName: env.APP_NAME });
  return {
    endpoints: [
      lazyRoutes(['/v1/token', '/tokens', '/admin'], async () => {
        const [{ createOwnTokenEndpoint }, { createTokenAdminEndpoints }, { createTokenEndpoints }, { createUsageAdminEndpoints }] =
          await Promise.all([
            import('./own-token.routes.ts'),
            import('./tokens.admin.routes.ts'),
            import('./tokens.routes.ts'),
            import('./usage.admin.routes.ts'),
          ]);
        return [
          createOwnTokenEndpoint(scopes, budgets),
          ...createTokenEndpoints(service, usage, scopes, budgets, confirmSuperuser),
          ...createTokenAdminEndpoints(tokens, usage, scopes),
          ...createUsageAdminEndpoints(usage),
        ];
      }),
    ],
    jobs: createTokenJobs({ tokens, usage, mailer, lastUse, superusers, appName: env.APP_NAME, publicUrl: env.BASE_URL }),
  };
}

export const tokensArea = defineArea({
  stored: [
    {
      title: 'API tokens',
      what: 'The name of a token, its first characters, a hash of it, its scopes, when it was created, used, rotated and revoked and why, and its number of requests. Allowed IP addresses are stored only as keyed hashes.',
      until: 'Until you delete the account; revoked tokens stay in your list.',
      tables: ['api_tokens'],
    },
    {
      title: 'Token usage',
      what: 'For each request with a token: method, path without query, status, duration and time; also hourly and daily totals. The response to a write with an Idempotency-Key is stored for a day, for retries. Requests without a token are only counted: one in ten, in hourly totals of the whole service.',
      until: 'Single requests for 30 days, at most the newest 10,000 per token; totals for 400 days, or until the account is deleted.',
      tables: ['usage_days'],
    },
  ],
  impersonalTables: ['usage_hours'],
  create({ env, environment, tokens, tokenFormat, usage, gate, mailer, scopes, budgetGroups, ports }) {
    return {
      ...createTokensArea({
        env,
        tokens,
        tokenFormat,
        usage,
        mailer,
        scopes,
        budgets: createTokenBudgets(gate, budgetGroups, environment.rateLimitScale),
        lastUse: async (tokenId) => (await gate.usageTotals(tokenId)).lastUsedAt,
        emailOf: (userId) => ports.accountEmail(userId),
        superusers: () => ports.superusers(),
        confirmSuperuser: (...input) => ports.confirmSuperuser(...input),
      }),
      accountData: {
        async delete(userId) {
          await tokens.deleteByAccount(userId);
          await usage.deleteByAccount(userId);
        },
      },
    };
  },
});
