import pMap from 'p-map';
import type { UnixSeconds } from '../../../../platform/kit/time/clock.ts';
import { type ContentStore, sha256Of } from '../../../../platform/storage/content-store.ts';
import { type BuildSource, checkLength, type ManifestEntry, parseManifest, parsePointer, readAll } from './build-files.domain.ts';
import { type ContentWriter, createContentWriter } from './content-writer.service.ts';
import type { SyncLimits } from './limits.data.ts';
import { stepDirectory } from './packed-files.service.ts';
import { planWork, type StoredFile } from './plan.domain.ts';
import type { CompletedVersion, OpenVersion, PlannedWork, SyncStore } from './sync.store.ts';

/** Result of a probe. `planned`: work or an incomplete version exists. */
export type ProbeOutcome = 'unpublished' | 'unchanged' | 'planned';

/** `running`: a sync of the branch is in progress. `leased`: another worker holds the lease. */
export type SyncStart = ProbeOutcome | 'running' | 'leased';

type StepOutcome = { kind: 'idle' } | { kind: 'working' } | { kind: 'completed'; version: CompletedVersion };

/**
 * Archives the builds of one branch in steps. All state is in the store: after a crash, another engine continues with the
 * next step.
 */
export type SyncEngine = ReturnType<typeof createSyncEngine>;

export interface SyncEngineDeps {
  source: BuildSource;
  store: SyncStore;
  contents: Pick<ContentStore, 'put' | 'putStream'>;
  limits: SyncLimits;
}

export function createSyncEngine({ source, store, contents, limits }: SyncEngineDeps) {
  const writer = createContentWriter({ store, contents, parallelWrites: limits.parallelWrites });
  const deps = { source, store, writer, limits };

  async function syncLooseFiles(open: PlannedVersion, group: readonly { position: number; entry: ManifestEntry }[]): Promise<void> {
    const entries = group.map(({ entry }) => entry);
    const stored = await storeLooseFiles(deps, open.contentPath, entries);
    const done = group.map(({ position }) => position);
    await store.storeResult({
      ordinal: open.ordinal,
      stored,
      removed: [],
      incompleteIndex: null,
      manifestSet: entries,
      manifestUnset: [],
      done,
    });
  }

  /** Runs one step of the first work item; consecutive loose files are one step. Returns whether the item is done. */
  async function runStep(open: PlannedVersion, work: readonly PlannedWork[]): Promise<boolean> {
    const first = work[0];
    if (!first) return true;
    const { position, item } = first;
    switch (item.kind) {
      case 'directory':
        return stepDirectory(deps, { contentPath: open.contentPath, ordinal: open.ordinal, position, item });
      case 'gone': {
        const removed = item.paths.map((path) => ({ path, archive: null }));
        await store.storeResult({
          ordinal: open.ordinal,
          stored: [],
          removed,
          incompleteIndex: null,
          manifestSet: [],
          manifestUnset: item.paths,
          done: [position],
        });
        return true;
      }
      case 'loose':
        await syncLooseFiles(open, leadingLoose(work));
        return true;
    }
  }

  return {
    /** Probes the branch and plans the work. */
    async probe(now: UnixSeconds): Promise<ProbeOutcome> {
      const abort = new AbortController();
      try {
        const text = await source.readPointer(abort.signal);
        if (text === null) {
          await store.recordUnpublished(now);
          return 'unpublished';
        }
        const pointer = parsePointer(text);
        const bytes = await source.readManifest(pointer, abort.signal);
        const manifestDigest = await sha256Of(bytes);
        const manifest = parseManifest(new TextDecoder().decode(bytes));
        const { versionTag } = manifest;
        const branch = await store.readBranch();
        const isKnown = branch.open === null && branch.manifestDigest === manifestDigest;
        const work = isKnown ? [] : planWork(manifest.entries, await store.readManifest());
        if (work.length === 0 && branch.open === null) {
          await store.recordUnchanged({ versionTag, manifestDigest }, now);
          return 'unchanged';
        }
        await store.beginVersion({ versionTag, contentPath: pointer.contentPath, manifestDigest, work }, now);
        return 'planned';
      } finally {
        abort.abort();
      }
    },

    /** Runs the next work item in bounded time and memory; the last step completes the version. */
    async step(now: UnixSeconds): Promise<StepOutcome> {
      const { open } = await store.readBranch();
      if (!isPlanned(open)) return { kind: 'idle' };
      const work = await store.listWork(limits.looseFiles);
      if (work.length > 0) {
        await runStep(open, work);
        return { kind: 'working' };
      }
      await store.rollUpDirectories(open.ordinal);
      return { kind: 'completed', version: await store.completeVersion(open.ordinal, now) };
    },

    /** Runs work items to completion; concurrent calls are allowed. */
    async runItems(work: readonly PlannedWork[]): Promise<void> {
      const { open } = await store.readBranch();
      if (!isPlanned(open)) return;
      const first = work[0]?.item.kind;
      if (first === 'loose') await runStep(open, work);
      else for (const item of work) while (!(await runStep(open, [item])));
    },
  };
}

type PlannedVersion = OpenVersion & { contentPath: string };

function isPlanned(open: OpenVersion | null): open is PlannedVersion {
  return open !== null && open.contentPath !== null;
}

/** Loose files at the start of the plan. */
function leadingLoose(work: readonly PlannedWork[]): { position: number; entry: ManifestEntry }[] {
  const group: { position: number; entry: ManifestEntry }[] = [];
  for (const { position, item } of work) {
    if (item.kind !== 'loose') break;
    group.push({ position, entry: item.entry });
  }
  return group;
}

interface LooseFilesDeps {
  source: BuildSource;
  writer: ContentWriter;
  limits: SyncLimits;
}

/** Downloads loose files into the bucket, small ones in batches. */
async function storeLooseFiles(
  { source, writer, limits }: LooseFilesDeps,
  contentPath: string,
  entries: readonly ManifestEntry[],
): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  const abort = new AbortController();
  let batch: LooseFile[] = [];
  const note = ({ path, size }: ManifestEntry, sha256: string) =>
    stored.push({ path, sha256, size, checksum: null, archive: null, archiveIndex: null });
  const storeBatch = async () => {
    const files = batch;
    batch = [];
    const hashes = await writer.store(files.map(({ entry, bytes }) => ({ path: entry.path, bytes, checksums: [] })));
    for (const [index, { entry }] of files.entries()) note(entry, hashes[index] ?? '');
  };
  const storeFile = async (entry: ManifestEntry) => {
    const open = async function* () {
      yield* checkLength(entry, await source.openFile(contentPath, entry, abort.signal));
    };
    if (entry.size > limits.maxInMemoryBytes)
      return note(entry, await writer.storeStream({ path: entry.path, size: entry.size, checksum: null, open }));
    batch.push({ entry, bytes: await readAll(open()) });
    const bytes = batch.reduce((sum, file) => sum + file.bytes.length, 0);
    if (batch.length >= limits.batchFiles || bytes >= limits.batchBytes) await storeBatch();
  };
  try {
    await pMap(entries, storeFile, { concurrency: limits.parallelDownloads });
    if (batch.length > 0) await storeBatch();
  } finally {
    abort.abort();
  }
  return stored;
}

interface LooseFile {
  entry: ManifestEntry;
  bytes: Uint8Array<ArrayBuffer>;
}
