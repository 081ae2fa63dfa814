import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { createContextBuilder } from '../derive/build-context.domain.ts';
import type { CodexContext } from '../derive/context.domain.ts';
import { deriveEntry } from '../derive/derive-entry.domain.ts';
import { deriveRelations } from '../derive/derive-relations.domain.ts';
import { entryKeysOf } from '../derive/references.domain.ts';
import {
  groupIntoUnits,
  parseUnitName,
  type Staged,
  type StagedRow,
  stageEntry,
  stageRemoved,
  stageUnit,
} from '../derive/staging.domain.ts';
import { selectLanguages } from '../languages.domain.ts';
import type { FileParse } from '../parse/codex-parse.domain.ts';
import { createMetricNameScanner } from '../parse/metric-names.domain.ts';
import { listParts, parseFile } from '../parse/parse-file.domain.ts';
import type { CodexSource, SourceFile } from './codex-source.domain.ts';
import type { CodexWrites } from './codex-writes.store.ts';
import type { IndexStorage } from './index-storage.store.ts';

interface ParseStepDeps {
  source: CodexSource;
  storage: IndexStorage;
}

/** Files read concurrently: the limit of connections of a Workers invocation. */
const CONCURRENCY = 6;
/** Maximum bytes of files per step, unless the first file is larger. */
const STEP_BYTES = 8 << 20;
/** Maximum size of a file to parse, except the executable, which is streamed. */
const MAX_PARSED_FILE_BYTES = 64 << 20;

/** Parses the next files without a cached parse; returns false if there are none. */
export async function parseNext({ source, storage }: ParseStepDeps, limit: number): Promise<boolean> {
  const files = limitToStep(storage.listUnparsed(limit));
  const parse = async (file: SourceFile) => storage.storeParse(file.path, file.sha256, await readAndParse(source, file));
  await pMap(files, parse, { concurrency: CONCURRENCY });
  return files.length > 0;
}

function limitToStep(files: readonly SourceFile[]): SourceFile[] {
  let bytes = 0;
  return files.filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= STEP_BYTES;
  });
}

async function readAndParse(source: CodexSource, { path, sha256, size }: SourceFile): Promise<FileParse> {
  if (listParts(path).includes('metricNames')) return scanExecutable(source, path, sha256);
  if (size > MAX_PARSED_FILE_BYTES) return { ...parseFile(path, new Uint8Array()), problem: `longer than ${MAX_PARSED_FILE_BYTES} bytes` };
  const bytes = await source.readContent(sha256);
  return bytes ? parseFile(path, bytes) : { ...parseFile(path, new Uint8Array()), problem: 'content is not stored' };
}

/** Scans the executable as a stream: it is too large for memory. */
async function scanExecutable(source: CodexSource, path: string, sha256: string): Promise<FileParse> {
  const scanner = createMetricNameScanner();
  const stream = await source.openContent(sha256);
  if (!stream) return { path, problem: 'content is not stored' };
  for await (const chunk of stream) scanner.push(chunk);
  return { path, problem: null, metricNames: scanner.names() };
}

/** Progress of a build. */
interface BuildPosition {
  branch: string;
  after: string | null;
  batch: number;
}

/** Derives all rows of a branch from its parses and stages the differences. */
export type Deriver = ReturnType<typeof createDeriver>;

interface DeriverDeps {
  storage: IndexStorage;
  writes: CodexWrites;
}

const PATHS_PER_QUERY = 5000;

export function createDeriver({ storage, writes }: DeriverDeps) {
  const { context, failures } = readContext(storage);
  const { indexed, refused } = selectLanguages(storage.listLanguages());
  const hasTranslations = indexed.length > 0;
  for (const { code, problem } of refused) failures.push({ path: `languages/${code}`, problem });

  return {
    /** Derives and stages a batch of entries; returns the last path, or null at the end. */
    async stageEntries({ branch, after, batch }: BuildPosition, limit: number): Promise<string | null> {
      const parses = storage.listEntryParses(after ?? '', limit);
      const last = parses.at(-1);
      if (!last) return null;
      const entries = parses.map((parse) => deriveEntry(parse, context)).filter((entry) => entry !== null);
      const paths = entries.map(({ entry }) => entry.path);
      const stored = await writes.findHashes(branch, paths);
      const staged: Staged = {};
      for (const derived of entries) {
        const hash = hashJson(derived);
        const storedHash = stored.get(derived.entry.path);
        if (storedHash !== hash) stageEntry(staged, derived, hash, storedHash === undefined ? 'added' : 'modified');
      }
      await writes.stageRows(branch, batch, staged);
      storage.markEntries(paths);
      if (hasTranslations) storage.storeKeys(entries.map(({ entry }) => ({ path: entry.path, keys: entryKeysOf(entry, context) })));
      return last.path;
    },

    /** After all entries: stages removed entries, rows from shared tables and decoding failures. */
    async stageRemaining({ branch, batch }: BuildPosition): Promise<void> {
      const staged: Staged = { failure: failures };
      for (let after = ''; ; ) {
        const page = await writes.listPaths(branch, after, PATHS_PER_QUERY);
        for (const entry of page) if (!storage.isEntry(entry.path)) stageRemoved(staged, entry);
        const last = page.at(-1);
        if (!last || page.length < PATHS_PER_QUERY) break;
        after = last.path;
      }
      const stored = await writes.listUnitHashes(branch);
      for (const unit of groupIntoUnits(deriveRelations(context))) {
        const hash = hashJson(unit.rows);
        if (stored.get(unit.unit) !== hash) stageUnit(staged, unit, hash);
        stored.delete(unit.unit);
      }
      for (const unit of stored.keys()) stageUnit(staged, { unit, ...parseUnitName(unit), rows: [] }, null);
      await writes.stageRows(branch, batch, staged);
    },
  };
}

function readContext(storage: IndexStorage): { context: CodexContext; failures: StagedRow[] } {
  const failures: StagedRow[] = [];
  const builder = createContextBuilder(storage.listContent());
  for (const parse of storage.listParses()) {
    builder.add(parse);
    if (parse.problem !== null) failures.push({ path: parse.path, problem: parse.problem });
  }
  return { context: builder.finish(), failures };
}

/** 128 bits are enough to detect changes of an entry. */
function hashJson(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
