import type { Admission } from '../../../platform/access/policy/admission.ts';
import { ApiError } from '../../../platform/errors/api-error.ts';
import { heavyWork } from '../../../platform/heavy-work.ts';
import { matchesEtag } from '../../../platform/http/replies/conditional.ts';
import type { RawReply } from '../../../platform/http/replies/reply.ts';
import { logError } from '../../../platform/logging.ts';
import type { FontSource } from '../../../platform/pictures/font-source.ts';
import { renderSvg } from '../../../platform/pictures/svg-renderer.ts';
import { sha256Of } from '../../../platform/storage/content-store.ts';
import { SECONDS_PER_DAY } from '../../../platform/time/clock.ts';
import { PREVIEW_VERSION, type PreviewCard, previewSvg } from './preview-card.domain.ts';

/** Processor time of an image. */
const DRAW_MS = 150;

export interface PreviewImagesDeps {
  bucket: R2Bucket;
  fonts: FontSource;
}

/** What a request brings that a preview may have to be drawn for. */
export interface PreviewRequest {
  request: Request;
  admission: Pick<Admission, 'chargeWork'>;
}

/** Preview images, each drawn once: the bucket keeps it under the hash of its drawing. */
export interface PreviewImages {
  /** Throws 429 when the address had too many images drawn, and 503 when too many wait. */
  reply(card: PreviewCard, input: PreviewRequest): Promise<RawReply>;
}

export function createPreviewImages({ bucket, fonts }: PreviewImagesDeps): PreviewImages {
  function draw(svg: string, key: string): Promise<Uint8Array<ArrayBuffer>> {
    return heavyWork.run(DRAW_MS, async () => {
      // Another request may have drawn it while this one waited.
      const stored = await bucket.get(key);
      if (stored) return new Uint8Array(await stored.arrayBuffer());
      const png = await renderSvg(svg, await fonts());
      await bucket.put(key, png);
      return png;
    });
  }

  return {
    async reply(card, { request, admission }) {
      const svg = previewSvg(card);
      const hash = await sha256Of(new TextEncoder().encode(`${PREVIEW_VERSION} ${svg}`));
      const base = { kind: 'raw', contentType: 'image/png', etag: `"${hash}"`, maxAge: SECONDS_PER_DAY } as const;
      if (matchesEtag(request.headers.get('If-None-Match'), base.etag)) return { ...base, body: null };
      const key = `previews/${hash}.png`;
      const stored = await bucket.get(key);
      if (stored) return { ...base, body: await stored.arrayBuffer() };
      await admission.chargeWork?.();
      try {
        return { ...base, body: await draw(svg, key) };
      } catch (error) {
        if (error instanceof ApiError) throw error;
        logError('a preview image could not be drawn', error, {});
        throw unavailable();
      }
    },
  };
}

function unavailable(): ApiError {
  return new ApiError('service_unavailable', 'the image cannot be drawn now', { headers: { 'Retry-After': '10' } });
}
