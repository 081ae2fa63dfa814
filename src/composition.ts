import type { AppDeps } from './app.ts';
import { createRotationsArea } from './areas/rotations/index.ts';
import { createServiceArea } from './areas/service/index.ts';
import { createAccessControl } from './platform/access/access-control.ts';
import { createTokenGate } from './platform/access/token-gate.ts';
import { createTokensRepository } from './platform/access/tokens.repository.ts';
import { readEnvironment } from './platform/environment.ts';
import { createIdempotency } from './platform/idempotency/idempotency.ts';
import { createRateLimiter } from './platform/rate-limits/rate-limiter.ts';
import { createSettingsRepository } from './platform/settings/settings.repository.ts';
import { createSettingsCache } from './platform/settings/settings-cache.ts';
import { createDatabase } from './platform/storage/database.ts';
import { systemClock } from './platform/time/clock.ts';

/** Builds everything the application needs from the bindings: the one place that sees every area. */
export function composeApp(env: Env): AppDeps {
  const environment = readEnvironment(env);
  const db = createDatabase(env.DB);
  const settings = createSettingsCache(createSettingsRepository(db));
  const rotations = createRotationsArea({
    db,
    // Blueprints and icons are known once the codexes are; until then no item has any.
    itemArt: async () => ({ blueprint: null, imageUrl: null }),
    onCapture: async () => {},
  });
  const areas = [rotations];
  const endpoints = areas.flatMap((area) => area.endpoints);
  const service = createServiceArea({
    assets: env.ASSETS,
    areaEndpoints: endpoints,
    parts: Object.fromEntries(
      Object.entries(rotations.bodies).map(([name, body]) => [name, { ...body, scope: 'rotations:read' as const, isDefault: true }]),
    ),
    securityContact: env.SECURITY_CONTACT,
  });

  return {
    endpoints: [...service.endpoints, ...endpoints],
    settings,
    access: createAccessControl({
      gate: createTokenGate(env.TOKEN_GATES, createTokensRepository(db)),
      limiter: createRateLimiter(env.RATE_LIMITS),
      tokenPrefix: env.TOKEN_PREFIX,
      rateLimitScale: environment.rateLimitScale,
    }),
    idempotency: createIdempotency(env.IDEMPOTENCY),
    time: { clock: systemClock, acceptsTestClock: environment.isForTesting },
    baseUrl: env.BASE_URL,
    logsRequests: env.LOG_REQUESTS !== 'off',
  };
}
