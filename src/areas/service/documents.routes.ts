import { openAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { RawReply } from '../../platform/http/replies/reply.ts';
import { OpenApiDocumentBody, TagParams } from './documents.schemas.ts';
import type { CachedDocument, Documents } from './documents.ts';

const DOCUMENT_MAX_AGE = 300;

const shared = { method: 'get', tag: 'Service', access: openAccess } as const;

function kept({ text, etag }: CachedDocument, contentType: string): RawReply {
  return { kind: 'raw', body: text, etag, contentType, maxAge: DOCUMENT_MAX_AGE };
}

/** The generated documents. */
export function createDocumentEndpoints(documents: Documents, guides: Ports['guides']): Endpoint[] {
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
    description: 'What holds for every endpoint, links to the guides, and one line for each operation, as plain text.',
    ok: { contentTypes: ['text/plain'], description: 'Plain text.' },
  }).handle(async ({ settings, baseUrl }) => kept(documents.llms(settings, baseUrl, await guides.all()), 'text/plain; charset=utf-8'));

  return [openapi, openapi30, openapiOfTag, llms];
}
