import { z } from '@hono/zod-openapi';
import { tokenAccess, tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import { enumOf, integer, namedEnum } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { requiredInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import { fileReply } from '../../../platform/http/replies/file-reply.ts';
import { json, type Representation } from '../../../platform/http/replies/reply.ts';
import { createByteCount, MAX_BATCH_BYTES } from '../../../platform/http/replies/response-size.ts';
import type { FileChange, Version } from '../archive.domain.ts';
import { FILE_KINDS, type Hunk } from '../archive.domain.ts';
import { splitPath } from '../paths.domain.ts';
import { CHANGE_TYPES } from '../updates.data.ts';
import { fileRateLimit } from '../updates.settings.ts';
import { isoSeconds } from '../versions.schemas.ts';
import type { ArchiveService, Comparison, FileView, Side } from './archive.service.ts';
import type { ArchivedFile } from './archive.store.ts';
import { BranchParams, FileQuery, filePath, PathQuery, sha256 } from './listings.schemas.ts';

const side = (description: string, example: number) => requiredInteger({ min: 1, max: 1_000_000_000, description, example });

const CompareQuery = PathQuery.extend({
  from: side('Ordinal of the left version.', 1),
  to: side('Ordinal of the right version.', 2),
});

const branch = z.string().openapi({ description: 'Branch.', example: 'live-us' });
const contentSha256 = z.string().openapi({
  description: 'SHA-256 of the content; also the ETag of the download.',
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
});
const versionFields = {
  ordinal: integer('Ordinal of the version.', 2),
  version_tag: z.string().openapi({ description: 'Tag of the version.', example: 'TEST-103-3325-A-336166' }),
  captured_at: z.string().openapi({ description: 'Time when the version was captured (UTC).', example: '2026-06-08T14:54:12Z' }),
};

const removalFields = {
  removed: z
    .boolean()
    .openapi({ description: 'Whether a version removed the file; hash and size are then those of its last content.', example: false }),
  removed_ordinal: z
    .number()
    .int()
    .nullable()
    .openapi({ description: 'Ordinal of the version that removed the file, or null.', example: null }),
};

const FileMetaBody = z
  .object({
    branch,
    path: filePath,
    ordinal: z.number().int().optional().openapi({ description: 'Requested version; absent if none was requested.', example: 1 }),
    content_sha256: contentSha256,
    size: integer('Size in bytes.', 2048),
    archive: z
      .string()
      .nullable()
      .openapi({ description: 'Directory of the source archive; null for a loose or removed file.', example: 'prefabs/item' }),
    archive_index: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'Number of the archive in that directory; null for a loose or removed file.', example: 0 }),
    ...removalFields,
  })
  .openapi('ArchiveFileMeta', { description: 'Metadata of a file.' });

const FileHistoryBody = z
  .object({
    branch,
    path: filePath,
    items: z
      .array(
        z
          .object({
            ...versionFields,
            type: enumOf(CHANGE_TYPES).openapi({ description: 'Type of the change.', example: 'modified' }),
            content_sha256: sha256,
            size: integer('Size in bytes; 0 if removed.', 2048),
          })
          .openapi('ArchiveFileChange', { description: 'A change of the file.' }),
      )
      .openapi({ description: 'Newest first.' }),
    count: integer('Number of items in this response.', 1),
  })
  .openapi('ArchiveFileHistory', { description: 'Changes of a file.' });

const line = z.number().int().nullable();
const sideBody = (description: string) =>
  z
    .object({ ...versionFields, content_sha256: sha256, size: integer('Size in bytes; 0 if the file is absent.', 2048) })
    .openapi({ description });

