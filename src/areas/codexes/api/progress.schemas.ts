import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../../platform/http/bodies/body-schemas.ts';
import type { RequirementRow, UpgradeNode } from '../codex.domain.ts';
import { integer, integerOrNull, text } from './entry-data.schemas.ts';

const branch = text('Branch.', 'live-us');
const count = integer('Number of items in this response.', 1);
const COLLECTION = 'collections/badge/mining_bronze';
const SYSTEM = 'module_demo';
const systemKind = namedEnum('CodexUpgradeSystemKind', 'Kind of upgrade system.', [
  'geode_module',
  'geode_companion',
  'class_prestige',
]).openapi({ description: 'Type of system.', example: 'geode_module' });
const systemKey = text('Key of the system.', SYSTEM);

const RequirementBody = z
  .object({
    rank: integer('Rank, from 1.', 1),
    rank_name: text('Name of the rank.', 'bronze'),
    collection: text('Badge awarded for the rank.', COLLECTION),
    badge_id: text('Ladder of the rank.', 'mining_badge'),
    completion_kind: text('Kind of requirement.', 'metric'),
    requirement_key: text('Counter of the requirement; empty for a counter without a known name.', 'BlocksMined'),
    label: text('Name of the counter.', 'Blocks Mined'),
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

export const RequirementsBody = z
  .object({
    branch,
    collection: text('Requested badge.', COLLECTION),
    items: z.array(RequirementBody).openapi({ description: 'The complete ladder, bronze first.' }),
    count,
  })
  .openapi('CodexRequirements', { description: 'The ladder of a badge.' });

export const UpgradesBody = z
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
    abilities: z.array(text('Reference.', 'abilities/demo/dash')).optional().openapi({ description: 'Abilities granted.' }),
  })
  .openapi('CodexUpgradeEffects', { description: 'Rewards of a node; empty if unknown.' });

const NodeBody = z
  .object({
    system_kind: systemKind,
    system_key: systemKey,
    node_key: text('Key of the node.', 'module_demo_01'),
    rank: integerOrNull('Rank; null if none.', 1),
    costs: z
      .array(
        z
          .object({ item: text('Item.', 'item/crafting/ore'), quantity: integer('Quantity.', 10) })
          .openapi('CodexUpgradeCost', { description: 'A cost.' }),
      )
      .openapi({ description: 'Costs of the node.' }),
    requires: z
      .array(text('Key of a node.', 'module_demo_00'))
      .openapi({ description: 'Nodes referenced by the node; not the complete graph.' }),
    effects: EffectsBody,
  })
  .openapi('CodexUpgradeNode', { description: 'A node of a progression system.' });

export const UpgradeBody = z
  .object({
    branch,
    system_key: systemKey,
    items: z.array(NodeBody).openapi({ description: 'By rank, then key.' }),
    count,
  })
  .openapi('CodexUpgrade', { description: 'A progression system.' });

export function toRequirementBody(row: RequirementRow): z.output<typeof RequirementBody> {
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

export function toNodeBody(node: UpgradeNode): z.output<typeof NodeBody> {
  const { systemKind: system_kind, systemKey: system_key, nodeKey: node_key, rank, costs, requires, effects } = node;
  return { system_kind, system_key, node_key, rank, costs, requires, effects };
}
