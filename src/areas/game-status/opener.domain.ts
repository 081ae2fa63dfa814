import { OPENER_HEADER, OPENER_KEY_LENGTH } from './game-status.data.ts';

/** Returns `length` random bytes. */
export type DrawBytes = (count: number) => Uint8Array;

/** The first message of a game client with a key of its own, as the real one draws it. */
export function randomOpener(drawBytes: DrawBytes): Uint8Array {
  return Uint8Array.from([...OPENER_HEADER, ...drawBytes(OPENER_KEY_LENGTH)]);
}

/** Bytes of a hexadecimal text; null when it is none. */
export function bytesOfHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
