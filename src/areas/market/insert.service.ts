import { TRIGGER_TTL_SECONDS, type TriggerQueue } from '../../platform/events/trigger-queue.ts';
import { badRequest, validationError } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { type DroppedListing, parseMarketDump } from './dump.domain.ts';
import type { MarketInserts, RawDumps } from './insert.store.ts';
import { dumpRules, MAX_DUMP_LINE_BREAKS, MAX_DUMP_LISTINGS, MAX_DUMP_SEMICOLONS, MAX_FUTURE_SECONDS } from './market.data.ts';

/** Returns the current names of tracked items. */
export type InterestList = () => Promise<readonly string[]>;

export interface MarketInsertResult {
  /** Valid listings of the dump. */
  parsed: number;
  /** Listings stored or updated. */
  imported: number;
  ignoredNotInList: number;
  /** `last_seen` of the listings; null if there are none. */
  lastSeen: UnixSeconds | null;
  /** Number of dropped listings, and the first of them, for the log. */
  droppedCount: number;
  dropped: readonly DroppedListing[];
}

export type MarketInsertService = ReturnType<typeof createMarketInsertService>;

const utf8 = new TextDecoder();
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SEMICOLON = 0x3b;

interface MarketInsertDeps {
  inserts: MarketInserts;
  rawDumps: RawDumps;
  interestList: InterestList;
  /** Queue of the cheapest new listings. */
  newPrices: Pick<TriggerQueue, 'kind' | 'drain'>;
  newId(): string;
  /** Called after an insert that stored listings. */
  onChange(): Promise<void>;
}

export function createMarketInsertService({ inserts, rawDumps, interestList, newPrices, newId, onChange }: MarketInsertDeps) {
  return {
    /** Imports a dump. Throws 400 for an invalid time. */
    async insert(dump: Uint8Array<ArrayBuffer>, timestamp: UnixSeconds | undefined, now: UnixSeconds): Promise<MarketInsertResult> {
      const seenAt = seenTime(timestamp, now);
      checkCounts(dump);
      // The raw copy is optional: the import continues without it.
      await rawDumps.put(dump, seenAt, newId()).catch((error: unknown) => logError('market dump was not archived', error));
      const { listings, dropped, droppedCount } = parseMarketDump(utf8.decode(dump), dumpRules, MAX_DUMP_LISTINGS);
      const tracked = new Set(await interestList());
      const imported = listings.filter(({ name }) => tracked.has(name));
      if (imported.length > 0) {
        const isNews = seenAt >= now - TRIGGER_TTL_SECONDS;
        await inserts.save(imported, seenAt, isNews ? { kind: newPrices.kind, key: newId(), now } : undefined);
        await onChange();
        await newPrices.drain(now);
      }
      return {
        parsed: listings.length,
        imported: imported.length,
        ignoredNotInList: listings.length - imported.length,
        lastSeen: listings.length > 0 ? seenAt : null,
        droppedCount,
        dropped,
      };
    },
  };
}

/** Rejects a dump that would take too long to parse. */
function checkCounts(dump: Uint8Array): void {
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

function seenTime(timestamp: UnixSeconds | undefined, now: UnixSeconds): UnixSeconds {
  if (timestamp === undefined) return now;
  if (timestamp <= 0) throw badRequest('timestamp must be greater than 0');
  if (timestamp > now + MAX_FUTURE_SECONDS) throw badRequest(`timestamp must be at most ${MAX_FUTURE_SECONDS} seconds in the future`);
  return timestamp;
}
