import { z } from '@hono/zod-openapi';
import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import { integer, integerOrNull, namedEnum, string } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE, type AtomEntry, atomReply } from '../../../platform/http/replies/atom.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { createResponseSize } from '../../../platform/http/replies/response-size.ts';
import { computedTable, listTable } from '../../../platform/http/tables/table.ts';
import type { FieldChange } from '../changes/dump-difference.domain.ts';
import { createPatchReader, type DumpReads, type DumpRow, MAX_KEPT_DUMPS } from '../changes/dumps.store.ts';
import { changeKind } from './codexes.schemas.ts';
import { shared } from './entries.routes.ts';
import { BranchQuery, BuildChangesQuery, BuildParams } from './queries.schemas.ts';

const branch = string('Branch.', LIVE_BRANCH);
const ordinal = integer('Version of the archive.', 12);
const counts = {
  added: integer('Entries that are new in this version.', 4),
  modified: integer('Entries with a changed field.', 17),
  removed: integer('Entries that this version does not have.', 1),
};
const previous = integerOrNull('Version that it is compared with; null for the first kept build.', 11);
const createdAt = integer('Time when the version was indexed (unix seconds).', 1_780_930_452);
const value = (description: string, example: unknown) => z.unknown().openapi({ description, example });

const BuildBody = z
  .object({ ordinal, previous, created_at: createdAt, ...counts, dump_bytes: integer('Size of the dump in bytes.', 52_428_800) })
  .openapi('CodexBuild', { description: 'An indexed version with the number of changed entries.' });

const BuildsBody = z
  .object({
    branch,
    items: z.array(BuildBody).openapi({ description: `The last ${MAX_KEPT_DUMPS} builds, newest first.` }),
    count: integer('Number of builds.', 1),
  })
  .openapi('CodexBuilds', { description: 'The kept builds of a branch.' });

const FieldBody = z
  .object({
    field: string('JSON Pointer (RFC 6901) of the field in the entry.', '/mastery'),
    change: namedEnum('CodexFieldChangeType', 'Kind of change of a field.', ['added', 'removed', 'changed']).openapi({
      description: 'Kind of change.',
      example: 'changed',
    }),
    old: value('Value before; absent for an added field.', 50).optional(),
    new: value('Value after; absent for a removed field.', 75).optional(),
    difference: z.number().optional().openapi({ description: '`new` minus `old`; only for two numbers.', example: 25 }),
    added: z
      .array(value('An item.', 'x'))
      .optional()
      .openapi({ description: 'Items that only the new list has; only for two lists.', example: [] }),
    removed: z
      .array(value('An item.', 'x'))
      .optional()
      .openapi({ description: 'Items that only the old list had; only for two lists.', example: [] }),
  })
  .openapi('CodexFieldChange', { description: 'A changed field of an entry.' });

const EntryChangeBody = z
  .object({
    type: string('Type of codex.', 'mount'),
    path: string('Path of the entry.', 'prefabs/collections/mount/cat.binfab'),
    name: string('Name of the entry; of a removed entry the last one.', 'Cat'),
    change: changeKind.openapi({ description: 'Kind of change.', example: 'modified' }),
    fields: z.array(FieldBody).openapi({ description: 'Changed fields; of a new entry all fields, of a removed entry none.' }),
  })
  .openapi('CodexEntryChange', { description: 'An entry that differs from the version before.' });

const BuildChangesBody = z
  .object({
    branch,
    ordinal,
    previous,
    created_at: createdAt,
    ...counts,
    items: z.array(EntryChangeBody).openapi({ description: 'Changed entries, by path.' }),
    count: integer('Number of items in this response.', 1),
    total: integer('Total number of changed entries.', 22),
  })
  .openapi('CodexBuildChanges', { description: 'Changed entries of a version, field by field.' });

const FieldRow = z.object({
  path: z.string(),
  type: z.string(),
  name: z.string(),
  change: z.string(),
  field: z.string(),
  field_change: z.string(),
  old: z.unknown(),
  new: z.unknown(),
  difference: z.number().nullable(),
});

function* fieldRows({ items }: z.output<typeof BuildChangesBody>): Generator<z.output<typeof FieldRow>> {
  for (const { path, type, name, change, fields } of items) {
    const rows: Pick<FieldChange, 'field' | 'old' | 'new' | 'difference'>[] = fields.length > 0 ? fields : [{ field: '' }];
    for (const [index, field] of rows.entries()) {
      yield {
        path,
        type,
        name,
        change,
        field: field.field,
        field_change: fields[index]?.change ?? '',
        old: field.old,
        new: field.new,
        difference: field.difference ?? null,
      };
    }
  }
}

