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
            name: z.string().openapi({ description: 'Name as it stands in the `tags` property.', example: 'Wings' }),
            bit: count('Its bit in the `flags` property.', 8192),
          })
          .openapi('ModCategory', { description: 'What a mod changes.' }),
      )
      .openapi({ description: 'All of them, in the order of their bits.' }),
  })
  .openapi('ModCategories', { description: 'The categories of mods. Bits never change; new ones are appended.' });

export const ReadQuery = z.object({
  metadata_only: booleanWithDefault({
    ...{ default: false, example: true },
    description: 'Leave the contents out and the stream untouched.',
  }),
});

const FileEntry = z
  .object({
    path: z.string().openapi({
      description: 'Path in lower case with forward slashes. Nothing else is cleaned: never write to a disk under it unchecked.',
      example: 'ui/tiny.swf',
    }),
    stored_path: z.string().optional().openapi({ description: 'Path as stored, where it differs.', example: 'UI\\Tiny.SWF' }),
    index: count('As stored; 0 in every known file.', 0),
    offset: count('Where it begins in the decoded stream.', 0),
    size: count('Bytes, as stored.', 5),
    checksum: count('Checksum as stored (a 32-bit FNV-1a variant).', 2_510_041_067),
    content_base64: z
      .string()
      .optional()
      .openapi({ description: 'What the stream holds of it, perhaps less than `size`. Absent with `metadata_only`.', example: 'YWJjZGU=' }),
    checksum_ok: z
      .boolean()
      .optional()
      .openapi({ description: 'Whether it is whole and has its checksum. Absent with `metadata_only`.', example: true }),
  })
  .openapi('TmodFileEntry', { description: 'A packed file.' });

export const ReadBody = z
  .object({
    version: count('Version of the format.', 1),
    header_size: count('Bytes before the stream.', 110),
    properties: z.record(z.string(), z.string()).openapi({
      description: 'Properties in their order; of a repeated one the last value.',
      example: { title: 'Tiny', author: 'Me', tags: 'Wings', modLoader: 'ServiceAPI', flags: '8192' },
    }),
    file_count: count('Packed files.', 1),
    files: z.array(FileEntry).openapi({ description: 'Packed files, in the order of the table.' }),
    metadata_only: z.boolean().openapi({ description: 'Whether the contents were left out.', example: false }),
    flags: z.number().int().openapi({ description: 'The integer of the `flags` property, 0 when there is none.', example: 8192 }),
    categories: z.array(z.string()).openapi({ description: 'Categories whose bits are set in it.', example: ['Wings'] }),
  })
  .openapi('TmodRead', { description: 'What a `.tmod` file holds.' });

const BuildProperties = z
  .object({
    title: z.string().optional().openapi({ description: 'Title. The game wants the file to be named after it.', example: 'Tiny' }),
    author: z.string().optional().openapi({ description: 'Author; several are separated by commas.', example: 'Me' }),
    notes: z.string().optional().openapi({ description: 'Notes.', example: 'A small mod.' }),
    modVersion: z.string().optional().openapi({ description: 'Version of the mod.', example: '1.0' }),
    tags: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .openapi({ description: 'Categories, separated by commas or as a list.', example: 'Wings' }),
    flags: z
      .union([z.string(), z.number().int()])
      .optional()
      .openapi({ description: 'Bits of the categories; worked out from `tags` when absent.', example: 8192 }),
  })
  .catchall(z.unknown())
  .openapi('TmodProperties', {
    description: 'Properties, stored in the order sent. `modLoader` is always ours. Any other names may be used, each with a text.',
  });

/** For the document: the request is read from its bytes, without ever being an object in memory. */
export const BuildInput = z
  .object({
    version: z
      .number()
      .int()
      .min(0)
      .max(MAX_VERSION)
      .optional()
      .openapi({
        description: `Version of the format, ${DEFAULT_VERSION} when absent.`,
        example: DEFAULT_VERSION,
      }),
    properties: BuildProperties.optional(),
    files: z
      .array(
        z
          .object({
            path: z.string().openapi({
              description: 'Path in the game; stored in lower case with forward slashes, 255 bytes at most.',
              example: 'ui/tiny.swf',
            }),
            content_base64: z.string().openapi({ description: 'Content: standard alphabet, padded, no white space.', example: 'YWJjZGU=' }),
          })
          .openapi('TmodBuildFile', { description: 'A file to pack.' }),
      )
      .openapi({ description: 'Files to pack, at least one, in the order of the table.' }),
  })
  .openapi('TmodBuildInput', { description: 'What a `.tmod` file is to hold.' });
