import { joinBytes } from '../../../../platform/values/bytes.ts';
import { Malformed } from './malformed.domain.ts';
import type { ManifestEntry } from './work.domain.ts';

/** Passes a file on and throws `Malformed` as soon as its length cannot be that of the manifest any more. */
export async function* ofStatedLength(entry: ManifestEntry, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > entry.size) throw new Malformed(`${entry.path} is longer than the ${entry.size} bytes of the manifest`);
    yield chunk;
  }
  if (length < entry.size) throw new Malformed(`${entry.path} has ${length} bytes instead of ${entry.size}`);
}

/** The whole of a stream in memory. */
export async function gathered(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return joinBytes(parts);
}
