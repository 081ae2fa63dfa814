import pMap from 'p-map';
import { type BuildSource, MalformedFileError, SourceFileMissingError } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { createSyncEngine, type ProbeOutcome, type SyncEngine } from '../../../src/areas/updates/sync/engine/engine.service.ts';
import { BULK_LIMITS } from '../../../src/areas/updates/sync/engine/limits.data.ts';
import {
  type CompletedVersion,
  LeaseLostError,
  type PlannedWork,
  type SyncStore,
} from '../../../src/areas/updates/sync/engine/sync.store.ts';
import type { ContentStore } from '../../../src/platform/storage/content-store.ts';
import { reasonOf } from '../steps.ts';

/** Progress of a bulk load. */
export interface BulkProgress {
  done: number;
  total: number;
  files: number;
  bytes: number;
}

export interface BulkSyncDeps {
  source: BuildSource;
  store: SyncStore;
  contents: Pick<ContentStore, 'put' | 'putStream'>;
  /** Packed directories processed in parallel. */
  parallel: number;
  now(): number;
  onProgress(progress: BulkProgress): void;
  signal?: AbortSignal;
}

export interface BulkResult {
  probe: ProbeOutcome;
  version: CompletedVersion | null;
}

const ATTEMPTS = 3;
const WHOLE_PLAN = 1_000_000;

/** Imports the newest build of a branch in parallel, with the same engine as the service. */
export async function bulkSync(deps: BulkSyncDeps): Promise<BulkResult> {
  const progress: BulkProgress = { done: 0, total: 0, files: 0, bytes: 0 };
  const { source, contents, now } = deps;
  const store = withProgress(deps.store, progress, deps.onProgress);
  const engine = createSyncEngine({ source, contents, store, limits: BULK_LIMITS });
  let isPlanned = false;
  try {
    const probe = await engine.probe(now());
    if (probe !== 'planned') return { probe, version: null };
    isPlanned = true;
    await performPlan(engine, await store.listWork(WHOLE_PLAN), progress, deps);
    const outcome = await engine.step(now());
    return { probe, version: outcome.kind === 'completed' ? outcome.version : null };
  } catch (error) {
    // Where the database failed, this fails too: the first error says more.
    if (!(error instanceof LeaseLostError)) await noteFailure(deps, isPlanned, error).catch(() => {});
    throw error;
  }
}

/** Records a failure, unless the version is complete and only the response was lost. */
async function noteFailure({ store, now }: BulkSyncDeps, isPlanned: boolean, error: unknown): Promise<void> {
  if (isPlanned && (await store.readBranch()).open === null) return;
  await store.recordFailure(reasonOf(error), now());
}

/** Runs the plan: removed files, then loose files, then directories; items of a kind in parallel. */
async function performPlan(engine: SyncEngine, plan: readonly PlannedWork[], progress: BulkProgress, deps: BulkSyncDeps): Promise<void> {
  progress.total = plan.length;
  for (const kind of ['gone', 'loose', 'directory'] as const) {
    const pieces = plan.filter(({ item }) => item.kind === kind);
    const groups = kind === 'loose' ? inGroups(pieces, BULK_LIMITS.looseFiles) : pieces.map((piece) => [piece]);
    const perform = async (group: PlannedWork[]) => {
      deps.signal?.throwIfAborted();
      await withRetries(() => engine.runItems(group));
      progress.done += group.length;
      deps.onProgress(progress);
    };
    await pMap(groups, perform, { concurrency: deps.parallel });
  }
}

/** Retries transient failures; not a faulty build or a lost lease. */
async function withRetries(work: () => Promise<void>): Promise<void> {
  for (let made = 1; ; made += 1) {
    try {
      return await work();
    } catch (error) {
      if (
        made >= ATTEMPTS ||
        error instanceof MalformedFileError ||
        error instanceof SourceFileMissingError ||
        error instanceof LeaseLostError
      )
        throw error;
    }
  }
}

/** Wraps a store to count what it stores. */
function withProgress(store: SyncStore, progress: BulkProgress, onProgress: (progress: BulkProgress) => void): SyncStore {
  return {
    ...store,
    async storeResult(result) {
      await store.storeResult(result);
      progress.files += result.stored.length;
      progress.bytes += result.stored.reduce((sum, { size }) => sum + size, 0);
      onProgress(progress);
    },
  };
}

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  const groups: Item[][] = [];
  for (let start = 0; start < items.length; start += size) groups.push(items.slice(start, start + size));
  return groups;
}
