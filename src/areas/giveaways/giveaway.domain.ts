import type { UnixSeconds } from '../../platform/time/clock.ts';
import { namedValues } from '../../platform/values/named-values.ts';

/**
 * `drawn` has a winner; `closed`: nobody entered; `cancelled` is never listed. Scheduled ones open at their start, open
 * ones are drawn at their end.
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
  /** For the winner and administrators alone. */
  prizeCode: string;
  startsAt: UnixSeconds;
  endsAt: UnixSeconds;
}

/**
 * The proof of a fair draw: the hash of the seed is known before anybody enters, the seed itself only after the draw, so
 * that neither side can choose the outcome.
 */
export interface DrawProof {
  /** SHA-256 of the seed text; null until the giveaway opens. */
  seedHash: string | null;
  /** 64 lower-case hex digits. */
  seed: string | null;
  /** SHA-256 of the entries' ids, ascending, joined by line feeds; null until drawn. */
  entriesHash: string | null;
  winnerEntryId: string | null;
}

export interface Giveaway extends GiveawayTerms, DrawProof {
  id: string;
  status: GiveawayStatus;
  entryCount: number;
  winnerUserId: string | null;
  /** Public name of the winner. */
  winnerName: string | null;
  createdAt: UnixSeconds;
}

/** An entry of an account. The id is random and public, the account is not. */
export interface GiveawayEntry {
  id: string;
  giveawayId: string;
  userId: string;
  enteredAt: UnixSeconds;
}

/** Terms that can still be changed while people can enter. */
const CHANGEABLE_WHILE_OPEN: readonly string[] = ['title', 'description', 'endsAt'] satisfies (keyof GiveawayTerms)[];

/** Reason why the terms cannot be changed; null if they can. */
export function changeProblem(status: GiveawayStatus, changed: readonly string[]): string | null {
  if (status === 'scheduled') return null;
  if (status !== 'open') return `the giveaway is ${status}`;
  const fixed = changed.filter((field) => !CHANGEABLE_WHILE_OPEN.includes(field));
  return fixed.length === 0 ? null : 'only title, description and ends_at of an open giveaway can be changed';
}

/** Reason why the times are invalid; null if valid. */
export function termsProblem({ startsAt, endsAt }: Pick<GiveawayTerms, 'startsAt' | 'endsAt'>, now: UnixSeconds): string | null {
  if (endsAt <= startsAt) return 'ends_at must be later than starts_at';
  return endsAt <= now ? 'ends_at must be in the future' : null;
}

/** Public name of a winner: the display name, otherwise the first letter of the email address. */
export function publicName(displayName: string | null, email: string): string {
  const name = displayName?.trim() ?? '';
  return name === '' ? `${[...email][0] ?? ''}***` : name;
}
