import { deflateSync } from 'node:zlib';
import { gameChecksum } from '../../src/game/checksum.domain.ts';
import { pushVarint } from '../../src/platform/kit/values/bytes.ts';

/* Builds valid and invalid containers field by field, independent of the tested code. */

export interface RawEntry {
  path: string | Uint8Array;
  index?: number;
  offset: number;
  size: number;
  checksum: number;
}

export interface RawContainer {
  version?: number;
  properties?: readonly (readonly [string, string | Uint8Array])[];
  entries?: readonly RawEntry[];
  stream?: Uint8Array;
  /** Default: the correct size. */
  headerSize?: bigint;
  propertyCount?: number;
}

const utf8 = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? new TextEncoder().encode(text) : text);

export function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const digits = hex.replaceAll(/\s/g, '');
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16));
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function varints(...values: number[]): number[] {
  const out: number[] = [];
  for (const value of values) pushVarint(out, value);
  return out;
}

export function containerOf({ version = 1, properties = [], entries = [], stream, headerSize, propertyCount }: RawContainer) {
  const named = properties.flatMap(([name, value]) => [
    joined(varints(utf8(name).length), utf8(name)),
    joined(varints(utf8(value).length), utf8(value)),
  ]);
  const table = entries.map(({ path, index = 0, offset, size, checksum }) =>
    joined([utf8(path).length], utf8(path), varints(index, offset, size, checksum)),
  );
  const rest = joined(...named, ...table);
  const fixed = new DataView(new ArrayBuffer(12));
  fixed.setBigUint64(0, headerSize ?? BigInt(12 + rest.length), true);
  fixed.setUint16(8, version, true);
  fixed.setUint16(10, propertyCount ?? properties.length, true);
  return joined(new Uint8Array(fixed.buffer), rest, stream ?? storedStream(new Uint8Array(0)));
}

/** A file to pack for a test. */
export interface SampleFile {
  path: string;
  content: Uint8Array;
}

/** Entries of a valid container, and the bytes that contain the files. */
export function packed(files: readonly SampleFile[]): { entries: RawEntry[]; decoded: Uint8Array } {
  const parts: Uint8Array[] = [];
  let end = 0;
  const entries = files.map(({ path, content }) => {
    const entry = { path, offset: content.length === 0 ? 0 : end, size: content.length, checksum: gameChecksum(content) };
    const padding = (4 - (content.length % 4)) % 4;
    parts.push(content, new Uint8Array(padding));
    end += content.length + padding;
    return entry;
  });
  return { entries, decoded: joined(...parts) };
}

/** A stream like those of tools: stored blocks without a final block. `lengthOf` can change the declared lengths. */
export function storedStream(decoded: Uint8Array, lengthOf: (length: number, run: number) => number = (length) => length): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let start = 0, run = 0; start < decoded.length; start += 32_768, run += 1) {
    const bytes = decoded.subarray(start, start + 32_768);
    const length = lengthOf(bytes.length, run);
    parts.push(Uint8Array.of(0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255), bytes);
  }
  return joined(...parts, [0, 0, 0, 255, 255]);
}

/** A complete, compressed zlib stream. */
export function deflated(decoded: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(deflateSync(decoded));
}

/** Deterministic pseudo-random bytes that deflate can compress. */
export function sampleBytes(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  for (let index = 0; index < length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = index % 64 < 24 && index >= 4096 ? (bytes[index - 4096] ?? 0) : state >>> 24;
  }
  return bytes;
}

/** The properties of the example container. */
export const EXAMPLE_PROPERTIES = { title: 'Tiny', author: 'Me', tags: 'Wings', modLoader: 'ServiceAPI', flags: '8192' };

/** The first file of the example container. */
export const EXAMPLE_FILE = { path: 'ui/tiny.swf', index: 0, offset: 0, size: 5, checksum: 2_510_041_067 };

/** Example container: title, author, tags, two files, one of them empty. */
export const EXAMPLE_HEX = `
6e00000000000000 0100 0500
05 7469746c65 04 54696e79
06 617574686f72 02 4d65
04 74616773 05 57696e6773
09 6d6f644c6f61646572 0a 53657276696365415049
05 666c616773 04 38313932
0b 75692f74696e792e737766 00 00 05 ebdff0ac09
05 612e747874 00 00 00 c5bbf28808
7801 00 0800 f7ff 6162636465000000 00 0000 ffff`;
