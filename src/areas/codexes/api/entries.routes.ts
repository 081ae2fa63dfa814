import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { fileReply } from '../../../platform/http/replies/file-reply.ts';
import { CODEX_ORDINAL } from '../../../platform/http/replies/headers.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { createResponseSize } from '../../../platform/http/replies/response-size.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import type { CachedContents } from '../../../platform/storage/pop-cache.ts';
import type { DumpReads } from '../changes/dumps.store.ts';
import { codexesRateLimit } from '../codexes.settings.ts';
import { inLanguage } from '../languages.domain.ts';
import { CodexChangesBody, EntriesBody, EntryBody, EntryListBody, SearchBody, toEntryBody } from './codexes.schemas.ts';
import type { CodexesService } from './codexes.service.ts';
import { ChangesQuery, DumpQuery, EntriesQuery, EntryListQuery, EntryQuery, SearchQuery, TypeParams } from './queries.schemas.ts';

export const shared = {
  method: 'get',
  tag: 'Codexes',
  feature: 'featureCodexesEnabled',
  access: publicAccess('codexes:read', codexesRateLimit),
} as const;

const DUMP_TYPE = 'application/x-ndjson';
/** Columns of entries that were added after the others. */
const ENTRY_COLUMNS_LAST = ['data.recipe.outputs'];
/** `no-cache`: the content of the URL changes with each build, so clients have to revalidate. */
const DUMP_CACHE = 'public, no-cache';

/** Search, batch read, changes and dump of all codexes. Must be registered before the routes of a type. */
export function createSearchEndpoints(
  codexes: CodexesService,
  dumps: Pick<DumpReads, 'find' | 'findNewest'>,
  contents: Pick<CachedContents, 'open'>,
): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/codexes/search',
      operationId: 'searchCodexes',
      summary: 'Search all codexes',
      description: 'Searches entries of all types, or of one, whose name or description contains a text. All filters must match.',
      query: SearchQuery,
      errors: ['not_found', 'bad_request'],
      ok: { description: 'A page of entries.', schema: SearchBody },
      table: listTable(SearchBody, 'items', ENTRY_COLUMNS_LAST),
    }).handle(async ({ query: { q, type = null, fields, ...request }, baseUrl }) => {
      const { rows, total } = await codexes.listEntries(type, { ...request, text: q });
      const context = { baseUrl, branch: request.branch };
      const items = rows.map((row) => toEntryBody(row, fields, context));
      const body = { branch: request.branch, type, query: q?.trim() || null, items, count: items.length, total };
      return json(body, inLanguage(request.lang, rows));
    }),

    defineRoute({
      ...shared,
      path: '/v1/codexes/entries',
      operationId: 'listCodexEntriesByPath',
      summary: 'Get entries by path',
      description: 'Returns up to 200 entries in one request, in the requested order.',
      query: EntryListQuery,
      errors: ['not_found'],
      ok: { description: 'The entries.', schema: EntryListBody },
      table: listTable(EntryListBody, 'items', ENTRY_COLUMNS_LAST),
    }).handle(async ({ query: { branch, paths, fields, lang }, baseUrl }) => {
      const entriesByPath = await codexes.findEntries(branch, paths, lang);
      const counted = createResponseSize('query', 'paths');
      const items: string[] = [];
      for (const path of paths) {
        const row = entriesByPath.get(path);
        if (row) items.push(counted(JSON.stringify(toEntryBody(row, fields, { baseUrl, branch }))));
      }
      const missing = paths.filter((path) => !entriesByPath.has(path));
      const rest = JSON.stringify({ missing, count: items.length }).slice(1);
      const text = `{"branch":${JSON.stringify(branch)},"items":[${items.join(',')}],${rest}`;
      return { kind: 'json', text, ...inLanguage(lang, entriesByPath.values()) };
    }),

    defineRoute({
      ...shared,
      path: '/v1/codexes/changes',
      operationId: 'listCodexChanges',
      summary: 'List changed entries',
      description: 'Lists entries whose content changed after a version of the archive, each with its newest change.',
      query: ChangesQuery,
      errors: ['not_found'],
      ok: { description: 'A page of changes.', schema: CodexChangesBody },
      table: listTable(CodexChangesBody, 'items'),
    }).handle(async ({ query: { branch, since, limit, offset } }) => {
      const { ordinal, rows, total } = await codexes.listChanges(branch, since, { limit, offset });
      return json({ branch, since, ordinal, items: rows, count: rows.length, total });
    }),

    defineRoute({
      ...shared,
      path: '/v1/codexes/dump',
      operationId: 'downloadCodexDump',
      summary: 'Export all entries',
      description:
        'Exports every entry of a branch as JSON Lines, by path: the entries of the lists without `indexed_at`. The ETag is the hash of the content, so an up-to-date client gets 304. The header `Codex-Ordinal` is the version of the dump, which `/v1/codexes/changes` takes as `since`: that list may already have a newer version. The dumps of the last 20 builds are kept.',
      query: DumpQuery,
      errors: ['not_found', 'bad_request'],
      servesRanges: true,
      ok: {
        contentTypes: [DUMP_TYPE],
        description: 'One entry per line.',
        headers: [CODEX_ORDINAL],
        example: '{"type":"mount","path":"prefabs/collections/mount/cat.binfab"}',
      },
    }).handle(async ({ query: { branch, ordinal }, request, waitUntil }) => {
      const dump = await (ordinal === undefined ? dumps.findNewest(branch) : dumps.find(branch, ordinal));
      if (!dump) throw notFound(ordinal === undefined ? 'branch is not indexed yet' : 'no dump of this version is kept');
      const { sha256, size } = dump;
      const open = (range?: { offset: number; length: number }) => contents.open({ sha256, size }, range, waitUntil);
      const reply = await fileReply(request, { sha256, size, contentType: DUMP_TYPE, cacheControl: DUMP_CACHE, open });
      return { ...reply, headers: { ...reply.headers, [CODEX_ORDINAL]: String(dump.ordinal) } };
    }),
  ];
}

/** Endpoints of one type. */
export function createEntryEndpoints(codexes: CodexesService): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/codexes/{type}',
      operationId: 'listCodexEntries',
      summary: 'List entries of a type',
      description: 'Lists the entries of one codex. All filters must match.',
      params: TypeParams,
      query: EntriesQuery,
      errors: ['not_found', 'bad_request'],
      ok: { description: 'A page of entries.', schema: EntriesBody },
      table: listTable(EntriesBody, 'items', ENTRY_COLUMNS_LAST),
    }).handle(async ({ params, query: { search: text, fields, ...request }, baseUrl }) => {
      const { type } = params;
      const { rows, total } = await codexes.listEntries(type, { ...request, text });
      const { branch } = request;
      const items = rows.map((row) => toEntryBody(row, fields, { baseUrl, branch }));
      return json({ branch, type, items, count: rows.length, total }, inLanguage(request.lang, rows));
    }),

    defineRoute({
      ...shared,
      path: '/v1/codexes/{type}/entry',
      operationId: 'getCodexEntry',
      summary: 'Get an entry',
      description: 'Returns an entry by the path of its prefab. Branch, type and path must all match.',
      params: TypeParams,
      query: EntryQuery,
      errors: ['not_found'],
      ok: { description: 'The entry.', schema: EntryBody },
    }).handle(async ({ params, query: { branch, path, fields, lang }, baseUrl }) => {
      const row = await codexes.findEntry(branch, params.type, path, lang);
      return json(toEntryBody(row, fields, { baseUrl, branch }), inLanguage(lang, [row]));
    }),
  ];
}
