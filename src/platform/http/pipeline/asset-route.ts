import { z } from '@hono/zod-openapi';
import { openAccess } from '../../access/policy/policy.ts';
import { notFound } from '../../errors/api-error.ts';
import type { RawReply } from '../replies/reply.ts';
import { defineRoute, type Endpoint } from './define-route.ts';

const ASSET_MAX_AGE_SECONDS = 3600;

const AssetParams = z.object({ file: z.string().openapi({ description: 'File name.', example: 'docs.css' }) });

/** Serves static files of pages, such as `/docs/assets/{file}`. The Worker adds the common headers. */
export function assetRoute(path: `${string}/{file}`, operationId: string, assets: Fetcher): Endpoint {
  return defineRoute({
    method: 'get',
    path,
    operationId,
    tag: 'Service',
    summary: 'Get a page asset',
    description: 'Returns a style sheet, script or image of a page.',
    access: openAccess,
    surface: 'page',
    hidden: true,
    params: AssetParams,
    errors: ['not_found'],
    ok: { contentTypes: ['*/*'], description: 'The file.' },
  }).handle(({ request }) => assetReply(assets, request));
}

async function assetReply(assets: Fetcher, request: Request): Promise<RawReply> {
  const { origin, pathname } = new URL(request.url);
  const file = await assets.fetch(`${origin}${pathname}`);
  if (!file.ok) {
    await file.body?.cancel();
    throw notFound('file not found');
  }
  const etag = file.headers.get('ETag');
  return {
    kind: 'raw',
    body: file.body,
    contentType: file.headers.get('Content-Type') ?? 'application/octet-stream',
    maxAge: ASSET_MAX_AGE_SECONDS,
    ...(etag === null ? {} : { etag }),
  };
}
