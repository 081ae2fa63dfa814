import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { biomes, stampy, wildMana } from '../../../src/areas/rotations/computed/biomes.resource.ts';
import { dailyBuffs, weeklyBuffRules } from '../../../src/areas/rotations/computed/buffs.data.ts';
import { dailyBuffs as dailyBuffsResource } from '../../../src/areas/rotations/computed/buffs.resource.ts';
import { corruxion, fluxion } from '../../../src/areas/rotations/computed/merchants.resource.ts';
import { challenge } from '../../../src/areas/rotations/reports/challenge.resource.ts';
import {
  biomeRotationsAt,
  biomeRotationsNextChangeAt,
  corruxionAt,
  corruxionNextChangeAt,
  dailyBuffsAt,
  dailyBuffsNextChangeAt,
  fluxionAt,
  fluxionNextChangeAt,
  gardeningAt,
  gardeningNextChangeAt,
  weeklyBuffsAt,
  weeklyBuffsNextChangeAt,
} from '../../../src/areas/rotations/schedules/computed.domain.ts';
import {
  type ChaosChestRelay,
  challengeAt,
  challengeNextChangeAt,
  chaosChestAt,
  chaosChestNextChangeAt,
  featuredChaosChestAt,
} from '../../../src/areas/rotations/schedules/reports.domain.ts';
import {
  biomesRules,
  challengeRules,
  chaosChestWeek,
  corruxionRules,
  fluxionRules,
  gardeningRules,
  stampyRules,
  wildManaRules,
} from '../../../src/areas/rotations/schedules/schedules.data.ts';
import type { Frozen, Resource } from '../../../src/platform/area/resource.ts';

type Source = {
  name: string;
  /** The body without countdowns. */
  body: (now: number) => unknown;
  nextChangeAt: (now: number) => number;
  signature?: (now: number) => string;
};

/** The signature of a body in the event stream. */
function signature<Body, Deps>({ event }: Resource<Body, Deps>, body: Frozen<Body>, now: number): string {
  return event?.signature(body, now) ?? '';
}

const sources: Source[] = [
  {
    name: 'daily buffs',
    body: (now) => dailyBuffsAt(now, dailyBuffs),
    nextChangeAt: dailyBuffsNextChangeAt,
    signature: (now) => signature(dailyBuffsResource, dailyBuffsAt(now, dailyBuffs), now),
  },
  {
    name: 'weekly buffs',
    body: (now) => weeklyBuffsAt(now, weeklyBuffRules),
    nextChangeAt: (now) => weeklyBuffsNextChangeAt(now, weeklyBuffRules),
  },
  {
    name: 'corruxion',
    body: (now) => ({ ...corruxionAt(now, corruxionRules), seconds_remaining: 0 }),
    nextChangeAt: (now) => corruxionNextChangeAt(now, corruxionRules),
    signature: (now) => signature(corruxion, corruxionAt(now, corruxionRules), now),
  },
  {
    name: 'fluxion',
    body: (now) => ({ ...fluxionAt(now, fluxionRules), seconds_remaining: 0 }),
    nextChangeAt: (now) => fluxionNextChangeAt(now, fluxionRules),
    signature: (now) => signature(fluxion, fluxionAt(now, fluxionRules), now),
  },
  {
    name: 'gardening',
    body: (now) => gardeningAt(now, gardeningRules),
    nextChangeAt: (now) => gardeningNextChangeAt(now, gardeningRules),
  },
  {
    name: 'biomes',
    body: (now) => biomeRotationsAt(now, biomesRules),
    nextChangeAt: (now) => biomeRotationsNextChangeAt(now, biomesRules),
    signature: (now) => signature(biomes, biomeRotationsAt(now, biomesRules), now),
  },
  {
    name: 'wild mana',
    body: (now) => biomeRotationsAt(now, wildManaRules),
    nextChangeAt: (now) => biomeRotationsNextChangeAt(now, wildManaRules),
    signature: (now) => signature(wildMana, biomeRotationsAt(now, wildManaRules), now),
  },
  {
    name: 'stampy',
    // The body does not contain whether a window is open, which clients derive from the time; the signature contains it.
    body: (now) => [biomeRotationsAt(now, stampyRules), signature(stampy, biomeRotationsAt(now, stampyRules), now)],
    nextChangeAt: (now) => biomeRotationsNextChangeAt(now, stampyRules),
    signature: (now) => signature(stampy, biomeRotationsAt(now, stampyRules), now),
  },
  {
    name: 'challenge',
    body: (now) => ({ ...challengeAt(now, null, challengeRules), seconds_remaining: 0 }),
    nextChangeAt: (now) => challengeNextChangeAt(now, challengeRules),
    signature: (now) => signature(challenge, challengeAt(now, null, challengeRules), now),
  },
];