const FileCompareBody = z
  .object({
    branch,
    path: filePath,
    from: sideBody('File in the left version.'),
    to: sideBody('File in the right version.'),
    identical: z.boolean().openapi({ description: 'Whether both sides have the same content.', example: false }),
    is_text: z.boolean().openapi({ description: 'Whether the sides were compared as text.', example: true }),
    reason: z.string().nullable().openapi({ description: 'Reason why the sides were not compared; null if they were.', example: null }),
    hunks: z
      .array(
        z
          .object({
            left_start: integer('First line on the left, from 1.', 1),
            right_start: integer('First line on the right, from 1.', 1),
            lines: z
              .array(
                z
                  .object({
                    kind: namedEnum('ArchiveDiffLineKind', 'Sides that contain a line.', ['equal', 'add', 'remove']).openapi({
                      description: 'Sides that contain the line.',
                      example: 'add',
                    }),
                    left: line.openapi({ description: 'Line number on the left, or null.', example: null }),
                    right: line.openapi({ description: 'Line number on the right, or null.', example: 1 }),
                    text: z.string().openapi({ description: 'Text of the line; control characters as `\\xNN`.', example: 'speed = 2' }),
                  })
                  .openapi('ArchiveDiffLine', { description: 'A line of a hunk.' }),
              )
              .openapi({ description: 'Lines in order.' }),
          })
          .openapi('ArchiveDiffHunk', { description: 'Changed lines with up to three lines of context.' }),
      )
      .openapi({ description: 'Hunks from top to bottom.' }),
  })
  .openapi('ArchiveFileComparison', { description: 'Difference of a file between two versions.' });

const FileViewBody = z
  .object({
    branch,
    path: filePath,
    size: integer('Size in bytes.', 2048),
    content_sha256: contentSha256,
    ...removalFields,
    viewable: z.boolean().openapi({ description: 'Whether a browser can display the file: text or an image.', example: true }),
    kind: enumOf(FILE_KINDS).openapi({ description: 'Kind of content.', example: 'text' }),
    reason: z.string().nullable().openapi({ description: 'Reason for missing text, or null.', example: null }),
    truncated: z.boolean().openapi({ description: 'Whether the text is truncated.', example: false }),
    text: z.string().nullable().openapi({ description: 'Text of a text file.', example: 'speed = 2\n' }),
  })
  .openapi('ArchiveFileView', { description: 'Preview of a file.' });

interface FileRef {
  branch: string;
  path: string;
}

function toFileMetaBody(
  { branch, path, ordinal }: FileRef & { ordinal?: number | undefined },
  file: ArchivedFile,
): z.infer<typeof FileMetaBody> {
  const { sha256, size, archive, archiveIndex } = file;
  return {
    branch,
    path,
    ...(ordinal === undefined ? {} : { ordinal }),
    content_sha256: sha256,
    size,
    archive,
    archive_index: archiveIndex,
    ...toRemovalFields(file),
  };
}

function toFileHistoryBody(
  { branch, path }: FileRef,
  changes: readonly { change: FileChange; version: Version }[],
): z.infer<typeof FileHistoryBody> {
  const items = changes.map(({ change: { type, sha256, size }, version }) => ({
    ...toVersionFields(version),
    type,
    content_sha256: sha256,
    size,
  }));
  return { branch, path, items, count: items.length };
}

const TOO_LARGE = `the comparison would be larger than ${MAX_BATCH_BYTES / 1024 / 1024} MiB`;

/** The comparison. Its hunks are serialized line by line, and replaced by a reason before the response is larger than the maximum. */
function fileCompareReply({ branch, path }: FileRef, comparison: Comparison): Representation<z.infer<typeof FileCompareBody>> {
  const { from, to, identical, isText, reason } = comparison;
  const body = { branch, path, from: toSideBody(from), to: toSideBody(to), identical, is_text: isText, reason };
  const opening = JSON.stringify(body).slice(0, -1);
  const hunks = serializeHunks(comparison.hunks, opening);
  if (hunks === null) return { kind: 'json', text: JSON.stringify({ ...body, reason: TOO_LARGE, hunks: [] }) };
  return { kind: 'json', text: `${opening},"hunks":[${hunks}]}` };
}

function serializeHunks(hunks: readonly Hunk[], opening: string): string | null {
  const fits = createByteCount();
  fits(`${opening},"hunks":[]}`);
  const texts: string[] = [];
  for (const { leftStart, rightStart, lines } of hunks) {
    const head = `{"left_start":${leftStart},"right_start":${rightStart},"lines":[`;
    fits(`${head}]},`);
    const lineTexts: string[] = [];
    for (const line of lines) {
      const text = JSON.stringify(line);
      if (!fits(`${text},`)) return null;
      lineTexts.push(text);
    }
    texts.push(`${head}${lineTexts.join(',')}]}`);
  }
  return texts.join(',');
}

function toFileViewBody({ branch, path }: FileRef, { file, kind, reason, text }: FileView): z.infer<typeof FileViewBody> {
  const viewable = kind === 'text' || kind === 'image';
  return {
    branch,
    path,
    size: file.size,
    content_sha256: file.sha256,
    ...toRemovalFields(file),
    viewable,
    kind,
    reason,
    truncated: false,
    text,
  };
}

