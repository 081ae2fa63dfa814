import { joinBytes } from '../../../../platform/kit/values/bytes.ts';
import { MalformedFileError } from './malformed.domain.ts';
import type { ManifestEntry } from './work.domain.ts';

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
