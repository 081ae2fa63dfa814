import type { UnixSeconds } from '../../platform/time/clock.ts';
import { roundTo } from '../../platform/values/rounding.ts';
import type { Listing } from './listing.domain.ts';

export interface DumpRules {
  /** Maximum valid price. */
  maxPrice: number;
  /** Longest name and type, in UTF-16 units. */
  maxTextLength: number;
}

/** A listing as a dump states it: everything but when it was seen. */
export type DumpListing = Omit<Listing, 'lastSeen'>;

/** Reason why a candidate listing was dropped. */
export type DropReason = 'malformed' | 'bad_uuid' | 'bad_text' | 'zero_stack' | 'zero_price' | 'price_too_high' | 'repeated' | 'too_many';

/** A listing that was left out, by the number of its line, the first being 1. */
export interface DroppedListing {
  line: number;
  reason: DropReason;
}

export interface MarketDump {
  listings: DumpListing[];
  /** The first ones that were left out. */
  dropped: DroppedListing[];
  droppedCount: number;
}

/** Maximum number of dropped listings in the report. */
const NAMED_DROPS = 50;
/** Separators in `uuid;name;type;stack;price`. */
const SEPARATORS = 4;

/**
 * `uuid;name;type;stack;price` anywhere in a line, several with commas between. The figures end where the digits do: a
 * longer number is no figure of a listing.
 */
const LISTING = /(?<![\w-])([0-9A-Fa-f-]{36});([^;]+);([^;]*);(\d{1,4});(\d{1,9})(?!\w|\.\d)/g;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LINE_BREAK = /\r\n|\r|\n/g;
const CONTROL = /\p{Cc}/u;

/** 100 ns ticks from the start of the UUID calendar, 1582-10-15T00:00Z, to 1970. */
const UUID_EPOCH_TICKS = 122_192_928_000_000_000n;
const TICKS_PER_SECOND = 10_000_000n;

/** Time inside a version-1 UUID. Any UUID has one by this reading; that of another version is arbitrary. */
export function uuidTime(uuid: string): UnixSeconds {
  const [low = '', middle = '', high = ''] = uuid.split('-');
  const ticks = BigInt(`0x${high.slice(1)}${middle}${low}`) - UUID_EPOCH_TICKS;
  const seconds = ticks / TICKS_PER_SECOND;
  return Number(ticks < 0n && ticks % TICKS_PER_SECOND !== 0n ? seconds - 1n : seconds);
}

/** Price of one in thousandths. */
export function milliEach(price: number, stack: number): number {
  return Math.round(roundTo(price / stack, 3) * 1000);
}

/**
 * All valid listings of a text, in order; the first of a repeated id. Never throws: invalid listings are skipped,
 * and counted when it looks like one. At most `maxListings` are taken.
 */
export function parseMarketDump(text: string, rules: DumpRules, maxListings: number): MarketDump {
  const listings = new Map<string, DumpListing>();
  const dropped: DroppedListing[] = [];
  let droppedCount = 0;
  const drop = (line: number, reason: DropReason) => {
    droppedCount += 1;
    if (dropped.length < NAMED_DROPS) dropped.push({ line, reason });
  };

  let line = 0;
  for (const content of linesOf(text)) {
    line += 1;
    let matches = 0;
    for (const match of content.matchAll(LISTING)) {
      matches += 1;
      const read = readListing(match, rules);
      if (typeof read === 'string') drop(line, read);
      else if (listings.has(read.id)) drop(line, 'repeated');
      else if (listings.size < maxListings) listings.set(read.id, read);
      else drop(line, 'too_many');
    }
    for (let rest = separatorsIn(content) - matches * SEPARATORS; rest >= SEPARATORS; rest -= SEPARATORS) drop(line, 'malformed');
  }
  return { listings: [...listings.values()], dropped, droppedCount };
}

function readListing([, rawId = '', rawName = '', rawType = '', stackDigits = '', priceDigits = '']: RegExpMatchArray, rules: DumpRules) {
  const [id, name, type] = [rawId.toLowerCase(), rawName.trim(), rawType.trim()];
  const [stack, price] = [Number(stackDigits), Number(priceDigits)];
  if (!UUID.test(id)) return 'bad_uuid';
  if (name === '' || !isUsable(name, rules) || !isUsable(type, rules)) return 'bad_text';
  if (stack === 0) return 'zero_stack';
  if (price === 0) return 'zero_price';
  if (price > rules.maxPrice) return 'price_too_high';
  return { id, name, type: type === '' ? null : type, stack, price, milliEach: milliEach(price, stack), createdAt: uuidTime(id) };
}

function isUsable(text: string, { maxTextLength }: DumpRules): boolean {
  return text.length <= maxTextLength && !CONTROL.test(text) && text.isWellFormed();
}

/** The lines of a text, one after the other: all of them at once would take as much memory again. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (const { index, 0: lineBreak } of text.matchAll(LINE_BREAK)) {
    yield text.slice(start, index);
    start = index + lineBreak.length;
  }
  yield text.slice(start);
}

function separatorsIn(content: string): number {
  let count = 0;
  for (let at = content.indexOf(';'); at >= 0; at = content.indexOf(';', at + 1)) count += 1;
  return count;
}
