import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { PARSER_VERSION } from '../parse/codex-parse.domain.ts';
import type { CodexSource } from './codex-source.ts';
import type { CodexWrites } from './codex-writes.repository.ts';
import { createDeriver, type Deriver } from './derive-steps.ts';
import type { DumpStore } from './dump-writer.ts';
import { writeDump } from './dump-writer.ts';
import type { IndexMemory } from './index-memory.ts';
import { parseNext } from './parse-step.ts';

/** What a build needs from the rest of the service. */
export interface CodexIndexParts {
  source: CodexSource;
  writes: CodexWrites;
  dumps: DumpStore;
}

/** A build under way, as it outlives the memory of its object. Each phase begins again where it stopped. */
export interface IndexRun {
  branch: string;
  ordinal: number;
  parserVersion: number;
  /** The instant its rows bear. */
  now: UnixSeconds;
  phase: 'list' | 'parse' | 'derive' | 'sweep' | 'apply' | 'dump';
  /** Path up to which the phase is done; null: nothing yet. */
  after: string | null;
  /** Of staged rows. */
  step: number;
  /** Steps that failed in a row. */
  failures: number;
}

const FILES_PER_LISTING = 5000;
const FILES_PER_PARSING = 200;
const ENTRIES_PER_STEP = 250;

export interface IndexStepDeps extends CodexIndexParts {
  memory: IndexMemory;
}

/** A new build of a version, from the list of its files on. */
export function newRun(branch: string, ordinal: number, now: UnixSeconds): IndexRun {
  return { branch, ordinal, now, parserVersion: PARSER_VERSION, phase: 'list', after: null, step: 0, failures: 0 };
}

/** Does the next step of a build; null when there is none left. A step may be done again from its beginning at any time. */
export function createIndexSteps(deps: IndexStepDeps): (run: IndexRun) => Promise<IndexRun | null> {
  let deriver: { for: string; deriver: Deriver } | null = null;

  /** Texts and tables of the branch are kept between steps as long as the object lives. */
  function deriverOf(run: IndexRun): Deriver {
    const key = `${run.ordinal}:${run.now}`;
    if (deriver?.for !== key) deriver = { for: key, deriver: createDeriver(deps) };
    return deriver.deriver;
  }

  const phases: Record<IndexRun['phase'], (run: IndexRun) => Promise<IndexRun | null>> = {
    list: (run) => listFiles(deps, run),

    async parse(run) {
      if (await parseNext(deps, FILES_PER_PARSING)) return run;
      await deps.writes.clearStaged(run.branch);
      deps.memory.clearEntries();
      return { ...run, phase: 'derive', after: null, step: 1 };
    },

    async derive(run) {
      const after = await deriverOf(run).stageEntries(run, ENTRIES_PER_STEP);
      return after === null ? { ...run, phase: 'sweep', after: null, step: run.step + 1 } : { ...run, after, step: run.step + 1 };
    },

    async sweep(run) {
      await deriverOf(run).stageRest(run);
      return { ...run, phase: 'apply' };
    },

    async apply(run) {
      deriver = null;
      await deps.writes.apply(run);
      return { ...run, phase: 'dump' };
    },

    async dump(run) {
      await writeDump(deps, run.branch);
      return null;
    },
  };
  return (run) => phases[run.phase](run);
}

async function listFiles({ source, memory }: IndexStepDeps, run: IndexRun): Promise<IndexRun> {
  const files = await source.files(run.branch, run.ordinal, run.after, FILES_PER_LISTING);
  memory.take(files, run.ordinal);
  const last = files.at(-1);
  if (last && files.length >= FILES_PER_LISTING) return { ...run, after: last.path };
  memory.dropUnseen(run.ordinal);
  return { ...run, phase: 'parse', after: null };
}
