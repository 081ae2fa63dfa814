import type { AppDeps } from './app.ts';
import { createAdminArea } from './areas/admin/index.ts';
import type { CoordinatorParts } from './areas/events/coordinator.object.ts';
import { createEventHub, createEventsArea, shardNames } from './areas/events/index.ts';
import { createRotationsArea } from './areas/rotations/index.ts';
import { createServiceArea } from './areas/service/index.ts';
import { createAccessControl } from './platform/access/access-control.ts';
import { createTokenGate } from './platform/access/token-gate.ts';
import { createTokensRepository } from './platform/access/tokens.repository.ts';
import { readEnvironment } from './platform/environment.ts';
import { createIdempotency } from './platform/idempotency/idempotency.ts';
import { createRateLimiter } from './platform/rate-limits/rate-limiter.ts';
import { createJobsRepository } from './platform/schedule/jobs.repository.ts';
import { createScheduler, type Scheduler } from './platform/schedule/scheduler.ts';
import { createSettingsRepository } from './platform/settings/settings.repository.ts';
import { createSettingsCache } from './platform/settings/settings-cache.ts';
import { createDatabase } from './platform/storage/database.ts';
import { systemClock } from './platform/time/clock.ts';

/** The areas that own data, over the bindings, with what they offer to the rest: endpoints, jobs, event sources. */
function composeDataAreas(env: Env) {
  const db = createDatabase(env.DB);
  const settings = createSettingsCache(createSettingsRepository(db));
  const hub = createEventHub({ coordinators: env.EVENT_COORDINATOR, shards: env.EVENT_SHARDS, shardNames: shardNames(env) });
  const rotations = createRotationsArea({
    db,
    // Blueprints and icons are known once the codexes are; until then no item has any.
    itemArt: async () => ({ blueprint: null, imageUrl: null }),
    onCapture: hub.changed,
  });
  return { db, settings, hub, rotations, eventSources: [...rotations.eventSources] };
}

/** Builds everything the application needs from the bindings: the one place that sees every area. */
export function composeApp(env: Env): AppDeps & { scheduler: Scheduler } {
  const environment = readEnvironment(env);
  const { db, settings, hub, rotations, eventSources } = composeDataAreas(env);
  const events = createEventsArea({ hub, sources: eventSources, assets: env.ASSETS });
  const scheduler = createScheduler({ jobs: [...events.jobs], runs: createJobsRepository(db), settings });
  const admin = createAdminArea({ scheduler });
  const endpoints = [...rotations.endpoints, ...events.endpoints, ...admin.endpoints];
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
    scheduler,
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

/** What the event coordinator watches. */
export function composeCoordinator(env: Env): CoordinatorParts {
  const { eventSources, settings } = composeDataAreas(env);
  return { sources: eventSources, settings };
}
