import { z } from '@hono/zod-openapi';
import { enumOf, namedEnum } from '../../../platform/http/bodies/body-schemas.ts';
import { requiredInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import { CHANGE_TYPES } from '../updates.data.ts';
import type { ArchivedFile } from './archive.repository.ts';
import type { Comparison, FileView, Side } from './archive.service.ts';
import { FILE_KINDS } from './file-kind.domain.ts';
import type { FileChange } from './history.domain.ts';
import { filePath, PathQuery, sha256 } from './listings.schemas.ts';
import type { Version } from './versions.domain.ts';
import { isoSeconds } from './versions.schemas.ts';

const side = (description: string, example: number) => requiredInteger({ min: 1, max: 1_000_000_000, description, example });

export const CompareQuery = PathQuery.extend({
  from: side('Version on the left, by its ordinal.', 1),
  to: side('Version on the right, by its ordinal.', 2),
});

const integer = (description: string, example: number) => z.number().int().openapi({ description, example });
const branch = z.string().openapi({ description: 'Branch.', example: 'live-us' });
const contentSha256 = z.string().openapi({
  description: 'SHA-256 of the content, which is also the ETag of its download.',
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
});
const place = {
  ordinal: integer('Place of the version in the history.', 2),
  version_tag: z.string().openapi({ description: 'Its tag.', example: 'TEST-103-3325-A-336166' }),
  captured_at: z.string().openapi({ description: 'When it was captured (UTC).', example: '2026-06-08T14:54:12Z' }),
};

const removal = {
  removed: z
    .boolean()
    .openapi({ description: 'Whether a version removed the file; hash and size are then those of its last content.', example: false }),
  removed_ordinal: z
    .number()
    .int()
    .nullable()
    .openapi({ description: 'Ordinal of the version that removed it; null when it was not removed.', example: null }),
};

export const FileMetaBody = z
  .object({
    branch,
    path: filePath,
    ordinal: z.number().int().optional().openapi({ description: 'The version asked for; only when one was.', example: 1 }),
    content_sha256: contentSha256,
    size: integer('Bytes.', 2048),
    archive: z
      .string()
      .nullable()
      .openapi({ description: 'Directory of the archive it comes from; null for a loose or removed file.', example: 'prefabs/item' }),
    archive_index: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'Which archive of that directory; null for a loose or removed file.', example: 0 }),
    ...removal,
  })
  .openapi('ArchiveFileMeta', { description: 'What is known of a file.' });

export const FileHistoryBody = z
  .object({
    branch,
    path: filePath,
    items: z
      .array(
        z
          .object({
            ...place,
            type: enumOf(CHANGE_TYPES).openapi({ description: 'What happened.', example: 'modified' }),
            content_sha256: sha256,
            size: integer('Bytes; 0 when it was removed.', 2048),
          })
          .openapi('ArchiveFileChange', { description: 'A change of the file.' }),
      )
      .openapi({ description: 'Newest first.' }),
    count: integer('Number of items in this response.', 1),
  })
  .openapi('ArchiveFileHistory', { description: 'Every change of a file.' });

const line = z.number().int().nullable();
const sideBody = (description: string) =>
  z.object({ ...place, content_sha256: sha256, size: integer('Bytes; 0 when the file was not there.', 2048) }).openapi({ description });

export const FileCompareBody = z
  .object({
    branch,
    path: filePath,
    from: sideBody('The file in the version on the left.'),
    to: sideBody('The file in the version on the right.'),
    identical: z.boolean().openapi({ description: 'Whether both sides have the same content.', example: false }),
    is_text: z.boolean().openapi({ description: 'Whether the sides were compared as text.', example: true }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Why there are no hunks, where it is not because nothing differs.', example: null }),
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
                    kind: namedEnum('ArchiveDiffLineKind', 'Sides on which a line stands.', ['equal', 'add', 'remove']).openapi({
                      description: 'On which sides it stands.',
                      example: 'add',
                    }),
                    left: line.openapi({ description: 'Its number on the left; null when it is not there.', example: null }),
                    right: line.openapi({ description: 'Its number on the right; null when it is not there.', example: 1 }),
                    text: z.string().openapi({ description: 'The line; control characters as `\\xNN`.', example: 'speed = 2' }),
                  })
                  .openapi('ArchiveDiffLine', { description: 'A line.' }),
              )
              .openapi({ description: 'In order.' }),
          })
          .openapi('ArchiveDiffHunk', { description: 'Changed lines with up to three equal ones around them.' }),
      )
      .openapi({ description: 'From top to bottom.' }),
  })
  .openapi('ArchiveFileComparison', { description: 'How a file differs between two versions.' });

export const FileViewBody = z
  .object({
    branch,
    path: filePath,
    size: integer('Bytes.', 2048),
    content_sha256: contentSha256,
    ...removal,
    viewable: z.boolean().openapi({ description: 'Whether a browser can show it: text or a picture.', example: true }),
    kind: enumOf(FILE_KINDS).openapi({ description: 'What it holds.', example: 'text' }),
    reason: z.string().nullable().openapi({ description: 'Why there is no text, where there might be.', example: null }),
    truncated: z.boolean().openapi({ description: 'Whether the text is cut.', example: false }),
    text: z.string().nullable().openapi({ description: 'The text of a text file.', example: 'speed = 2\n' }),
  })
  .openapi('ArchiveFileView', { description: 'A file to look at.' });

interface Where {
  branch: string;
  path: string;
}

export function toFileMetaBody(
  { branch, path, ordinal }: Where & { ordinal?: number | undefined },
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
    ...toRemoval(file),
  };
}

export function toFileHistoryBody(
  { branch, path }: Where,
  changes: readonly { change: FileChange; version: Version }[],
): z.infer<typeof FileHistoryBody> {
  const items = changes.map(({ change: { type, sha256, size }, version }) => ({ ...toPlace(version), type, content_sha256: sha256, size }));
  return { branch, path, items, count: items.length };
}

export function toFileCompareBody({ branch, path }: Where, comparison: Comparison): z.infer<typeof FileCompareBody> {
  const { from, to, identical, isText, reason, hunks } = comparison;
  return {
    branch,
    path,
    from: toSideBody(from),
    to: toSideBody(to),
    identical,
    is_text: isText,
    reason,
    hunks: hunks.map(({ leftStart, rightStart, lines }) => ({ left_start: leftStart, right_start: rightStart, lines })),
  };
}

export function toFileViewBody({ branch, path }: Where, { file, kind, reason, text }: FileView): z.infer<typeof FileViewBody> {
  const viewable = kind === 'text' || kind === 'image';
  return { branch, path, size: file.size, content_sha256: file.sha256, ...toRemoval(file), viewable, kind, reason, truncated: false, text };
}

function toRemoval({ removedOrdinal }: ArchivedFile) {
  return { removed: removedOrdinal !== null, removed_ordinal: removedOrdinal };
}

function toSideBody({ version, content }: Side): z.infer<ReturnType<typeof sideBody>> {
  return { ...toPlace(version), content_sha256: content?.sha256 ?? null, size: content?.size ?? 0 };
}

function toPlace({ ordinal, versionTag, capturedAt }: Version) {
  return { ordinal, version_tag: versionTag, captured_at: isoSeconds(capturedAt) };
}
