import { z } from '@hono/zod-openapi';
import { tokenlessAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { choice } from '../../platform/http/pipeline/query-schemas.ts';
import { matchesEtag } from '../../platform/http/replies/reply.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { SIGIL_SCALES, sigilTiers } from './sigil.domain.ts';
import { type SigilRenderer, sigilTag } from './sigil-renderer.service.ts';

/** Any number of digits: values above the last threshold are in the top tier. */
function amount(description: string, example: number) {
  return z
    .string()
    .regex(/^\d+$/, 'must be an integer greater than or equal to 0')
    .transform(Number)
    .default(0)
    .openapi({ type: 'integer', minimum: 0, default: 0, description, example });
}

const SigilQuery = z.object({
  power_rank: amount('Power Rank of the character; selects the shield.', 31_250),
  mastery: amount('Total mastery (main plus Geode); selects the wings.', 840),
  scale: choice(SIGIL_SCALES, { description: 'Scale of the image: 1 for 88 pixels, 2 for 176 pixels.', example: 2 }).default(1),
});

/** `/v1/stats/sigil`: returns 304 without rendering when the ETag matches. */
export function createSigilEndpoint(render: SigilRenderer): Endpoint {
  return defineRoute({
    method: 'get',
    tag: 'Stats',
    access: tokenlessAccess('stats:read'),
    path: '/v1/stats/sigil',
    operationId: 'getSigil',
    summary: 'Get a sigil image',
    description:
      'Draws the shield of a Power Rank on the wings of a total mastery, as a PNG with a transparent background. There are 15 shields and 26 pairs of wings; the `ETag` identifies their tiers.',
    query: SigilQuery,
    errors: ['service_unavailable'],
    ok: { contentTypes: ['image/png'], description: 'PNG, 88 x 88 pixels or 176 x 176.' },
  }).handle(async ({ query, request }) => {
    const tiers = sigilTiers(query.power_rank, query.mastery);
    const etag = sigilTag(tiers, query.scale);
    const isNotModified = matchesEtag(request.headers.get('If-None-Match'), etag);
    const body = isNotModified ? null : await render(tiers, query.scale);
    return { kind: 'raw', body, contentType: 'image/png', etag, maxAge: SECONDS_PER_DAY };
  });
}
