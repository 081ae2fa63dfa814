import { waitUntil } from 'cloudflare:workers';
import { createApp } from './app.ts';
import { CodexIndexBase } from './areas/codexes/indexer/codex-index.object.ts';
import { EventCoordinatorBase } from './areas/events/coordinator.object.ts';
import { EventShardBase } from './areas/events/shard.object.ts';
import { BoardsIngestBase } from './areas/leaderboards/ingest/ingest.object.ts';
import { ModsMirrorBase } from './areas/mods-catalog/mirror/mirror.object.ts';
import { ArchiveSyncBase } from './areas/updates/sync/archive-sync.object.ts';
import { WebhookSenderBase } from './areas/webhooks/delivery/sender.object.ts';
import { type ComposedService, composeApp } from './composition.ts';
import { setBackgroundKeepAlive } from './platform/background.ts';

export { ModDownloadsObject } from './areas/mods-catalog/downloads/downloads.object.ts';
export { ServiceStatusObject } from './areas/service-status/status.object.ts';
export { TokenGateObject } from './platform/access/tokens/token-gate.object.ts';
export { IdempotencyObject } from './platform/idempotency/idempotency.object.ts';
export { RateLimitObject } from './platform/rate-limits/rate-limit.object.ts';

setBackgroundKeepAlive(waitUntil);

/** Coordinates the event stream. */
export class EventCoordinatorObject extends EventCoordinatorBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.coordinatorParts();
  }
}

/** Writes the event stream to a share of the clients. */
export class EventShardObject extends EventShardBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.shardParts();
  }
}

/** Imports leaderboards and notifies the listeners of each capture. */
export class BoardsIngestObject extends BoardsIngestBase {
  protected override work(env: Env) {
    return serviceOf(env).ports.boardsIngestWork();
  }
}

/** Mirrors the community mods catalog. */
export class ModsMirrorObject extends ModsMirrorBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.modsMirrorParts();
  }
}

/** Archives the game files of one branch. */
export class ArchiveSyncObject extends ArchiveSyncBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.archiveSyncParts();
  }
}

/** Builds the codexes of one branch. */
export class CodexIndexObject extends CodexIndexBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.codexIndexParts();
  }
}

/** Posts events to a share of the webhooks. */
export class WebhookSenderObject extends WebhookSenderBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.webhookSender();
  }
}

type RunningService = ComposedService & { app: ReturnType<typeof createApp> };

let service: RunningService | undefined;

/** Creates the service on first use. All requests and Durable Objects of the isolate share it. */
function serviceOf(env: Env): RunningService {
  if (!service) {
    const composed = composeApp(env);
    service = { ...composed, app: createApp(composed) };
  }
  return service;
}

/** Entry point of the Worker. */
export default {
  fetch(request, env, ctx) {
    return serviceOf(env).app.fetch(request, env, ctx);
  },

  scheduled(controller, env, ctx) {
    const now = Math.floor(controller.scheduledTime / 1000);
    const { scheduler, ports } = serviceOf(env);
    // Starts before the jobs and runs in parallel: the check must not wait for a job or for one of the six connections of an invocation.
    ctx.waitUntil(ports.checkService(now));
    ctx.waitUntil(scheduler.tick(now));
  },
} satisfies ExportedHandler<Env>;
