import { tokenAccess, tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { fileReply } from '../../../platform/http/replies/file-reply.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { splitPath } from '../paths.domain.ts';
import { fileBudget } from '../updates.settings.ts';
import type { ArchiveService } from './archive.service.ts';
import {
  CompareQuery,
  FileCompareBody,
  FileHistoryBody,
  FileMetaBody,
  FileViewBody,
  fileCompareReply,
  toFileHistoryBody,
  toFileMetaBody,
  toFileViewBody,
} from './files.schemas.ts';
import { BranchParams, FileQuery, PathQuery } from './listings.schemas.ts';

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
      access: tokenlessAccess('updates:read', fileBudget),
      query: FileQuery,
      errors: ['not_found', 'bad_request'],
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
