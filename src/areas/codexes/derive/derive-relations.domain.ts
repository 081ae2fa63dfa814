import type { LinkRow, UpgradeNode } from '../codex.domain.ts';
import { foldCase, linkPath } from '../paths.domain.ts';
import { toRequirements } from './badge-requirements.domain.ts';
import type { DerivedRelations } from './codex-build.domain.ts';
import type { CodexContext } from './context.domain.ts';
import { linkTarget } from './references.domain.ts';
import { toUpgradeNodes } from './upgrades.domain.ts';

/** Derives rows and links from shared tables, independent of entries. Never throws. */
export function deriveRelations(context: CodexContext): DerivedRelations {
  const upgrades = context.trees.flatMap(({ systemKey, tree }) =>
    toUpgradeNodes(systemKey, tree, context.effects.get(systemKey) ?? null, context.texts),
  );
  return {
    links: numberDistinct([...unlockLinks(context), ...costLinks(upgrades), ...memberLinks(context)]),
    requirements: toRequirements(context.badges, context.metricNames),
    upgrades,
  };
}

type UnorderedLink = Omit<LinkRow, 'order' | 'owner'>;

function unlockLinks(context: CodexContext): UnorderedLink[] {
  return context.unlocks.flatMap(({ source, targets }) =>
    targets.map((target): UnorderedLink => {
      return { rel: 'unlocks', source: linkTarget(source, context), target: linkTarget(target, context), qty: null, data: {} };
    }),
  );
}

function costLinks(nodes: readonly UpgradeNode[]): UnorderedLink[] {
  return nodes.flatMap(({ systemKind, systemKey, nodeKey, costs }) =>
    costs.map(({ item, quantity }): UnorderedLink => {
      const data = { system_kind: systemKind, system_key: systemKey, node_key: nodeKey };
      return { rel: 'upgrade_cost', source: `${systemKey}:${nodeKey}`, target: linkPath(item), qty: quantity, data };
    }),
  );
}

function memberLinks(context: CodexContext): UnorderedLink[] {
  return context.memberships.flatMap(({ table, members }) =>
    members.map(({ member, group }): UnorderedLink => {
      return { rel: 'member_of', source: linkPath(member), target: foldCase(table), qty: null, data: { group } };
    }),
  );
}

/** First link of each (relation, source, target), numbered in order. */
function numberDistinct(links: readonly UnorderedLink[]): LinkRow[] {
  const distinct = new Map<string, LinkRow>();
  links.forEach((link, order) => {
    const key = `${link.rel} ${link.source} ${link.target}`;
    if (!distinct.has(key)) distinct.set(key, { ...link, order, owner: null });
  });
  return [...distinct.values()];
}
