import { DurableObject } from 'cloudflare:workers';
import type { Branch } from '../../../game/branches.data.ts';
import { serviceContext } from '../../../platform/area/service-context.ts';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { type NextStep, type RunnerStorage, StepRunner } from '../../../platform/durable/step-runner.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ArchiveSyncParts } from './archive-sync-parts.service.ts';
import { MalformedFileError, SourceFileMissingError } from './engine/build-files.domain.ts';
import type { SyncStart } from './engine/engine.service.ts';
import { LeaseLostError, type SyncStore } from './engine/sync.store.ts';

/** Syncs one branch inside the service. The object is the lock; each alarm runs one step of the plan. */
export class ArchiveSyncObject extends DurableObject<Env> {
  #sync!: ArchiveSync;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const [context, { createArchiveSyncParts }] = await Promise.all([serviceContext(env), import('./archive-sync-parts.service.ts')]);
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

/** Sync in progress, as stored by the object. */
export interface RunningSync {
  step: 'sync';
  branch: Branch;
  /** Start time passed to `start`, and start time by the wall clock. The current time is `startedAt` plus the elapsed wall clock time. */
  startedAt: UnixSeconds;
  startedRealAt: UnixSeconds;
}

interface ArchiveSyncDeps extends ArchiveSyncParts {
  storage: RunnerStorage;
  /** Wall clock in milliseconds. */
  nowMs(): number;
}

/** Sync of one branch inside the service: a probe, then one step per alarm until the version is complete. */
type ArchiveSync = ReturnType<typeof createArchiveSync>;

/** Longer than any step: each step renews the lease before it expires. */
const LEASE_SECONDS = 1800;
/** Few attempts: the next probe continues the version in progress. */
const POLICY: RetryPolicy = { tries: 4, firstPauseSeconds: 5, factor: 6, longestPauseSeconds: 120 };

export function createArchiveSync({ engine: engineOf, isEnabled, announcer, storage, nowMs }: ArchiveSyncDeps) {
  let isProbing = false;
  const wallClock = (): UnixSeconds => Math.floor(nowMs() / 1000);
  const instantOf = ({ startedAt, startedRealAt }: RunningSync): UnixSeconds => startedAt + wallClock() - startedRealAt;
  const runner = new StepRunner<RunningSync>(storage, {
    name: 'archive-sync',
    policy: POLICY,
    steps: { sync: step },
    onExhausted: (sync, error) => stop(engineOf(sync.branch).store, messageOf(error), instantOf(sync)),
    nowMs,
  });

  function lease(store: SyncStore): Promise<boolean> {
    return store.acquireLease(wallClock(), wallClock() + LEASE_SECONDS);
  }

  /** Records the error and releases the lease; the next probe continues the version in progress. */
  async function stop(store: SyncStore, message: string, now: UnixSeconds): Promise<void> {
    await store.recordFailure(message, now).catch((error: unknown) => logError('failed sync could not be recorded', error));
    await store.releaseLease();
  }

  async function probe(branch: Branch, now: UnixSeconds): Promise<SyncStart> {
    const { engine, store } = engineOf(branch);
    if (!(await lease(store))) return 'leased';
    try {
      const outcome = await engine.probe(now);
      if (outcome === 'planned') await runner.begin({ step: 'sync', branch, startedAt: now, startedRealAt: wallClock() });
      else await store.releaseLease();
      return outcome;
    } catch (error) {
      await stop(store, messageOf(error), now);
      throw error;
    }
  }

  /** A failed announcement does not fail the sync: the job `archive-announce` retries. */
  async function finish(store: SyncStore, isCompleted: boolean, now: UnixSeconds): Promise<void> {
    await store.releaseLease();
    if (isCompleted) await announcer.announce(now).catch((error: unknown) => logError('version event could not be published', error));
  }

  async function step(sync: RunningSync): Promise<NextStep<RunningSync>> {
    const { engine, store } = engineOf(sync.branch);
    const now = instantOf(sync);
    try {
      if (!(await lease(store))) return null;
      if (await isEnabled()) {
        const outcome = await engine.step(now);
        if (outcome.kind === 'working') return { note: sync };
        await finish(store, outcome.kind === 'completed', now);
      } else {
        await stop(store, 'archiver disabled', now);
      }
    } catch (error) {
      // Another worker continues the version: this one must neither retry nor record an error.
      if (error instanceof LeaseLostError) return null;
      // Retrying the step cannot repair an invalid or missing build: the next probe starts over.
      if (!(error instanceof MalformedFileError || error instanceof SourceFileMissingError)) throw error;
      logError('the build cannot be archived', error, { branch: sync.branch });
      await stop(store, messageOf(error), now);
    }
    return null;
  }

  return {
    isRunning: (): boolean => runner.note() !== null,
    alarm: (): Promise<void> => runner.alarm(),

    /** Probes, or continues a sync in progress; `skipBackoff` retries a failed step immediately. */
    async start(branch: Branch, now: UnixSeconds, skipBackoff: boolean = false): Promise<SyncStart> {
      if (isProbing) return 'running';
      isProbing = true;
      try {
        if (runner.note() === null) return await probe(branch, now);
        await runner.resume(skipBackoff);
        return 'running';
      } finally {
        isProbing = false;
      }
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
