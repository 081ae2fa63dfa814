import { json } from '../../platform/http/replies/reply.ts';
import type { Giveaway } from './giveaway.domain.ts';
import { toGiveawayBody } from './giveaways.schemas.ts';

/** `max-age` of lists in seconds. */
const LIST_SECONDS = 30;

/** A serialised list of giveaways: the one form for its route and the event stream. */
export const giveawaysBody = (giveaways: readonly Giveaway[]) => json(giveaways.map(toGiveawayBody), { maxAge: LIST_SECONDS });
