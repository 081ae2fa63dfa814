import { DurableObject } from 'cloudflare:workers';
import type { Branch } from '../../../game/branches.data.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type ArchiveSync, type ArchiveSyncParts, createArchiveSync, type SyncStart } from './archive-sync.ts';

/** Syncs one branch inside the service. The object is the lock; each alarm runs one step of the plan. */
export abstract class ArchiveSyncBase extends DurableObject<Env> {
  #sync!: ArchiveSync;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.#sync = createArchiveSync({ ...(await this.parts(env)), storage: ctx.storage, nowMs: Date.now });
    });
  }

  protected abstract parts(env: Env): Promise<ArchiveSyncParts>;

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
