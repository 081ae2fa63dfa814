import { createChecksum } from '../../game/checksum.domain.ts';
import { ByteSegments, MAX_SLICE_BYTES, type Reading, readFramed, readStored, ZLIB_HEAD_BYTES } from './stored-stream.domain.ts';
import { type ContentNeeds, contentNeeds, type TmodEntry, type TmodHeader } from './tmod-header.domain.ts';

/** Decoded stream of a `.tmod` file. Each entry is read once, in the order of the table. */
export interface Contents {
  /** At most `limit` bytes at an offset; empty at the end. Returns a promise only if the bytes are not decoded yet. */
  slice(offset: number, limit: number): Uint8Array | Promise<Uint8Array>;
  /** Releases the decoder. */
  close(): Promise<void>;
}

/** Accounts for the memory of a decoded copy. */
interface CopyMemory {
  /** Called before a copy of this size is allocated; may throw. */
  grow(bytes: number): void;
  /** Passes the copy to the reservation. */
  own(copy: Uint8Array<ArrayBuffer>): void;
}

/**
 * Decodes a compressed stream after its zlib header. Tolerates a truncated stream, a missing or wrong checksum and trailing bytes;
 * ends at a broken block. A parameter, because the Worker and browsers have different decoders.
 */
export type Inflated = (deflated: Uint8Array) => AsyncGenerator<Uint8Array>;

export interface ContentsOptions {
  memory: CopyMemory;
  inflated: Inflated;
  /** Maximum decoded bytes; default: the limit of the API. */
  maxDecodedBytes?: number;
  /** Whether entries are read in any order and repeatedly: a compressed stream is then always decoded into a copy. */
  isRandomAccess?: boolean;
}

const toContents = (reading: Reading): Contents => ({ slice: (offset, limit) => reading.slice(offset, limit), close: async () => {} });
const NO_CONTENTS = toContents(new ByteSegments(new Uint8Array(0)));

/**
 * Decodes the stream as zlib or with the fixed framing, whichever matches more checksums. Stored blocks remain views of
 * `file`. A compressed stream is decoded while it is read; if the table is not in stream order, it is decoded into a copy, which
 * `memory` accounts for. Throws `TmodFault` for entries beyond the decode limit.
 */
export async function openContents(file: Uint8Array, header: TmodHeader, options: ContentsOptions): Promise<Contents> {
  const needs = contentNeeds(header, options.maxDecodedBytes);
  if (needs.files === 0) return NO_CONTENTS;
  const stream = file.subarray(header.headerSize);
  const { reading: stored, outcome } = readStored(stream, needs.bytes);
  if (outcome === 'compressed') return openCompressed(stream, header, needs, options);
  const zlibMatches = await countMatches(stored, header);
  if (zlibMatches === needs.files) return toContents(stored);
  const framed = readFramed(stream);
  if (!framed) return toContents(stored);
  const framedMatches = await countMatches(framed, header);
  return toContents(framedMatches > zlibMatches || (framedMatches === zlibMatches && outcome === 'broken') ? framed : stored);
}

/**
 * Opens a compressed stream. Checking the fixed framing needs no decoding; if no checksum matches there, the stream is decoded
 * only once.
 */
async function openCompressed(stream: Uint8Array, header: TmodHeader, needs: ContentNeeds, options: ContentsOptions): Promise<Contents> {
  const { inflated, isRandomAccess } = options;
  const framed = readFramed(stream);
  const framedMatches = framed ? await countMatches(framed, header) : 0;
  const isCopied = isRandomAccess || !needs.isSequential;
  const open = async () =>
    isCopied ? toContents(await decodeCopy(stream, needs.bytes, options)) : new InflatedSequence(inflated(deflatedOf(stream)));
  if (framed && framedMatches > 0) {
    const opened = await open();
    const zlibMatches = await countMatches(opened, header);
    await opened.close();
    if (framedMatches > zlibMatches) return toContents(framed);
    return opened instanceof InflatedSequence ? await open() : opened;
  }
  // A stream that cannot be decoded at all is read with the fixed framing.
  const decoded = await open();
  if (!framed || !needs.isSequential || (await decoded.slice(0, 1)).length > 0) return decoded;
  await decoded.close();
  return toContents(framed);
}

/** Decodes up to `decodedBytes` bytes into a copy. */
async function decodeCopy(stream: Uint8Array, decodedBytes: number, { memory, inflated }: ContentsOptions): Promise<Reading> {
  memory.grow(copyBytes(stream, decodedBytes));
  const copy = new Uint8Array(copyBytes(stream, decodedBytes));
  memory.own(copy);
  const reading = new ByteSegments(copy);
  reading.add(0, await inflateInto(copy, inflated(deflatedOf(stream))));
  return reading;
}

/** Number of complete entries with content whose checksum matches the table. */
async function countMatches(contents: Pick<Contents, 'slice'>, header: TmodHeader): Promise<number> {
  let matches = 0;
  for (const entry of header.entries()) {
    if (entry.size === 0) continue;
    const check = createEntryCheck(entry);
    for (let read = 0; read < entry.size; ) {
      const next = contents.slice(entry.offset + read, entry.size - read);
      const slice = next instanceof Promise ? await next : next;
      if (slice.length === 0) break;
      check.update(slice);
      read += slice.length;
    }
    if (check.isValid()) matches += 1;
  }
  return matches;
}

/** Checks the length and checksum of an entry while it is streamed. */
export function createEntryCheck({ size, checksum }: TmodEntry): { update(slice: Uint8Array): void; isValid(): boolean } {
  const sum = createChecksum();
  let length = 0;
  return {
    update(slice) {
      sum.update(slice);
      length += slice.length;
    },
    isValid: () => length === size && sum.digest() === checksum,
  };
}

/** Maximum expansion of deflate. */
const MAX_EXPANSION = 1032;

/** A stream without its zlib header. */
const deflatedOf = (stream: Uint8Array): Uint8Array => stream.subarray(ZLIB_HEAD_BYTES);

/** Size of a copy of the first `decodedBytes` bytes, limited by the maximum expansion of the stream. */
function copyBytes(stream: Uint8Array, decodedBytes: number): number {
  return Math.min(decodedBytes, stream.length * MAX_EXPANSION);
}

/** Decodes into a copy until it is full. Returns the number of decoded bytes. */
async function inflateInto(copy: Uint8Array, chunks: AsyncGenerator<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of chunks) {
    const fitting = chunk.subarray(0, copy.length - length);
    copy.set(fitting, length);
    length += fitting.length;
    if (length === copy.length) break;
  }
  return length;
}

/** Sequential decoder: offsets must increase. */
class InflatedSequence {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  /** Number of decoded bytes before the chunk. */
  #before = 0;

  constructor(chunks: AsyncGenerator<Uint8Array>) {
    this.#chunks = chunks;
  }

  /** Like `Reading.slice`; returns a promise if the bytes are not decoded yet. */
  slice(offset: number, limit: number): Uint8Array | Promise<Uint8Array> {
    const start = offset - this.#before;
    return start < this.#chunk.length
      ? this.#chunk.subarray(start, start + Math.min(limit, MAX_SLICE_BYTES))
      : this.#sliceAhead(offset, limit);
  }

  /** Releases the decoder. */
  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  async #sliceAhead(offset: number, limit: number): Promise<Uint8Array> {
    while (offset >= this.#before + this.#chunk.length) {
      const { done, value } = await this.#chunks.next();
      if (done) return new Uint8Array(0);
      this.#before += this.#chunk.length;
      this.#chunk = value;
    }
    return this.slice(offset, limit);
  }
}
