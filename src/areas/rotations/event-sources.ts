import type { EventType } from '../../platform/events/event-declaration.ts';
import type { EventSource } from '../../platform/events/event-source.ts';
import type { Representation } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { challengeBody, chaosChestBody } from './captures/captures.bodies.ts';
import type { CapturesService } from './captures/captures.service.ts';
import { challengeNextChangeAt } from './captures/challenge.domain.ts';
import {
  type BiomeRotationRules,
  type BiomeRotations,
  biomeRotationsAt,
  biomeRotationsNextChangeAt,
} from './computed/biome-rotations.domain.ts';
import { dailyBuffsNextChangeAt } from './computed/buffs.domain.ts';
import { biomesBody, corruxionBody, dailyBuffsBody, fluxionBody, stampyBody, wildManaBody } from './computed/computed.bodies.ts';
import { corruxionAt, corruxionNextChangeAt, fluxionAt, fluxionNextChangeAt } from './computed/merchants.domain.ts';
import { luxionStreamSignature } from './luxion/luxion.domain.ts';
import { luxionBody } from './luxion/luxion.schemas.ts';
import type { LuxionService } from './luxion/luxion.service.ts';
import { biomesRules, challengeRules, corruxionRules, fluxionRules, stampyRulesOf, wildManaRules } from './schedules.data.ts';
import {
  biomesStreamSignature,
  challengeStreamSignature,
  chaosChestStreamSignature,
  corruxionStreamSignature,
  dailyBonusesStreamSignature,
  fluxionStreamSignature,
  stampyStreamSignature,
  wildManaStreamSignature,
} from './stream-signatures.domain.ts';

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
export function createRotationSources(service: CapturesService, luxion: LuxionService, publicUrl: string): EventSource[] {
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
