import type { TokenGate } from '../../platform/access/tokens/token-gate.ts';
import { createTokenRateLimits } from '../../platform/access/tokens/token-rate-limits.ts';
import { defineArea, type Ports } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { createUsageJobs } from './usage.jobs.ts';
import { createUsageStore, type UsageStore } from './usage.store.ts';

/** Maximum number of requests in an account export, newest first. */
const MAX_EXPORTED_EVENTS = 20_000;

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** Records each finished request of a token. `waitUntil` extends work beyond the response. */
    recordRequest: TokenGate['recordRequest'];
    /** Usage of tokens and accounts. */
    usage: Pick<UsageStore, 'withTotals' | 'countByAccounts' | 'summarize'>;
    /** Imports the wire shape of the traffic of the service. */
    trafficShape(): Promise<Pick<typeof import('./usage.schemas.ts'), 'TrafficBody' | 'toTrafficBody'>>;
  }
}

/** Usage of tokens: `/v1/token/requests`, `/tokens/requests`, `/tokens/activity`, `/tokens/{id}/activity`, `/admin/activity`, `/admin/events`, `/admin/users/{id}/activity`. */
export const usageArea = defineArea({
  stored: [
    {
      title: 'Token usage',
      what: 'For each request with a token: method, path without query, status, error code, duration, time and request id, and of a refused request the rate limit; also hourly and daily totals. The response to a write with an Idempotency-Key is stored for a day, for retries. Requests without a token are only counted: one in ten, in hourly totals of the whole service.',
      until: 'Single requests for 30 days, at most the newest 10,000 per token; totals for 400 days, or until the account is deleted.',
    },
  ],
  create({ env, environment, db, gate, tokens, mailer, rateLimitGroups, ports }) {
    const usage = createUsageStore(db, gate);
    const rateLimits = createTokenRateLimits(gate, rateLimitGroups, environment.rateLimitScale);
    const recordRequest: Ports['recordRequest'] = (tokenId, record, waitUntil) => {
      // Reading the list of requests must not make it longer.
      if (record.route !== '/v1/token/requests') gate.recordRequest(tokenId, record, waitUntil);
    };
    return {
      endpoints: [
        lazyRoutes(['/v1/token', '/tokens', '/admin'], async () => {
          const { createOwnUsageEndpoints, createTokenRequestsEndpoint, createUsageAdminEndpoints } = await import('./usage.routes.ts');
          return [
            createTokenRequestsEndpoint(usage),
            ...createOwnUsageEndpoints(usage, tokens, rateLimits),
            ...createUsageAdminEndpoints(usage),
          ];
        }),
      ],
      jobs: createUsageJobs({ usage, mailer, superusers: () => ports.superusers(), appName: env.APP_NAME }),
      accountData: {
        async export(userId) {
          const { toUsageEventBody } = await import('./usage.schemas.ts');
          const events = await usage.listEvents({ userId }, { belowId: null }, MAX_EXPORTED_EVENTS);
          return { usage_events: events.map(toUsageEventBody) };
        },
        delete: usage.deleteByAccount,
      },
      provides: {
        usage,
        recordRequest,
        trafficShape: () => import('./usage.schemas.ts'),
      },
    };
  },
});
