import { exactNumber, readWhole, unzigzag } from '../format/bytes.domain.ts';
import { type FileBytes, readLatin1, rowMark, slotValueAt } from '../format/strings.domain.ts';
import type { BadgeParse } from './codex-parse.domain.ts';

/*
 * `{0: [rewards], 1: [{0: badge id, 1: [ranks]}]}`, a rank `{2: [reward ids], 3: {0: kind, 1: payload}}`. The rewards repeat what
 * the ranks say and are skipped.
 */
const BADGES = '\xbe\x01\xae';
const RANK = '\xbe\x02';
const KIND = '\x08\xae\x03\x08';
const PAYLOAD = '\xae\x01\x1e';
const TEXT_KEY = '\x08';
const MAX_BADGES = 10_000;
const MAX_RANKS = 64;
const MAX_REWARDS = 256;

/** Every rank of every badge, in file order. */
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

/** The next row with this number whose text has ranks behind it: rewards are rows of texts too. */
function nextBadge(file: FileBytes, from: number, row: number): { id: string; at: number; next: number } | null {
  const mark = rowMark(row) + TEXT_KEY;
  for (let at = file.latin1.indexOf(mark, from); at >= 0; at = file.latin1.indexOf(mark, at + 1)) {
    const id = readLatin1(file, at + mark.length);
    if (id !== null && file.latin1.startsWith(BADGES, id.next)) return { id: id.text, at, next: id.next };
  }
  return null;
}

/** Badges follow the rewards: the first array of their kind whose first row is a text. */
function badgesStart(file: FileBytes): { count: number; next: number } | null {
  for (let mark = file.latin1.indexOf(BADGES); mark >= 0; mark = file.latin1.indexOf(BADGES, mark + 1)) {
    const count = readWhole(file.bytes, mark + BADGES.length);
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

/** An array of texts: a header `count * 16 + 8`, then the operations of each slot and its text. */
function readRewards(file: FileBytes, at: number, end: number): { ids: string[]; next: number } {
  const header = readWhole(file.bytes, at);
  const ids: string[] = [];
  let next = header?.next ?? at;
  if (header === null || Number(header.value) % 16 !== 8) return { ids, next };
  for (let left = Math.min(Math.floor(Number(header.value) / 16), MAX_REWARDS); left > 0; left -= 1) {
    const value = slotValueAt(file.bytes, next);
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

/** First, second and third value: keys 00 or 08, 10 or 18, 20 or 28. */
function readValues(file: FileBytes, from: number, end: number): (number | string | null)[] {
  const values: (number | string | null)[] = [null, null, null];
  for (let at = from; at < end; ) {
    const key = file.bytes[at] ?? 0;
    const field = key >> 4;
    const nibble = key & 15;
    if (field >= values.length || (nibble !== 0 && nibble !== 8)) break;
    const text = nibble === 8 ? readLatin1(file, at + 1) : null;
    const number = nibble === 0 ? readWhole(file.bytes, at + 1) : null;
    const next = text?.next ?? number?.next;
    if (next === undefined || next > end) break;
    values[field] = text?.text ?? (number === null ? null : exactNumber(unzigzag(number.value)));
    at = next;
  }
  return values;
}
