import type { Pointer } from './manifest.domain.ts';
import type { ManifestEntry } from './work.domain.ts';

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
