import { describe, expect, it } from 'vitest';
import { biomeRotationsAt, corruxionAt, fluxionAt } from '../../../src/areas/rotations/computed/computed.domain.ts';
import {
  biomesStreamSignature,
  challengeStreamSignature,
  chaosChestStreamSignature,
  corruxionStreamSignature,
  dailyBonusesStreamSignature,
  fluxionStreamSignature,
  stampyStreamSignature,
  wildManaStreamSignature,
} from '../../../src/areas/rotations/event-sources.service.ts';
import { challengeAt, chaosChestAt, featuredChaosChestAt } from '../../../src/areas/rotations/reports/reports.domain.ts';
import {
  biomesRules,
  challengeRules,
  chaosChestWeek,
  corruxionRules,
  fluxionRules,
  stampyRules,
  wildManaRules,
} from '../../../src/areas/rotations/schedules.data.ts';

const now = 1_773_156_600; // Tuesday 2026-03-10 15:30:00 UTC
const windowStart = 1_773_154_800;
const weekStart = 1_773_140_400;

describe('stream signature', () => {
  it('contains window, activity and name of a challenge', () => {
    const capture = { windowAnchorAt: windowStart, name: 'Racing Challenge', capturedAt: windowStart };
    expect(challengeStreamSignature(challengeAt(now, null, challengeRules))).toBe('1773154800:false:');
    expect(challengeStreamSignature(challengeAt(windowStart, null, challengeRules))).toBe('1773154800:true:');
    expect(challengeStreamSignature(challengeAt(windowStart, capture, challengeRules))).toBe('1773154800:true:Racing Challenge');
  });

  it('contains window start and item of the chaos chest', () => {
    const signature = (name: string | null) => {
      const capture = name === null ? null : { weekAnchorAt: weekStart, name, capturedAt: now };
      const featured = featuredChaosChestAt(now, capture, null, chaosChestWeek);
      return chaosChestStreamSignature(chaosChestAt(now, featured, null));
    };
    expect(signature(null)).toBe('1773140400:');
    expect(signature('Wings')).toBe('1773140400:Wings');
  });

  it('contains window start and state of a merchant', () => {
    expect(corruxionStreamSignature(corruxionAt(now, corruxionRules))).toBe('1774004400:false');
    expect(corruxionStreamSignature(corruxionAt(1_774_004_400, corruxionRules))).toBe('1774004400:true');
    expect(fluxionStreamSignature(fluxionAt(now, fluxionRules))).toBe('1773140400:voting');
    expect(fluxionStreamSignature(fluxionAt(1_773_399_600, fluxionRules))).toBe('1773745200:away');
  });

  it('contains the current start of a biome rotation, and for stampy whether a window is open', () => {
    expect(biomesStreamSignature(biomeRotationsAt(now, biomesRules))).toBe('1773151200');
    expect(wildManaStreamSignature(biomeRotationsAt(now, wildManaRules))).toBe('1773054000');
    const stampy = (at: number) => stampyStreamSignature(biomeRotationsAt(at, stampyRules), at);
    expect([now, 1_773_486_000, 1_773_486_000 + 172_799].map(stampy)).toEqual(['1773486000:false', '1773486000:true', '1773486000:true']);
    expect(stampy(1_773_486_000 + 172_800)).toBe('1774090800:false');
  });

  it('contains the previous reset for daily buffs', () => {
    expect([weekStart - 1, weekStart, now].map(dailyBonusesStreamSignature)).toEqual(['1773054000', '1773140400', '1773140400']);
  });
});
