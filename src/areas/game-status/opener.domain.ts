import { OPENER_HEADER, OPENER_KEY_LENGTH } from './game-status.data.ts';

/** Returns `count` random bytes. */
export type DrawBytes = (count: number) => Uint8Array;

/** Client hello of the game with a random key, as the game client sends it. */
export function createOpener(drawBytes: DrawBytes): Uint8Array {
  return Uint8Array.from([...OPENER_HEADER, ...drawBytes(OPENER_KEY_LENGTH)]);
}

/** Bytes of a hexadecimal text; null when invalid. */
export function parseHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
