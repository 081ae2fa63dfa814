import { badRequest, validationError } from '../../../platform/errors/api-error.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { challengeRules, chaosChestWeek } from '../schedules.data.ts';
import { type CaptureNameCheck, checkChallengeName, checkChaosChestName } from './captures.domain.ts';
import type { CapturesRepository } from './captures.repository.ts';
import { type Challenge, type ChallengeCapture, challengeAt, challengeWindowAt } from './challenge.domain.ts';
import {
  type ChaosChest,
  type ChaosChestCapture,
  type ChaosChestItemArt,
  type ChaosChestRelay,
  chaosChestAt,
  chaosChestWeekAt,
  featuredChaosChestAt,
} from './chaos-chest.domain.ts';

/** What is known of an item by its name: blueprint and icon. Never fails; nulls when nothing is known for certain. */
export type ItemArtSource = (name: string) => Promise<ChaosChestItemArt>;

/** Told of every capture that changed what is shown, before the insert answers. */
export type CaptureListener = (kind: 'challenge' | 'chaos', now: UnixSeconds) => Promise<void>;

export interface CapturesServiceDeps {
  captures: CapturesRepository;
  itemArt: ItemArtSource;
  onCapture: CaptureListener;
}

export interface InsertedCapture {
  anchor: UnixSeconds;
  name: string;
  refreshed: boolean;
}

/** The chaos chest and the challenge as they are now, and the reports they are made of. */
export interface CapturesService {
  chaosChest(now: UnixSeconds): Promise<ChaosChest>;
  /** The next turn of the week. A relayed item may end earlier: the recheck of the stream finds that. */
  chaosChestNextChangeAt(now: UnixSeconds): UnixSeconds;
  challenge(now: UnixSeconds): Promise<Challenge>;
  insertChaosChest(name: string, now: UnixSeconds): Promise<InsertedCapture>;
  insertChallenge(name: string, now: UnixSeconds): Promise<InsertedCapture>;
  /** Lets the next read see what storage holds now. */
  forgetReads(): void;
}

/** Real time in milliseconds for which an isolate believes what it read: the endpoints are polled, captures are rare. */
const READ_LIFE_MILLISECONDS = 2000;
const KEPT_READS = 8;

export function createCapturesService({ captures, itemArt, onCapture }: CapturesServiceDeps): CapturesService {
  const chestReads = cachedReads((anchor) => captures.findChaosChest(anchor));
  const challengeReads = cachedReads((anchor) => captures.findChallenge(anchor));
  const forgetReads = () => {
    chestReads.clear();
    challengeReads.clear();
  };

  return {
    forgetReads,
    chaosChestNextChangeAt: (now) => chaosChestWeekAt(now, chaosChestWeek).endsAt,

    async chaosChest(now) {
      const { capture, relay }: { capture: ChaosChestCapture | null; relay: ChaosChestRelay | null } = await chestReads.get(
        chaosChestWeekAt(now, chaosChestWeek).startsAt,
      );
      const featured = featuredChaosChestAt(now, capture, relay, chaosChestWeek);
      const art = featured.item ? await itemArt(featured.item.name) : { blueprint: null, imageUrl: null };
      return chaosChestAt(now, featured, art);
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

/** Reads by anchor, each believed for a short while. */
function cachedReads<Value>(read: (anchor: UnixSeconds) => Promise<Value>) {
  let kept = new BoundedMap<UnixSeconds, { value: Value; until: number }>(KEPT_READS);
  return {
    async get(anchor: UnixSeconds): Promise<Value> {
      // A read that was under way when the reads were forgotten must not come back as a fresh one.
      const reads = kept;
      const known = reads.get(anchor);
      if (known && performance.now() < known.until) return known.value;
      const value = await read(anchor);
      reads.set(anchor, { value, until: performance.now() + READ_LIFE_MILLISECONDS });
      return value;
    },
    clear() {
      kept = new BoundedMap(KEPT_READS);
    },
  };
}

function requireName(check: CaptureNameCheck): string {
  if (check.ok) return check.name;
  if (check.fault === 'empty') throw badRequest('name must not be empty');
  if (check.fault === 'none') throw badRequest('name must not be "none": there is nothing to report then');
  throw validationError([
    { loc: ['body', 'name'], msg: 'must have at most 200 characters and no control characters', type: 'invalid_format' },
  ]);
}
