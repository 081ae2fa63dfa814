import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { TokenFormat } from '../../platform/access/tokens/token-format.ts';
import { createTokenRateLimits, type TokenRateLimits } from '../../platform/access/tokens/token-rate-limits.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import { defineArea, type Ports } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { lazyRoutes, type Routes } from '../../platform/http/pipeline/route-groups.ts';
import type { ServiceEnv } from '../../platform/settings/variables.data.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import { createTokenJobs, type TokenJobsDeps } from './tokens.jobs.ts';
import { createTokensService } from './tokens.service.ts';

interface TokensAreaDeps {
  env: ServiceEnv;
  tokens: TokenRegistry;
  tokenFormat: TokenFormat;
  /** Adds the totals of the objects to rows of tokens. */
  withTotals: Ports['usage']['withTotals'];
  mailer: Mailer;
  scopes: ScopeRegistry;
  rateLimits: TokenRateLimits;
  /** Email address of an account; null when the account does not exist. */
  emailOf(userId: string): Promise<string | null>;
  lastUse: TokenJobsDeps['lastUse'];
  confirmSuperuser: Ports['confirmSuperuser'];
}

/** `/tokens`: API tokens of an account, and the daily jobs on tokens. */
function createTokensArea({
  env,
  tokens,
  tokenFormat,
  withTotals,
  mailer,
  scopes,
  rateLimits,
  lastUse,
  emailOf,
  confirmSuperuser,
}: TokensAreaDeps): {
  endpoints: Routes[];
  jobs: Job[];
} {
  const service = createTokensService({ tokens, mailer, scopes, emailOf, format: tokenFormat, appName: env.APP_NAME });
  return {
    endpoints: [
      lazyRoutes(['/v1/token', '/tokens', '/admin'], async () => {
        const [{ createOwnTokenEndpoint }, { createTokenAdminEndpoints }, { createTokenEndpoints }] = await Promise.all([
          import('./own-token.routes.ts'),
          import('./tokens.admin.routes.ts'),
          import('./tokens.routes.ts'),
        ]);
        return [
          createOwnTokenEndpoint(scopes, rateLimits),
          ...createTokenEndpoints(service, withTotals, scopes, confirmSuperuser),
          ...createTokenAdminEndpoints(tokens, withTotals, scopes),
        ];
      }),
    ],
    jobs: createTokenJobs({ tokens, mailer, lastUse, appName: env.APP_NAME, publicUrl: env.BASE_URL }),
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
  ],
  create({ env, environment, tokens, tokenFormat, gate, mailer, scopes, rateLimitGroups, ports }) {
    return {
      ...createTokensArea({
        env,
        tokens,
        tokenFormat,
        withTotals: (rows) => ports.usage.withTotals(rows),
        mailer,
        scopes,
        rateLimits: createTokenRateLimits(gate, rateLimitGroups, environment.rateLimitScale),
        lastUse: async (tokenId) => (await gate.usageTotals(tokenId)).lastUsedAt,
        emailOf: (userId) => ports.accountEmail(userId),
        confirmSuperuser: (...input) => ports.confirmSuperuser(...input),
      }),
      accountData: { delete: tokens.deleteByAccount },
    };
  },
});
