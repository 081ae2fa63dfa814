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

/** The event coordinator with the sources of every area. */
export class EventCoordinatorObject extends EventCoordinatorBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.coordinatorParts();
  }
}

/** A shard of the event stream, which makes snapshots of the sources of every area. */
export class EventShardObject extends EventShardBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.shardParts();
  }
}

/** The ingest of leaderboards with everything that follows from a capture. */
export class BoardsIngestObject extends BoardsIngestBase {
  protected override work(env: Env) {
    return serviceOf(env).ports.boardsIngestWork();
  }
}

/** The mirror of the community mods catalog. */
export class ModsMirrorObject extends ModsMirrorBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.modsMirrorParts();
  }
}

/** The archiver of a branch. */
export class ArchiveSyncObject extends ArchiveSyncBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.archiveSyncParts();
  }
}

/** The builder of the codexes of a branch. */
export class CodexIndexObject extends CodexIndexBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.codexIndexParts();
  }
}

/** One of the objects that post events to webhooks. */
export class WebhookSenderObject extends WebhookSenderBase {
  protected override parts(env: Env) {
    return serviceOf(env).ports.webhookSender();
  }
}

type RunningService = ComposedService & { app: ReturnType<typeof createApp> };

let service: RunningService | undefined;

/** Built on first use; lives as long as the isolate, whose objects and requests share it. */
function serviceOf(env: Env): RunningService {
  if (!service) {
    const composed = composeApp(env);
    service = { ...composed, app: createApp(composed) };
  }
  return service;
}

/** Entry of the Worker. */
export default {
  fetch(request, env, ctx) {
    return serviceOf(env).app.fetch(request, env, ctx);
  },

  scheduled(controller, env, ctx) {
    const now = Math.floor(controller.scheduledTime / 1000);
    const { scheduler, ports } = serviceOf(env);
    // Runs first and in parallel with the jobs: it must not wait for a job or for one of the six connections of an invocation.
    ctx.waitUntil(ports.checkService(now));
    ctx.waitUntil(scheduler.tick(now));
  },
} satisfies ExportedHandler<Env>;
