import pMap from 'p-map';
import type { FileParse } from '../parse/codex-parse.domain.ts';
import { createMetricNameScanner } from '../parse/metric-names.domain.ts';
import { parseFile, partsOf } from '../parse/parse-file.domain.ts';
import type { CodexSource } from './codex-source.ts';
import type { IndexMemory, UnparsedFile } from './index-memory.ts';

export interface ParseStepDeps {
  source: CodexSource;
  memory: IndexMemory;
}

/** As many files are read at once as an invocation has connections. */
const CONCURRENCY = 6;
/** Bytes of a step, but for its first file. */
const STEP_BYTES = 8 << 20;
/** A file beyond this is none of the codexes', the executable excepted, which is never held. */
const MAX_PARSED_FILE_BYTES = 64 << 20;

/** Parses the next files whose content is not parsed yet; false when there are none. */
export async function parseNext({ source, memory }: ParseStepDeps, limit: number): Promise<boolean> {
  const files = withinBytes(memory.unparsed(limit));
  const parse = async (file: UnparsedFile) => memory.putParse(file.path, file.sha256, await parseStored(source, file));
  await pMap(files, parse, { concurrency: CONCURRENCY });
  return files.length > 0;
}

function withinBytes(files: readonly UnparsedFile[]): UnparsedFile[] {
  let bytes = 0;
  return files.filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= STEP_BYTES;
  });
}

async function parseStored(source: CodexSource, { path, sha256, size }: UnparsedFile): Promise<FileParse> {
  if (partsOf(path).includes('metricNames')) return scanExecutable(source, path, sha256);
  if (size > MAX_PARSED_FILE_BYTES) return { ...parseFile(path, new Uint8Array()), problem: `longer than ${MAX_PARSED_FILE_BYTES} bytes` };
  const bytes = await source.bytes(sha256);
  return bytes ? parseFile(path, bytes) : { ...parseFile(path, new Uint8Array()), problem: 'content is not stored' };
}

/** The executable is large: its names are found as it streams by. */
async function scanExecutable(source: CodexSource, path: string, sha256: string): Promise<FileParse> {
  const scanner = createMetricNameScanner();
  const stream = await source.open(sha256);
  if (!stream) return { path, problem: 'content is not stored' };
  for await (const chunk of stream) scanner.push(chunk);
  return { path, problem: null, metricNames: scanner.names() };
}
