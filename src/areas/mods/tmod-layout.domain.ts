import { gameChecksum } from '../../game/checksum.domain.ts';
import { pushVarint, utf8Bytes } from '../../platform/kit/values/bytes.ts';
import { FILE_ALIGNMENT, FIXED_HEADER_BYTES, RUN_BYTES, RUN_HEADER_BYTES, STREAM_TAIL, ZLIB_HEAD } from './tmod.data.ts';
import type { TmodEntry } from './tmod-header.domain.ts';

/** A file to pack, under its final path. */
export interface PackedFile {
  path: string;
  content: Uint8Array;
}

/** A row of the table of a new file. */
interface PackedEntry {
  path: string;
  size: number;
  checksum: number;
}

/** Contents of a new `.tmod` file. */
export interface TmodPlan {
  version: number;
  /** Values as UTF-8. */
  properties: ReadonlyMap<string, Uint8Array>;
  files: readonly PackedFile[];
}

/** A new `.tmod` file, ready to stream. */
interface TmodLayout {
  /** Size of the file. */
  length: number;
  /** Streams the file. Chunks share their memory: each is valid only until the next one is requested. */
  chunks(): Generator<Uint8Array>;
}

/** Prepares a file; allocates only its header. */
export function prepareTmod(plan: TmodPlan): TmodLayout {
  const files = plan.files.map(({ path, content }) => ({ path, size: content.length, checksum: gameChecksum(content) }));
  const { header, length } = writeHeader({ ...plan, files });
  return {
    length,
    *chunks() {
      yield header;
      yield new Uint8Array(ZLIB_HEAD);
      const runs = createRuns();
      for (const { content } of plan.files) {
        yield* runs.push(content);
        yield* runs.pad(content.length);
      }
      yield* runs.end();
      yield new Uint8Array(STREAM_TAIL);
    },
  };
}

/** Builds a file in memory. */
export function buildTmod(plan: TmodPlan): Uint8Array<ArrayBuffer> {
  const { length, chunks } = prepareTmod(plan);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks()) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

const paddedLength = (length: number): number => Math.ceil(length / FILE_ALIGNMENT) * FILE_ALIGNMENT;

/** Writes the properties of a header; the file table follows. */
export function beginHeader(out: ByteWriter, properties: ReadonlyMap<string, Uint8Array>): void {
  out.bytes(new Uint8Array(FIXED_HEADER_BYTES));
  for (const [name, value] of properties) {
    const nameBytes = utf8Bytes(name);
    out.varints(nameBytes.length);
    out.bytes(nameBytes);
    out.varints(value.length);
    out.bytes(value);
  }
}

/** Writes a row of the file table. The path must have at most `MAX_PATH_BYTES`. */
export function writeEntry(out: ByteWriter, { path, index, offset, size, checksum }: Omit<TmodEntry, 'at'>): void {
  const pathBytes = utf8Bytes(path);
  out.bytes(Uint8Array.of(pathBytes.length));
  out.bytes(pathBytes);
  out.varints(index, offset, size, checksum);
}

/** Completes a header after its file table. */
export function endHeader(out: ByteWriter, version: number, propertyCount: number): Uint8Array {
  const header = out.written();
  const view = new DataView(header.buffer, 0, FIXED_HEADER_BYTES);
  view.setBigUint64(0, BigInt(header.length), true);
  view.setUint16(8, version, true);
  view.setUint16(10, propertyCount, true);
  return header;
}

/** The header of a new file, and the length of the whole file. */
export function writeHeader({ version, properties, files }: Omit<TmodPlan, 'files'> & { files: readonly PackedEntry[] }): {
  header: Uint8Array;
  length: number;
} {
  const out = new ByteWriter();
  beginHeader(out, properties);
  let decodedBytes = 0;
  for (const { path, size, checksum } of files) {
    writeEntry(out, { path, index: 0, offset: size === 0 ? 0 : decodedBytes, size, checksum });
    decodedBytes += paddedLength(size);
  }
  const header = endHeader(out, version, properties.size);
  const runs = Math.ceil(decodedBytes / RUN_BYTES);
  return { header, length: header.length + ZLIB_HEAD.length + runs * RUN_HEADER_BYTES + decodedBytes + STREAM_TAIL.length };
}

/** Writes contents as stored blocks. The blocks share their memory: each is valid only until the next one is requested. */
export function createRuns() {
  const block = new Uint8Array(RUN_HEADER_BYTES + RUN_BYTES);
  const zeros = new Uint8Array(FILE_ALIGNMENT);
  let used = 0;

  function* push(bytes: Uint8Array): Generator<Uint8Array> {
    for (let start = 0; start < bytes.length; ) {
      const part = bytes.subarray(start, start + RUN_BYTES - used);
      block.set(part, RUN_HEADER_BYTES + used);
      used += part.length;
      start += part.length;
      if (used < RUN_BYTES) continue;
      yield toStoredBlock(block, used);
      used = 0;
    }
  }

  return {
    push,
    /** Pads a content of this length. */
    pad: (length: number) => push(zeros.subarray(0, paddedLength(length) - length)),
    *end(): Generator<Uint8Array> {
      if (used > 0) yield toStoredBlock(block, used);
    },
  };
}

/** Writes the header of a non-final stored block: length and its complement. */
function toStoredBlock(block: Uint8Array, length: number): Uint8Array {
  const view = new DataView(block.buffer);
  view.setUint8(0, 0);
  view.setUint16(1, length, true);
  view.setUint16(3, 0xffff - length, true);
  return block.subarray(0, RUN_HEADER_BYTES + length);
}

const INITIAL_BYTES = 4096;

/** Byte buffer that doubles when it is full. */
export class ByteWriter {
  #buffer = new Uint8Array(INITIAL_BYTES);
  #used = 0;

  bytes(bytes: Uint8Array): void {
    const used = this.#used + bytes.length;
    if (used > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(used, this.#buffer.length * 2));
      grown.set(this.#buffer);
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#used);
    this.#used = used;
  }

  varints(...values: number[]): void {
    const out: number[] = [];
    for (const value of values) pushVarint(out, value);
    this.bytes(Uint8Array.from(out));
  }

  /** All written bytes; starts at byte 0 of the underlying buffer. */
  written(): Uint8Array {
    return this.#buffer.subarray(0, this.#used);
  }
}
