import type { SQL } from 'drizzle-orm';
import { badRequest, validationError } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { createRevalidatingCaches } from '../../../platform/storage/memory-caches.ts';
import {
  type ChallengeCapture,
  type ChaosChestCapture,
  type ChaosChestRelay,
  challengeAt,
  challengeWindowAt,
  chaosChestAt,
  chaosChestWeekAt,
  featuredChaosChestAt,
} from '../schedules/reports.domain.ts';
import { challengeRules, chaosChestWeek } from '../schedules/schedules.data.ts';
import { CHAOS_CHEST_NAMES, type ReportsStore } from './reports.store.ts';

/** Blueprints of items by name. Ambiguous and unknown names are omitted. */
export type ItemBlueprints = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Loads the models of the items that a statement names into the isolate. */
export type LoadItemBlueprints = (statement: SQL) => Promise<void>;

/** Runs before the response to a report, and publishes the change if there is one. */
export type ReportListener = (kind: 'challenge' | 'chaos' | 'luxion', now: UnixSeconds) => Promise<void>;

interface ReportsServiceDeps {
  reports: ReportsStore;
  itemBlueprints: ItemBlueprints;
  loadItemBlueprints: LoadItemBlueprints;
  onReport: ReportListener;
}

export interface InsertedReport {
  anchor: UnixSeconds;
  name: string;
  refreshed: boolean;
}

/** Current chaos chest and challenge, and their reports. */
export type ReportsService = ReturnType<typeof createReportsService>;

/** Cache TTL of reads in an isolate, in milliseconds: the endpoints are polled, reports are rare. */
const READ_CACHE_TTL_MS = 2000;
const MAX_CACHED_READS = 8;

export function createReportsService({ reports, itemBlueprints, loadItemBlueprints, onReport }: ReportsServiceDeps) {
  const chestReads = createRevalidatingCaches(
    async (anchor: UnixSeconds) => {
      // The model of the item is then in the isolate, so that it needs no further read.
      const [found] = await Promise.all([reports.findChaosChest(anchor), loadItemBlueprints(CHAOS_CHEST_NAMES)]);
      return found;
    },
    READ_CACHE_TTL_MS,
    MAX_CACHED_READS,
  );
  const modelReads = createRevalidatingCaches(
    async (name: string) => (await itemBlueprints([name])).get(name) ?? null,
    READ_CACHE_TTL_MS,
    MAX_CACHED_READS,
  );
  const challengeReads = createRevalidatingCaches(
    (anchor: UnixSeconds) => reports.findChallenge(anchor),
    READ_CACHE_TTL_MS,
    MAX_CACHED_READS,
  );
  const invalidateReads = () => {
    chestReads.invalidate();
    challengeReads.invalidate();
    modelReads.invalidate();
  };

  return {
    /** Makes the next read load from the database. */
    invalidateReads,
    async chaosChest(now: UnixSeconds) {
      const { capture, relay }: { capture: ChaosChestCapture | null; relay: ChaosChestRelay | null } = await chestReads.get(
        chaosChestWeekAt(now, chaosChestWeek).starts_at,
      );
      const featured = featuredChaosChestAt(now, capture, relay, chaosChestWeek);
      const { item } = featured;
      const blueprint = item && (item.blueprint ?? (await modelReads.get(item.name)));
      return chaosChestAt(now, featured, blueprint);
    },

    async challenge(now: UnixSeconds) {
      const capture: ChallengeCapture | null = await challengeReads.get(challengeWindowAt(now, challengeRules).starts_at);
      return challengeAt(now, capture, challengeRules);
    },

    async insertChaosChest(rawName: string, now: UnixSeconds): Promise<InsertedReport> {
      const name = requireName(checkChaosChestName(rawName));
      const weekAnchorAt = chaosChestWeekAt(now, chaosChestWeek).starts_at;
      const { refreshed, changed } = await reports.saveChaosChest({ weekAnchorAt, name, capturedAt: now });
      invalidateReads();
      if (changed) await onReport('chaos', now);
      return { anchor: weekAnchorAt, name, refreshed };
    },

    async insertChallenge(rawName: string, now: UnixSeconds): Promise<InsertedReport> {
      const name = requireName(checkChallengeName(rawName));
      const { starts_at: startsAt, is_friday_window: isFridayWindow } = challengeWindowAt(now, challengeRules);
      const { refreshed, changed } = await reports.saveChallenge({ windowAnchorAt: startsAt, name, isFridayWindow, capturedAt: now });
      invalidateReads();
      if (changed) await onReport('challenge', now);
      return { anchor: startsAt, name, refreshed };
    },
  };
}

function requireName(check: ReportedNameCheck): string {
  if (check.ok) return check.name;
  if (check.fault === 'empty') throw badRequest('name must not be empty');
  if (check.fault === 'none') throw badRequest('name must not be "none"');
  throw validationError([
    { loc: ['body', 'name'], msg: 'must have at most 200 characters and no control characters', type: 'invalid_format' },
  ]);
}

/** Maximum length of a name, in UTF-16 code units. */
const MAX_REPORTED_NAME_LENGTH = 200;

/** Reason why a reported name is rejected. `empty` and `none`: nothing to report; `malformed`: invalid name. */
type ReportedNameFault = 'empty' | 'none' | 'malformed';
type ReportedNameCheck = { ok: true; name: string } | { ok: false; fault: ReportedNameFault };

/** Trims and checks the name of a chaos chest capture. */
export function checkChaosChestName(raw: string): ReportedNameCheck {
  const name = raw.trim();
  if (name === '') return { ok: false, fault: 'empty' };
  if (name.length > MAX_REPORTED_NAME_LENGTH || /\p{Cc}/u.test(name) || !name.isWellFormed()) return { ok: false, fault: 'malformed' };
  return { ok: true, name };
}

/** Trims and checks the name of a challenge capture. Reporters send `none` when they recognize no challenge. */
export function checkChallengeName(raw: string): ReportedNameCheck {
  const check = checkChaosChestName(raw);
  return check.ok && check.name.toLowerCase() === 'none' ? { ok: false, fault: 'none' } : check;
}
