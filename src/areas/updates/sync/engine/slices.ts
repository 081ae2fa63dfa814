import type { PackedFile } from './index-file.domain.ts';
import { MalformedFileError } from './malformed.domain.ts';

/** Bytes of a range of an archive, with the files at that range. */
export interface Slice {
  files: PackedFile[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** A slice with bytes missing. */
interface OpenSlice extends Slice {
  offset: number;
  end: number;
}

/**
 * Extracts files from a stream of an inflated archive. `files` are sorted by offset; ranges may overlap or repeat. Open slices
 * have at most `maxOpenBytes` in total: files that exceed the limit are skipped, for a later step; the first always fits.
 * Stops after the last range.
 */
export async function* extractSlices(
  archive: AsyncIterable<Uint8Array>,
  files: readonly PackedFile[],
  maxOpenBytes: number,
): AsyncGenerator<Slice> {
  const ranges = groupByRange(files);
  let next = 0;
  let open: OpenSlice[] = [];
  let openBytes = 0;
  let position = 0;
  for await (const chunk of archive) {
    const end = position + chunk.length;
    for (let range = ranges[next]; range && range.offset < end; next += 1, range = ranges[next]) {
      if (open.length > 0 && openBytes + range.size > maxOpenBytes) continue;
      open.push({ files: range.files, offset: range.offset, end: range.offset + range.size, bytes: new Uint8Array(range.size) });
      openBytes += range.size;
    }
    const unfinished: OpenSlice[] = [];
    for (const slice of open) {
      copyOverlap(slice, chunk, position);
      if (slice.end > end) unfinished.push(slice);
      else {
        openBytes -= slice.bytes.length;
        yield { files: slice.files, bytes: slice.bytes };
      }
    }
    open = unfinished;
    position = end;
    if (open.length === 0 && next >= ranges.length) return;
  }
  const missing = open[0]?.files[0] ?? ranges[next]?.files[0];
  if (missing) throw new MalformedFileError(`${missing.path} is beyond the end of its archive (${position} bytes)`);
}

interface FileRange {
  offset: number;
  size: number;
  files: PackedFile[];
}

function groupByRange(files: readonly PackedFile[]): FileRange[] {
  const ranges: FileRange[] = [];
  for (const file of files) {
    const last = ranges.at(-1);
    if (last && last.offset === file.offset && last.size === file.size) last.files.push(file);
    else ranges.push({ offset: file.offset, size: file.size, files: [file] });
  }
  return ranges;
}

function copyOverlap(slice: OpenSlice, chunk: Uint8Array, position: number): void {
  const from = Math.max(slice.offset, position);
  const to = Math.min(slice.end, position + chunk.length);
  if (to > from) slice.bytes.set(chunk.subarray(from - position, to - position), from - slice.offset);
}

/** Streams the bytes of one file; throws `MalformedFileError` if the archive is shorter. */
export async function* streamFile(archive: AsyncIterable<Uint8Array>, file: PackedFile): AsyncGenerator<Uint8Array> {
  const end = file.offset + file.size;
  let position = 0;
  for await (const chunk of archive) {
    const from = Math.max(file.offset, position);
    const to = Math.min(end, position + chunk.length);
    if (to > from) yield chunk.subarray(from - position, to - position);
    position += chunk.length;
    if (position >= end) return;
  }
  throw new MalformedFileError(`${file.path} is beyond the end of its archive (${position} bytes)`);
}
