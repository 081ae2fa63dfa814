import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import type { MemoryPool } from '../../../platform/http/bodies/memory-pool.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { digestOf } from '../../../platform/http/replies/reply.ts';
import { badRequest, upstreamFailed } from '../../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_DAY } from '../../../platform/kit/time/clock.ts';
import { BROWSER_USER_AGENT } from '../../../platform/upstream/browser-headers.ts';
import type { UpstreamClient, UpstreamResponse } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { proxiedImageRateLimit } from '../feeds.settings.ts';
import { FEED_SOURCES } from '../feeds-config.domain.ts';

interface VideosBImage {
  bytes: Uint8Array<ArrayBuffer>;
  /** `Content-Type` of the response; null: none. */
  contentType: string | null;
}

type VideosBImages = ReturnType<typeof createVideosBImages>;

const SOURCE = FEED_SOURCES.videosBImages;
const TIMEOUT_SECONDS = 10;
const MAX_REDIRECTS = 3;
const MAX_BYTES = 5 * 1024 * 1024;
/** Memory reserved first, in bytes. Most images are smaller; larger ones reserve the maximum. */
const INITIAL_BYTES = 512 * 1024;
const HEADERS = { 'User-Agent': BROWSER_USER_AGENT, Referer: 'https://www.bilibili.com/', Accept: 'image/*' };

const isRedirect = (status: number) => status >= 300 && status < 400;

/**
 * The platform serves images only to its own pages (`Referer`). `originOverride`: origin of a mock that serves the paths of all hosts of the
 * platform.
 */
export function createVideosBImages(client: Pick<UpstreamClient, 'fetch'>, memory: MemoryPool, originOverride: string | null = null) {
  async function fetchFollowingRedirects(start: URL, maxBytes: number, signal: AbortSignal): Promise<UpstreamResponse> {
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await client.fetch({
        source: SOURCE,
        url: originOverride === null ? url : new URL(url.pathname, originOverride),
        headers: HEADERS,
        signal,
        maxBytes,
        timeoutSeconds: TIMEOUT_SECONDS,
        attempts: 1,
        circuit: false,
        storesState: false,
        redirect: 'manual',
        accepts: (status) => (status >= 200 && status < 300) || isRedirect(status),
      });
      if (!isRedirect(response.status)) return response;
      const target = URL.parse(response.headers.get('Location') ?? '', url);
      if (!target || !isVideosBImage(target)) throw new UpstreamError(SOURCE, 'redirect', 'redirect to another host');
      url = target;
    }
    throw new UpstreamError(SOURCE, 'redirect', `more than ${MAX_REDIRECTS} redirects`);
  }

  return {
    /** Fetches an image. Throws `UpstreamError`, and 503 while too many images are being fetched. */
    async fetch(url: URL, signal: AbortSignal): Promise<VideosBImage> {
      const reservation = memory.open(signal);
      const signalWithTimeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_SECONDS * 1000)]);
      try {
        reservation.grow(INITIAL_BYTES);
        const response = await fetchFollowingRedirects(url, INITIAL_BYTES, signalWithTimeout).catch((error: unknown) => {
          if (!(error instanceof UpstreamError) || error.kind !== 'too_large') throw error;
          reservation.grow(MAX_BYTES - INITIAL_BYTES);
          return fetchFollowingRedirects(url, MAX_BYTES, signalWithTimeout);
        });
        return { bytes: response.bytes, contentType: response.headers.get('Content-Type') };
      } finally {
        reservation.release();
      }
    },
  };
}

/** Image host of the platform; subdomains are allowed too. */
const IMAGE_HOST = 'hdslb.com';

/** Parses an image URL of the platform; null for other texts. */
function parseVideosBImageUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url && isVideosBImage(url) ? url : null;
}

/** Whether a URL is an image of the platform. Redirects are checked too. */
function isVideosBImage({ protocol, hostname, port, username, password }: URL): boolean {
  const isHost = hostname === IMAGE_HOST || hostname.endsWith(`.${IMAGE_HOST}`);
  return protocol === 'https:' && isHost && port === '' && username === '' && password === '';
}

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
    access: publicAccess('feeds:read', proxiedImageRateLimit),
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
