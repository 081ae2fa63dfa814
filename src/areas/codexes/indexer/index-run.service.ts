import { createHash } from 'node:crypto';
import { modelImagePath } from '../../../game/model-image.ts';
import type { NextStep } from '../../../platform/durable/step-runner.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ContentStore } from '../../../platform/storage/content-store.ts';
import type { DumpWrites } from '../changes/dumps.store.ts';
import { type CodexEntryRow, entryFields } from '../codex-rows.domain.ts';
import { type DisplayKeys, firstText } from '../derive/references.domain.ts';
import type { Translation, TranslationWrites } from '../languages/translations.store.ts';
import { selectLanguages } from '../languages.domain.ts';
import { PARSER_VERSION } from '../parse/codex-parse.domain.ts';
import { type ClassFigureStore, writeClassFigures } from './class-figures.service.ts';
import type { CodexSource } from './codex-source.domain.ts';
import type { CodexWrites } from './codex-writes.store.ts';
import { createDeriver, type Deriver, parseNext } from './index-steps.service.ts';
import type { IndexStorage } from './index-storage.store.ts';

/** Dependencies of a build. */
export interface CodexIndexParts {
  source: CodexSource;
  writes: CodexWrites;
  translations: TranslationWrites;
  contents: Pick<ContentStore, 'putStream'>;
  dumps: DumpWrites;
  classFigures: ClassFigureStore;
  /** Configured public URL, for `image_url`; empty: `image_url` is a path. */
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
      await deps.translations.write(
        branch,
        language,
        entries.map(({ path, keys }) => toTranslation(path, keys, translate)),
      );
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
      // A build that this one replaced may have staged rows, whose batches have the same numbers.
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
      await writeClassFigures(deps, run.branch);
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

/** Texts of an entry in a language. Other names without a translation stay in English, unless nothing is translated. */
function toTranslation(path: string, keys: DisplayKeys, translate: (keys: readonly string[]) => string | null): Translation {
  const [name, description] = [translate(keys.name), translate(keys.description)];
  const others = (keys.others ?? []).map((other) => ({ english: other.name, text: translate(other.keys) }));
  const isTranslated = name !== null || description !== null || others.some(({ text }) => text !== null);
  return { path, name, description, otherNames: isTranslated ? others.map(({ english, text }) => text ?? english) : [] };
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

const ENTRIES_PER_PAGE = 500;
const encoder = new TextEncoder();

/**
 * Stores all entries of a branch as JSON Lines, by path in byte order. A line is the entry of a list without `indexed_at`: equal
 * codexes have equal dumps, and an old dump with the changed entries is the new dump. Streams the entries twice: for the hash, which is the storage key, then to store.
 */
export async function writeDump(
  { writes, contents, dumps, baseUrl }: Pick<CodexIndexParts, 'writes' | 'contents' | 'dumps' | 'baseUrl'>,
  { branch, ordinal, now }: { branch: string; ordinal: number; now: UnixSeconds },
): Promise<void> {
  const readLines = () => readPages(writes, branch, (row) => toLine(row, baseUrl, branch));
  const hash = createHash('sha256');
  let size = 0;
  for await (const page of readLines()) {
    hash.update(page);
    size += page.length;
  }
  const sha256 = hash.digest('hex');
  const pages = readLines();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  // The content before the row that names it: a crash in between leaves an object that the repeat overwrites with the same bytes.
  await contents.putStream({ sha256, size, body });
  await dumps.record(branch, ordinal, { sha256, size }, now);
}

async function* readPages(writes: CodexWrites, branch: string, lineOf: (row: CodexEntryRow) => string): AsyncGenerator<Uint8Array> {
  for (let after = ''; ; ) {
    const page = await writes.listEntries(branch, after, ENTRIES_PER_PAGE);
    if (page.length > 0) yield encoder.encode(page.map(lineOf).join(''));
    const last = page.at(-1);
    if (!last || page.length < ENTRIES_PER_PAGE) return;
    after = last.path;
  }
}

/** Inserts `data`, which is stored as JSON, without parsing it. */
function toLine(row: CodexEntryRow, baseUrl: string, branch: string): string {
  const path = modelImagePath(row.blueprint, branch);
  const fields = { ...entryFields(row), image_url: path === null ? null : baseUrl + path };
  return `${JSON.stringify(fields).slice(0, -1)},"data":${row.data}}\n`;
}
