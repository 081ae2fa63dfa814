import { encodeRowMark, type FileBytes, findSlotValue, readLatin1, readVarint64, toExactNumber, unzigzag } from '../format/bytes.domain.ts';
import type { BadgeParse } from './codex-parse.domain.ts';

/*
 * Format: `{0: [rewards], 1: [{0: badge id, 1: [ranks]}]}`, a rank `{2: [reward ids], 3: {0: kind, 1: payload}}`. The first array of
 * rewards duplicates those of the ranks and is skipped.
 */
const BADGES = '\xbe\x01\xae';
const RANK = '\xbe\x02';
const KIND = '\x08\xae\x03\x08';
const PAYLOAD = '\xae\x01\x1e';
const TEXT_KEY = '\x08';
const MAX_BADGES = 10_000;
const MAX_RANKS = 64;
const MAX_REWARDS = 256;

/** All ranks of all badges, in file order. */
export function parseBadges(file: FileBytes): BadgeParse[] {
  const start = badgesStart(file);
  if (start === null) return [];
  const badges: { id: string; at: number; next: number }[] = [];
  for (let at = start.next; badges.length < Math.min(start.count, MAX_BADGES); ) {
    const badge = nextBadge(file, at, badges.length + 1);
    if (badge === null) break;
    badges.push(badge);
    at = badge.next;
  }
  return badges.flatMap(({ id, next }, index) => parseRanks(file, id, next, badges[index + 1]?.at ?? file.bytes.length));
}

/** Next row with this number whose text is followed by ranks; skips rewards, which are rows of texts too. */
function nextBadge(file: FileBytes, from: number, row: number): { id: string; at: number; next: number } | null {
  const mark = encodeRowMark(row) + TEXT_KEY;
  for (let at = file.latin1.indexOf(mark, from); at >= 0; at = file.latin1.indexOf(mark, at + 1)) {
    const id = readLatin1(file, at + mark.length);
    if (id !== null && file.latin1.startsWith(BADGES, id.next)) return { id: id.text, at, next: id.next };
  }
  return null;
}

/** Start of the array of badges, which follows the rewards. */
function badgesStart(file: FileBytes): { count: number; next: number } | null {
  for (let mark = file.latin1.indexOf(BADGES); mark >= 0; mark = file.latin1.indexOf(BADGES, mark + 1)) {
    const count = readVarint64(file.bytes, mark + BADGES.length);
    if (count !== null) return { count: Number(count.value), next: count.next };
  }
  return null;
}

function parseRanks(file: FileBytes, badgeId: string, from: number, next: number): BadgeParse[] {
  const ranks: BadgeParse[] = [];
  for (let at = file.latin1.indexOf(RANK, from); at >= 0 && at < next && ranks.length < MAX_RANKS; ) {
    const rewards = readRewards(file, at + RANK.length, next);
    const following = file.latin1.indexOf(RANK, rewards.next);
    const end = following < 0 ? next : Math.min(following, next);
    ranks.push({ badgeId, rank: ranks.length + 1, rewards: rewards.ids, ...readCompletion(file, rewards.next, end) });
    at = following;
  }
  return ranks;
}

/** Reads an array of texts: a header `count * 16 + 8`, then the operations and the text of each slot. */
function readRewards(file: FileBytes, at: number, end: number): { ids: string[]; next: number } {
  const header = readVarint64(file.bytes, at);
  const ids: string[] = [];
  let next = header?.next ?? at;
  if (header === null || Number(header.value) % 16 !== 8) return { ids, next };
  for (let remaining = Math.min(Math.floor(Number(header.value) / 16), MAX_REWARDS); remaining > 0; remaining -= 1) {
    const value = findSlotValue(file.bytes, next);
    const id = value === null ? null : readLatin1(file, value);
    if (id === null || id.next > end) break;
    ids.push(id.text);
    next = id.next;
  }
  return { ids, next };
}

function readCompletion(file: FileBytes, from: number, end: number): Pick<BadgeParse, 'kind' | 'values'> {
  const mark = file.latin1.indexOf(KIND, from);
  const kind = mark < 0 || mark >= end ? null : readLatin1(file, mark + KIND.length);
  if (kind === null) return { kind: '', values: [] };
  const payload = file.latin1.indexOf(PAYLOAD, kind.next);
  const values = payload < 0 || payload >= end ? [] : readValues(file, payload + PAYLOAD.length, end);
  return { kind: kind.text, values };
}

/** Reads the first, second and third value: keys 00 or 08, 10 or 18, 20 or 28. */
function readValues(file: FileBytes, from: number, end: number): (number | string | null)[] {
  const values: (number | string | null)[] = [null, null, null];
  for (let at = from; at < end; ) {
    const key = file.bytes[at] ?? 0;
    const field = key >> 4;
    const nibble = key & 15;
    if (field >= values.length || (nibble !== 0 && nibble !== 8)) break;
    const text = nibble === 8 ? readLatin1(file, at + 1) : null;
    const number = nibble === 0 ? readVarint64(file.bytes, at + 1) : null;
    const next = text?.next ?? number?.next;
    if (next === undefined || next > end) break;
    values[field] = text?.text ?? (number === null ? null : toExactNumber(unzigzag(number.value)));
    at = next;
  }
  return values;
}
