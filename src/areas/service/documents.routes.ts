import { openAccess } from '../../platform/access/policy/policy.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { assetRoute } from '../../platform/http/pipeline/asset-route.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { digestOf, type RawReply } from '../../platform/http/replies/reply.ts';
import { docsPage } from './docs-page.ts';
import { OpenApiDocumentBody, TagParams } from './documents.schemas.ts';
import type { Documents, KeptDocument } from './documents.ts';

const DOCUMENT_MAX_AGE = 300;

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
    ok: { contentTypes: ['application/json'], description: 'OpenAPI 3.1 document.', document: OpenApiDocumentBody },
  }).handle(({ settings, baseUrl }) => kept(documents.openapi(settings, baseUrl), 'application/json'));

  const openapi30 = defineRoute({
    ...shared,
    path: '/openapi-3.0.json',
    operationId: 'getOpenapi30',
    summary: 'OpenAPI 3.0 document',
    description: 'The same as OpenAPI 3.0.3, for tools that read no 3.1. It has no webhooks.',
    ok: { contentTypes: ['application/json'], description: 'OpenAPI 3.0 document.', document: OpenApiDocumentBody },
  }).handle(({ settings, baseUrl }) => kept(documents.openapi30(settings, baseUrl), 'application/json'));

  const openapiOfTag = defineRoute({
    ...shared,
    path: '/openapi/{tag}.json',
    operationId: 'getOpenapiOfTag',
    summary: 'OpenAPI document of one group',
    description: 'The operations of one group of the documentation, and the schemas they need.',
    params: TagParams,
    errors: ['not_found'],
    ok: { contentTypes: ['application/json'], description: 'OpenAPI 3.1 document.', document: OpenApiDocumentBody },
  }).handle(({ params: { tag }, settings, baseUrl }) => {
    const document = documents.openapiOfTag(settings, baseUrl, tag);
    if (!document) throw notFound(`no group has this name; groups: ${documents.tags(settings, baseUrl).join(', ')}`);
    return kept(document, 'application/json');
  });

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

  return [
    openapi,
    openapi30,
    openapiOfTag,
    llms,
    page,
    assetRoute('/docs/{file}', 'getDocsFile', assets),
    assetRoute('/docs/vendor/{file}', 'getDocsVendorFile', assets),
  ];
}
