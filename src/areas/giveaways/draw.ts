import { createHash, createHmac } from 'node:crypto';
import { entriesText, winnerIndex } from './draw.domain.ts';

const SEED_BYTES = 32;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Creates a seed and its hash. */
export function createSeed(drawBytes: (count: number) => Uint8Array): { seed: string; seedHash: string } {
  const seed = Array.from(drawBytes(SEED_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { seed, seedHash: sha256(seed) };
}

export interface Draw {
  entriesHash: string;
  winnerEntryId: string;
  /** Zero-based index of the winner among the ascending ids. */
  index: number;
}

/** The winner for a seed; null without entries. Deterministic: anyone can repeat it with the seed and the ids. */
export function drawWinner(seed: string, ids: readonly string[]): Draw | null {
  if (ids.length === 0) return null;
  const entriesHash = sha256(entriesText(ids));
  const index = winnerIndex(createHmac('sha256', seed).update(entriesHash).digest('hex'), ids.length);
  const winnerEntryId = ids.toSorted()[index];
  return winnerEntryId === undefined ? null : { entriesHash, winnerEntryId, index };
}
