import type { LinkRow, UpgradeNode } from '../codex.domain.ts';
import { folded, linkPath } from '../paths.domain.ts';
import { toRequirements } from './badge-requirements.domain.ts';
import type { DerivedRelations } from './codex-build.domain.ts';
import type { CodexContext } from './context.domain.ts';
import { linkTarget } from './references.domain.ts';
import { toUpgradeNodes } from './upgrades.domain.ts';

/** Relations from shared tables, independent of entries. Never throws. */
export function deriveRelations(context: CodexContext): DerivedRelations {
  const upgrades = context.trees.flatMap(({ systemKey, tree }) =>
    toUpgradeNodes(systemKey, tree, context.effects.get(systemKey) ?? null, context.texts),
  );
  return {
    links: distinct([...unlockLinks(context), ...costLinks(upgrades), ...memberLinks(context)]),
    requirements: toRequirements(context.badges, context.metricNames),
    upgrades,
  };
}

type Found = Omit<LinkRow, 'order' | 'owner'>;

function unlockLinks(context: CodexContext): Found[] {
  return context.unlocks.flatMap(({ source, targets }) =>
    targets.map((target): Found => {
      return { rel: 'unlocks', source: linkTarget(source, context), target: linkTarget(target, context), qty: null, data: {} };
    }),
  );
}

function costLinks(nodes: readonly UpgradeNode[]): Found[] {
  return nodes.flatMap(({ systemKind, systemKey, nodeKey, costs }) =>
    costs.map(({ item, quantity }): Found => {
      const data = { system_kind: systemKind, system_key: systemKey, node_key: nodeKey };
      return { rel: 'upgrade_cost', source: `${systemKey}:${nodeKey}`, target: linkPath(item), qty: quantity, data };
    }),
  );
}

function memberLinks(context: CodexContext): Found[] {
  return context.memberships.flatMap(({ table, members }) =>
    members.map(({ member, group }): Found => {
      return { rel: 'member_of', source: linkPath(member), target: folded(table), qty: null, data: { group } };
    }),
  );
}

/** Each (relation, source, target) once, the first; numbered as they come. */
function distinct(found: readonly Found[]): LinkRow[] {
  const links = new Map<string, LinkRow>();
  found.forEach((link, order) => {
    const key = `${link.rel} ${link.source} ${link.target}`;
    if (!links.has(key)) links.set(key, { ...link, order, owner: null });
  });
  return [...links.values()];
}
