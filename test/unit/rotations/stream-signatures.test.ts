import { describe, expect, it } from 'vitest';
import { biomes, stampy, wildMana } from '../../../src/areas/rotations/computed/biomes.resource.ts';
import { dailyBuffs } from '../../../src/areas/rotations/computed/buffs.resource.ts';
import { corruxion, fluxion } from '../../../src/areas/rotations/computed/merchants.resource.ts';
import { challenge } from '../../../src/areas/rotations/reports/challenge.resource.ts';
import { chaosChest } from '../../../src/areas/rotations/reports/chaos-chest.resource.ts';
import type { ReportsService } from '../../../src/areas/rotations/reports/reports.service.ts';
import { challengeAt, chaosChestAt, featuredChaosChestAt } from '../../../src/areas/rotations/schedules/reports.domain.ts';
import { challengeRules, chaosChestWeek } from '../../../src/areas/rotations/schedules/schedules.data.ts';
import type { Resource } from '../../../src/platform/area/resource.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';

const now = 1_773_156_600; // Tuesday 2026-03-10 15:30:00 UTC
const windowStart = 1_773_154_800;
const weekStart = 1_773_140_400;

async function signature<Body, Deps>(resource: Resource<Body, Deps>, at: number, deps?: Deps) {
  const body = await resource.read({ now: at, settings: DEFAULT_SETTINGS, baseUrl: '' }, deps as Deps);
  return resource.event?.signature(body, at);
}

/** A service with one report. */
const reported = (name: string | null) =>
  ({
    challenge: async (at) =>
      challengeAt(at, name === null ? null : { windowAnchorAt: windowStart, name, capturedAt: windowStart }, challengeRules),
    chaosChest: async (at) => {
      const capture = name === null ? null : { weekAnchorAt: weekStart, name, capturedAt: at };
      return chaosChestAt(at, featuredChaosChestAt(at, capture, null, chaosChestWeek), null);
    },
  }) satisfies Partial<ReportsService> as unknown as ReportsService;

describe('stream signature', () => {
  it('contains window, activity and name of a challenge', async () => {
    expect(await signature(challenge, now, reported(null))).toBe('1773154800:false:');
    expect(await signature(challenge, windowStart, reported(null))).toBe('1773154800:true:');
    expect(await signature(challenge, windowStart, reported('Racing Challenge'))).toBe('1773154800:true:Racing Challenge');
  });

  it('contains window start and item of the chaos chest', async () => {
    expect(await signature(chaosChest, now, reported(null))).toBe('1773140400:');
    expect(await signature(chaosChest, now, reported('Wings'))).toBe('1773140400:Wings');
  });

  it('contains window start and state of a merchant', async () => {
    expect(await signature(corruxion, now)).toBe('1774004400:false');
    expect(await signature(corruxion, 1_774_004_400)).toBe('1774004400:true');
    expect(await signature(fluxion, now)).toBe('1773140400:voting');
    expect(await signature(fluxion, 1_773_399_600)).toBe('1773745200:away');
  });

  it('contains the current start of a biome rotation, and for stampy whether a window is open', async () => {
    expect(await signature(biomes, now)).toBe('1773151200');
    expect(await signature(wildMana, now)).toBe('1773054000');
    expect(await signature(stampy, now)).toBe('1773486000:false');
    expect(await signature(stampy, 1_773_486_000)).toBe('1773486000:true');
    expect(await signature(stampy, 1_773_486_000 + 172_799)).toBe('1773486000:true');
    expect(await signature(stampy, 1_773_486_000 + 172_800)).toBe('1774090800:false');
  });

  it('contains the previous reset for daily buffs', async () => {
    expect(await signature(dailyBuffs, weekStart - 1)).toBe('1773054000');
    expect(await signature(dailyBuffs, weekStart)).toBe('1773140400');
    expect(await signature(dailyBuffs, now)).toBe('1773140400');
  });
});
