import { DurableObject } from 'cloudflare:workers';
import type { Branch } from '../../../game/branches.data.ts';
import { serviceContext } from '../../../platform/area/service-context.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type ArchiveSync, createArchiveSync, type SyncStart } from './archive-sync.service.ts';

/** Syncs one branch inside the service. The object is the lock; each alarm runs one step of the plan. */
export class ArchiveSyncObject extends DurableObject<Env> {
  #sync!: ArchiveSync;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const [context, { createArchiveSyncParts }] = await Promise.all([serviceContext(env), import('../index.ts')]);
      this.#sync = createArchiveSync({ ...createArchiveSyncParts(context), storage: ctx.storage, nowMs: Date.now });
    });
  }

  /** Probes the branch and starts a sync if there is a new build. Rethrows errors of the probe. See `ArchiveSync.start`. */
  start(branch: Branch, now: UnixSeconds, skipBackoff = false): Promise<SyncStart> {
    return this.#sync.start(branch, now, skipBackoff);
  }

  /** Whether a sync is in progress. */
  isRunning(): boolean {
    return this.#sync.isRunning();
  }

  override alarm(): Promise<void> {
    return this.#sync.alarm();
  }
}
