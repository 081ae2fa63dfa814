import { z } from '@hono/zod-openapi';
import { tokenlessAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { choice } from '../../platform/http/pipeline/query-schemas.ts';
import { isNotModified } from '../../platform/http/replies/preconditions.ts';
import { heavyWork } from '../../platform/kit/heavy-work.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { BoundedMap } from '../../platform/storage/memory-caches.ts';
import { SIGIL_ART_VERSION, SIGIL_SCALES, type SigilScale, type SigilTiers, sigilSvg, sigilTiers } from './sigil.domain.ts';

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
      'Draws the shield of a Power Rank on the wings of a total mastery, as a PNG with a transparent background. There are 20 shields and 26 pairs of wings; the `ETag` identifies their tiers.',
    query: SigilQuery,
    errors: ['service_unavailable'],
    ok: { contentTypes: ['image/png'], description: 'PNG, 88 x 88 pixels or 176 x 176.' },
  }).handle(async ({ query, request }) => {
    const tiers = sigilTiers(query.power_rank, query.mastery);
    const etag = sigilTag(tiers, query.scale);
    const body = isNotModified(request, { etag }) ? null : await render(tiers, query.scale);
    return { kind: 'raw', body, contentType: 'image/png', etag, maxAge: SECONDS_PER_DAY };
  });
}

/** Cached images per isolate, of 520 tiers in 2 scales; 6 to 30 KB each, at most 3 MB in total. */
const MAX_CACHED_IMAGES = 100;
/** Typical CPU time of an image, in milliseconds. */
const DRAW_MS = 30;

/** PNG bytes of a sigil. */
type SigilRenderer = (tiers: SigilTiers, scale: SigilScale) => Promise<Uint8Array<ArrayBuffer>>;

/** ETag, known before rendering: tiers, scale and art version determine the bytes. */
function sigilTag({ shield, wings }: SigilTiers, scale: SigilScale): string {
  return `"sigil-${SIGIL_ART_VERSION}-${shield}-${wings}-${scale}"`;
}

/** Renders sigils with an LRU cache. */
export function createSigilRenderer(): SigilRenderer {
  const cache = new BoundedMap<string, Uint8Array<ArrayBuffer>>(MAX_CACHED_IMAGES);
  return async (tiers, scale) => {
    const key = sigilTag(tiers, scale);
    const cached = cache.get(key);
    if (cached) return cached;
    const { renderSvg } = await import('../../platform/kit/images/svg-renderer.ts');
    const png = await heavyWork.run(DRAW_MS, () => renderSvg(sigilSvg(tiers, scale)));
    cache.set(key, png);
    return png;
  };
}
