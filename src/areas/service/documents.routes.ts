import { openAccess } from '../../platform/access/policy.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { defineRoute, type Endpoint } from '../../platform/http/define-route.ts';
import { digestOf, type RawReply } from '../../platform/http/reply.ts';
import { docsPage } from './docs-page.ts';
import type { Documents, KeptDocument } from './documents.ts';
import { AssetParams } from './service.schemas.ts';

const DOCUMENT_MAX_AGE = 300;
const ASSET_MAX_AGE = 3600;

const shared = { method: 'get', tag: 'Service', access: openAccess } as const;

function kept({ text, etag }: KeptDocument, contentType: string): RawReply {
  return { kind: 'raw', body: text, etag, contentType, maxAge: DOCUMENT_MAX_AGE };
}

/** The documentation page, the generated documents, and the files the page loads. */
export function createDocumentEndpoints(documents: Documents, assets: Fetcher): Endpoint[] {
  const openapi = defineRoute({
    ...shared,
    path: '/openapi.json',
    operationId: 'getOpenapi',
    summary: 'This document',
    description: 'The OpenAPI 3.1 description of every operation that is switched on, always current.',
    ok: { contentTypes: ['application/json'], description: 'OpenAPI 3.1 document.' },
  }).handle(({ settings, baseUrl }) => kept(documents.openapi(settings, baseUrl), 'application/json'));

  const llms = defineRoute({
    ...shared,
    path: '/llms.txt',
    operationId: 'getLlmsText',
    summary: 'Description for language models',
    description: 'The guide and one line for each operation, as plain text.',
    ok: { contentTypes: ['text/plain'], description: 'Plain text.' },
  }).handle(({ settings, baseUrl }) => kept(documents.llms(settings, baseUrl), 'text/plain; charset=utf-8'));

  const page = defineRoute({
    ...shared,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'Documentation page',
    description: 'The guide, the error codes and the reference, for people.',
    surface: 'page',
    hidden: true,
    ok: { contentTypes: ['text/html'], description: 'HTML page.' },
  }).handle(({ baseUrl }) => {
    const text = docsPage(baseUrl);
    return kept({ text, etag: `"${digestOf(text)}"` }, 'text/html; charset=utf-8');
  });

  const assetRoute = (path: string, operationId: string) =>
    defineRoute({
      ...shared,
      path,
      operationId,
      summary: 'File of the documentation page',
      description: 'A style sheet, script or picture of the documentation page.',
      surface: 'page',
      hidden: true,
      params: AssetParams,
      ok: { contentTypes: ['*/*'], description: 'The file.' },
    }).handle(({ request }) => assetReply(assets, request));

  return [openapi, llms, page, assetRoute('/docs/{file}', 'getDocsFile'), assetRoute('/docs/vendor/{file}', 'getDocsVendorFile')];
}

/** Passes a static file through the Worker, so that it carries the same headers as everything else. */
async function assetReply(assets: Fetcher, request: Request): Promise<RawReply> {
  const { origin, pathname } = new URL(request.url);
  const file = await assets.fetch(`${origin}${pathname}`);
  if (!file.ok) {
    await file.body?.cancel();
    throw notFound('no such file');
  }
  const etag = file.headers.get('ETag');
  return {
    kind: 'raw',
    body: file.body,
    contentType: file.headers.get('Content-Type') ?? 'application/octet-stream',
    maxAge: ASSET_MAX_AGE,
    ...(etag === null ? {} : { etag }),
  };
}
