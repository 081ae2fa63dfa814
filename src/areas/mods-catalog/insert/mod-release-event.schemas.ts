import { z } from '@hono/zod-openapi';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { FORMATS } from '../catalog.data.ts';

const text = (description: string, example: string) => z.string().openapi({ description, example });

/** Body of the `mod_release` event, created by `modReleaseData`. */
export const ModReleaseEventBody = z
  .object({
    project: z
      .object({
        slug: text('Slug of the mod.', 'tiny-wings'),
        title: text('Title of the mod.', 'Tiny Wings'),
        owner: text('Handle of the owner.', 'ana'),
      })
      .openapi({ description: 'The mod.' }),
    release: z
      .object({
        id: text('Id of the release.', '6a0c1c2e-52f4-4f0e-8a55-0f3d1f9b7c21'),
        tag: text('Version.', '1.0.0'),
        title: text('Title; may be empty.', 'First release'),
        branch: text('Variant of the mod.', 'main'),
        format: enumOf(FORMATS).openapi({ description: 'Kind of file.', example: 'tmod' }),
        size: z.number().int().openapi({ description: 'Size in bytes.', example: 130 }),
        changelog: text('Changelog.', 'Everything.'),
        published_at: text('Time when the release was published.', '2026-03-10T15:00:00.000Z'),
      })
      .openapi({ description: 'The release.' }),
    download_url: text(
      'Absolute URL of the file.',
      'https://api.example.com/v1/mods/ana/tiny-wings/releases/6a0c1c2e-52f4-4f0e-8a55-0f3d1f9b7c21/download',
    ),
    page_url: text('Absolute URL of the mod page.', 'https://portal.example/mods/ana/tiny-wings'),
  })
  .openapi('ModReleaseEvent', { description: 'A published release.' });
