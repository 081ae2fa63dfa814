import { createChecksum } from '../../platform/values/checksum.ts';
import { ByteSegments, type Reading } from './byte-segments.domain.ts';
import { copyBytes, InflatedSequence, inflateInto } from './inflate.ts';
import { readFramed, readStored } from './stored-stream.domain.ts';
import { type ContentNeeds, contentNeeds, type TmodEntry, type TmodHeader } from './tmod-header.domain.ts';

/** The decoded stream of a container. Entries are asked for once each, in the order of the table. */
export interface Contents {
  /** Bytes from an offset: at most `limit`, empty at the end. Returns a promise only if it must wait. */
  slice(offset: number, limit: number): Uint8Array | Promise<Uint8Array>;
  /** Lets go of what decoding holds. */
  close(): Promise<void>;
}

/** Memory for a decoded copy. */
export interface CopyMemory {
  /** Called before a copy of this size is made; may throw. */
  grow(bytes: number): void;
  /** Takes the copy over. */
  own(copy: Uint8Array<ArrayBuffer>): void;
}

const held = (reading: Reading): Contents => ({ slice: (offset, limit) => reading.slice(offset, limit), close: async () => {} });
const nothing = held(new ByteSegments(new Uint8Array(0)));

/**
 * Finds the reading of the stream that fits the stored checksums best: as zlib, or by the fixed framing. Stored blocks
 * stay views of `file`; a compressed stream is decoded while it is read, and copied only where the table does not
 * follow its order. `memory` is told of such a copy. Throws `TmodFault` for entries beyond the caps.
 */
export async function openContents(file: Uint8Array, header: TmodHeader, memory: CopyMemory): Promise<Contents> {
  const needs = contentNeeds(header);
  if (needs.files === 0) return nothing;
  const stream = file.subarray(header.headerSize);
  const { reading: stored, outcome } = readStored(stream, needs.bytes);
  if (outcome === 'compressed') return openCompressed(stream, header, needs, memory);
  const asZlib = await countMatches(stored, header);
  if (asZlib === needs.files) return held(stored);
  const framed = readFramed(stream);
  if (!framed) return held(stored);
  const asFramed = await countMatches(framed, header);
  return held(asFramed > asZlib || (asFramed === asZlib && outcome === 'broken') ? framed : stored);
}

/**
 * A stream that has to be decoded. That nothing fits by the fixed framing is found out without decoding, and then the
 * stream need be decoded only once.
 */
async function openCompressed(stream: Uint8Array, header: TmodHeader, needs: ContentNeeds, memory: CopyMemory): Promise<Contents> {
  const framed = readFramed(stream);
  const asFramed = framed ? await countMatches(framed, header) : 0;
  const open = async () => (needs.isSequential ? new InflatedSequence(stream) : held(await copied(stream, needs.bytes, memory)));
  if (framed && asFramed > 0) {
    const tried = await open();
    const asZlib = await countMatches(tried, header);
    await tried.close();
    if (asFramed > asZlib) return held(framed);
    return tried instanceof InflatedSequence ? new InflatedSequence(stream) : tried;
  }
  const decoded = await open();
  if (!framed || !(decoded instanceof InflatedSequence) || (await decoded.slice(0, 1)).length > 0) return decoded;
  await decoded.close();
  return held(framed);
}

/** A reading of the first `wanted` decoded bytes, or what there is of them, in one copy. */
async function copied(stream: Uint8Array, wanted: number, memory: CopyMemory): Promise<Reading> {
  memory.grow(copyBytes(stream, wanted));
  const copy = new Uint8Array(copyBytes(stream, wanted));
  memory.own(copy);
  const reading = new ByteSegments(copy);
  reading.add(0, await inflateInto(copy, stream));
  return reading;
}

/** Entries with content that are there in full and have the checksum the table states. */
async function countMatches(contents: Pick<Contents, 'slice'>, header: TmodHeader): Promise<number> {
  let matches = 0;
  for (const entry of header.entries()) {
    if (entry.size === 0) continue;
    const check = createEntryCheck(entry);
    for (let read = 0; read < entry.size; ) {
      const found = contents.slice(entry.offset + read, entry.size - read);
      const slice = found instanceof Promise ? await found : found;
      if (slice.length === 0) break;
      check.update(slice);
      read += slice.length;
    }
    if (check.isRight()) matches += 1;
  }
  return matches;
}

/** Compares the bytes of an entry with its checksum as they pass. */
export function createEntryCheck({ size, checksum }: TmodEntry): { update(slice: Uint8Array): void; isRight(): boolean } {
  const sum = createChecksum();
  let length = 0;
  return {
    update(slice) {
      sum.update(slice);
      length += slice.length;
    },
    isRight: () => length === size && sum.digest() === checksum,
  };
}
