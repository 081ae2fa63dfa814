import { badRequest } from '../../platform/errors/api-error.ts';
import { logError } from '../../platform/logging.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { type DroppedListing, parseMarketDump } from './dump.domain.ts';
import { dumpRules, MAX_DUMP_LISTINGS, MAX_FUTURE_SECONDS } from './market.data.ts';
import type { MarketInserts } from './market-inserts.repository.ts';
import type { RawDumps } from './raw-dumps.repository.ts';

/** Names of the items to keep listings of, as they are stored now. */
export type InterestList = () => Promise<readonly string[]>;

export interface MarketInsertResult {
  /** Valid listings of the dump. */
  parsed: number;
  /** Of these, stored or refreshed. */
  imported: number;
  ignoredNotInList: number;
  /** The time they were noted as seen at; null when there was none. */
  lastSeen: UnixSeconds | null;
  /** What was left out, for the log: how much, and the first of it by line. */
  droppedCount: number;
  dropped: readonly DroppedListing[];
}

export interface MarketInsertService {
  /** Takes in a dump. Throws 400 for a time that cannot be. */
  insert(dump: Uint8Array<ArrayBuffer>, timestamp: UnixSeconds | undefined, now: UnixSeconds): Promise<MarketInsertResult>;
}

const utf8 = new TextDecoder();

export interface MarketInsertDeps {
  inserts: MarketInserts;
  rawDumps: RawDumps;
  interestList: InterestList;
  drawId(): string;
}

export function createMarketInsertService({ inserts, rawDumps, interestList, drawId }: MarketInsertDeps): MarketInsertService {
  return {
    async insert(dump, timestamp, now) {
      const seenAt = seenTime(timestamp, now);
      // The copy is a precaution: without it the listings are as good.
      await rawDumps.keep(dump, seenAt, drawId()).catch((error: unknown) => logError('a dump of the market was not kept', error));
      const { listings, dropped, droppedCount } = parseMarketDump(utf8.decode(dump), dumpRules, MAX_DUMP_LISTINGS);
      const interesting = new Set(await interestList());
      const kept = listings.filter(({ name }) => interesting.has(name));
      if (kept.length > 0) await inserts.save(kept, seenAt);
      return {
        parsed: listings.length,
        imported: kept.length,
        ignoredNotInList: listings.length - kept.length,
        lastSeen: listings.length > 0 ? seenAt : null,
        droppedCount,
        dropped,
      };
    },
  };
}

function seenTime(timestamp: UnixSeconds | undefined, now: UnixSeconds): UnixSeconds {
  if (timestamp === undefined) return now;
  if (timestamp <= 0) throw badRequest('timestamp must be a time after 1970');
  if (timestamp > now + MAX_FUTURE_SECONDS) throw badRequest(`timestamp must be at most ${MAX_FUTURE_SECONDS} seconds ahead of the clock`);
  return timestamp;
}
