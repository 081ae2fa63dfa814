import { z } from '@hono/zod-openapi';
import { adminAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import type { FileClaims } from '../records/file-claims.store.ts';

const shared = { tag: 'Administration', access: adminAccess, surface: 'portal', hidden: true } as const;
const EXAMPLE_SHA256 = '14de6c734b96e3e101c7744bb4679941ee66fb52b9786e16685167efa7f263db';

const FileParams = z.object({
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/)
    .openapi({ description: 'SHA-256 of the file.', example: EXAMPLE_SHA256 }),
});

const FileInput = z
  .object({
    owner: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9_-]{1,40}$/)
      .nullish()
      .openapi({
        description: 'Handle that alone may publish the file; null: those who have it public. Absent: unchanged.',
        example: 'ana',
      }),
    refused: z.boolean().optional().openapi({ description: 'Whether nobody may publish the file. Absent: unchanged.', example: false }),
  })
  .openapi('ModFileInput', { description: 'A decision about a file.' });

const FileBody = z
  .object({
    sha256: z.string().openapi({ description: 'SHA-256 of the file.', example: EXAMPLE_SHA256 }),
    owner: z.string().nullable().openapi({ description: 'Handle that moderators gave the file to; null for none.', example: 'ana' }),
    refused: z.boolean().openapi({ description: 'Whether nobody may publish the file.', example: false }),
    public_handles: z
      .array(z.string())
      .openapi({ description: 'Handles whose public mods have the file, the first one first, at most 20.', example: ['ana'] }),
  })
  .openapi('ModFile', { description: 'Who may publish a file.' });

/** `/admin/mod-files`: who may publish a file. */
export function createModFileEndpoints(files: FileClaims): Endpoint[] {
  async function bodyOf(sha256: string): Promise<z.infer<typeof FileBody>> {
    const { given, isRefused, handles } = await files.find(sha256);
    return { sha256, owner: given, refused: isRefused, public_handles: handles };
  }
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/admin/mod-files/{sha256}',
      operationId: 'getModFile',
      summary: 'Get the state of a file',
      description: 'Returns who may publish a file: a file belongs to the handles whose public mods have it, unless moderators decided.',
      params: FileParams,
      ok: { description: 'The file.', schema: FileBody },
    }).handle(async ({ params }) => json(await bodyOf(params.sha256.toLowerCase()))),

    defineRoute({
      ...shared,
      method: 'put',
      path: '/admin/mod-files/{sha256}',
      operationId: 'setModFile',
      summary: 'Decide about a file',
      description:
        'Gives a file to a handle, or refuses it for everyone, also under another header of a `.tmod`. A take-down refuses the files of a mod.',
      params: FileParams,
      body: FileInput,
      ok: { description: 'The file.', schema: FileBody },
    }).handle(async ({ params, body, now }) => {
      const sha256 = params.sha256.toLowerCase();
      if (body.owner !== undefined) await files.give(sha256, body.owner);
      if (body.refused !== undefined) await files.setRefused(sha256, body.refused, now);
      return json(await bodyOf(sha256));
    }),
  ];
}
