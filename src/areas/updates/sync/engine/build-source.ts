import type { Pointer } from './manifest.domain.ts';
import type { ManifestEntry } from './work.domain.ts';

/** Where builds come from: three layers of plain files. Failures are thrown; a file that is not there is `SourceGone`. */
export interface BuildSource {
  /** Text of the branch's pointer; null while the branch is not published. */
  pointer(signal: AbortSignal): Promise<string | null>;
  /** The manifest that the pointer names. */
  manifest(pointer: Pointer, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** The bytes of a file of a build, as they come. */
  open(contentPath: string, entry: ManifestEntry, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** The build lacks the file: probably replaced by a newer build. */
export class SourceGone extends Error {
  constructor(what: string) {
    super(`${what} no longer exists`);
    this.name = 'SourceGone';
  }
}
