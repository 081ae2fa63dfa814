import { containerOf, deflated, packed, type SampleFile, sampleBytes, storedStream } from '../../test/support/tmod.ts';

const MIB = 1024 * 1024;
/** Slightly below the maximum body size. */
const SAMPLE_BYTES = 20 * MIB - 4096;
/** Size of data that deflate compresses to about the maximum body size. */
const COMPRESSIBLE_BYTES = 30 * MIB - 64 * 1024;
const FILES = 40;

/** Samples of the benchmark, about 20 MB each. */
export interface ModSamples {
  /** With stored blocks, as tools write it. */
  stored: Uint8Array;
  /** With real compression, files in the order of the stream. */
  compressed: Uint8Array;
  /** The same with a reversed table, which needs a decoded copy. */
  reversed: Uint8Array;
  /** A build request, and the bytes that it packs. */
  request: Uint8Array;
  contents: Uint8Array;
  /** The streams without header and table. */
  stream: Uint8Array;
  storedOnly: Uint8Array;
  /** Decoded size of the compressed stream. */
  decodedBytes: number;
}

function filesOf(bytes: Uint8Array): SampleFile[] {
  const size = Math.floor(bytes.length / FILES / 4) * 4;
  return Array.from({ length: FILES }, (_, index) => ({
    path: `dir/file-${index}.bin`,
    content: bytes.subarray(index * size, (index + 1) * size),
  }));
}

export function makeSamples(): ModSamples {
  const properties = [
    ['title', 'Bench'],
    ['author', 'Nobody'],
    ['tags', 'Wings'],
  ] as const;
  const plain = packed(filesOf(sampleBytes(SAMPLE_BYTES - 16 * 1024)));
  const storedOnly = storedStream(plain.decoded);
  // 24 of every 64 bytes repeat earlier ones, so the data compresses to about two thirds.
  const { entries, decoded } = packed(filesOf(sampleBytes(COMPRESSIBLE_BYTES)));
  const stream = deflated(decoded);
  const contents = sampleBytes(Math.floor((SAMPLE_BYTES * 3) / 4) - 4096);
  const files = filesOf(contents).map(({ path, content }) => ({ path, content_base64: Buffer.from(content).toString('base64') }));
  return {
    stored: containerOf({ properties, entries: plain.entries, stream: storedOnly }),
    compressed: containerOf({ properties, entries, stream }),
    reversed: containerOf({ properties, entries: entries.toReversed(), stream }),
    request: new TextEncoder().encode(JSON.stringify({ properties: Object.fromEntries(properties), files })),
    contents,
    stream,
    storedOnly,
    decodedBytes: decoded.length,
  };
}
