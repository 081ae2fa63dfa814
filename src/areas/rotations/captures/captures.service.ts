import { badRequest, validationError } from '../../../platform/errors/api-error.ts';
import { createRevalidatingCaches } from '../../../platform/storage/ttl-cache.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { challengeRules, chaosChestWeek } from '../schedules.data.ts';
import { type CaptureNameCheck, checkChallengeName, checkChaosChestName } from './captures.domain.ts';
import type { CapturesRepository } from './captures.repository.ts';
import { type Challenge, type ChallengeCapture, challengeAt, challengeWindowAt } from './challenge.domain.ts';
import {
  type ChaosChest,
  type ChaosChestCapture,
  type ChaosChestRelay,
  chaosChestAt,
  chaosChestWeekAt,
  featuredChaosChestAt,
} from './chaos-chest.domain.ts';

/** Models of items by their names; names of which nothing is known for certain are left out. */
export type ItemBlueprints = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Called for every capture that changed visible data, before the response. */
export type ReportListener = (kind: 'challenge' | 'chaos', now: UnixSeconds) => Promise<void>;

export interface CapturesServiceDeps {
  captures: CapturesRepository;
  itemBlueprints: ItemBlueprints;
  onReport: ReportListener;
}

export interface InsertedCapture {
  anchor: UnixSeconds;
  name: string;
  refreshed: boolean;
}

/** Current chaos chest and challenge, and their reports. */
export interface CapturesService {
  chaosChest(now: UnixSeconds): Promise<ChaosChest>;
  /** The next turn of the week. A relayed item may end earlier: the recheck of the stream finds that. */
  chaosChestNextChangeAt(now: UnixSeconds): UnixSeconds;
  challenge(now: UnixSeconds): Promise<Challenge>;
  insertChaosChest(name: string, now: UnixSeconds): Promise<InsertedCapture>;
  insertChallenge(name: string, now: UnixSeconds): Promise<InsertedCapture>;
  /** Lets the next read see what storage holds now. */
  invalidateReads(): void;
}

/** Real time in milliseconds for which an isolate believes what it read: the endpoints are polled, captures are rare. */
const READ_CACHE_TTL_MS = 2000;
const MAX_CACHED_READS = 8;

export function createCapturesService({ captures, itemBlueprints, onReport: onCapture }: CapturesServiceDeps): CapturesService {
  const chestReads = createRevalidatingCaches(
    (anchor: UnixSeconds) => captures.findChaosChest(anchor),
    READ_CACHE_TTL_MS,
    MAX_CACHED_READS,
  );
  const modelReads = createRevalidatingCaches(
    async (name: string) => (await itemBlueprints([name])).get(name) ?? null,
    READ_CACHE_TTL_MS,
    MAX_CACHED_READS,
  );
  const challengeReads = createRevalidatingCaches(
    (anchor: UnixSeconds) => captures.findChallenge(anchor),
    READ_CACHE_TTL_MS,
    MAX_CACHED_READS,
  );
  const forgetReads = () => {
    chestReads.invalidate();
    challengeReads.invalidate();
    modelReads.invalidate();
  };

  return {
    invalidateReads: forgetReads,
    chaosChestNextChangeAt: (now) => chaosChestWeekAt(now, chaosChestWeek).endsAt,

    async chaosChest(now) {
      const { capture, relay }: { capture: ChaosChestCapture | null; relay: ChaosChestRelay | null } = await chestReads.get(
        chaosChestWeekAt(now, chaosChestWeek).startsAt,
      );
      const featured = featuredChaosChestAt(now, capture, relay, chaosChestWeek);
      const { item } = featured;
      const blueprint = item && (item.blueprint ?? (await modelReads.get(item.name)));
      return chaosChestAt(now, featured, blueprint);
    },

    async challenge(now) {
      const capture: ChallengeCapture | null = await challengeReads.get(challengeWindowAt(now, challengeRules).startsAt);
      return challengeAt(now, capture, challengeRules);
    },

    async insertChaosChest(rawName, now) {
      const name = requireName(checkChaosChestName(rawName));
      const weekAnchorAt = chaosChestWeekAt(now, chaosChestWeek).startsAt;
      const { refreshed, changed } = await captures.saveChaosChest({ weekAnchorAt, name, capturedAt: now });
      forgetReads();
      if (changed) await onCapture('chaos', now);
      return { anchor: weekAnchorAt, name, refreshed };
    },

    async insertChallenge(rawName, now) {
      const name = requireName(checkChallengeName(rawName));
      const { startsAt, isFridayWindow } = challengeWindowAt(now, challengeRules);
      const { refreshed, changed } = await captures.saveChallenge({ windowAnchorAt: startsAt, name, isFridayWindow, capturedAt: now });
      forgetReads();
      if (changed) await onCapture('challenge', now);
      return { anchor: startsAt, name, refreshed };
    },
  };
}

function requireName(check: CaptureNameCheck): string {
  if (check.ok) return check.name;
  if (check.fault === 'empty') throw badRequest('name must not be empty');
  if (check.fault === 'none') throw badRequest('name must not be "none"');
  throw validationError([
    { loc: ['body', 'name'], msg: 'must have at most 200 characters and no control characters', type: 'invalid_format' },
  ]);
}