const anyInstant = fc.oneof(
  fc.integer({ min: -2_000_000_000, max: 6_000_000_000 }),
  // Around daily resets, where most boundaries are.
  fc
    .tuple(fc.integer({ min: -10_000, max: 60_000 }), fc.integer({ min: -2, max: 2 }))
    .map(([day, second]) => day * 86_400 + 39_600 + second),
);
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

describe.each(sources)('next change of $name', ({ body, nextChangeAt, signature }) => {
  it('is in the future, and the body changes exactly then', () => {
    fc.assert(
      fc.property(anyInstant, fraction, (now, part) => {
        const next = nextChangeAt(now);
        expect(next).toBeGreaterThan(now);
        expect(Number.isSafeInteger(next)).toBe(true);
        for (const between of [next - 1, now + Math.floor((next - 1 - now) * part)]) {
          expect(body(between)).toEqual(body(now));
          expect(nextChangeAt(between)).toBe(next);
        }
        expect(body(next)).not.toEqual(body(now));
      }),
    );
  });

  it('is the time the stream signature changes', () => {
    if (signature === undefined) return;
    fc.assert(
      fc.property(anyInstant, (now) => {
        const next = nextChangeAt(now);
        expect(signature(next - 1)).toBe(signature(now));
        expect(signature(next)).not.toBe(signature(now));
      }),
    );
  });
});

describe('next change of the chaos chest', () => {
  const start = chaosChestWeek.anchorAt;
  const offset = fc.integer({ min: -700_000, max: 1_400_000 });
  const anyRelay: fc.Arbitrary<ChaosChestRelay | null> = fc.option(
    fc.record({
      name: fc.constant('Wings'),
      identifier: fc.constant(null),
      blueprint: fc.constant(null),
      startsAt: fc.option(offset.map((seconds) => start + seconds)),
      endsAt: fc.option(offset.map((seconds) => start + seconds)),
      fetchedAt: offset.map((seconds) => start + seconds),
    }),
  );

  it('is in the future, at most a week away, and the body is constant until then', () => {
    const seconds = fc.integer({ min: 0, max: 604_799 });
    fc.assert(
      fc.property(seconds, fc.boolean(), anyRelay, fraction, (second, isCaptured, relay, part) => {
        const now = start + second;
        const capture = isCaptured ? { weekAnchorAt: start, name: 'Crown', capturedAt: start } : null;
        const featured = (at: number) => featuredChaosChestAt(at, capture, relay, chaosChestWeek);
        const body = (at: number) => ({
          ...chaosChestAt(at, featured(at), null),
          seconds_remaining: 0,
        });
        const next = chaosChestNextChangeAt(now, featured(now), chaosChestWeek);
        expect(next).toBeGreaterThan(now);
        expect(next - now).toBeLessThanOrEqual(604_800);
        for (const between of [next - 1, now + Math.floor((next - 1 - now) * part)]) expect(body(between)).toEqual(body(now));
      }),
    );
  });
});
