import type { MemoryBudget } from '../../../platform/http/bodies/memory-budget.ts';
import { BROWSER_USER_AGENT } from '../../../platform/upstream/browser-headers.ts';
import type { UpstreamClient, UpstreamResponse } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { FEED_SOURCES } from '../feeds.data.ts';

interface VideosBImage {
  bytes: Uint8Array<ArrayBuffer>;
  /** `Content-Type` of the response; null: none. */
  contentType: string | null;
}

export type VideosBImages = ReturnType<typeof createVideosBImages>;

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
export function createVideosBImages(client: Pick<UpstreamClient, 'fetch'>, memory: MemoryBudget, originOverride: string | null = null) {
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
export function parseVideosBImageUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url && isVideosBImage(url) ? url : null;
}

/** Whether a URL is an image of the platform. Redirects are checked too. */
function isVideosBImage({ protocol, hostname, port, username, password }: URL): boolean {
  const isHost = hostname === IMAGE_HOST || hostname.endsWith(`.${IMAGE_HOST}`);
  return protocol === 'https:' && isHost && port === '' && username === '' && password === '';
}
