import { createHash, createHmac } from 'node:crypto';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';

/**
 * `scheduled`: opens at its start. `open`: drawn at its end. `drawn`: has a winner. `closed`: ended without entries. `cancelled`: not
 * listed.
 */
export const GIVEAWAY_STATUSES = namedValues('GiveawayStatus', 'State of a giveaway.', [
  'scheduled',
  'open',
  'drawn',
  'closed',
  'cancelled',
]);
export type GiveawayStatus = (typeof GIVEAWAY_STATUSES)[number];

/** Terms set by an administrator. */
export interface GiveawayTerms {
  title: string;
  description: string | null;
  prizeName: string;
  /** Visible to the winner and administrators only. */
  prizeCode: string;
  startsAt: UnixSeconds;
  endsAt: UnixSeconds;
}

/**
 * Proof of a fair draw. The hash of the seed is published before the first entry and the seed after the draw, so neither side can choose
 * the result.
 */
interface DrawProof {
  /** SHA-256 of the seed text; null until the giveaway opens. */
  seedHash: string | null;
  /** 64 lower-case hex digits. */
  seed: string | null;
  /** SHA-256 of the entry ids, ascending, joined by line feeds; null until drawn. */
  entriesHash: string | null;
  winnerEntryId: string | null;
}

export interface Giveaway extends GiveawayTerms, DrawProof {
  id: string;
  status: GiveawayStatus;
  entryCount: number;
  /** Raised by every change of the terms or entries. */
  revision: number;
  winnerUserId: string | null;
  /** Published name of the winner. */
  winnerName: string | null;
  createdAt: UnixSeconds;
}

/** A giveaway without what only the winner and administrators may see. */
export type PublicGiveaway = Omit<Giveaway, 'prizeCode' | 'winnerUserId'>;

/** An entry of an account. The id is random and public; the account is private. */
export interface GiveawayEntry {
  id: string;
  giveawayId: string;
  userId: string;
  enteredAt: UnixSeconds;
}

/** Fields that can be changed while the giveaway is open. */
const EDITABLE_WHILE_OPEN: readonly string[] = ['title', 'description', 'endsAt'] satisfies (keyof GiveawayTerms)[];

/** Reason why the terms cannot be changed; null if they can. */
export function changeProblem(status: GiveawayStatus, changed: readonly string[]): string | null {
  if (status === 'scheduled') return null;
  if (status !== 'open') return `the giveaway is ${status}`;
  const notEditable = changed.filter((field) => !EDITABLE_WHILE_OPEN.includes(field));
  return notEditable.length === 0 ? null : 'only title, description and ends_at of an open giveaway can be changed';
}

/** Reason why the times are invalid; null if valid. */
export function termsProblem({ startsAt, endsAt }: Pick<GiveawayTerms, 'startsAt' | 'endsAt'>, now: UnixSeconds): string | null {
  if (endsAt <= startsAt) return 'ends_at must be later than starts_at';
  return endsAt <= now ? 'ends_at must be in the future' : null;
}

/** Published name of a winner: the display name, otherwise the first letter of the email address. */
export function publicName(displayName: string | null, email: string): string {
  const name = displayName?.trim() ?? '';
  return name === '' ? `${[...email][0] ?? ''}***` : name;
}

/** Hashed text of all entries: their ids, ascending, joined by line feeds. */
function entriesText(ids: readonly string[]): string {
  return ids.toSorted().join('\n');
}

/** Index of the winner among the ascending ids: the hex digits as a big-endian number, modulo the number of entries. */
function winnerIndex(hexDigits: string, entryCount: number): number {
  return Number(BigInt(`0x${hexDigits}`) % BigInt(entryCount));
}

const SEED_BYTES = 32;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Creates a seed and its hash. */
export function createSeed(randomBytes: (count: number) => Uint8Array): { seed: string; seedHash: string } {
  const seed = Array.from(randomBytes(SEED_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { seed, seedHash: sha256(seed) };
}

interface Draw {
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

/** Mail to the winner. The code is shown only in the portal, because mail is not confidential. */
export function winnerMail({ title, prizeName }: Pick<Giveaway, 'title' | 'prizeName'>): { subject: string; text: string } {
  return {
    subject: `You won: ${prizeName}`,
    text: `Your entry in the giveaway "${title}" was drawn: you won ${prizeName}.\n\nSign in to the developer portal to see your prize code.\n`,
  };
}
