import pMap from 'p-map';
import type { FileParse } from '../parse/codex-parse.domain.ts';
import { createMetricNameScanner } from '../parse/metric-names.domain.ts';
import { listParts, parseFile } from '../parse/parse-file.domain.ts';
import type { CodexSource } from './codex-source.ts';
import type { IndexStorage, UnparsedFile } from './index-storage.ts';

export interface ParseStepDeps {
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
  const parse = async (file: UnparsedFile) => storage.storeParse(file.path, file.sha256, await readAndParse(source, file));
  await pMap(files, parse, { concurrency: CONCURRENCY });
  return files.length > 0;
}

function limitToStep(files: readonly UnparsedFile[]): UnparsedFile[] {
  let bytes = 0;
  return files.filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= STEP_BYTES;
  });
}

async function readAndParse(source: CodexSource, { path, sha256, size }: UnparsedFile): Promise<FileParse> {
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
