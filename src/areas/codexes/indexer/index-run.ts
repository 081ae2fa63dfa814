import type { NextStep } from '../../../platform/durable/step-runner.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { PARSER_VERSION } from '../parse/codex-parse.domain.ts';
import type { CodexSource } from './codex-source.ts';
import type { CodexWrites } from './codex-writes.repository.ts';
import { createDeriver, type Deriver } from './derive-steps.ts';
import type { DumpStore } from './dump-writer.ts';
import { writeDump } from './dump-writer.ts';
import type { IndexMemory } from './index-memory.ts';
import { parseNext } from './parse-step.ts';

/** Dependencies of a build. */
export interface CodexIndexParts {
  source: CodexSource;
  writes: CodexWrites;
  dumps: DumpStore;
}

/** A build under way, as it outlives the memory of its object. `next`: begins the build of a newer version if there is one. */
export interface IndexRun {
  branch: string;
  ordinal: number;
  parserVersion: number;
  /** The instant its rows bear. */
  now: UnixSeconds;
  step: 'list' | 'parse' | 'derive' | 'sweep' | 'apply' | 'dump' | 'next';
  /** Path up to which the step is done; null: nothing yet. */
  after: string | null;
  /** Number of the next batch of staged rows. */
  batch: number;
}

const FILES_PER_LISTING = 5000;
const FILES_PER_PARSING = 200;
const ENTRIES_PER_STEP = 250;

export interface IndexStepDeps extends CodexIndexParts {
  memory: IndexMemory;
  /** The build of a version newer than the indexed one; null when there is none. */
  newerBuild(run: IndexRun): Promise<IndexRun | null>;
}

/** A new build of a version, from the list of its files on. */
export function newRun(branch: string, ordinal: number, now: UnixSeconds): IndexRun {
  return { branch, ordinal, now, parserVersion: PARSER_VERSION, step: 'list', after: null, batch: 0 };
}

type Steps = Record<IndexRun['step'], (run: IndexRun) => Promise<NextStep<IndexRun>>>;

/** The steps of a build. A step may run again from its beginning at any time. */
export function createIndexSteps(deps: IndexStepDeps): Steps {
  let deriver: { for: string; deriver: Deriver } | null = null;

  /** Texts and tables of the branch are kept between steps as long as the object lives. */
  function deriverOf(run: IndexRun): Deriver {
    const key = `${run.ordinal}:${run.now}`;
    if (deriver?.for !== key) deriver = { for: key, deriver: createDeriver(deps) };
    return deriver.deriver;
  }

  return {
    list: async (run) => ({ note: await listFiles(deps, run) }),

    async parse(run) {
      if (await parseNext(deps, FILES_PER_PARSING)) return { note: run };
      await deps.writes.clearStaged(run.branch);
      deps.memory.clearEntries();
      return { note: { ...run, step: 'derive', after: null, batch: 1 } };
    },

    async derive(run) {
      const after = await deriverOf(run).stageEntries(run, ENTRIES_PER_STEP);
      return { note: { ...run, step: after === null ? 'sweep' : 'derive', after, batch: run.batch + 1 } };
    },

    async sweep(run) {
      await deriverOf(run).stageRest(run);
      return { note: { ...run, step: 'apply' } };
    },

    async apply(run) {
      deriver = null;
      await deps.writes.apply(run);
      return { note: { ...run, step: 'dump' } };
    },

    async dump(run) {
      await writeDump(deps, run.branch);
      return { note: { ...run, step: 'next' } };
    },

    async next(run) {
      const build = await deps.newerBuild(run);
      return build && { note: build };
    },
  };
}

async function listFiles({ source, memory }: IndexStepDeps, run: IndexRun): Promise<IndexRun> {
  const files = await source.files(run.branch, run.ordinal, run.after, FILES_PER_LISTING);
  memory.take(files, run.ordinal);
  const last = files.at(-1);
  if (last && files.length >= FILES_PER_LISTING) return { ...run, after: last.path };
  memory.dropUnseen(run.ordinal);
  return { ...run, step: 'parse', after: null };
}
