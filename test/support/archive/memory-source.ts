import { type BuildSource, SourceFileMissingError } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import type { Build } from './build.ts';

/** A source over an in-memory build; null: not published. Files arrive in chunks of `chunkBytes`. */
export function memorySource(current: () => Build | null, chunkBytes = 1000): BuildSource & { opened: string[] } {
  const opened: string[] = [];
  return {
    opened,
    readPointer: async () => current()?.pointer ?? null,
    async readManifest({ versionTag }) {
      const build = current();
      if (build?.versionTag !== versionTag) throw new SourceFileMissingError(`${versionTag}.manifest`);
      return Uint8Array.from(new TextEncoder().encode(build.manifest));
    },
    async openFile(contentPath, { path }) {
      const build = current();
      const bytes = build?.contentPath === contentPath ? build.files.get(path) : undefined;
      if (!bytes) throw new SourceFileMissingError(path);
      opened.push(path);
      return inChunks(bytes, chunkBytes);
    },
  };
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
