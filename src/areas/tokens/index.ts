import { createTokenRateLimits } from '../../platform/access/tokens/token-rate-limits.ts';
import { defineArea, type Ports } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { createTokenJobs } from './tokens.jobs.ts';
import { createTokensService } from './tokens.service.ts';

/** `/tokens`: API tokens of an account, and the daily jobs on tokens. */
export const tokensArea = defineArea({
  stored: [
    {
      title: 'API tokens',
      what: 'The name of a token, its first characters, a hash of it, its scopes, when it was created, used, rotated and revoked and why, and its number of requests. Allowed IP addresses are stored only as keyed hashes.',
      until: 'Until you delete the account; revoked tokens stay in your list.',
    },
  ],
  create({ env, environment, tokens, tokenFormat, gate, mailer, scopes, rateLimitGroups, ports }) {
    const rateLimits = createTokenRateLimits(gate, rateLimitGroups, environment.rateLimitScale);
    const service = createTokensService({
      tokens,
      mailer,
      scopes,
      emailOf: (userId) => ports.accountEmail(userId),
      format: tokenFormat,
      appName: env.APP_NAME,
    });
    // Ports are complete only after all areas are created.
    const withTotals: Ports['usage']['withTotals'] = (rows) => ports.usage.withTotals(rows);
    const confirmSuperuser: Ports['confirmSuperuser'] = (...input) => ports.confirmSuperuser(...input);
    const lastUse = async (tokenId: string) => (await gate.usageTotals(tokenId)).lastUsedAt;
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
      accountData: { delete: tokens.deleteByAccount },
    };
  },
});
