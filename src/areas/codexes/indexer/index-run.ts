import type { NextStep } from '../../../platform/durable/step-runner.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { DumpWrites } from '../changes/dumps.store.ts';
import { PARSER_VERSION } from '../parse/codex-parse.domain.ts';
import type { CodexSource } from './codex-source.ts';
import type { CodexWrites } from './codex-writes.repository.ts';
import { createDeriver, type Deriver } from './derive-steps.ts';
import type { DumpStore } from './dump-writer.ts';
import { writeDump } from './dump-writer.ts';
import type { IndexStorage } from './index-storage.ts';
import { parseNext } from './parse-step.ts';

/** Dependencies of a build. */
export interface CodexIndexParts {
  source: CodexSource;
  writes: CodexWrites;
  contents: DumpStore;
  dumps: DumpWrites;
  /** Configured public URL; may be empty. */
  baseUrl: string;
}

/** Build in progress, as stored by the object. Step `next` starts the build of a newer version if there is one. */
export interface IndexRun {
  branch: string;
  ordinal: number;
  parserVersion: number;
  /** Value of `indexed_at` for the rows of the build. */
  now: UnixSeconds;
  step: 'list' | 'parse' | 'derive' | 'sweep' | 'apply' | 'dump' | 'compare' | 'next';
  /** Last path processed by the step; null at its start. */
  after: string | null;
  /** Number of the next batch of staged rows. */
  batch: number;
}

const FILES_PER_LISTING = 5000;
const FILES_PER_PARSING = 200;
const ENTRIES_PER_STEP = 250;

export interface IndexStepDeps extends CodexIndexParts {
  storage: IndexStorage;
  /** Build of the newest version; null if it is indexed. */
  planNextBuild(run: IndexRun): Promise<IndexRun | null>;
}

/** First step of a build of a version. */
export function createRun(branch: string, ordinal: number, now: UnixSeconds): IndexRun {
  return { branch, ordinal, now, parserVersion: PARSER_VERSION, step: 'list', after: null, batch: 0 };
}

type Steps = Record<IndexRun['step'], (run: IndexRun) => Promise<NextStep<IndexRun>>>;

/** Steps of a build. Each step is idempotent. */
export function createIndexSteps(deps: IndexStepDeps): Steps {
  let deriver: { for: string; deriver: Deriver } | null = null;

  /** Caches texts and tables of the branch between steps while the object is in memory. */
  function getDeriver(run: IndexRun): Deriver {
    const key = `${run.ordinal}:${run.now}`;
    if (deriver?.for !== key) deriver = { for: key, deriver: createDeriver(deps) };
    return deriver.deriver;
  }

  return {
    list: async (run) => ({ note: await listFiles(deps, run) }),

    async parse(run) {
      if (await parseNext(deps, FILES_PER_PARSING)) return { note: run };
      await deps.writes.deleteStaged(run.branch);
      deps.storage.clearEntries();
      return { note: { ...run, step: 'derive', after: null, batch: 1 } };
    },

    async derive(run) {
      const after = await getDeriver(run).stageEntries(run, ENTRIES_PER_STEP);
      return { note: { ...run, step: after === null ? 'sweep' : 'derive', after, batch: run.batch + 1 } };
    },

    async sweep(run) {
      await getDeriver(run).stageRemaining(run);
      return { note: { ...run, step: 'apply' } };
    },

    async apply(run) {
      deriver = null;
      await deps.writes.applyBuild(run);
      return { note: { ...run, step: 'dump' } };
    },

    async dump(run) {
      await writeDump(deps, run);
      return { note: { ...run, step: 'compare' } };
    },

    async compare(run) {
      await deps.dumps.compare(run.branch, run.ordinal);
      return { note: { ...run, step: 'next' } };
    },

    async next(run) {
      const build = await deps.planNextBuild(run);
      return build && { note: build };
    },
  };
}

async function listFiles({ source, storage }: IndexStepDeps, run: IndexRun): Promise<IndexRun> {
  const files = await source.listFiles(run.branch, run.ordinal, run.after, FILES_PER_LISTING);
  storage.recordFiles(files, run.ordinal);
  const last = files.at(-1);
  if (last && files.length >= FILES_PER_LISTING) return { ...run, after: last.path };
  storage.deleteMissing(run.ordinal);
  return { ...run, step: 'parse', after: null };
}
