import { anonymousKey, normalizeAddress } from '../../../platform/access/policy/addresses.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { fileReply } from '../../../platform/http/replies/file-reply.ts';
import type { RawReply } from '../../../platform/http/replies/reply.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { type ByteRange, sha256Of } from '../../../platform/storage/content-store.ts';
import type { CachedContents } from '../../../platform/storage/pop-cache.ts';
import { fileShared } from '../catalog/catalog.routes.ts';
import { ImageParams, ImageQuery, ReleaseParams } from '../catalog/catalog.schemas.ts';
import type { CatalogStore } from '../catalog/catalog.store.ts';
import { normalizeModAddress } from '../records/mod.domain.ts';
import type { ModDownloadsObject } from './downloads.object.ts';
import type { ImageVariants } from './image-variants.service.ts';

const IMAGE_CACHE = 'public, max-age=31536000, immutable';
/** The original is returned temporarily while the concurrency limit of resizing is reached. */
const BUSY_CACHE = 'public, max-age=60';
const ARTIFACT_CACHE = 'public, max-age=86400';
const NOT_MODIFIED = 304;

interface FileRouteDeps {
  catalog: CatalogStore;
  contents: Pick<CachedContents, 'open'>;
  downloads: DownloadLog;
  variants: ImageVariants;
}

/** Endpoints of images and artifacts. Must be registered before the mod details, whose path also matches image URLs. */
export function createFileEndpoints({ catalog, contents, downloads, variants }: FileRouteDeps): Endpoint[] {
  return [
    defineRoute({
      ...fileShared,
      method: 'get',
      path: '/v1/mods/images/{sha256}',
      operationId: 'getModImage',
      summary: 'Get a mod image',
      description:
        'Returns a banner or preview of a visible mod by hash; with `w` as WebP of that width. The content of a URL never changes.',
      params: ImageParams,
      query: ImageQuery,
      errors: ['not_found', 'bad_request'],
      servesRanges: true,
      ok: { contentTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'], description: 'The image.' },
    }).handle(async ({ params, query, request, waitUntil }) => {
      const image = await catalog.findPublicImage(foldCase(params.sha256));
      if (!image) throw notFound('image not found');
      const variant = query.w === undefined ? null : await variants.variantOf(image.sha256, query.w, { signal: request.signal, waitUntil });
      if (variant instanceof Uint8Array) return variantReply(request, variant);
      const cacheControl = variant === 'busy' ? BUSY_CACHE : IMAGE_CACHE;
      return fileReply(request, { ...image, cacheControl, open: (range) => contents.open(image, range, waitUntil) });
    }),

    defineRoute({
      ...fileShared,
      method: 'get',
      path: '/v1/mods/{handle}/{slug}/releases/{id}/download',
      operationId: 'downloadModRelease',
      summary: 'Download a release',
      description: 'Downloads the file of a release. The ETag is its hash. Supports a single `Range`, `If-Range` and conditional requests.',
      params: ReleaseParams,
      errors: ['not_found', 'bad_request'],
      servesRanges: true,
      ok: { contentTypes: ['application/octet-stream'], description: 'The file.' },
    }).handle(async ({ params, request, now, waitUntil }) => {
      const release = await catalog.findPublicRelease(normalizeModAddress(params), params.id);
      if (!release) throw notFound('release not found');
      const { sha256, size, filename, publishedAt } = release;
      const reply = await fileReply(request, {
        sha256,
        size,
        filename,
        contentType: 'application/octet-stream',
        cacheControl: ARTIFACT_CACHE,
        ...(publishedAt === null ? {} : { lastModified: publishedAt }),
        open: (range) => contents.open({ sha256, size }, range, waitUntil),
      });
      const isServed = request.method === 'GET' && reply.status !== NOT_MODIFIED;
      if (isServed) waitUntil(downloads.record(release.id, request.headers.get('CF-Connecting-IP'), now));
      return reply;
    }),
  ];
}

/** Reply with a resized image from memory. */
async function variantReply(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<RawReply> {
  const open = async (range?: ByteRange) => {
    const part = range ? bytes.subarray(range.offset, range.offset + range.length) : bytes;
    return new Response(part).body;
  };
  const sha256 = await sha256Of(bytes);
  return fileReply(request, { sha256, size: bytes.length, contentType: 'image/webp', cacheControl: IMAGE_CACHE, open });
}

/** Number of counting objects; a release always uses the same one. */
const OBJECT_COUNT = 4;

export type DownloadLog = ReturnType<typeof createDownloadLog>;

/** Counts downloads after the response. */
export function createDownloadLog(objects: DurableObjectNamespace<ModDownloadsObject>) {
  return {
    /** Never throws: a failure to count must not fail the download. */
    async record(releaseId: string, address: string | null, now: UnixSeconds): Promise<void> {
      try {
        const caller = anonymousKey(address === null ? null : normalizeAddress(address));
        await objects.getByName(objectOf(releaseId)).record(releaseId, caller, now);
      } catch (error) {
        logError('download was not counted', error, { release_id: releaseId });
      }
    },
  };
}

function objectOf(releaseId: string): string {
  let sum = 0;
  for (let index = 0; index < releaseId.length; index++) sum = (sum * 31 + releaseId.charCodeAt(index)) >>> 0;
  return `downloads-${sum % OBJECT_COUNT}`;
}