/** Kept builds, their changes field by field, and the feed of both. */
export function createBuildEndpoints(dumps: DumpReads): Endpoint[] {
  const patches = createPatchReader(dumps);
  return [
    defineRoute({
      ...shared,
      path: '/v1/codexes/builds',
      operationId: 'listCodexBuilds',
      summary: 'List indexed versions',
      description: `Lists the last ${MAX_KEPT_DUMPS} indexed versions of a branch with the number of changed entries. Their dumps and changes are kept.`,
      query: BranchQuery,
      errors: ['not_found'],
      ok: { description: 'The builds.', schema: BuildsBody },
      table: listTable(BuildsBody, 'items'),
    }).handle(async ({ query }) => {
      const items = (await dumps.list(query.branch)).map(toBuildBody);
      return json({ branch: query.branch, items, count: items.length });
    }),

    defineRoute({
      ...shared,
      path: '/v1/codexes/changes/{ordinal}',
      operationId: 'listCodexBuildChanges',
      summary: 'List changed fields',
      description:
        'Lists the entries that a version added, modified or removed, each field with its old and new value. The dump of the version before with these changes is the dump of the version.',
      params: BuildParams,
      query: BuildChangesQuery,
      errors: ['not_found'],
      ok: { description: 'A page of changes.', schema: BuildChangesBody },
      table: computedTable(BuildChangesBody, FieldRow, 'changed field', fieldRows),
    }).handle(async ({ params, query }) => {
      const { row, lines, total } = await patches.readTexts(query.branch, params.ordinal, query);
      const counted = createResponseSize('query', 'limit');
      for (const line of lines) counted(line);
      const { dump_bytes: _, ...build } = toBuildBody(row);
      const head = JSON.stringify({ branch: query.branch, ...build }).slice(0, -1);
      return { kind: 'json', text: `${head},"items":[${lines.join(',')}],"count":${lines.length},"total":${total}}` };
    }),

    defineRoute({
      ...shared,
      path: '/v1/codexes/changes.atom',
      operationId: 'getCodexChangesFeed',
      summary: 'Get the patch notes feed',
      description: `Returns the last ${MAX_KEPT_DUMPS} versions of a branch with a summary of their changed entries as an Atom feed (RFC 4287).`,
      query: BranchQuery,
      errors: ['not_found'],
      ok: { contentTypes: [ATOM_TYPE], description: 'Atom feed.' },
    }).handle(async ({ query, baseUrl }) => {
      const rows = (await dumps.list(query.branch)).filter((row) => row.previous !== null);
      const suffix = query.branch === LIVE_BRANCH ? '' : `?branch=${query.branch}`;
      return atomReply({
        title: `Patch notes: ${query.branch}`,
        author: 'Game Data API',
        selfUrl: `${baseUrl}/v1/codexes/changes.atom${suffix}`,
        pageUrl: `${baseUrl}/codex/changes${suffix}`,
        entries: rows.map((row) => toAtomEntry(row, baseUrl, suffix)),
      });
    }),
  ];
}

function toBuildBody(row: DumpRow): z.infer<typeof BuildBody> {
  const { added, modified, removed } = row;
  return { ordinal: row.ordinal, previous: row.previous, created_at: row.created_at, added, modified, removed, dump_bytes: row.size };
}

function toAtomEntry(row: DumpRow, baseUrl: string, suffix: string): AtomEntry {
  const url = `${baseUrl}/codex/changes/${row.ordinal}${suffix}`;
  return {
    id: url,
    title: `Version ${row.ordinal}: ${summaryOf(row)}`,
    url,
    publishedAt: row.created_at,
    summary: `Changes of the codex since version ${row.previous}: ${summaryOf(row)}.`,
  };
}

/** `4 added, 17 modified, 1 removed`; `no changed entries` without changes. */
export function summaryOf(row: Pick<DumpRow, 'added' | 'modified' | 'removed'>): string {
  const parts = (['added', 'modified', 'removed'] as const).filter((kind) => row[kind] > 0).map((kind) => `${row[kind]} ${kind}`);
  return parts.length > 0 ? parts.join(', ') : 'no changed entries';
}
