import type { PackedFile } from './index-file.domain.ts';
import { Malformed } from './malformed.domain.ts';

/** The bytes of a range of an archive, with the files that consist of it. */
export interface Slice {
  files: PackedFile[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** A range that is being filled. */
interface OpenSlice extends Slice {
  offset: number;
  end: number;
}

/**
 * Cuts files out of an inflated archive as it streams by. `files` are sorted by offset. Ranges may overlap or repeat: what
 * is open at once is bounded by `maxOpenBytes`, and files that do not fit are left out, to be asked for again; the
 * first always fits. Stops at the end of the last range.
 */
export async function* cutSlices(
  archive: AsyncIterable<Uint8Array>,
  files: readonly PackedFile[],
  maxOpenBytes: number,
): AsyncGenerator<Slice> {
  const waiting = groupedByRange(files);
  let next = 0;
  let open: OpenSlice[] = [];
  let openBytes = 0;
  let position = 0;
  for await (const chunk of archive) {
    const end = position + chunk.length;
    for (let range = waiting[next]; range && range.offset < end; next += 1, range = waiting[next]) {
      if (open.length > 0 && openBytes + range.size > maxOpenBytes) continue;
      open.push({ files: range.files, offset: range.offset, end: range.offset + range.size, bytes: new Uint8Array(range.size) });
      openBytes += range.size;
    }
    const still: OpenSlice[] = [];
    for (const slice of open) {
      copyPart(slice, chunk, position);
      if (slice.end > end) still.push(slice);
      else {
        openBytes -= slice.bytes.length;
        yield { files: slice.files, bytes: slice.bytes };
      }
    }
    open = still;
    position = end;
    if (open.length === 0 && next >= waiting.length) return;
  }
  const missing = open[0]?.files[0] ?? waiting[next]?.files[0];
  if (missing) throw new Malformed(`${missing.path} lies beyond the end of its archive (${position} bytes)`);
}

interface FileRange {
  offset: number;
  size: number;
  files: PackedFile[];
}

function groupedByRange(files: readonly PackedFile[]): FileRange[] {
  const ranges: FileRange[] = [];
  for (const file of files) {
    const last = ranges.at(-1);
    if (last && last.offset === file.offset && last.size === file.size) last.files.push(file);
    else ranges.push({ offset: file.offset, size: file.size, files: [file] });
  }
  return ranges;
}

function copyPart(slice: OpenSlice, chunk: Uint8Array, position: number): void {
  const from = Math.max(slice.offset, position);
  const to = Math.min(slice.end, position + chunk.length);
  if (to > from) slice.bytes.set(chunk.subarray(from - position, to - position), from - slice.offset);
}

/** The bytes of one range, as they come; throws `Malformed` when the archive is shorter. */
export async function* rangeOf(archive: AsyncIterable<Uint8Array>, file: PackedFile): AsyncGenerator<Uint8Array> {
  const end = file.offset + file.size;
  let position = 0;
  for await (const chunk of archive) {
    const from = Math.max(file.offset, position);
    const to = Math.min(end, position + chunk.length);
    if (to > from) yield chunk.subarray(from - position, to - position);
    position += chunk.length;
    if (position >= end) return;
  }
  throw new Malformed(`${file.path} lies beyond the end of its archive (${position} bytes)`);
}
