import { z } from '@hono/zod-openapi';
import { enumOf, orNull, string } from '../../../platform/http/bodies/body-schemas.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { FORMATS, MAX_EVENT_CHANGELOG_LENGTH } from './catalog.data.ts';

const CHANGE_KINDS = namedValues('ModReleaseChangeKind', 'Kind of a release.', ['initial', 'update']);

const EventRelease = z
  .object({
    id: string('Id of the release.', '6a0c1c2e-52f4-4f0e-8a55-0f3d1f9b7c21'),
    tag: string('Version.', '1.0.0'),
    title: string('Title; may be empty.', 'First release'),
    branch: string('Variant of the mod.', 'main'),
    format: enumOf(FORMATS).openapi({ description: 'Kind of file.', example: 'tmod' }),
    size: z.number().int().openapi({ description: 'Size in bytes.', example: 130 }),
    changelog: string(`Changelog; at most ${MAX_EVENT_CHANGELOG_LENGTH} characters.`, 'Everything.'),
    published_at: string('Time when the release was published.', '2026-03-10T15:00:00.000Z'),
  })
  .openapi('ModReleaseEventRelease', { description: 'The release.' });

/** Body of the `mod_release` event, created by `modReleaseData`. */
export const ModReleaseEventBody = z
  .object({
    project: z
      .object({
        slug: string('Slug of the mod.', 'tiny-wings'),
        title: string('Title of the mod.', 'Tiny Wings'),
        owner: string('Handle of the owner.', 'ana'),
      })
      .openapi({ description: 'The mod.' }),
    release: EventRelease,
    previous: orNull(EventRelease, 'The newest release of the branch that was published before; null for the first.'),
    change: z
      .object({
        kind: enumOf(CHANGE_KINDS).openapi({
          description: '`initial` for the first release of a branch, otherwise `update`.',
          example: 'update',
        }),
        is_first_release: z.boolean().openapi({ description: 'Whether the branch had no release before.', example: false }),
        from_tag: z.string().nullable().openapi({ description: 'Version of the previous release; null for the first.', example: '1.0.0' }),
        to_tag: string('Version of this release.', '1.1.0'),
        size_delta: z
          .number()
          .int()
          .nullable()
          .openapi({ description: 'Difference of the sizes in bytes; null for the first.', example: 11_072 }),
        days_since_previous: z
          .number()
          .nullable()
          .openapi({ description: 'Days since the previous release, to two decimals; null for the first.', example: 8.02 }),
        release_count: z.number().int().openapi({ description: 'Published releases of the branch, including this one.', example: 2 }),
        artifact_unchanged: z.boolean().openapi({ description: 'Whether the file is that of the previous release.', example: false }),
      })
      .openapi('ModReleaseChange', { description: 'The difference to the previous release of the branch.' }),
    image_url: z
      .string()
      .nullable()
      .openapi({ description: 'URL of the banner, otherwise of the first preview; null without images.', example: null }),
    download_url: string(
      'Absolute URL of the file.',
      'https://api.example.com/v1/mods/ana/tiny-wings/releases/6a0c1c2e-52f4-4f0e-8a55-0f3d1f9b7c21/download',
    ),
    page_url: string('Absolute URL of the mod page.', 'https://portal.example/mods/ana/tiny-wings'),
    announced: z.boolean().openapi({
      description: 'False when the author has announced as many releases on this day as allowed: chats post nothing.',
      example: true,
    }),
  })
  .openapi('ModReleaseEvent', { description: 'A published release.' });
