import { validationError } from '../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { roundTo } from '../../platform/kit/values/numbers.ts';
import { countHiddenCharacters, visibleText } from '../../platform/kit/values/visible-text.ts';
import type { Listing } from './listings.domain.ts';
import { MAX_DUMP_LINE_BREAKS, MAX_DUMP_SEMICOLONS, MAX_LISTING_PRICE, MAX_TEXT_LENGTH } from './market.data.ts';

/** A listing of a dump, without the time it was seen. */
export type DumpListing = Omit<Listing, 'lastSeen'>;

/** Reason why a candidate listing was dropped. */
type DropReason = 'malformed' | 'bad_uuid' | 'bad_text' | 'zero_stack' | 'zero_price' | 'price_too_high' | 'repeated' | 'too_many';

/** A dropped listing; lines count from 1. */
export interface DroppedListing {
  line: number;
  reason: DropReason;
}

interface MarketDump {
  listings: DumpListing[];
  /** The first dropped listings, at most `MAX_REPORTED_DROPS`. */
  dropped: DroppedListing[];
  droppedCount: number;
  /** Characters that change the direction of text, which were removed. */
  hiddenCharacters: number;
}

/** Maximum number of dropped listings in the report. */
const MAX_REPORTED_DROPS = 50;
/** Separators in `uuid;name;type;stack;price`. */
const SEPARATORS = 4;

/**
 * `uuid;name;type;stack;price` anywhere in a line; several are separated by commas. A number with more digits or with decimals
 * does not match.
 */
const LISTING = /(?<![\w-])([0-9A-Fa-f-]{36});([^;]+);([^;]*);(\d{1,4});(\d{1,9})(?!\w|\.\d)/g;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LINE_BREAK = /\r\n|\r|\n/g;
const CONTROL = /\p{Cc}/u;

/** 100 ns ticks from the UUID epoch, 1582-10-15T00:00Z, to 1970. */
const UUID_EPOCH_TICKS = 122_192_928_000_000_000n;
const TICKS_PER_SECOND = 10_000_000n;

/** Timestamp of a version-1 UUID; an arbitrary value for other versions. */
export function uuidTime(uuid: string): UnixSeconds {
  const [low = '', middle = '', high = ''] = uuid.split('-');
  const ticks = BigInt(`0x${high.slice(1)}${middle}${low}`) - UUID_EPOCH_TICKS;
  const seconds = ticks / TICKS_PER_SECOND;
  return Number(ticks < 0n && ticks % TICKS_PER_SECOND !== 0n ? seconds - 1n : seconds);
}

/** Unit price in thousandths. */
export function milliEach(price: number, stack: number): number {
  return Math.round(roundTo(price / stack, 3) * 1000);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SEMICOLON = 0x3b;

/** Rejects a dump that would take too long to parse. */
export function checkDump(dump: Uint8Array): void {
  let lineBreaks = 0;
  let semicolons = 0;
  for (let at = 0; at < dump.length; at += 1) {
    const byte = dump[at];
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) lineBreaks += 1;
    else if (byte === SEMICOLON) semicolons += 1;
  }
  if (lineBreaks > MAX_DUMP_LINE_BREAKS) throw tooMany('line breaks', MAX_DUMP_LINE_BREAKS);
  if (semicolons > MAX_DUMP_SEMICOLONS) throw tooMany('semicolons', MAX_DUMP_SEMICOLONS);
}

function tooMany(unit: string, limit: number): Error {
  return validationError([{ loc: ['body', 'file'], msg: `must have at most ${limit} ${unit}`, type: 'too_long' }]);
}

/**
 * Parses all valid listings, in order; of repeated ids only the first, and at most `maxListings`. Never throws: skips invalid
 * listings, and counts text with the separators of a listing as malformed.
 */
export function parseMarketDump(text: string, maxListings: number): MarketDump {
  const listings = new Map<string, DumpListing>();
  const dropped: DroppedListing[] = [];
  let droppedCount = 0;
  let hiddenCharacters = 0;
  const drop = (line: number, reason: DropReason) => {
    droppedCount += 1;
    if (dropped.length < MAX_REPORTED_DROPS) dropped.push({ line, reason });
  };

  let line = 0;
  for (const content of linesOf(text)) {
    line += 1;
    let matches = 0;
    for (const match of content.matchAll(LISTING)) {
      matches += 1;
      const parsed = parseListing(match);
      if (typeof parsed === 'string') drop(line, parsed);
      else if (listings.has(parsed.id)) drop(line, 'repeated');
      else if (listings.size < maxListings) {
        listings.set(parsed.id, parsed);
        hiddenCharacters += countHiddenCharacters(match[0]);
      } else drop(line, 'too_many');
    }
    for (let rest = countSeparators(content) - matches * SEPARATORS; rest >= SEPARATORS; rest -= SEPARATORS) drop(line, 'malformed');
  }
  return { listings: [...listings.values()], dropped, droppedCount, hiddenCharacters };
}

function parseListing([, rawId = '', rawName = '', rawType = '', stackDigits = '', priceDigits = '']: RegExpMatchArray) {
  const [id, name, type] = [rawId.toLowerCase(), withoutOverrides(rawName), withoutOverrides(rawType)];
  const [stack, price] = [Number(stackDigits), Number(priceDigits)];
  if (!UUID.test(id)) return 'bad_uuid';
  if (name === '' || !isValidText(name) || !isValidText(type)) return 'bad_text';
  if (stack === 0) return 'zero_stack';
  if (price === 0) return 'zero_price';
  if (price > MAX_LISTING_PRICE) return 'price_too_high';
  return { id, name, type: type === '' ? null : type, stack, price, milliEach: milliEach(price, stack), createdAt: uuidTime(id) };
}

/** The text without characters that change its direction; those that are never part of a name make a listing invalid. */
function withoutOverrides(text: string): string {
  return (CONTROL.test(text) ? text : visibleText(text)).trim();
}

function isValidText(text: string): boolean {
  return text.length <= MAX_TEXT_LENGTH && !CONTROL.test(text) && text.isWellFormed();
}

/** Yields the lines of a text one by one: an array of all lines would double the memory. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (const { index, 0: lineBreak } of text.matchAll(LINE_BREAK)) {
    yield text.slice(start, index);
    start = index + lineBreak.length;
  }
  yield text.slice(start);
}

function countSeparators(content: string): number {
  let count = 0;
  for (let at = content.indexOf(';'); at >= 0; at = content.indexOf(';', at + 1)) count += 1;
  return count;
}
