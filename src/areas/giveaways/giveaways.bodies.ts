import { digestOf, json } from '../../platform/http/replies/reply.ts';
import type { PublicGiveaway } from './giveaway.domain.ts';
import { toGiveawayBody } from './giveaways.schemas.ts';

/** `max-age` of lists in seconds. */
const LIST_SECONDS = 30;

/** Serialized list of giveaways of the endpoints and the event stream. */
export const giveawaysBody = (giveaways: readonly PublicGiveaway[]) => json(giveaways.map(toGiveawayBody), { maxAge: LIST_SECONDS });

/** `giveaways` of the event stream: changes when a giveaway opens or ends and when the published terms of an open one change. */
export function giveawaysStreamSignature(open: readonly PublicGiveaway[]): string {
  const terms = open.map(({ id, title, description, prizeName, startsAt, endsAt }) => [
    id,
    title,
    description,
    prizeName,
    startsAt,
    endsAt,
  ]);
  return open.length === 0 ? '' : digestOf(JSON.stringify(terms));
}
