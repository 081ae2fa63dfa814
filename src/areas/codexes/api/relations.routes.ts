import { modelImageUrl } from '../../../game/model-image.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import type { UpgradeKind } from '../codex.domain.ts';
import { inLanguage } from '../languages/languages.domain.ts';
import { LinksBody, StatHoldersBody } from './codexes.schemas.ts';
import type { CodexesService } from './codexes.service.ts';
import { shared } from './entries.routes.ts';
import { RequirementsBody, toNodeBody, toRequirementBody, UpgradeBody, UpgradesBody } from './progress.schemas.ts';
import { BranchQuery, HoldersQuery, LinksQuery, RequirementsQuery, SystemParams } from './queries.schemas.ts';

/** Endpoints of relations, rankings by stat, badge ladders and upgrades. */
export function createRelationEndpoints(codexes: CodexesService): Endpoint[] {
  return [createLinksEndpoint(codexes), createHoldersEndpoint(codexes), ...createProgressEndpoints(codexes)];
}

function createLinksEndpoint(codexes: CodexesService): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/codexes/links',
    operationId: 'listCodexLinks',
    summary: 'List relations of an entry',
    description:
      'Lists the relations from or to an entry, an item or an upgrade node: `direction=in&rel=ingredient` on a material lists the recipes that use it. Targets that are not entries are included.',
    query: LinksQuery,
    errors: ['not_found', 'bad_request'],
    ok: { description: 'A page of relations.', schema: LinksBody },
    table: listTable(LinksBody, 'items'),
  }).handle(async ({ query, baseUrl }) => {
    const { path, direction, rows, total } = await codexes.listLinks(query);
    const items = rows.map((row) => ({
      rel: row.rel,
      path: row.path,
      type: row.type,
      name: row.name ?? '',
      category: row.category ?? '',
      blueprint: row.blueprint,
      image_url: modelImageUrl(baseUrl, row.blueprint, query.branch),
      qty: row.qty,
      data: JSON.parse(row.data) as Record<string, string>,
    }));
    return json({ branch: query.branch, path, direction, items, count: items.length, total }, inLanguage(query.lang, rows));
  });
}

function createHoldersEndpoint(codexes: CodexesService): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/codexes/stats',
    operationId: 'listCodexStatHolders',
    summary: 'List sources of a stat',
    description: 'Lists the entries that grant a stat, each once with its best value, highest first.',
    query: HoldersQuery,
    errors: ['not_found'],
    ok: { description: 'A page of entries.', schema: StatHoldersBody },
    table: listTable(StatHoldersBody, 'items'),
  }).handle(async ({ query: { branch, stat, type = null, lang, limit, offset }, baseUrl }) => {
    const { rows, total, ...found } = await codexes.listStatHolders(branch, stat, type, { limit, offset }, lang);
    const items = rows.map(({ has_translation: _translated, has_english: _english, ...row }) => ({
      ...row,
      is_percent: row.is_percent === 1,
      image_url: modelImageUrl(baseUrl, row.blueprint, branch),
    }));
    return json({ branch, stat: found.stat, items, count: items.length, total }, inLanguage(lang, rows));
  });
}

function createProgressEndpoints(codexes: CodexesService): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/codexes/requirements',
      operationId: 'listCodexRequirements',
      summary: 'Get a badge ladder',
      description: 'Returns the requirements of each rank of the ladder of a badge, bronze first.',
      query: RequirementsQuery,
      errors: ['not_found'],
      ok: { description: 'The ladder.', schema: RequirementsBody },
      table: listTable(RequirementsBody, 'items'),
    }).handle(async ({ query: { branch, collection } }) => {
      const items = (await codexes.findLadder(branch, collection)).map(toRequirementBody);
      return json({ branch, collection, items, count: items.length });
    }),

    defineRoute({
      ...shared,
      path: '/v1/codexes/upgrades',
      operationId: 'listCodexUpgrades',
      summary: 'List progression systems',
      description: 'Lists geode modules, geode companions and class prestige with their number of nodes.',
      query: BranchQuery,
      errors: ['not_found'],
      ok: { description: 'The systems.', schema: UpgradesBody },
      table: listTable(UpgradesBody, 'items'),
    }).handle(async ({ query: { branch } }) => {
      const rows = await codexes.listSystems(branch);
      const items = rows.map(({ type, key, n }) => ({ system_kind: type as UpgradeKind, system_key: key, nodes: n }));
      return json({ branch, items, count: items.length });
    }),

    defineRoute({
      ...shared,
      path: '/v1/codexes/upgrades/{system_key}',
      operationId: 'getCodexUpgrade',
      summary: 'Get a progression system',
      description: 'Returns the nodes of a system by rank, with costs and rewards.',
      params: SystemParams,
      query: BranchQuery,
      errors: ['not_found'],
      ok: { description: 'The nodes.', schema: UpgradeBody },
      table: listTable(UpgradeBody, 'items'),
    }).handle(async ({ params: { system_key: systemKey }, query: { branch } }) => {
      const items = (await codexes.findSystem(branch, systemKey)).map(toNodeBody);
      return json({ branch, system_key: systemKey, items, count: items.length });
    }),
  ];
}
