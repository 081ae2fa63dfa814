import type { RawReply } from '../../../platform/http/replies/reply.ts';
import { matchesEtag } from '../../../platform/http/replies/reply.ts';
import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import { heavyWork } from '../../../platform/kit/heavy-work.ts';
import type { FontSource } from '../../../platform/kit/images/font-source.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { sha256Of } from '../../../platform/storage/content-store.ts';
import { deleteDerivedBefore } from '../../../platform/storage/dated-objects.ts';
import { PREVIEW_VERSION, type PreviewCard, previewSvg } from './preview-card.domain.ts';

/** Estimated CPU time of rendering one image. */
const RENDER_CPU_MS = 150;

/** Stored images are deleted after this time, and rendered again on demand. */
const TTL_SECONDS = 30 * SECONDS_PER_DAY;
const PREFIX = 'previews/';

export interface PreviewImagesDeps {
  bucket: R2Bucket;
  fonts: FontSource;
}

export interface PreviewRequest {
  request: Request;
  /** Counts a new image. Throws 429 if the address exceeds its rate limit. */
  chargeWork(): Promise<void>;
}

/** Renders each image once and stores it in the bucket under the hash of its SVG. */
export interface PreviewImages {
  /** Throws 429 if the address exceeds its rate limit of new images, and 503 if too many renderings wait. */
  reply(card: PreviewCard, input: PreviewRequest): Promise<RawReply>;
}

export function createPreviewImages({ bucket, fonts }: PreviewImagesDeps): PreviewImages {
  function renderAndStore(svg: string, key: string): Promise<Uint8Array<ArrayBuffer>> {
    return heavyWork.run(RENDER_CPU_MS, async () => {
      // Another request may have stored the image while this request waited.
      const stored = await bucket.get(key);
      if (stored) return new Uint8Array(await stored.arrayBuffer());
      const { renderSvg } = await import('../../../platform/kit/images/svg-renderer.ts');
      const png = await renderSvg(svg, await fonts());
      await bucket.put(key, png);
      return png;
    });
  }

  return {
    async reply(card, { request, chargeWork }) {
      const svg = previewSvg(card);
      const hash = await sha256Of(new TextEncoder().encode(`${PREVIEW_VERSION} ${svg}`));
      const base = { kind: 'raw', contentType: 'image/png', etag: `"${hash}"`, maxAge: SECONDS_PER_DAY } as const;
      if (matchesEtag(request.headers.get('If-None-Match'), base.etag)) return { ...base, body: null };
      const key = `${PREFIX}${hash}.png`;
      const stored = await bucket.get(key);
      if (stored) return { ...base, body: await stored.arrayBuffer() };
      await chargeWork();
      try {
        return { ...base, body: await renderAndStore(svg, key) };
      } catch (error) {
        if (error instanceof ApiError) throw error;
        logError('preview image could not be rendered', error, {});
        throw renderingUnavailable();
      }
    },
  };
}

/** Deletes stored images that are older than 30 days. Call it once a day. */
export async function deleteExpiredPreviews(bucket: R2Bucket, now: UnixSeconds): Promise<void> {
  await deleteDerivedBefore(bucket, PREFIX, now - TTL_SECONDS, now);
}

function renderingUnavailable(): ApiError {
  return new ApiError('service_unavailable', 'the image cannot be rendered at the moment', { headers: { 'Retry-After': '10' } });
}
