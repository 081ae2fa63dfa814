import type { WholeNumber } from './binfab.domain.ts';

const CHUNK = 8192;

/** One character per byte: regular expressions match bytes, and indexes are byte offsets. */
export function toLatin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = '';
  for (let at = start; at < end; at += CHUNK) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(at + CHUNK, end)) as unknown as number[]);
  }
  return text;
}

/** Reads an unsigned LEB128 number of up to 64 bits; null if truncated or longer. */
export function readVarint64(bytes: Uint8Array, offset: number): { value: WholeNumber; next: number } | null {
  let low = 0;
  for (let group = 0; group < 10; group += 1) {
    const byte = bytes[offset + group];
    if (byte === undefined) return null;
    // Seven groups have 49 bits: exact as a double.
    if (group === 7) return readLong(bytes, offset);
    low += (byte & 0x7f) * 2 ** (7 * group);
    if (byte < 0x80) return { value: low, next: offset + group + 1 };
  }
  return null;
}

function readLong(bytes: Uint8Array, offset: number): { value: WholeNumber; next: number } | null {
  let value = 0n;
  for (let group = 0; group < 10; group += 1) {
    const byte = bytes[offset + group];
    if (byte === undefined) return null;
    value |= BigInt(byte & 0x7f) << BigInt(7 * group);
    if (byte < 0x80) return { value: toWholeNumber(BigInt.asUintN(64, value)), next: offset + group + 1 };
  }
  return null;
}

/** Decodes a zigzag number. */
export function unzigzag(value: WholeNumber): WholeNumber {
  if (typeof value === 'number') return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  return toWholeNumber((value >> 1n) ^ -(value & 1n));
}

function toWholeNumber(value: bigint): WholeNumber {
  const exact = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return exact ? Number(value) : value;
}

/** The number if it is exact as a double; null otherwise. */
export function toExactNumber(value: WholeNumber): number | null {
  return typeof value === 'number' ? value : null;
}
