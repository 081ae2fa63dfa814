import { jsonWithClock } from '../../../platform/http/replies/reply.ts';
import { toChallengeBody, toChaosChestBody } from './captures.schemas.ts';
import type { Challenge } from './challenge.domain.ts';
import type { ChaosChest } from './chaos-chest.domain.ts';

/** The serialised challenge: the one form for its route, the snapshot and the event stream. */
export const challengeBody = (challenge: Challenge) => jsonWithClock(toChallengeBody(challenge), ['seconds_remaining']);

/** The serialised chaos chest, likewise. */
export const chaosChestBody = (chest: ChaosChest, baseUrl: string) =>
  jsonWithClock(toChaosChestBody(chest, baseUrl), ['seconds_remaining']);
