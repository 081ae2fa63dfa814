import type { NextStep } from '../../../platform/durable/step-runner.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { DumpWrites } from '../changes/dumps.store.ts';
import { firstText } from '../derive/references.domain.ts';
import { selectLanguages } from '../languages/languages.domain.ts';
import type { TranslationWrites } from '../languages/translation-writes.store.ts';
import { PARSER_VERSION } from '../parse/codex-parse.domain.ts';
import type { CodexSource } from './codex-source.domain.ts';
import type { CodexWrites } from './codex-writes.store.ts';
import { type DumpStore, writeDump } from './dump-writer.service.ts';
import { createDeriver, type Deriver, parseNext } from './index-steps.service.ts';
import type { IndexStorage } from './index-storage.store.ts';

/** Dependencies of a build. */
export interface CodexIndexParts {
  source: CodexSource;
  writes: CodexWrites;
  translations: TranslationWrites;
  contents: DumpStore;
  dumps: DumpWrites;
  /** Configured public URL; may be empty. */
  baseUrl: string;
}

/**
 * Build in progress, as stored by the object. Step `next` translates into each language, then starts the build of a newer version if there
 * is one.
 */
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
  /** Language to translate in the step `next`; absent before the first. Other versions of the object ignore it. */
  language?: string;
}

const FILES_PER_LISTING = 5000;
const FILES_PER_PARSING = 200;
const ENTRIES_PER_STEP = 250;
const TRANSLATIONS_PER_STEP = 1000;

interface IndexStepDeps extends CodexIndexParts {
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
  let translator: { for: string; texts: ReadonlyMap<string, string> } | null = null;

  /** Caches texts and tables of the branch between steps while the object is in memory. */
  function getDeriver(run: IndexRun): Deriver {
    const key = `${run.ordinal}:${run.now}`;
    if (deriver?.for !== key) deriver = { for: key, deriver: createDeriver(deps) };
    return deriver.deriver;
  }

  /** Caches the texts of a language between steps while the object is in memory. */
  function getTexts(run: IndexRun, language: string): ReadonlyMap<string, string> {
    const key = `${run.ordinal}:${run.now}:${language}`;
    if (translator?.for !== key) translator = { for: key, texts: deps.storage.readTexts(language) };
    return translator.texts;
  }

  /** Translates the next entries, into one language after the other; null at the end. */
  async function translateNext(run: IndexRun): Promise<IndexRun | null> {
    const { branch, language } = run;
    const { indexed } = selectLanguages(deps.storage.listLanguages());
    if (language === undefined) {
      if (!(await deps.translations.assignSlots(branch, indexed))) return run;
      return indexed[0] === undefined ? null : { ...run, language: indexed[0] };
    }
    const entries = deps.storage.listKeys(run.after ?? '', TRANSLATIONS_PER_STEP);
    const last = entries.at(-1);
    if (last) {
      const texts = getTexts(run, language);
      const translate = (keys: readonly string[]) => firstText(keys, (key) => texts.get(key) ?? null);
      const rows = entries.map(({ path, keys }) => ({ path, name: translate(keys.name), description: translate(keys.description) }));
      await deps.translations.write(branch, language, rows);
      return { ...run, after: last.path };
    }
    translator = null;
    await deps.translations.complete(branch, language);
    const following = indexed[indexed.indexOf(language) + 1];
    return following === undefined ? null : { ...run, after: null, language: following };
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
      return { note: { ...run, step: 'next', after: null } };
    },

    async next(run) {
      const ofLanguage = await translateNext(run);
      if (ofLanguage) return { note: ofLanguage };
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
  storage.skipLanguages(selectLanguages(storage.listLanguages()).refused.map(({ code }) => code));
  return { ...run, step: 'parse', after: null };
}
