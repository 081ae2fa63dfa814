import { publicAccess, tokenAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE, type AtomEntry, atomReply } from '../../../platform/http/replies/atom.ts';
import { nextPageLink } from '../../../platform/http/replies/page.ts';
import { digestOf, json } from '../../../platform/http/replies/reply.ts';
import type { Version } from '../archive.domain.ts';
import type { ArchiveService } from './archive.service.ts';
import {
  BranchesBody,
  BranchParams,
  ChangesBody,
  ChangesQuery,
  childAfter,
  cutChildren,
  SearchBody,
  SearchQuery,
  TreeBody,
  TreeQuery,
  toBranchesBody,
  toChangesBody,
  toSearchBody,
  toTreeBody,
  toVersionsBody,
  VersionsBody,
  VersionsQuery,
} from './listings.schemas.ts';

const FEED_ENTRIES = 50;

const shared = {
  method: 'get',
  tag: 'Updates',
  feature: 'featureUpdatesEnabled',
  access: tokenAccess('updates:read'),
} as const;

/** Endpoints of branches, versions, changes, the file tree and the search. */
export function createListingEndpoints(archive: ArchiveService): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/updates/branches',
      operationId: 'listBranches',
      summary: 'List branches',
      description: 'Lists the archived branches of the game with their newest version, including branches without a captured version.',
      ok: { description: 'The branches.', schema: BranchesBody },
    }).handle(async () => json(toBranchesBody(await archive.listBranches()))),

    defineRoute({
      ...shared,
      path: '/v1/updates/{branch}/versions',
      operationId: 'listVersions',
      summary: 'List versions',
      description: 'Lists the captured versions of a branch, newest first.',
      params: BranchParams,
      query: VersionsQuery,
      errors: ['not_found'],
      ok: { description: 'A page of versions.', schema: VersionsBody },
    }).handle(async ({ params, query }) => json(toVersionsBody(await archive.listVersions(params.branch, query)))),

    defineRoute({
      ...shared,
      path: '/v1/updates/{branch}/versions.atom',
      operationId: 'getVersionsFeed',
      summary: 'Get the versions Atom feed',
      description: 'Returns the newest captured versions of a branch as an Atom feed (RFC 4287).',
      // Public: feed readers send no token, and the event stream has the same data.
      access: publicAccess('updates:read'),
      params: BranchParams,
      errors: ['not_found'],
      ok: { contentTypes: [ATOM_TYPE], description: 'Atom feed.' },
    }).handle(async ({ params, baseUrl }) => {
      const { rows } = await archive.listVersions(params.branch, { limit: FEED_ENTRIES, offset: 0 });
      const url = `${baseUrl}/v1/updates/${params.branch}`;
      return atomReply({
        title: `Game updates: ${params.branch}`,
        author: 'Game Data API',
        selfUrl: `${url}/versions.atom`,
        pageUrl: `${baseUrl}/updates?branch=${params.branch}`,
        entries: rows.map((version) => versionEntry(version, url, `${baseUrl}/updates/${params.branch}`)),
      });
    }),

    defineRoute({
      ...shared,
      path: '/v1/updates/{branch}/changes',
      operationId: 'listChanges',
      summary: 'List changes in a version',
      description:
        'Lists the files that a version added, modified and removed; defaults to the newest version. With `from` (and `to`), lists the net change of every path between two versions; files added and removed in between are omitted.',
      params: BranchParams,
      query: ChangesQuery,
      errors: ['not_found', 'bad_request'],
      ok: { description: 'A page of changes.', schema: ChangesBody },
    }).handle(async ({ params, query }) => json(toChangesBody(await archive.listChanges(params.branch, query)))),

    defineRoute({
      ...shared,
      path: '/v1/updates/{branch}/tree',
      operationId: 'getTree',
      summary: 'List a directory',
      description:
        'Lists the immediate children of a directory. Directories include the totals of everything below. An unknown directory is empty. Follow `next_cursor`, or the `Link` header, for more than `limit` children.',
      params: BranchParams,
      query: TreeQuery,
      errors: ['not_found', 'bad_request'],
      ok: { description: 'The children.', schema: TreeBody },
    }).handle(async ({ params: { branch }, query, request }) => {
      const { limit, cursor } = query;
      const page = { after: childAfter(cursor), limit: limit + 1 };
      const { prefix, ordinal, entries } = await archive.listDirectory(branch, query.prefix, query.ordinal, page);
      const children = cutChildren(entries, limit);
      // The tree of a version never changes. Hashing the body of a large directory would cost more CPU time than creating it.
      const identity = JSON.stringify([branch, ordinal, prefix, query.ordinal === undefined, limit, cursor ?? null]);
      const body = toTreeBody(branch, prefix, query.ordinal, children);
      return { ...json(body, { headers: nextPageLink(request.url, children.nextCursor) }), etag: `"${digestOf(identity)}"` };
    }),

    defineRoute({
      ...shared,
      path: '/v1/updates/{branch}/search',
      operationId: 'searchFiles',
      summary: 'Search files',
      description: 'Lists files whose path contains a literal text, case-insensitive.',
      params: BranchParams,
      query: SearchQuery,
      errors: ['not_found'],
      ok: { description: 'A page of files.', schema: SearchBody },
    }).handle(async ({ params: { branch }, query }) => json(toSearchBody({ branch, ...query }, await archive.searchFiles(branch, query)))),
  ];
}

/** `url`: of the branch in the API, for ids that never change; `pageUrl`: of its page. */
function versionEntry(version: Version, url: string, pageUrl: string): AtomEntry {
  const { ordinal, versionTag, capturedAt, completedAt, filesAdded, filesModified, filesRemoved } = version;
  return {
    id: `${url}/versions#${ordinal}`,
    url: `${pageUrl}/${ordinal}`,
    title: versionTag,
    publishedAt: capturedAt,
    updatedAt: completedAt ?? capturedAt,
    summary: `${filesAdded} files added, ${filesModified} modified, ${filesRemoved} removed.`,
  };
}
