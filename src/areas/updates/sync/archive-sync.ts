import type { Branch } from '../../../game/branches.data.ts';
import { logError } from '../../../platform/logging.ts';
import type { Clock, UnixSeconds } from '../../../platform/time/clock.ts';
import type { Announcer } from './announcer.service.ts';
import { SourceGone } from './engine/build-source.ts';
import type { ProbeOutcome, SyncEngine } from './engine/engine.ts';
import { LeaseLost } from './engine/lease-lost.domain.ts';
import { Malformed } from './engine/malformed.domain.ts';
import type { SyncStore } from './engine/sync-store.repository.ts';

/** What syncing needs from the rest of the service; given by the composition. */
export interface ArchiveSyncParts {
  engine(branch: Branch): { engine: SyncEngine; store: SyncStore };
  /** Whether the archiver is switched on. */
  isEnabled(): Promise<boolean>;
  /** Tells everybody who follows the archive when a version became visible. */
  announcer: Announcer;
}

/** `running`: a sync of the branch goes on already. `held`: somebody else syncs it. */
export type SyncStart = ProbeOutcome | 'running' | 'held';

/** A sync under way, as it outlives the memory of its object. */
export interface RunningSync {
  branch: Branch;
  /** The clock of whoever started it, and real time then: instants are counted on from there. */
  startedAt: UnixSeconds;
  startedRealAt: UnixSeconds;
  /** Steps that failed in a row. */
  failures: number;
}

export interface ArchiveSyncDeps extends ArchiveSyncParts {
  realClock: Clock;
  /** Survives crashes. */
  memory: { get(): RunningSync | undefined; put(sync: RunningSync): void; forget(): void };
  /** Calls `step` later, surviving crashes. */
  alarm: { isSet(): Promise<boolean>; setIn(seconds: number): Promise<void> };
}

/** The sync of one branch inside the service: a probe, then a step with each alarm until the version is complete. */
export interface ArchiveSync {
  /** `atOnce` ends the pause after a failed step of a sync under way. */
  start(branch: Branch, now: UnixSeconds, atOnce?: boolean): Promise<SyncStart>;
  step(): Promise<void>;
  isRunning(): boolean;
}

/** Longer than any step: the branch stays with this sync as long as it goes on. */
const LEASE_SECONDS = 1800;
/** A step that failed is repeated after so long, so often. */
const PAUSES_SECONDS = [5, 30, 120];

export function createArchiveSync({ engine: engineOf, isEnabled, announcer, realClock, memory, alarm }: ArchiveSyncDeps): ArchiveSync {
  let isProbing = false;

  function lease(store: SyncStore): Promise<boolean> {
    return store.lease(realClock(), realClock() + LEASE_SECONDS);
  }

  async function goOn(sync: RunningSync, pauseSeconds: number): Promise<void> {
    memory.put(sync);
    await alarm.setIn(pauseSeconds);
  }

  /** Leaves the version in progress for the next probe. */
  async function stop(store: SyncStore, message: string, now: UnixSeconds): Promise<void> {
    memory.forget();
    await store.fail(message, now).catch((error: unknown) => logError('a failed sync could not be noted', error));
    await store.release();
  }

  async function probe(branch: Branch, now: UnixSeconds): Promise<SyncStart> {
    const { engine, store } = engineOf(branch);
    if (!(await lease(store))) return 'held';
    try {
      const outcome = await engine.probe(now);
      if (outcome === 'planned') await goOn({ branch, startedAt: now, startedRealAt: realClock(), failures: 0 }, 0);
      else await store.release();
      return outcome;
    } catch (error) {
      await stop(store, messageOf(error), now);
      throw error;
    }
  }

  /** A step that failed is repeated a few times, unless the build itself is at fault. */
  async function recover(sync: RunningSync, store: SyncStore, error: unknown, now: UnixSeconds): Promise<void> {
    if (error instanceof LeaseLost) return memory.forget();
    logError('a step of the archive failed', error, { branch: sync.branch });
    const pause = error instanceof Malformed || error instanceof SourceGone ? undefined : PAUSES_SECONDS[sync.failures];
    if (pause === undefined) await stop(store, messageOf(error), now);
    else await goOn({ ...sync, failures: sync.failures + 1 }, pause);
  }

  /** The version is there whether or not telling of it works; a job does it again. */
  async function finish(store: SyncStore, isCompleted: boolean, now: UnixSeconds): Promise<void> {
    memory.forget();
    await store.release();
    if (isCompleted) await announcer.announce(now).catch((error: unknown) => logError('a version could not be announced', error));
  }

  return {
    isRunning: () => memory.get() !== undefined,

    async start(branch, now, atOnce = false) {
      if (isProbing) return 'running';
      isProbing = true;
      try {
        if (!memory.get()) return await probe(branch, now);
        // One that the platform gave up is set anew.
        if (atOnce || !(await alarm.isSet())) await alarm.setIn(0);
        return 'running';
      } finally {
        isProbing = false;
      }
    },

    async step() {
      const sync = memory.get();
      if (!sync) return;
      const { engine, store } = engineOf(sync.branch);
      const now = sync.startedAt + realClock() - sync.startedRealAt;
      try {
        if (!(await lease(store))) throw new LeaseLost(sync.branch);
        if (!(await isEnabled())) return await stop(store, 'the archiver was switched off', now);
        const outcome = await engine.step(now);
        if (outcome.kind === 'working') await goOn({ ...sync, failures: 0 }, 0);
        else await finish(store, outcome.kind === 'completed', now);
      } catch (error) {
        await recover(sync, store, error, now);
      }
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
