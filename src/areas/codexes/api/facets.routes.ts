import { adminAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { cutPage, textOfCursor } from '../../../platform/http/replies/page.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import type { CodexType } from '../codex-types.data.ts';
import { languageName } from '../languages.domain.ts';
import { AbilitiesBody, CategoriesBody, CodexFailuresBody, LanguagesBody, StatKeysBody, TypesBody } from './codexes.schemas.ts';
import type { CodexesService } from './codexes.service.ts';
import { shared } from './entries.routes.ts';
import { BranchQuery, FailuresQuery, TypeParams } from './queries.schemas.ts';

/** Facets of a branch. Must be registered before the routes of a type. */
export function createBranchFacetEndpoints(codexes: CodexesService): Endpoint[] {
  return [createTypesEndpoint(codexes), createLanguagesEndpoint(codexes)];
}

function createLanguagesEndpoint(codexes: CodexesService): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/codexes/languages',
    operationId: 'listCodexLanguages',
    summary: 'List languages',
    description:
      'Lists the languages of names and descriptions, English first, with the number of translated entries. `lang` of the codex endpoints and of `/v1/search` accepts their codes.',
    query: BranchQuery,
    errors: ['not_found'],
    ok: { description: 'The languages.', schema: LanguagesBody },
    table: listTable(LanguagesBody, 'items'),
  }).handle(async ({ query: { branch } }) => {
    const { languages, total } = await codexes.listLanguages(branch);
    const items = languages.map(({ code, translated }) => ({
      code,
      name: languageName(code),
      own_name: languageName(code, code),
      translated,
      total,
    }));
    return json({ branch, items, count: items.length });
  });
}

function createTypesEndpoint(codexes: CodexesService): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/codexes/types',
    operationId: 'listCodexTypes',
    summary: 'List codex types',
    description: 'Lists the types with entries and their number of entries.',
    query: BranchQuery,
    errors: ['not_found'],
    ok: { description: 'The types.', schema: TypesBody },
    table: listTable(TypesBody, 'items'),
  }).handle(async ({ query: { branch } }) => {
    const items = (await codexes.listTypes(branch)).map(({ type, n }) => ({ type: type as CodexType, count: n }));
    return json({ branch, items, count: items.length });
  });
}

/** Endpoints of the facets of a type: values with their number of entries. */
export function createFacetEndpoints(codexes: CodexesService): Endpoint[] {
  const routeOptions = { ...shared, params: TypeParams, query: BranchQuery, errors: ['not_found'] } as const;
  return [
    defineRoute({
      ...routeOptions,
      path: '/v1/codexes/{type}/categories',
      operationId: 'listCodexCategories',
      summary: 'List categories of a type',
      description: 'Lists the categories of a type with their number of entries.',
      ok: { description: 'The categories.', schema: CategoriesBody },
      table: listTable(CategoriesBody, 'items'),
    }).handle(async ({ params, query: { branch } }) => {
      const { type } = params;
      const items = (await codexes.listCategories(branch, type)).map(({ key, n }) => ({ category: key, count: n }));
      return json({ branch, type, items, count: items.length });
    }),

    defineRoute({
      ...routeOptions,
      path: '/v1/codexes/{type}/stat-keys',
      operationId: 'listCodexStatKeys',
      summary: 'List stats of a type',
      description: 'Lists the stats granted by entries of a type, with their number of entries.',
      ok: { description: 'The stats.', schema: StatKeysBody },
      table: listTable(StatKeysBody, 'items'),
    }).handle(async ({ params, query: { branch } }) => {
      const { type } = params;
      const items = (await codexes.listStatKeys(branch, type)).map(({ key, name, n }) => ({ stat: key, stat_name: name, count: n }));
      return json({ branch, type, items, count: items.length });
    }),

    defineRoute({
      ...routeOptions,
      path: '/v1/codexes/{type}/abilities',
      operationId: 'listCodexAbilities',
      summary: 'List abilities of a type',
      description: 'Lists the abilities shown by entries of a type, with their number of entries.',
      ok: { description: 'The abilities.', schema: AbilitiesBody },
      table: listTable(AbilitiesBody, 'items'),
    }).handle(async ({ params, query: { branch } }) => {
      const { type } = params;
      const rows = await codexes.listAbilities(branch, type);
      const items = rows.map(({ key, name, description, n }) => ({ ref: key, name, description, count: n }));
      return json({ branch, type, items, count: items.length });
    }),
  ];
}

/** `GET /admin/codexes/failures`. */
export function createFailuresEndpoint(codexes: CodexesService): Endpoint {
  return defineRoute({
    tag: 'Administration',
    access: adminAccess,
    surface: 'portal',
    hidden: true,
    method: 'get',
    path: '/admin/codexes/failures',
    operationId: 'listCodexFailures',
    summary: 'List decoding failures',
    description:
      'Lists the files of a branch that could not be decoded in the newest build, with the reason. Their entries are named after their paths.',
    query: FailuresQuery,
    errors: ['not_found', 'bad_request'],
    ok: { description: 'A page of files.', schema: CodexFailuresBody },
  }).handle(async ({ query: { branch, limit, cursor } }) => {
    const read = await codexes.listFailures(branch, textOfCursor(cursor) ?? '', limit + 1);
    const { rows: items, nextCursor } = cutPage(read, limit, ({ path }) => path);
    return json({ branch, items, count: items.length, next_cursor: nextCursor });
  });
}
