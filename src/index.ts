import { waitUntil } from 'cloudflare:workers';
import type { createApp } from './app.ts';
import { BackupBase } from './areas/backup/backup.object.ts';
import { CodexIndexBase } from './areas/codexes/indexer/codex-index.object.ts';
import { EventCoordinatorBase } from './areas/events/coordinator.object.ts';
import { EventShardBase } from './areas/events/shard.object.ts';
import { BoardsIngestBase } from './areas/leaderboards/ingest/ingest.object.ts';
import { ModsMirrorBase } from './areas/mods-catalog/mirror/mirror.object.ts';
import { ArchiveSyncBase } from './areas/updates/sync/archive-sync.object.ts';
import { WebhookSenderBase } from './areas/webhooks/delivery/sender.object.ts';
import type { ComposedService } from './composition.ts';
import { setBackgroundKeepAlive } from './platform/kit/background.ts';

export { ModDownloadsObject } from './areas/mods-catalog/downloads/downloads.object.ts';
export { ServiceStatusObject } from './areas/service-status/status.object.ts';
export { RateLimitObject } from './platform/access/limits/rate-limit.object.ts';
export { TokenGateObject } from './platform/access/tokens/token-gate.object.ts';
export { IdempotencyObject } from './platform/http/idempotency/idempotency.object.ts';

setBackgroundKeepAlive(waitUntil);

/** Coordinates the event stream. */
export class EventCoordinatorObject extends EventCoordinatorBase {
  protected override async parts(env: Env) {
    return (await loadService(env)).ports.coordinatorParts();
  }
}

/** Writes the event stream to a share of the clients. */
export class EventShardObject extends EventShardBase {
  protected override async parts(env: Env) {
    return (await loadService(env)).ports.shardParts();
  }
}

/** Imports leaderboards and notifies the listeners of each capture. */
export class BoardsIngestObject extends BoardsIngestBase {
  protected override async work(env: Env) {
    return (await loadService(env)).ports.boardsIngestWork();
  }
}

/** Mirrors the community mods catalog. */
export class ModsMirrorObject extends ModsMirrorBase {
  protected override async parts(env: Env) {
    return (await loadService(env)).ports.modsMirrorParts();
  }
}

/** Archives the game files of one branch. */
export class ArchiveSyncObject extends ArchiveSyncBase {
  protected override async parts(env: Env) {
    return (await loadService(env)).ports.archiveSyncParts();
  }
}

/** Builds the codexes of one branch. */
export class CodexIndexObject extends CodexIndexBase {
  protected override async parts(env: Env) {
    return (await loadService(env)).ports.codexIndexParts();
  }
}

/** Posts events to a share of the webhooks. */
export class WebhookSenderObject extends WebhookSenderBase {
  protected override async parts(env: Env) {
    return (await loadService(env)).ports.webhookSender();
  }
}

/** Writes backups of the database. */
export class BackupObject extends BackupBase {
  protected override async parts(env: Env) {
    return (await loadService(env)).ports.backupParts();
  }
}

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
