import { z } from '@hono/zod-openapi';
import type { RateLimitGroup } from '../../access/policy/policy.ts';
import { type Badge, badgeSvg, type Card, cardSvg, IMAGE_THEMES, type ImageTheme } from '../../kit/images/embedded-images.domain.ts';
import { floorDiv, type UnixSeconds } from '../../kit/time/clock.ts';
import { type CachedContents, createCachedContents, type WaitUntil } from '../../storage/pop-cache.ts';
import { choice } from '../pipeline/query-schemas.ts';
import { digestOf, type RawReply } from './reply.ts';

export const BADGE_TYPE = 'image/svg+xml';

/** Forms of an embedded image: a line, or a title with rows. */
export const IMAGE_SHAPES = ['badge', 'card'] as const;
export type ImageShape = (typeof IMAGE_SHAPES)[number];

/** The response of an endpoint of each form. */
export const imageOk = (shape: ImageShape) => ({
  contentTypes: [BADGE_TYPE] as const,
  description: shape === 'badge' ? 'SVG image, 20 pixels high.' : 'SVG image, 420 pixels wide.',
  example: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
});

export const ImageQuery = z.object({
  theme: choice(IMAGE_THEMES, { description: 'Color theme: `dark` or `light`.', example: 'dark' }).default('dark'),
});

/** The rate limit of embedded images. Separate, because its multiplier is at least 2. */
export const imagesRateLimit: RateLimitGroup = {
  name: 'images',
  multiplierOf: (settings) => settings.imagesRateLimitMultiplier,
};

/** A badge with a strong ETag. `maxAge`: seconds until the badge may change. */
export function badgeReply(badge: Badge, maxAge: number, theme?: ImageTheme): RawReply {
  return imageReply(badgeSvg(badge, theme), maxAge);
}

export function cardReply(card: Card, maxAge: number, theme: ImageTheme): RawReply {
  return imageReply(cardSvg(card, theme), maxAge);
}

const imageReply = (body: string, maxAge: number): RawReply => ({
  kind: 'raw',
  body,
  contentType: BADGE_TYPE,
  etag: `"${digestOf(body)}"`,
  maxAge: Math.max(1, maxAge),
});

/** A subject in both forms. */
export interface EmbeddedImage {
  badge: Badge;
  card: Card;
}

interface CachedImageRequest {
  /** Identifies the subject in the cache. */
  key: string;
  shape: ImageShape;
  theme: ImageTheme;
  now: UnixSeconds;
  waitUntil: WaitUntil;
}

/** Increase it when the rendering changes. */
const IMAGE_VERSION = 1;
const MAX_AGE_SECONDS = 300;
/** Cached images are never read from a bucket. */
const NO_STORE = { open: async () => null };

/**
 * Images of data that costs reads, cached for five minutes in the data center of the reader: an image on a busy page reads the data once
 * in that time. Errors of `read` are not cached.
 */
export function createImageCache(contents: CachedContents = createCachedContents(NO_STORE)) {
  return async ({ key, shape, theme, now, waitUntil }: CachedImageRequest, read: () => Promise<EmbeddedImage>): Promise<RawReply> => {
    const period = floorDiv(now, MAX_AGE_SECONDS);
    const draw = async () => {
      const { badge, card } = await read();
      return new TextEncoder().encode(shape === 'badge' ? badgeSvg(badge, theme) : cardSvg(card, theme)) as Uint8Array<ArrayBuffer>;
    };
    const path = ['images', IMAGE_VERSION, period, shape, theme, key]
      .map((part) => encodeURIComponent(String(part).toWellFormed()))
      .join('/');
    const bytes = await contents.bytes(path, draw, waitUntil);
    return imageReply(new TextDecoder().decode(bytes ?? undefined), (period + 1) * MAX_AGE_SECONDS - now);
  };
}
