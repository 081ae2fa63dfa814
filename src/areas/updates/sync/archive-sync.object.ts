import { DurableObject } from 'cloudflare:workers';
import type { Branch } from '../../../game/branches.data.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { type ArchiveSync, type ArchiveSyncParts, createArchiveSync, type SyncStart } from './archive-sync.ts';

/** Syncs one branch inside the service: the object is the lock, and each of its alarms does one step of the plan. */
export abstract class ArchiveSyncBase extends DurableObject<Env> {
  readonly #sync: ArchiveSync;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sync = createArchiveSync({ ...this.parts(env), storage: ctx.storage, nowMs: Date.now });
  }

  protected abstract parts(env: Env): ArchiveSyncParts;

  /** Looks at the branch, and goes to work when there is something new. Throws what the probe threw. See `ArchiveSync.start`. */
  start(branch: Branch, now: UnixSeconds, atOnce = false): Promise<SyncStart> {
    return this.#sync.start(branch, now, atOnce);
  }

  /** Whether a sync is under way. */
  isRunning(): boolean {
    return this.#sync.isRunning();
  }

  override alarm(): Promise<void> {
    return this.#sync.alarm();
  }
}
