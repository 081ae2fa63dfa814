import type { EventType } from '../../platform/events/event-declaration.ts';
import type { EventSource } from '../../platform/events/event-source.ts';
import type { Representation } from '../../platform/http/replies/reply.ts';
import { gameDayStart, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import {
  type BiomeRotationRules,
  type BiomeRotations,
  biomeRotationsAt,
  biomeRotationsNextChangeAt,
  corruxionAt,
  corruxionNextChangeAt,
  dailyBuffsNextChangeAt,
  type FluxionTimer,
  fluxionAt,
  fluxionNextChangeAt,
  type MerchantTimer,
} from './computed/computed.domain.ts';
import { biomesBody, corruxionBody, dailyBuffsBody, fluxionBody, stampyBody, wildManaBody } from './computed/computed.schemas.ts';
import { isWithin } from './computed/cycle.domain.ts';
import { luxionStreamSignature } from './luxion/luxion.domain.ts';
import { luxionBody } from './luxion/luxion.schemas.ts';
import type { LuxionStore } from './luxion/luxion.store.ts';
import { type Challenge, type ChaosChest, challengeNextChangeAt } from './reports/reports.domain.ts';
import { challengeBody, chaosChestBody } from './reports/reports.schemas.ts';
import type { ReportsService } from './reports/reports.service.ts';
import { biomesRules, challengeRules, corruxionRules, fluxionRules, stampyRulesOf, wildManaRules } from './schedules.data.ts';

interface TimedSource {
  type: EventType;
  bodyAt(now: UnixSeconds, settings: Settings): Representation;
  signatureAt(now: UnixSeconds): string;
  nextChangeAt(now: UnixSeconds): UnixSeconds;
}

/** A source that depends only on the time. */
function createTimedSource({ type, bodyAt, signatureAt, nextChangeAt }: TimedSource): EventSource {
  return { type, nextChangeAt, stateAt: (now, settings) => ({ body: bodyAt(now, settings), signature: signatureAt(now) }) };
}

function createBiomeSource(
  type: EventType,
  bodyAt: TimedSource['bodyAt'],
  rules: BiomeRotationRules,
  signature: (rotations: BiomeRotations, now: UnixSeconds) => string,
): EventSource {
  return createTimedSource({
    type,
    bodyAt,
    signatureAt: (now) => signature(biomeRotationsAt(now, rules), now),
    nextChangeAt: (now) => biomeRotationsNextChangeAt(now, rules),
  });
}

const timedSources: EventSource[] = [
  createTimedSource({
    type: 'corruxion',
    bodyAt: corruxionBody,
    signatureAt: (now) => corruxionStreamSignature(corruxionAt(now, corruxionRules)),
    nextChangeAt: (now) => corruxionNextChangeAt(now, corruxionRules),
  }),
  createTimedSource({
    type: 'fluxion',
    bodyAt: fluxionBody,
    signatureAt: (now) => fluxionStreamSignature(fluxionAt(now, fluxionRules)),
    nextChangeAt: (now) => fluxionNextChangeAt(now, fluxionRules),
  }),
  createBiomeSource('longshade', biomesBody, biomesRules, biomesStreamSignature),
  createBiomeSource('wild_mana', wildManaBody, wildManaRules, wildManaStreamSignature),
  {
    type: 'stampy',
    // Boundaries of both periods: a check in between finds no change.
    nextChangeAt: (now) => Math.min(...Object.values(stampyRulesOf).map((rules) => biomeRotationsNextChangeAt(now, rules))),
    stateAt: (now, settings) => {
      const signature = stampyStreamSignature(biomeRotationsAt(now, stampyRulesOf[settings.stampyPeriod]), now);
      return { body: stampyBody(now, settings), signature };
    },
  },
  createTimedSource({
    type: 'daily_bonuses',
    bodyAt: dailyBuffsBody,
    signatureAt: dailyBonusesStreamSignature,
    nextChangeAt: dailyBuffsNextChangeAt,
  }),
];

/** Event stream sources of the rotations. */
export function createRotationSources(service: ReportsService, luxion: LuxionStore, publicUrl: string): EventSource[] {
  return [
    {
      type: 'challenge',
      refresh: service.invalidateReads,
      nextChangeAt: (now) => challengeNextChangeAt(now, challengeRules),
      async stateAt(now) {
        const challenge = await service.challenge(now);
        return { body: challengeBody(challenge), signature: challengeStreamSignature(challenge) };
      },
    },
    {
      type: 'chaos',
      refresh: service.invalidateReads,
      nextChangeAt: service.chaosChestNextChangeAt,
      async stateAt(now) {
        const chest = await service.chaosChest(now);
        return { body: chaosChestBody(chest, publicUrl), signature: chaosChestStreamSignature(chest) };
      },
    },
    ...timedSources,
    {
      type: 'luxion',
      refresh: luxion.invalidateReads,
      async stateAt(now) {
        const merchant = await luxion.luxion(now);
        return merchant.active ? { body: luxionBody(merchant), signature: luxionStreamSignature(merchant) } : null;
      },
    },
  ];
}

/**
 * Signatures of event stream sources. The stream sends a message when the signature changes. It covers every change of the body except
 * countdowns.
 */

/** `challenge`: changes when a window opens or closes and when a name is reported or corrected. */
export function challengeStreamSignature(challenge: Pick<Challenge, 'startsAt' | 'active' | 'name'>): string {
  return `${challenge.startsAt}:${challenge.active}:${challenge.name ?? ''}`;
}

/** `chaos`: changes with the week and the item. */
export function chaosChestStreamSignature(chest: Pick<ChaosChest, 'startsAt' | 'item'>): string {
  return `${chest.startsAt}:${chest.item?.name ?? ''}`;
}

/** `corruxion`: changes on arrival and departure. */
export function corruxionStreamSignature(timer: Pick<MerchantTimer, 'startsAt' | 'active'>): string {
  return `${timer.startsAt}:${timer.active}`;
}

/** `fluxion`: changes on arrival and departure. */
export function fluxionStreamSignature(timer: Pick<FluxionTimer, 'startsAt' | 'state'>): string {
  return `${timer.startsAt}:${timer.state}`;
}

/** `longshade`: changes with the 3-hour biomes. */
export function biomesStreamSignature(biomes: BiomeRotations): string {
  return `${biomes.current.startsAt}`;
}

/** `wild_mana`: changes with the week. */
export function wildManaStreamSignature(wildMana: BiomeRotations): string {
  return `${wildMana.current.startsAt}`;
}

/** `stampy`: changes when a window opens or closes. */
export function stampyStreamSignature(stampy: BiomeRotations, now: UnixSeconds): string {
  return `${stampy.current.startsAt}:${isWithin(now, stampy.current)}`;
}

/** `daily_bonuses`: changes with the game day. */
export function dailyBonusesStreamSignature(now: UnixSeconds): string {
  return `${gameDayStart(now)}`;
}
