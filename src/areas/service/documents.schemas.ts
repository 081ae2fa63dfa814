import { z } from '@hono/zod-openapi';

const part = (description: string) => z.looseObject({}).openapi({ description });

export const OpenApiDocumentBody = z
  .looseObject({
    openapi: z.string().openapi({ description: 'Version of the OpenAPI specification.', example: '3.1.0' }),
    info: part('Title, version, contact and license.'),
    paths: part('Operations by path and method.'),
    components: part('Schemas, responses, headers and parameters that operations refer to.'),
  })
  .openapi('OpenApiDocument', { description: 'An OpenAPI document.' });

const Link = z
  .object({
    href: z.string().openapi({ description: 'URL.', example: 'https://api.example.com/openapi.json' }),
    type: z.string().openapi({ description: 'Media type.', example: 'application/openapi+json' }),
  })
  .openapi('Link', { description: 'A link.' });

const links = (description: string) => z.array(Link).openapi({ description });

/** RFC 9264, as used by the API catalog (RFC 9727). */
export const LinkSetBody = z
  .object({
    linkset: z
      .array(
        z
          .object({
            anchor: z.string().openapi({ description: 'The API that the links describe.', example: 'https://api.example.com/v1' }),
            'service-desc': links('Machine-readable descriptions.'),
            'service-doc': links('Documentation.'),
            status: links('State of the service.'),
          })
          .openapi('LinkContext', { description: 'Links of one API, by relation.' }),
      )
      .openapi({ description: 'One context for each API.' }),
  })
  .openapi('LinkSet', { description: 'A link set (RFC 9264).' });

export const TagParams = z.object({
  tag: z.string().max(64).openapi({ description: 'Tag in lower case, with hyphens for spaces.', example: 'rotations' }),
});
