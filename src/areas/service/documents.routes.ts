import { z } from '@hono/zod-openapi';
import { openAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { RawReply } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import type { CachedDocument, Documents } from './documents.service.ts';

const part = (description: string) => z.looseObject({}).openapi({ description });

const OpenApiDocumentBody = z
  .looseObject({
    openapi: z.string().openapi({ description: 'Version of the OpenAPI specification.', example: '3.1.0' }),
    info: part('Title, version, contact and license.'),
    paths: part('Operations by path and method.'),
    components: part('Schemas, responses, headers and parameters that operations refer to.'),
  })
  .openapi('OpenApiDocument', { description: 'An OpenAPI document.' });

const TagParams = z.object({
  tag: z.string().max(64).openapi({ description: 'Tag in lower case, with hyphens for spaces.', example: 'rotations' }),
});

const DOCUMENT_MAX_AGE = 300;

const shared = { method: 'get', tag: 'Service', access: openAccess } as const;

function cacheable({ text, etag }: CachedDocument, contentType: string): RawReply {
  return { kind: 'raw', body: text, etag, contentType, maxAge: DOCUMENT_MAX_AGE };
}

export function createDocumentEndpoints(documents: Documents, guides: Ports['guides']): Endpoint[] {
  const openapi = defineRoute({
    ...shared,
    path: '/openapi.json',
    operationId: 'getOpenapi',
    summary: 'Get the OpenAPI document',
    description: 'Returns the OpenAPI 3.1 document of every operation whose feature is switched on.',
    ok: { contentTypes: ['application/json'], description: 'OpenAPI 3.1 document.', document: OpenApiDocumentBody },
  }).handle(async ({ settings, baseUrl }) => cacheable(await documents.openapi(settings, baseUrl), 'application/json'));

  const openapi30 = defineRoute({
    ...shared,
    path: '/openapi-3.0.json',
    operationId: 'getOpenapi30',
    summary: 'Get the OpenAPI 3.0 document',
    description: 'Returns the same document as OpenAPI 3.0.3, for tools without support for 3.1. Webhooks are omitted.',
    ok: { contentTypes: ['application/json'], description: 'OpenAPI 3.0 document.', document: OpenApiDocumentBody },
  }).handle(async ({ settings, baseUrl }) => cacheable(await documents.openapi30(settings, baseUrl), 'application/json'));

  const openapiOfTag = defineRoute({
    ...shared,
    path: '/openapi/{tag}.json',
    operationId: 'getOpenapiOfTag',
    summary: 'Get the document of a tag',
    description: 'Returns the operations of one tag and the schemas that they use.',
    params: TagParams,
    errors: ['not_found'],
    ok: { contentTypes: ['application/json'], description: 'OpenAPI 3.1 document.', document: OpenApiDocumentBody },
  }).handle(async ({ params: { tag }, settings, baseUrl }) => {
    const document = await documents.openapiOfTag(settings, baseUrl, tag);
    if (!document) throw notFound(`tag not found; tags: ${(await documents.tags(settings, baseUrl)).join(', ')}`);
    return cacheable(document, 'application/json');
  });

  const llms = defineRoute({
    ...shared,
    path: '/llms.txt',
    operationId: 'getLlmsText',
    summary: 'Get llms.txt',
    description: 'Returns a description of the API for language models: conventions, links to the guides, and one line for each operation.',
    ok: { contentTypes: ['text/plain'], description: 'Plain text.' },
  }).handle(async ({ settings, baseUrl }) =>
    cacheable(await documents.llms(settings, baseUrl, await guides.all()), 'text/plain; charset=utf-8'),
  );

  return [openapi, openapi30, openapiOfTag, llms];
}
