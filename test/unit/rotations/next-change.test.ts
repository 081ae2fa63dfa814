import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dailyBuffs, weeklyBuffRules } from '../../../src/areas/rotations/computed/buffs.data.ts';
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
} from '../../../src/areas/rotations/computed/computed.domain.ts';
import {
  biomesStreamSignature,
  challengeStreamSignature,
  corruxionStreamSignature,
  dailyBonusesStreamSignature,
  fluxionStreamSignature,
  stampyStreamSignature,
  wildManaStreamSignature,
} from '../../../src/areas/rotations/event-sources.service.ts';
import {
  type ChaosChestRelay,
  challengeAt,
  challengeNextChangeAt,
  chaosChestAt,
  chaosChestNextChangeAt,
  featuredChaosChestAt,
} from '../../../src/areas/rotations/reports/reports.domain.ts';
import {
  biomesRules,
  challengeRules,
  chaosChestWeek,
  corruxionRules,
  fluxionRules,
  gardeningRules,
  stampyRules,
  wildManaRules,
} from '../../../src/areas/rotations/schedules.data.ts';

type Source = {
  name: string;
  /** The body without countdowns. */
  body: (now: number) => unknown;
  nextChangeAt: (now: number) => number;
  signature?: (now: number) => string;
};

const sources: Source[] = [
  {
    name: 'daily buffs',
    body: (now) => dailyBuffsAt(now, dailyBuffs),
    nextChangeAt: dailyBuffsNextChangeAt,
    signature: dailyBonusesStreamSignature,
  },
  {
    name: 'weekly buffs',
    body: (now) => weeklyBuffsAt(now, weeklyBuffRules),
    nextChangeAt: (now) => weeklyBuffsNextChangeAt(now, weeklyBuffRules),
  },
  {
    name: 'corruxion',
    body: (now) => ({ ...corruxionAt(now, corruxionRules), secondsRemaining: 0 }),
    nextChangeAt: (now) => corruxionNextChangeAt(now, corruxionRules),
    signature: (now) => corruxionStreamSignature(corruxionAt(now, corruxionRules)),
  },
  {
    name: 'fluxion',
    body: (now) => ({ ...fluxionAt(now, fluxionRules), secondsRemaining: 0 }),
    nextChangeAt: (now) => fluxionNextChangeAt(now, fluxionRules),
    signature: (now) => fluxionStreamSignature(fluxionAt(now, fluxionRules)),
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
    signature: (now) => biomesStreamSignature(biomeRotationsAt(now, biomesRules)),
  },
  {
    name: 'wild mana',
    body: (now) => biomeRotationsAt(now, wildManaRules),
    nextChangeAt: (now) => biomeRotationsNextChangeAt(now, wildManaRules),
    signature: (now) => wildManaStreamSignature(biomeRotationsAt(now, wildManaRules)),
  },
  {
    name: 'stampy',
    // The body does not contain whether a window is open, which clients derive from the time; the signature contains it.
    body: (now) => [biomeRotationsAt(now, stampyRules), stampyStreamSignature(biomeRotationsAt(now, stampyRules), now)],
    nextChangeAt: (now) => biomeRotationsNextChangeAt(now, stampyRules),
    signature: (now) => stampyStreamSignature(biomeRotationsAt(now, stampyRules), now),
  },
  {
    name: 'challenge',
    body: (now) => ({ ...challengeAt(now, null, challengeRules), secondsRemaining: 0 }),
    nextChangeAt: (now) => challengeNextChangeAt(now, challengeRules),
    signature: (now) => challengeStreamSignature(challengeAt(now, null, challengeRules)),
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
          secondsRemaining: 0,
        });
        const next = chaosChestNextChangeAt(now, featured(now), chaosChestWeek);
        expect(next).toBeGreaterThan(now);
        expect(next - now).toBeLessThanOrEqual(604_800);
        for (const between of [next - 1, now + Math.floor((next - 1 - now) * part)]) expect(body(between)).toEqual(body(now));
      }),
    );
  });
});
