import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import { defineArea } from '../../platform/area.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { Job } from '../../platform/schedule/job.ts';
import type { UsageRepository } from '../../platform/usage/usage.repository.ts';
import { createOwnTokenEndpoint } from './own-token.routes.ts';
import { createTokenBudgets, type TokenBudgets } from './token-budgets.ts';
import { createTokenAdminEndpoints } from './tokens.admin.routes.ts';
import { createTokenJobs } from './tokens.jobs.ts';
import { createTokenEndpoints } from './tokens.routes.ts';
import { createTokensService } from './tokens.service.ts';
import { createUsageAdminEndpoints } from './usage.admin.routes.ts';

export interface TokensAreaDeps {
  env: Env;
  tokens: TokenRegistry;
  usage: UsageRepository;
  mailer: Mailer;
  scopes: ScopeRegistry;
  budgets: TokenBudgets;
  /** Address of an account. */
  emailOf(userId: string): Promise<string | null>;
  /** Addresses of those who administer the service. */
  superusers(): Promise<string[]>;
}

/** API tokens as their owners see them: `/tokens`, and the work of each day on them. */
export function createTokensArea({ env, tokens, usage, mailer, scopes, budgets, emailOf, superusers }: TokensAreaDeps): {
  endpoints: Endpoint[];
  jobs: Job[];
} {
  const service = createTokensService({ tokens, mailer, scopes, emailOf, tokenPrefix: env.TOKEN_PREFIX, appName: env.APP_NAME });
  return {
    endpoints: [
      createOwnTokenEndpoint(scopes, budgets.schema),
      ...createTokenEndpoints(service, usage, scopes, budgets),
      ...createTokenAdminEndpoints(tokens, scopes),
      ...createUsageAdminEndpoints(usage),
    ],
    jobs: createTokenJobs({ tokens, usage, mailer, superusers, appName: env.APP_NAME, publicUrl: env.BASE_URL }),
  };
}

export const tokensArea = defineArea({
  stored: [
    {
      title: 'API tokens',
      what: 'The name you gave a token, its first characters, a hash of it, its scopes, when it was made, used, rotated and revoked and why, and how many requests it made. Allowed addresses are stored as keyed hashes, from which they cannot be read.',
      until: 'Until you delete the account; revoked ones stay in your list.',
      tables: ['api_tokens'],
    },
    {
      title: 'Use of tokens',
      what: 'For each request made with a token the method, the path without its query, the status, how long it took and when it was. Sums by hour and by day are made of these. The answer to a write that named an Idempotency-Key is kept for a day, to be repeated. Of requests without a token nothing is stored.',
      until: 'Single requests for 30 days, but only the newest 10,000 of a token; sums for 400 days, and no longer than the account.',
      tables: ['usage_days'],
    },
  ],
  create({ env, environment, tokens, usage, gate, mailer, scopes, budgetGroups, ports }) {
    return {
      ...createTokensArea({
        ...{ env, tokens, usage, mailer, scopes },
        budgets: createTokenBudgets(gate, budgetGroups, environment.rateLimitScale),
        emailOf: (userId) => ports.accountEmail(userId),
        superusers: () => ports.superusers(),
      }),
      accountData: {
        async delete(userId) {
          await tokens.removeOwner(userId);
          await usage.removeOwner(userId);
        },
      },
    };
  },
});