function toRemovalFields({ removedOrdinal }: ArchivedFile) {
  return { removed: removedOrdinal !== null, removed_ordinal: removedOrdinal };
}

function toSideBody({ version, content }: Side): z.infer<ReturnType<typeof sideBody>> {
  return { ...toVersionFields(version), content_sha256: content?.sha256 ?? null, size: content?.size ?? 0 };
}

function toVersionFields({ ordinal, versionTag, capturedAt }: Version) {
  return { ordinal, version_tag: versionTag, captured_at: isoSeconds(capturedAt) };
}

const BYTES = 'application/octet-stream';
/** Not immutable: a new version may have different content at the same path. */
const DOWNLOAD_CACHE = 'public, max-age=86400';

const shared = {
  method: 'get',
  tag: 'Updates',
  feature: 'featureUpdatesEnabled',
  access: tokenAccess('updates:read'),
  params: BranchParams,
  errors: ['not_found'],
} as const;

/** Endpoints of one file: download, metadata, history, comparison, preview. */
export function createFileEndpoints(archive: ArchiveService): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/updates/{branch}/file',
      operationId: 'downloadFile',
      summary: 'Download a file',
      description:
        'Downloads a file of the current version, or of the version `ordinal`. Without `ordinal`, a removed file has its last content. The ETag is the SHA-256 of the content. Supports conditional requests, `HEAD` and a single `Range`.',
      access: tokenlessAccess('updates:read', fileRateLimit),
      query: FileQuery,
      errors: ['not_found', 'bad_request'],
      servesRanges: true,
      ok: { contentTypes: [BYTES], description: 'The file.' },
    }).handle(async ({ params, query, request, waitUntil }) => {
      const { sha256, size, storedAt } = await archive.findFile(params.branch, query.path, query.ordinal);
      return fileReply(request, {
        sha256,
        size,
        contentType: BYTES,
        filename: splitPath(query.path).name,
        lastModified: storedAt,
        cacheControl: DOWNLOAD_CACHE,
        open: (range) => archive.openContent({ sha256, size }, range, waitUntil),
      });
    }),

    defineRoute({
      ...shared,
      path: '/v1/updates/{branch}/file/meta',
      operationId: 'getFileMeta',
      summary: 'Get file metadata',
      description:
        'Returns hash, size and archive of a file of the current version, or of the version `ordinal`. Without `ordinal`, a removed file has its last content and `removed` is true.',
      query: FileQuery,
      ok: { description: 'The file.', schema: FileMetaBody },
    }).handle(async ({ params: { branch }, query }) =>
      json(toFileMetaBody({ branch, ...query }, await archive.findFile(branch, query.path, query.ordinal))),
    ),

    defineRoute({
      ...shared,
      path: '/v1/updates/{branch}/file/history',
      operationId: 'getFileHistory',
      summary: 'List file versions',
      description: 'Lists all changes of a file including its removal, newest first.',
      query: PathQuery,
      ok: { description: 'The changes.', schema: FileHistoryBody },
    }).handle(async ({ params: { branch }, query: { path } }) =>
      json(toFileHistoryBody({ branch, path }, await archive.listHistory(branch, path))),
    ),

    defineRoute({
      ...shared,
      path: '/v1/updates/{branch}/file/compare',
      operationId: 'compareFile',
      summary: 'Compare file versions',
      description:
        'Compares the lines of a file between two versions. Files larger than 1 MiB are not compared, and a comparison larger than 8 MiB is omitted. Bytes that are not UTF-8 are read as Latin-1.',
      query: CompareQuery,
      ok: { description: 'The comparison.', schema: FileCompareBody },
    }).handle(async ({ params: { branch }, query: { path, from, to } }) =>
      fileCompareReply({ branch, path }, await archive.compareVersions(branch, path, from, to)),
    ),

    defineRoute({
      ...shared,
      path: '/v1/updates/{branch}/file/view',
      operationId: 'viewFile',
      summary: 'Preview a file',
      description:
        'Returns the type of a file of the current version, and its text if it is a text file of at most 1 MiB. A removed file has its last content and `removed` is true.',
      query: PathQuery,
      ok: { description: 'The file.', schema: FileViewBody },
    }).handle(async ({ params: { branch }, query: { path } }) =>
      json(toFileViewBody({ branch, path }, await archive.previewFile(branch, path))),
    ),
  ];
}
