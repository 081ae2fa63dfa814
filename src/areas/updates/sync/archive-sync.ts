import type { Branch } from '../../../game/branches.data.ts';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { type NextStep, type RunnerStorage, StepRunner } from '../../../platform/durable/step-runner.ts';
import { logError } from '../../../platform/logging.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { Announcer } from './announcer.service.ts';
import { SourceGone } from './engine/build-source.ts';
import type { ProbeOutcome, SyncEngine } from './engine/engine.ts';
import { LeaseLost } from './engine/lease-lost.domain.ts';
import { Malformed } from './engine/malformed.domain.ts';
import type { SyncStore } from './engine/sync-store.repository.ts';

/** Dependencies of a sync, provided by the composition. */
export interface ArchiveSyncParts {
  engine(branch: Branch): { engine: SyncEngine; store: SyncStore };
  /** Whether the archiver is switched on. */
  isEnabled(): Promise<boolean>;
  /** Notifies followers when a version becomes visible. */
  announcer: Announcer;
}

/** `running`: a sync of the branch is in progress. `held`: another worker holds the lease. */
export type SyncStart = ProbeOutcome | 'running' | 'held';

/** A sync under way, as it outlives the memory of its object. */
export interface RunningSync {
  step: 'sync';
  branch: Branch;
  /** The clock of whoever started it, and real time then: instants are counted on from there. */
  startedAt: UnixSeconds;
  startedRealAt: UnixSeconds;
}

export interface ArchiveSyncDeps extends ArchiveSyncParts {
  storage: RunnerStorage;
  /** Real time in milliseconds. */
  nowMs(): number;
}

/** The sync of one branch inside the service: a probe, then a step with each alarm until the version is complete. */
export interface ArchiveSync {
  /** `atOnce` ends the pause after a failed step of a sync under way. */
  start(branch: Branch, now: UnixSeconds, atOnce?: boolean): Promise<SyncStart>;
  alarm(): Promise<void>;
  isRunning(): boolean;
}

/** Longer than any step: the branch stays with this sync as long as it goes on. */
const LEASE_SECONDS = 1800;
const POLICY: RetryPolicy = { tries: 4, firstPauseSeconds: 5, factor: 6, longestPauseSeconds: 120 };

export function createArchiveSync({ engine: engineOf, isEnabled, announcer, storage, nowMs }: ArchiveSyncDeps): ArchiveSync {
  let isProbing = false;
  const realClock = (): UnixSeconds => Math.floor(nowMs() / 1000);
  const instantOf = ({ startedAt, startedRealAt }: RunningSync): UnixSeconds => startedAt + realClock() - startedRealAt;
  const runner = new StepRunner<RunningSync>(storage, {
    name: 'archive-sync',
    policy: POLICY,
    steps: { sync: step },
    onExhausted: (sync, error) => stop(engineOf(sync.branch).store, messageOf(error), instantOf(sync)),
    nowMs,
  });

  function lease(store: SyncStore): Promise<boolean> {
    return store.lease(realClock(), realClock() + LEASE_SECONDS);
  }

  /** Leaves the version in progress for the next probe. */
  async function stop(store: SyncStore, message: string, now: UnixSeconds): Promise<void> {
    await store.fail(message, now).catch((error: unknown) => logError('failed sync could not be recorded', error));
    await store.release();
  }

  async function probe(branch: Branch, now: UnixSeconds): Promise<SyncStart> {
    const { engine, store } = engineOf(branch);
    if (!(await lease(store))) return 'held';
    try {
      const outcome = await engine.probe(now);
      if (outcome === 'planned') await runner.begin({ step: 'sync', branch, startedAt: now, startedRealAt: realClock() });
      else await store.release();
      return outcome;
    } catch (error) {
      await stop(store, messageOf(error), now);
      throw error;
    }
  }

  /** The version is there whether or not telling of it works; a job does it again. */
  async function finish(store: SyncStore, isCompleted: boolean, now: UnixSeconds): Promise<void> {
    await store.release();
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
        await stop(store, 'the archiver was disabled', now);
      }
    } catch (error) {
      if (error instanceof LeaseLost) return null;
      // An invalid or missing build does not recover by itself: the next probe retries.
      if (!(error instanceof Malformed || error instanceof SourceGone)) throw error;
      logError('the build cannot be archived', error, { branch: sync.branch });
      await stop(store, messageOf(error), now);
    }
    return null;
  }

  return {
    isRunning: () => runner.note() !== null,
    alarm: () => runner.alarm(),

    async start(branch, now, atOnce = false) {
      if (isProbing) return 'running';
      isProbing = true;
      try {
        if (runner.note() === null) return await probe(branch, now);
        await runner.resume(atOnce);
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
