import { json } from '../../platform/http/replies/reply.ts';
import type { Giveaway } from './giveaway.domain.ts';
import { toGiveawayBody } from './giveaways.schemas.ts';

/** `max-age` of lists in seconds. */
const LIST_SECONDS = 30;

/** Serialized list of giveaways of the endpoints and the event stream. */
export const giveawaysBody = (giveaways: readonly Giveaway[]) => json(giveaways.map(toGiveawayBody), { maxAge: LIST_SECONDS });
