import { z } from '@hono/zod-openapi';
import { computedAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { fileReply } from '../../../platform/http/replies/file-reply.ts';
import { isNotModified } from '../../../platform/http/replies/preconditions.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import type { ByteRange } from '../../../platform/storage/content-store.ts';
import { branch } from '../api/queries.schemas.ts';
import { codexImagesRateLimit, codexRendersRateLimit } from '../codexes.settings.ts';
import { blueprintPath } from '../paths.domain.ts';
import { MAX_IMAGE_SIDE, MIN_IMAGE_SIDE } from './blueprint.domain.ts';
import type { ModelFile, ModelImages } from './model-images.service.ts';

const PNG = 'image/png';
const CACHE = 'public, max-age=86400';
const DEFAULT_SIDE = 256;
const MAX_REFERENCE_LENGTH = 1024;

const RenderQuery = z.object({
  blueprint: z.string().min(1).max(MAX_REFERENCE_LENGTH).openapi({
    description: 'Model, as the `blueprint` of an entry. `blueprints/` and `.blueprint` are optional; case-insensitive.',
    example: 'c_mount_cat_ui.blueprint',
  }),
  branch,
  dim: integerWithDefault({
    min: MIN_IMAGE_SIDE,
    max: MAX_IMAGE_SIDE,
    default: DEFAULT_SIDE,
    example: DEFAULT_SIDE,
    description: `Width and height in pixels, ${MIN_IMAGE_SIDE} to ${MAX_IMAGE_SIDE}.`,
  }),
  prefab: z.string().max(MAX_REFERENCE_LENGTH).optional().openapi({
    description: 'Ignored: only the model itself is rendered.',
    example: 'prefabs/collections/mount/cat.binfab',
  }),
});

/** Finds a model by path in the newest version of a branch. */
type FindModel = (branch: string, path: string) => Promise<ModelFile | null>;

/** `GET /v1/codexes/render`. Must be registered before the routes of a type. */
export function createRenderEndpoint(findModel: FindModel, images: ModelImages): Endpoint {
  return defineRoute({
    method: 'get',
    tag: 'Codexes',
    feature: 'featureCodexesEnabled',
    access: computedAccess('codexes:read', codexImagesRateLimit, codexRendersRateLimit),
    path: '/v1/codexes/render',
    operationId: 'renderBlueprint',
    summary: 'Get a model image',
    description:
      'Renders a voxel model of the game as a square PNG with a transparent background. Images of 64, 128, 256 and 512 pixels are stored: a request for a stored image counts only in the rate limit of images, other requests also in that of new images, which is as large as that of the codexes. A model that is empty, malformed or larger than 2 million voxels returns 422 `bad_request`.',
    query: RenderQuery,
    errors: ['not_found', 'bad_request', 'service_unavailable'],
    servesRanges: true,
    ok: { contentTypes: [PNG], description: 'The image.' },
  }).handle(async ({ query, request, chargeLater, waitUntil }) => {
    const model = await findModel(query.branch, blueprintPath(query.blueprint));
    if (!model) throw notFound('blueprint not found on this branch');
    const tag = images.createTag(model, query.dim);
    const etag = `"${tag}"`;
    if (isNotModified(request, { etag })) {
      return { kind: 'raw', contentType: PNG, etag, body: null, headers: { 'Cache-Control': CACHE } };
    }
    const pending = images.getImage(model, query.dim, async () => {
      const error = await chargeLater();
      if (error) throw error;
    });
    // A client that disconnects must not cancel the rendering: other requests wait for the image.
    waitUntil(pending.catch(() => {}));
    const image = await pending;
    const open = async (range?: ByteRange) => new Response(range ? image.subarray(range.offset, range.offset + range.length) : image).body;
    return fileReply(request, { sha256: tag, size: image.length, contentType: PNG, cacheControl: CACHE, open });
  });
}
