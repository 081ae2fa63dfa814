import { z } from '@hono/zod-openapi';
import { modelImageUrl } from '../../../game/model-image.ts';
import { integer, integerOrNull, namedEnum, string } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import type { RequirementRow, UpgradeKind, UpgradeNode } from '../codex.domain.ts';
import { inLanguage } from '../languages.domain.ts';
import { LinksBody, StatHoldersBody } from './codexes.schemas.ts';
import type { CodexesService } from './codexes.service.ts';
import { shared } from './entries.routes.ts';
import { BranchQuery, HoldersQuery, LinksQuery, RequirementsQuery, SystemParams } from './queries.schemas.ts';

const branch = string('Branch.', 'live-us');
const count = integer('Number of items in this response.', 1);
const COLLECTION = 'collections/badge/mining_bronze';
const SYSTEM = 'module_demo';
const systemKind = namedEnum('CodexUpgradeSystemKind', 'Kind of upgrade system.', [
  'geode_module',
  'geode_companion',
  'class_prestige',
]).openapi({ description: 'Type of system.', example: 'geode_module' });
const systemKey = string('Key of the system.', SYSTEM);

const RequirementBody = z
  .object({
    rank: integer('Rank, from 1.', 1),
    rank_name: string('Name of the rank.', 'bronze'),
    collection: string('Badge awarded for the rank.', COLLECTION),
    badge_id: string('Ladder of the rank.', 'mining_badge'),
    completion_kind: string('Kind of requirement.', 'metric'),
    requirement_key: string('Counter of the requirement; empty for a counter without a known name.', 'BlocksMined'),
    label: string('Name of the counter.', 'Blocks Mined'),
    amount: integerOrNull('Quantity; null if unknown.', 100),
    difficulty: integer('1 normal, 2 hard, 3 ultra; 0 if not applicable.', 0),
    status: namedEnum('CodexRequirementStatus', 'Status of a requirement.', ['decoded', 'blocked']).openapi({
      description: '`blocked`: the counter could not be determined from the files.',
      example: 'decoded',
    }),
    context: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .openapi({ description: 'Further data from the files.', example: { metric_index: 4 } }),
  })
  .openapi('CodexRequirement', { description: 'A rank of a badge.' });

const RequirementsBody = z
  .object({
    branch,
    collection: string('Requested badge.', COLLECTION),
    items: z.array(RequirementBody).openapi({ description: 'The complete ladder, bronze first.' }),
    count,
  })
  .openapi('CodexRequirements', { description: 'The ladder of a badge.' });

const UpgradesBody = z
  .object({
    branch,
    items: z
      .array(
        z
          .object({ system_kind: systemKind, system_key: systemKey, nodes: integer('Number of nodes.', 12) })
          .openapi('CodexUpgradeSystem', { description: 'A progression system.' }),
      )
      .openapi({ description: 'By kind and key.' }),
    count,
  })
  .openapi('CodexUpgrades', { description: 'The progression systems.' });

const EffectsBody = z
  .object({
    name_key: z.string().nullable().optional().openapi({ description: 'Key of the name.', example: '$node_name' }),
    name: z.string().optional().openapi({ description: 'Name.', example: 'Longer Dash' }),
    desc_key: z.string().nullable().optional().openapi({ description: 'Key of the description.', example: '$node_description' }),
    description: z.string().optional().openapi({ description: 'Description.', example: 'Dash further.' }),
    abilities: z.array(string('Reference.', 'abilities/demo/dash')).optional().openapi({ description: 'Abilities granted.' }),
  })
  .openapi('CodexUpgradeEffects', { description: 'Rewards of a node; empty if unknown.' });

const NodeBody = z
  .object({
    system_kind: systemKind,
    system_key: systemKey,
    node_key: string('Key of the node.', 'module_demo_01'),
    rank: integerOrNull('Rank; null if none.', 1),
    costs: z
      .array(
        z
          .object({ item: string('Item.', 'item/crafting/ore'), quantity: integer('Quantity.', 10) })
          .openapi('CodexUpgradeCost', { description: 'A cost.' }),
      )
      .openapi({ description: 'Costs of the node.' }),
    requires: z
      .array(string('Key of a node.', 'module_demo_00'))
      .openapi({ description: 'Nodes referenced by the node; not the complete graph.' }),
    effects: EffectsBody,
  })
  .openapi('CodexUpgradeNode', { description: 'A node of a progression system.' });

const UpgradeBody = z
  .object({
    branch,
    system_key: systemKey,
    items: z.array(NodeBody).openapi({ description: 'By rank, then key.' }),
    count,
  })
  .openapi('CodexUpgrade', { description: 'A progression system.' });

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

function toRequirementBody(row: RequirementRow): z.output<typeof RequirementBody> {
  const { rank, collection, label, amount, difficulty, status, context } = row;
  return {
    rank,
    rank_name: row.rankName,
    collection,
    badge_id: row.badgeId,
    completion_kind: row.completionKind,
    requirement_key: row.requirementKey,
    label,
    amount,
    difficulty,
    status,
    context,
  };
}

function toNodeBody(node: UpgradeNode): z.output<typeof NodeBody> {
  const { systemKind: system_kind, systemKey: system_key, nodeKey: node_key, rank, costs, requires, effects } = node;
  return { system_kind, system_key, node_key, rank, costs, requires, effects };
}
