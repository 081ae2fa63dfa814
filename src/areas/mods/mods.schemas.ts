import { z } from '@hono/zod-openapi';
import { booleanWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { DEFAULT_VERSION, MAX_VERSION } from './tmod.data.ts';

const count = (description: string, example: number) => z.number().int().openapi({ description, example });

export const CategoriesBody = z
  .object({
    categories: z
      .array(
        z
          .object({
            name: z.string().openapi({ description: 'Name in the `tags` property.', example: 'Wings' }),
            bit: count('Bit in the `flags` property.', 8192),
          })
          .openapi('ModCategory', { description: 'A mod category.' }),
      )
      .openapi({ description: 'Categories in bit order.' }),
  })
  .openapi('ModCategories', { description: 'Mod categories. Bits never change; new ones are appended.' });

export const ReadQuery = z.object({
  metadata_only: booleanWithDefault({
    default: false,
    example: true,
    description: 'Omit contents and skip decoding the stream.',
  }),
});

const FileEntry = z
  .object({
    path: z.string().openapi({
      description: 'Path in lower case with forward slashes. Not sanitised otherwise: validate before writing to disk.',
      example: 'ui/tiny.swf',
    }),
    stored_path: z.string().optional().openapi({ description: 'Stored path, if different.', example: 'UI\\Tiny.SWF' }),
    index: count('Stored value; 0 in every known file.', 0),
    offset: count('Offset in the decoded stream.', 0),
    size: count('Stored size in bytes.', 5),
    checksum: count('Stored checksum (a 32-bit FNV-1a variant).', 2_510_041_067),
    content_base64: z.string().optional().openapi({
      description: 'Content in the stream, possibly shorter than `size`. Absent with `metadata_only`.',
      example: 'YWJjZGU=',
    }),
    checksum_ok: z
      .boolean()
      .optional()
      .openapi({ description: 'Whether the file is complete and its checksum matches. Absent with `metadata_only`.', example: true }),
  })
  .openapi('TmodFileEntry', { description: 'A packed file.' });

export const ReadBody = z
  .object({
    version: count('Version of the format.', 1),
    header_size: count('Size of the header in bytes.', 110),
    properties: z.record(z.string(), z.string()).openapi({
      description: 'Properties in order; the last value of a repeated one.',
      example: { title: 'Tiny', author: 'Me', tags: 'Wings', modLoader: 'ServiceAPI', flags: '8192' },
    }),
    file_count: count('Number of packed files.', 1),
    files: z.array(FileEntry).openapi({ description: 'Packed files, in the order of the table.' }),
    metadata_only: z.boolean().openapi({ description: 'Whether the contents were omitted.', example: false }),
    flags: z.number().int().openapi({ description: 'Integer of the `flags` property; 0 if absent.', example: 8192 }),
    categories: z.array(z.string()).openapi({ description: 'Categories set in `flags`.', example: ['Wings'] }),
  })
  .openapi('TmodRead', { description: 'Contents of a `.tmod` file.' });

const BuildProperties = z
  .object({
    title: z.string().optional().openapi({ description: 'Title. The game requires the file to be named after it.', example: 'Tiny' }),
    author: z.string().optional().openapi({ description: 'Author; separate several with commas.', example: 'Me' }),
    notes: z.string().optional().openapi({ description: 'Notes.', example: 'A small mod.' }),
    modVersion: z.string().optional().openapi({ description: 'Version of the mod.', example: '1.0' }),
    tags: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .openapi({ description: 'Categories, comma-separated or as a list.', example: 'Wings' }),
    flags: z
      .union([z.string(), z.number().int()])
      .optional()
      .openapi({ description: 'Bits of the categories; derived from `tags` if absent.', example: 8192 }),
  })
  .catchall(z.unknown())
  .openapi('TmodProperties', {
    description: 'Properties, stored in the order sent. `modLoader` is always overwritten. Any other names are allowed, with text values.',
  });

/** Schema for the OpenAPI document; `readBuildRequest` parses the request. */
export const BuildInput = z
  .object({
    version: z
      .number()
      .int()
      .min(0)
      .max(MAX_VERSION)
      .optional()
      .openapi({
        description: `Version of the format; defaults to ${DEFAULT_VERSION}.`,
        example: DEFAULT_VERSION,
      }),
    properties: BuildProperties.optional(),
    files: z
      .array(
        z
          .object({
            path: z.string().openapi({
              description: 'Path in the game, at most 255 bytes; stored in lower case with forward slashes.',
              example: 'ui/tiny.swf',
            }),
            content_base64: z
              .string()
              .openapi({ description: 'Content as base64: standard alphabet, padded, no white space.', example: 'YWJjZGU=' }),
          })
          .openapi('TmodBuildFile', { description: 'A file to pack.' }),
      )
      .openapi({ description: 'Files to pack, at least one, in the order of the table.' }),
  })
  .openapi('TmodBuildInput', { description: 'Contents of a new `.tmod` file.' });
