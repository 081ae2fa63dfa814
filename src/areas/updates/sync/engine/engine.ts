import { type ContentStore, sha256Of } from '../../../../platform/storage/content-store.ts';
import type { UnixSeconds } from '../../../../platform/time/clock.ts';
import type { BuildSource } from './build-source.ts';
import { stepDirectory } from './directory.ts';
import { createKeeper } from './keeper.ts';
import type { SyncLimits } from './limits.data.ts';
import { keepLooseFiles } from './loose-files.ts';
import { parseManifest, parsePointer } from './manifest.domain.ts';
import { planWork } from './plan.domain.ts';
import type { CompletedVersion, OpenVersion, PlannedWork, SyncStore } from './sync-store.repository.ts';
import type { ManifestEntry } from './work.domain.ts';

/** Result of a probe. `planned`: work or an incomplete version exists. */
export type ProbeOutcome = 'unpublished' | 'quiet' | 'planned';

export type StepOutcome = { kind: 'idle' } | { kind: 'working' } | { kind: 'completed'; version: CompletedVersion };

/**
 * Takes in the builds of one branch, step by step. Knows neither where it runs nor where things are stored. Everything it
 * has to remember is in the store: any number of steps may be lost, and another engine goes on where this one stopped.
 */
export interface SyncEngine {
  /** Probes the branch and plans the work. */
  probe(now: UnixSeconds): Promise<ProbeOutcome>;
  /** Does the next piece of work, in bounded time and memory; the last one completes the version. */
  step(now: UnixSeconds): Promise<StepOutcome>;
  /** Does pieces of the plan to their end, several of which may be under way at once. */
  perform(work: readonly PlannedWork[]): Promise<void>;
}

export interface SyncEngineDeps {
  source: BuildSource;
  store: SyncStore;
  contents: Pick<ContentStore, 'put' | 'putStream'>;
  limits: SyncLimits;
}

export function createSyncEngine({ source, store, contents, limits }: SyncEngineDeps): SyncEngine {
  const keeper = createKeeper({ store, contents, parallelWrites: limits.parallelWrites });
  const deps = { source, store, keeper, limits };

  async function takeLoose(open: PlannedVersion, group: readonly { position: number; entry: ManifestEntry }[]): Promise<void> {
    const entries = group.map(({ entry }) => entry);
    const stored = await keepLooseFiles(deps, open.contentPath, entries);
    const done = group.map(({ position }) => position);
    await store.take({ ordinal: open.ordinal, stored, removed: [], manifestSet: entries, manifestUnset: [], done });
  }

  /** Goes one step on with the first piece, and with the loose files that follow it; true when that is done. */
  async function advance(open: PlannedVersion, work: readonly PlannedWork[]): Promise<boolean> {
    const first = work[0];
    if (!first) return true;
    const { position, item } = first;
    switch (item.kind) {
      case 'directory':
        return stepDirectory(deps, { contentPath: open.contentPath, ordinal: open.ordinal, position, item });
      case 'gone': {
        const removed = item.paths.map((path) => ({ path, archive: null }));
        await store.take({ ordinal: open.ordinal, stored: [], removed, manifestSet: [], manifestUnset: item.paths, done: [position] });
        return true;
      }
      case 'loose':
        await takeLoose(open, leadingLoose(work));
        return true;
    }
  }

  return {
    async probe(now) {
      const abort = new AbortController();
      try {
        const text = await source.pointer(abort.signal);
        if (text === null) {
          await store.probed(now);
          return 'unpublished';
        }
        const pointer = parsePointer(text);
        const bytes = await source.manifest(pointer, abort.signal);
        const manifestDigest = await sha256Of(bytes);
        const manifest = parseManifest(new TextDecoder().decode(bytes));
        const { versionTag } = manifest;
        const branch = await store.branch();
        const isKnown = branch.open === null && branch.manifestDigest === manifestDigest;
        const work = isKnown ? [] : planWork(manifest.entries, await store.manifest());
        if (work.length === 0 && branch.open === null) {
          await store.quiet({ versionTag, manifestDigest }, now);
          return 'quiet';
        }
        await store.begin({ versionTag, contentPath: pointer.contentPath, manifestDigest, work }, now);
        return 'planned';
      } finally {
        abort.abort();
      }
    },

    async step(now) {
      const { open } = await store.branch();
      if (!isPlanned(open)) return { kind: 'idle' };
      const work = await store.work(limits.looseFiles);
      if (work.length > 0) {
        await advance(open, work);
        return { kind: 'working' };
      }
      await store.rollUp(open.ordinal);
      return { kind: 'completed', version: await store.complete(open.ordinal, now) };
    },

    async perform(work) {
      const { open } = await store.branch();
      if (!isPlanned(open)) return;
      const first = work[0]?.item.kind;
      if (first === 'loose') await advance(open, work);
      else for (const piece of work) while (!(await advance(open, [piece])));
    },
  };
}

type PlannedVersion = OpenVersion & { contentPath: string };

function isPlanned(open: OpenVersion | null): open is PlannedVersion {
  return open !== null && open.contentPath !== null;
}

/** The loose files at the beginning of a plan. */
function leadingLoose(work: readonly PlannedWork[]): { position: number; entry: ManifestEntry }[] {
  const group: { position: number; entry: ManifestEntry }[] = [];
  for (const { position, item } of work) {
    if (item.kind !== 'loose') break;
    group.push({ position, entry: item.entry });
  }
  return group;
}
