import { waitUntil } from 'cloudflare:workers';
import type { createApp } from './app.ts';
import type { ComposedService } from './composition.ts';
import { OBJECT_REPEATS } from './object-repeats.ts';
import { setServiceContext } from './platform/area/service-context.ts';
import { setObjectRepeats } from './platform/durable/object-calls.ts';
import { setBackgroundKeepAlive } from './platform/kit/tasks.ts';

export { BackupObject } from './areas/backup/backup.object.ts';
export { CodexIndexObject } from './areas/codexes/indexer/codex-index.object.ts';
export { EventCoordinatorObject } from './areas/events/coordinator.object.ts';
export { EventShardObject } from './areas/events/shard.object.ts';
export { BoardsIngestObject } from './areas/leaderboards/ingest/ingest.object.ts';
export { ModDownloadsObject } from './areas/mods-catalog/downloads/downloads.object.ts';
export { ModsMirrorObject } from './areas/mods-catalog/mirror/mirror.object.ts';
export { ServiceStatusObject } from './areas/service-status/status.object.ts';
export { ArchiveSyncObject } from './areas/updates/sync/archive-sync.object.ts';
export { WebhookSenderObject } from './areas/webhooks/sending/sender.object.ts';
export { RateLimitObject } from './platform/access/limits/rate-limit.object.ts';
export { TokenGateObject } from './platform/access/tokens/token-gate.object.ts';
export { IdempotencyObject } from './platform/http/idempotency/idempotency.object.ts';

setBackgroundKeepAlive(waitUntil);
setObjectRepeats(OBJECT_REPEATS);
setServiceContext(async (env) => (await loadService(env)).context);

type RunningService = ComposedService & { app: ReturnType<typeof createApp> };

let service: RunningService | undefined;

/**
 * Creates the service on first use. All requests and Durable Objects of the isolate share it. The import is dynamic because an isolate
 * that runs only counters and gates needs no routes and schemas, which take most of the start-up time.
 */
async function loadService(env: Env): Promise<RunningService> {
  if (service) return service;
  const [{ composeApp }, { createApp }] = await Promise.all([import('./composition.ts'), import('./app.ts')]);
  // Another request may have created it during the import.
  if (!service) {
    const composed = composeApp(env);
    service = { ...composed, app: createApp(composed) };
  }
  return service;
}

/** Entry point of the Worker. */
export default {
  fetch(request, env, ctx) {
    return service ? service.app.fetch(request, env, ctx) : loadService(env).then(({ app }) => app.fetch(request, env, ctx));
  },

  async scheduled(controller, env, ctx) {
    const now = Math.floor(controller.scheduledTime / 1000);
    const { scheduler, ports } = await loadService(env);
    // Starts before the jobs and runs in parallel: the check must not wait for a job or for one of the six connections of an invocation.
    ctx.waitUntil(ports.checkService(now));
    ctx.waitUntil(scheduler.tick(now));
  },
} satisfies ExportedHandler<Env>;
