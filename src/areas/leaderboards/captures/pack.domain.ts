import { joinBytes } from '../../../platform/kit/values/bytes.ts';

/** Byte ranges of the objects in a pack, from the end of the directory. */
type Directory = Record<string, [offset: number, length: number]>;

const LENGTH_BYTES = 4;

/** Joins stored objects: length of the directory (4 bytes, big-endian), directory as JSON, the objects unchanged. */
export function encodePack(parts: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const directory: Directory = {};
  let offset = 0;
  for (const [name, bytes] of parts) {
    directory[name] = [offset, bytes.length];
    offset += bytes.length;
  }
  const head = new TextEncoder().encode(JSON.stringify(directory));
  const headLength = new Uint8Array(LENGTH_BYTES);
  new DataView(headLength.buffer).setUint32(0, head.length);
  return joinBytes([headLength, head, ...parts.values()]);
}

/** Byte ranges of the objects in a pack, from its start; null if `start` ends before the directory does. */
export function readDirectory(start: Uint8Array): Map<string, { offset: number; length: number }> | null {
  if (start.length < LENGTH_BYTES) return null;
  const base = LENGTH_BYTES + new DataView(start.buffer, start.byteOffset).getUint32(0);
  if (start.length < base) return null;
  const directory = JSON.parse(new TextDecoder().decode(start.subarray(LENGTH_BYTES, base))) as Directory;
  return new Map(Object.entries(directory).map(([name, [offset, length]]) => [name, { offset: base + offset, length }]));
}
