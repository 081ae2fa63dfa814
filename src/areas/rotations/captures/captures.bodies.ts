import { jsonWithClock } from '../../../platform/http/replies/reply.ts';
import { toChallengeBody, toChaosChestBody } from './captures.schemas.ts';
import type { Challenge } from './challenge.domain.ts';
import type { ChaosChest } from './chaos-chest.domain.ts';

/** Serialized challenge of the endpoint, the snapshot and the event stream. */
export const challengeBody = (challenge: Challenge) => jsonWithClock(toChallengeBody(challenge), ['seconds_remaining']);

/** Serialized chaos chest of the endpoint, the snapshot and the event stream. */
export const chaosChestBody = (chest: ChaosChest, baseUrl: string) =>
  jsonWithClock(toChaosChestBody(chest, baseUrl), ['seconds_remaining']);
