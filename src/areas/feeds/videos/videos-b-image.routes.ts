import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { digestOf } from '../../../platform/http/replies/reply.ts';
import { badRequest, upstreamFailed } from '../../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_DAY } from '../../../platform/kit/time/clock.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { proxiedImageBudget } from '../feeds.settings.ts';
import { parseVideosBImageUrl, type VideosBImages } from './videos-b-image.upstream.ts';

const MAX_URL_LENGTH = 2048;
const DEFAULT_TYPE = 'image/jpeg';

const ImageQuery = z.object({
  url: z.string().max(MAX_URL_LENGTH).openapi({
    description: 'URL of the image from `thumbnail_url`: https, on a host of the platform.',
    example: 'https://i0.hdslb.com/bfs/archive/cover.jpg',
  }),
});

/** `GET /v1/feeds/videos-b/image`. */
export function createVideosBImageEndpoint(images: VideosBImages): Endpoint {
  return defineRoute({
    method: 'get',
    tag: 'Feeds',
    access: publicAccess('feeds:read', proxiedImageBudget),
    path: '/v1/feeds/videos-b/image',
    operationId: 'getVideosBImage',
    summary: 'Get a videos-b thumbnail',
    description:
      'Proxies a thumbnail of videos-b, whose platform serves images only to its own pages. Follows up to three redirects within the platform. Images larger than 5 MB return 502.',
    query: ImageQuery,
    errors: ['bad_request', 'service_unavailable'],
    fetchesUpstream: true,
    ok: {
      contentTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'],
      description: 'The image.',
    },
  }).handle(async ({ query, request }) => {
    const url = parseVideosBImageUrl(query.url);
    if (!url) throw badRequest('url must be an https URL on hdslb.com or a subdomain');
    const { bytes, contentType } = await images.fetch(url, request.signal).catch((error: unknown) => {
      throw error instanceof UpstreamError ? upstreamFailed('the platform did not return the image') : error;
    });
    return {
      kind: 'raw',
      body: bytes,
      contentType: contentType?.toLowerCase().startsWith('image/') ? contentType : DEFAULT_TYPE,
      etag: `"${digestOf(bytes)}"`,
      maxAge: SECONDS_PER_DAY,
    };
  });
}
