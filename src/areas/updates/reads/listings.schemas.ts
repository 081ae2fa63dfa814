import { z } from '@hono/zod-openapi';
import { BRANCH_NAMES } from '../../../game/branches.data.ts';
import { enumOf, integer, string } from '../../../platform/http/bodies/body-schemas.ts';
import { choice, integerWithDefault, optionalInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import { cutPage, encodeCursor, invalidCursor, NextCursor, textOfCursor } from '../../../platform/http/replies/page.ts';
import type { Version } from '../archive.domain.ts';
import { BRANCH_STATUSES, CHANGE_TYPES } from '../updates.data.ts';
import { isoSeconds, toVersionBody, VersionBody } from '../versions.schemas.ts';
import type { ChangesResponse } from './archive.service.ts';
import type { BranchState, ChildrenPage, FoundPath, TreeEntry } from './archive.store.ts';

const MAX_ROUTE_PATH_LENGTH = 1024;
const MAX_VERSION_TAG_LENGTH = 200;
const MAX_ORDINAL = 1_000_000_000;
const TAG_EXAMPLE = 'TEST-103-3325-A-336166';
const PATH_EXAMPLE = 'prefabs/item/pet/bat.binfab';
const SHA_EXAMPLE = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const INSTANT_EXAMPLE = '2026-06-08T14:54:12Z';

const page = (defaults: { limit: number; max: number }) => ({
  limit: integerWithDefault({
    min: 1,
    max: defaults.max,
    default: defaults.limit,
    description: `Maximum number of items on the page, 1 to ${defaults.max}.`,
    example: defaults.limit,
  }),
  offset: integerWithDefault({ min: 0, max: MAX_ORDINAL, default: 0, description: 'Number of items to skip.', example: 0 }),
});
const ordinal = (description: string) => optionalInteger({ min: 1, max: MAX_ORDINAL, description, example: 1 });
const asOf = ordinal('Ordinal of a complete version; defaults to the current one.');
const path = z
  .string()
  .min(1)
  .max(MAX_ROUTE_PATH_LENGTH)
  .openapi({ description: 'Exact path, without a leading slash.', example: PATH_EXAMPLE });

export const BranchParams = z.object({
  branch: choice(BRANCH_NAMES, { code: 'not_found', description: 'Branch.', example: 'live-us' }),
});
export const VersionsQuery = z.object(page({ limit: 50, max: 200 }));
export const ChangesQuery = z.object({
  version: z
    .string()
    .max(MAX_VERSION_TAG_LENGTH)
    .optional()
    .openapi({ description: 'Tag of the version; takes precedence over `ordinal`.', example: TAG_EXAMPLE }),
  ordinal: ordinal('Ordinal of the version; defaults to the current one.'),
  from: ordinal('Start version of a comparison: lists the net change of every path from here to `to`.'),
  to: ordinal('With `from`: end version of the comparison; defaults to the current one.'),
  type: choice(CHANGE_TYPES, { code: 'bad_request', description: 'Only changes of this type.', example: 'modified' }).optional(),
  ...page({ limit: 100, max: 1000 }),
});
/** Children on a page: a directory can have tens of thousands of files. */
const MAX_CHILDREN = 5000;
/** A cursor has a file name of 1,000 characters. */
const MAX_TREE_CURSOR_LENGTH = 1500;
const DIR_KEY = 'd';
const FILE_KEY = 'f';

export const TreeQuery = z.object({
  prefix: z
    .string()
    .max(MAX_ROUTE_PATH_LENGTH)
    .default('')
    .openapi({ description: 'Directory; empty for the root. The trailing slash is optional.', example: 'prefabs/item/pet/' }),
  ordinal: asOf,
  limit: integerWithDefault({
    min: 1,
    max: MAX_CHILDREN,
    default: MAX_CHILDREN,
    description: `Maximum number of children, 1 to ${MAX_CHILDREN}.`,
    example: 100,
  }),
  cursor: z
    .string()
    .max(MAX_TREE_CURSOR_LENGTH)
    .optional()
    .openapi({ description: 'Cursor from `next_cursor` of the previous page.', example: encodeCursor('d') }),
});
export const PathQuery = z.object({ path });
export const FileQuery = z.object({ path, ordinal: asOf });
export const SearchQuery = z.object({
  q: z
    .string()
    .min(2)
    .max(200)
    .openapi({ description: 'Text contained in the path, case-insensitive; 2 to 200 characters.', example: 'bat' }),
  ordinal: asOf,
  ...page({ limit: 50, max: 200 }),
});

const count = integer('Number of items in this response.', 1);
const total = integer('Total number of items.', 1);
const branch = string('Branch.', 'live-us');
const requestedOrdinal = z
  .number()
  .int()
  .optional()
  .openapi({ description: 'Requested version; absent if none was requested.', example: 1 });
export const instant = (description: string) => z.string().nullable().openapi({ description, example: INSTANT_EXAMPLE });
export const sha256 = z
  .string()
  .nullable()
  .openapi({ description: 'SHA-256 of the content; null when there is none.', example: SHA_EXAMPLE });
export const filePath = string('Path.', PATH_EXAMPLE);

export const BranchesBody = z
  .object({
    items: z
      .array(
        z
          .object({
            branch,
            current_version: z
              .string()
              .nullable()
              .openapi({ description: 'Tag of the newest version; null before the first.', example: TAG_EXAMPLE }),
            current_ordinal: integer('Ordinal of the newest version; 0 before the first.', 2),
            last_probe_at: instant('Time when the publisher was last checked; null if never.'),
            status: enumOf(BRANCH_STATUSES).openapi({ description: 'State of the archiver.', example: 'idle' }),
            file_count: integer('Files of the newest version.', 98_213),
          })
          .openapi('ArchiveBranch', { description: 'A branch of the game.' }),
      )
      .openapi({ description: 'Branches by name.' }),
    count,
  })
  .openapi('ArchiveBranches', { description: 'Archived branches.' });

export const VersionsBody = z
  .object({ items: z.array(VersionBody).openapi({ description: 'Newest first.' }), count, total })
  .openapi('ArchiveVersions', { description: 'A page of the history of a branch.' });

export const ChangesBody = z
  .object({
    branch,
    ordinal: integer('The version, or the later side of a comparison.', 2),
    version_tag: string('Tag of the version.', TAG_EXAMPLE),
    from: z.number().int().optional().openapi({ description: 'Start version of a comparison.', example: 1 }),
    to: z.number().int().optional().openapi({ description: 'End version of a comparison.', example: 2 }),
    entries: z
      .array(
        z
          .object({
            path: filePath,
            type: enumOf(CHANGE_TYPES).openapi({ description: 'Type of the change.', example: 'modified' }),
            content_sha256: sha256,
            size: integer('Size in bytes; 0 for a removed file.', 2048),
          })
          .openapi('ArchiveChange', { description: 'A file that changed.' }),
      )
      .openapi({ description: 'By type, then path, in byte order.' }),
    count,
    total,
    files_added: integer('Number of files added, regardless of `type`.', 7),
    files_modified: integer('Number of files modified.', 88),
    files_removed: integer('Number of files removed.', 0),
  })
  .openapi('ArchiveChanges', { description: 'Changes of a version, or between two versions.' });

export const TreeBody = z
  .object({
    branch,
    prefix: z.string().openapi({ description: 'Directory with its trailing slash; empty for the root.', example: 'prefabs/item/pet/' }),
    ordinal: requestedOrdinal,
    entries: z
      .array(
        z
          .object({
            name: string('Last segment of the path.', 'bat.binfab'),
            path: string('Full path; directories end with a slash.', PATH_EXAMPLE),
            is_dir: z.boolean().openapi({ description: 'Whether the child is a directory.', example: false }),
            file_count: integer('Number of files below; 1 for a file.', 1),
            size: integer('Total size in bytes.', 2048),
            last_ordinal: integer('Newest version with a change below.', 2),
            last_modified_at: instant('Time when that version was captured.'),
          })
          .openapi('ArchiveTreeEntry', { description: 'A child of a directory.' }),
      )
      .openapi({ description: 'Directories first, then files, each by name in byte order.' }),
    count,
    next_cursor: NextCursor,
  })
  .openapi('ArchiveTree', { description: 'The children of a directory.' });

export const SearchBody = z
  .object({
    branch,
    query: string('Requested text.', 'bat'),
    ordinal: requestedOrdinal,
    items: z
      .array(
        z
          .object({
            path: filePath,
            size: integer('Size in bytes.', 2048),
            last_ordinal: integer('Newest version that changed the file.', 2),
          })
          .openapi('ArchiveFoundPath', { description: 'A file whose path contains the text.' }),
      )
      .openapi({ description: 'By path in byte order.' }),
    count,
    total,
    total_is_minimum: z.boolean().openapi({
      description: 'Whether the text is in more than 10,000 archived paths: `total` and the pages are then of the first of them.',
      example: false,
    }),
  })
  .openapi('ArchiveSearch', { description: 'A page of search results.' });

export function toBranchesBody(states: readonly BranchState[]): z.infer<typeof BranchesBody> {
  const items = states.map(({ branch, currentVersion, currentOrdinal, lastProbeAt, status, fileCount }) => ({
    branch,
    current_version: currentVersion,
    current_ordinal: currentOrdinal,
    last_probe_at: isoOrNull(lastProbeAt),
    status,
    file_count: fileCount,
  }));
  return { items, count: items.length };
}

export function toVersionsBody({ rows, total }: { rows: readonly Version[]; total: number }): z.infer<typeof VersionsBody> {
  return { items: rows.map(toVersionBody), count: rows.length, total };
}

export function toChangesBody({ version, from, rows, counts, total }: ChangesResponse): z.infer<typeof ChangesBody> {
  return {
    branch: version.branch,
    ordinal: version.ordinal,
    version_tag: version.versionTag,
    ...(from === null ? {} : { from, to: version.ordinal }),
    entries: rows.map(({ path, type, sha256, size }) => ({ path, type, content_sha256: sha256, size })),
    count: rows.length,
    total,
    files_added: counts.added,
    files_modified: counts.modified,
    files_removed: counts.removed,
  };
}

export function toTreeBody(
  branch: string,
  prefix: string,
  ordinal: number | undefined,
  { entries, nextCursor }: { entries: readonly TreeEntry[]; nextCursor: string | null },
): z.infer<typeof TreeBody> {
  return {
    branch,
    prefix,
    ...(ordinal === undefined ? {} : { ordinal }),
    entries: entries.map(({ name, isDir, fileCount, size, lastOrdinal, lastModifiedAt }) => ({
      name,
      path: `${prefix}${name}${isDir ? '/' : ''}`,
      is_dir: isDir,
      file_count: fileCount,
      size,
      last_ordinal: lastOrdinal,
      last_modified_at: isoOrNull(lastModifiedAt),
    })),
    count: entries.length,
    next_cursor: nextCursor,
  };
}

/** Key of a child in a cursor. */
const childKey = ({ isDir, name }: Pick<TreeEntry, 'isDir' | 'name'>) => `${isDir ? DIR_KEY : FILE_KEY}${name}`;

/** The child of a cursor; null without one. Throws 400 for an invalid cursor. */
export function childAfter(cursor: string | undefined): ChildrenPage['after'] {
  const key = textOfCursor(cursor);
  if (key === undefined) return null;
  if (key[0] !== DIR_KEY && key[0] !== FILE_KEY) throw invalidCursor();
  return { isDir: key[0] === DIR_KEY, name: key.slice(1) };
}

/** A page of children from one more than its limit. */
export function cutChildren(entries: readonly TreeEntry[], limit: number) {
  const { rows, nextCursor } = cutPage(entries, limit, childKey);
  return { entries: rows, nextCursor };
}

export function toSearchBody(
  request: { branch: string; q: string; ordinal?: number | undefined },
  { rows, total, isMinimum }: { rows: readonly FoundPath[]; total: number; isMinimum: boolean },
): z.infer<typeof SearchBody> {
  const { branch, q: query, ordinal } = request;
  const items = rows.map(({ path, size, lastOrdinal }) => ({ path, size, last_ordinal: lastOrdinal }));
  return { branch, query, ...(ordinal === undefined ? {} : { ordinal }), items, count: items.length, total, total_is_minimum: isMinimum };
}

function isoOrNull(instant: number | null): string | null {
  return instant === null ? null : isoSeconds(instant);
}
