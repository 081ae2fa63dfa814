import { joinBytes } from '../../../../platform/kit/values/bytes.ts';
import { MalformedFileError, type Pointer } from './build-files.domain.ts';
import type { ManifestEntry } from './plan.domain.ts';

/** The publisher's builds: a pointer per branch, a manifest per build, and files. Throws `SourceFileMissingError` for a missing file. */
export interface BuildSource {
  /** Text of the pointer of the branch; null while the branch is not published. */
  readPointer(signal: AbortSignal): Promise<string | null>;
  /** The manifest that the pointer names. */
  readManifest(pointer: Pointer, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** Streams a file of a build. */
  openFile(contentPath: string, entry: ManifestEntry, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** The file is not in the build, probably because a newer build replaced it. */
export class SourceFileMissingError extends Error {
  constructor(path: string) {
    super(`${path} no longer exists`);
    this.name = 'SourceFileMissingError';
  }
}

/** Yields the chunks of a file; throws `MalformedFileError` as soon as the length differs from that of the manifest. */
export async function* checkLength(entry: ManifestEntry, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > entry.size) throw new MalformedFileError(`${entry.path} is longer than the ${entry.size} bytes of the manifest`);
    yield chunk;
  }
  if (length < entry.size) throw new MalformedFileError(`${entry.path} has ${length} bytes instead of ${entry.size}`);
}

/** Reads a stream into memory. */
export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunkList: Uint8Array[] = [];
  for await (const chunk of chunks) chunkList.push(chunk);
  return joinBytes(chunkList);
}
