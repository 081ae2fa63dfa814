import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { choice } from '../../../platform/http/pipeline/query-schemas.ts';
import { badgeReply, cardReply, ImageQuery, imageOk, imagesBudget } from '../../../platform/http/replies/badge-reply.ts';
import { BADGE_NAMES, CARD_NAMES, merchantCard, type ReportedRotations, rotationBadge } from './badges.domain.ts';

/**
 * Maximum cache age of a badge in seconds, as for the rotations; shorter for reported rotations, because a report may arrive at any time.
 */
const MAX_AGE = 300;
const REPORTED_MAX_AGE = 30;

const BadgeParams = z.object({
  name: choice(BADGE_NAMES, { code: 'not_found', description: 'Rotation, named after its endpoint.', example: 'corruxion' }),
});

/** `/v1/rotations/badge/{name}.svg`: the current value of a rotation as a small image. */
export function createBadgeEndpoint(reported: ReportedRotations): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/v1/rotations/badge/{name}.svg',
    operationId: 'getRotationBadge',
    tag: 'Rotations',
    summary: 'Get a rotation badge',
    description:
      'Returns the current value of a rotation as a small SVG image, for READMEs and forums. Cacheable until the value changes, at most 5 minutes.',
    access: publicAccess('rotations:read', imagesBudget),
    params: BadgeParams,
    query: ImageQuery,
    errors: ['not_found'],
    ok: imageOk('badge'),
  }).handle(async ({ params, query, now, settings }) => {
    const { badge, changesAt, isReported } = await rotationBadge(params.name, now, settings, reported);
    return badgeReply(badge, Math.min(isReported ? REPORTED_MAX_AGE : MAX_AGE, changesAt - now), query.theme);
  });
}

const CardParams = z.object({
  name: choice(CARD_NAMES, { code: 'not_found', description: 'Merchant, named after its endpoint.', example: 'corruxion' }),
});

/** `/v1/rotations/card/{name}.svg`: a merchant with the next visits. */
export const merchantCardEndpoint: Endpoint = defineRoute({
  method: 'get',
  path: '/v1/rotations/card/{name}.svg',
  operationId: 'getMerchantCard',
  tag: 'Rotations',
  summary: 'Get a merchant card',
  description:
    'Returns a merchant with the next visits as an SVG image, for READMEs and forums. Cacheable until it changes, at most 5 minutes.',
  access: publicAccess('rotations:read', imagesBudget),
  params: CardParams,
  query: ImageQuery,
  errors: ['not_found'],
  ok: imageOk('card'),
}).handle(({ params, query, now }) => {
  const { card, changesAt } = merchantCard(params.name, now);
  return cardReply(card, Math.min(MAX_AGE, changesAt - now), query.theme);
});
