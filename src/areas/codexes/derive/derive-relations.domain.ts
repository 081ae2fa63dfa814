import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { LinkRow, RequirementRow, UpgradeEffects, UpgradeKind, UpgradeNode } from '../codex.domain.ts';
import type { BadgeParse, UpgradeEffectsParse, UpgradeTreeParse } from '../parse/codex-parse.domain.ts';
import { BADGE_RANK_NAMES, BOSS_DIFFICULTIES, BOSS_NAMES, HERO_BADGE, HERO_ENTITLEMENT } from '../parse/codex-tables.data.ts';
import { findAbilityRefs } from '../parse/prefab-parse.domain.ts';
import { linkPath, nameFromStem, splitCamelCase } from '../paths.domain.ts';
import type { CodexContext, Texts } from './context.domain.ts';
import { linkTarget } from './references.domain.ts';

/** Rows derived from shared tables. */
export interface DerivedRelations {
  /** `unlocks`, `upgrade_cost` and `member_of`. */
  links: LinkRow[];
  requirements: RequirementRow[];
  upgrades: UpgradeNode[];
}

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

/** Requirement of a completion; `blocked` if unknown. */
type Completion = Pick<RequirementRow, 'requirementKey' | 'label' | 'amount' | 'status'> &
  Partial<Pick<RequirementRow, 'difficulty' | 'context' | 'collection'>>;

const BADGE_PATH = 'collections/badge/';

/** Rows of all ranks with a collection, in file order. `metricNames[0]` is the metric with ordinal 1. */
export function toRequirements(badges: readonly BadgeParse[], metricNames: readonly string[]): RequirementRow[] {
  return badges.flatMap((badge) => {
    const rankName = BADGE_RANK_NAMES[badge.rank - 1];
    if (rankName === undefined) return [];
    const completion = completionOf(badge, metricNames);
    const collection = completion.collection ?? collectionOf(badge.rewards, rankName);
    if (collection === null) return [];
    const { badgeId, rank, kind } = badge;
    return [{ badgeId, rank, rankName, completionKind: kind, difficulty: 0, context: {}, ...completion, collection }];
  });
}

/** Reward that ends in the name of the rank, otherwise the first. */
function collectionOf(rewards: readonly string[], rankName: string): string | null {
  const names = rewards.map(rewardName);
  const name = names.find((candidate) => candidate.endsWith(`_${rankName}`)) ?? names[0];
  return name === undefined ? null : BADGE_PATH + name;
}

function rewardName(reward: string): string {
  if (reward === `${HERO_BADGE}_badge`) return HERO_BADGE;
  return reward.replace(/^badge_/, '').replace(/_plat(_v2)?$/, '_platinum');
}

function completionOf(badge: BadgeParse, metricNames: readonly string[]): Completion {
  const reader = COMPLETION_READERS[badge.kind.toLowerCase()];
  const completion = reader?.(badge, metricNames) ?? null;
  return completion ?? { requirementKey: badge.kind, label: splitCamelCase(badge.kind), amount: null, status: 'blocked' };
}

/** Returns null for an invalid payload: the rank is then `blocked`. */
type Reader = (badge: BadgeParse, metricNames: readonly string[]) => Completion | null;

const amountAs =
  (index: 0 | 1): Reader =>
  ({ kind, values }) =>
    createDecoded(kind, splitCamelCase(kind), numberAt(values, index));

/** Readers of completions by lower-case kind. */
const COMPLETION_READERS: Readonly<Record<string, Reader | undefined>> = {
  metric: ({ values }, metricNames) => metric(numberAt(values, 0), numberAt(values, 1), metricNames),
  dragonsouls: ({ badgeId, values }) => {
    const shape = numberAt(values, 0);
    const name = nameFromStem(badgeId.replace('dragon_', '').replace('_badge', ''));
    return createDecoded(
      `${badgeId}:dragonsouls`,
      `${name} Dragon Souls`,
      numberAt(values, 1),
      shape === null ? {} : { context: { shape: shape * 2 } },
    );
  },
  stbosskilled: ({ values }) => bossKilled(values),
  friends: amountAs(0),
  loyalty: amountAs(0),
  referafriend: amountAs(0),
  upgradegems: ({ kind, values }) => {
    const scope = numberAt(values, 0) === 1 ? 'all_gem_stats' : 'single_gem_stat';
    return createDecoded(`${kind}:${scope}`, splitCamelCase(kind), numberAt(values, 1));
  },
  subclassequipped: ({ kind, values: [level, rank] }) =>
    typeof level === 'number' && typeof rank === 'number'
      ? createDecoded(`${kind}:level=${level}:power_rank=${rank}`, splitCamelCase(kind), SUBCLASS_AMOUNT)
      : null,
  minprestigelevelsacrossclasses: ({ kind, values: [level, classes] }) => {
    if (typeof level !== 'number' || typeof classes !== 'number') return null;
    const context = { paragon_level: level, class_count: classes };
    return createDecoded(`${kind}:level=${level}:classes=${classes}`, splitCamelCase(kind), classes, { context });
  },
  entitlementunlocked: ({ kind, values }) =>
    values.some((value) => typeof value === 'string' && value.includes(HERO_ENTITLEMENT))
      ? createDecoded(HERO_ENTITLEMENT, splitCamelCase(kind), 0, { collection: BADGE_PATH + HERO_BADGE })
      : null,
  tinyquesttotalpetsoflevel: amountAs(1),
  tinyquestconcurrentbuffedpets: amountAs(0),
  none: () => createDecoded('none', '', 0),
};

const SUBCLASS_AMOUNT = 15;

function createDecoded(requirementKey: string, label: string, amount: number | null, more: Partial<Completion> = {}): Completion | null {
  return amount === null ? null : { requirementKey, label, amount, status: 'decoded', ...more };
}

/** Ordinal 0 and ordinals beyond the table have no name: `blocked`, with the amount, without key and label. */
function metric(ordinal: number | null, amount: number | null, names: readonly string[]): Completion | null {
  if (ordinal === null) return null;
  const name = names[ordinal - 1];
  const context = { metric_index: ordinal, encoded_metric: ordinal * 2 };
  if (name === undefined) return { requirementKey: '', label: '', amount, status: 'blocked', context };
  return createDecoded(name, splitCamelCase(name), amount, { context });
}

function bossKilled(values: BadgeParse['values']): Completion | null {
  const [boss, , index] = values;
  if (typeof boss !== 'string' || typeof index !== 'number') return null;
  const difficulty = BOSS_DIFFICULTIES[index] ?? String(index);
  const name = (Object.hasOwn(BOSS_NAMES, boss) ? BOSS_NAMES[boss] : undefined) ?? bossName(boss);
  const label = `${name} (${difficulty})`;
  const context = { boss_prefab: boss, difficulty };
  return createDecoded(`${boss}:${difficulty}`, label, numberAt(values, 1), { difficulty: index + 1, context });
}

function bossName(boss: string): string {
  return nameFromStem(boss.slice(boss.lastIndexOf('/') + 1).replace(/\.\w+$/, ''));
}

function numberAt(values: BadgeParse['values'], index: number): number | null {
  const value = values[index];
  return typeof value === 'number' ? value : null;
}

/** Kind of a system, derived from the keys of its nodes. */
export function kindOfTree(tree: UpgradeTreeParse): UpgradeKind {
  const hasPart = (...parts: string[]): boolean => tree.nodes.some(({ key }) => parts.some((part) => key.includes(part)));
  if (hasPart('_level_')) return 'geode_companion';
  return hasPart('_root_', '_branch_') ? 'class_prestige' : 'geode_module';
}

/** Nodes of a system in file order. */
export function toUpgradeNodes(
  systemKey: string,
  tree: UpgradeTreeParse,
  effects: UpgradeEffectsParse | null,
  texts: Texts,
): UpgradeNode[] {
  const systemKind = kindOfTree(tree);
  const chunks = effects === null ? new Map<string, string>() : chunksByNode(effects.words, tree);
  return tree.nodes.map(({ key, costs, requires }) => ({
    systemKind,
    systemKey,
    nodeKey: key,
    rank: /\d\d$/.test(key) ? Number(key.slice(-2)) : null,
    costs,
    requires,
    effects: effectsOf(chunks.get(key) ?? '', texts),
  }));
}

/** Words of each node: from the first occurrence of its key to that of the next node. */
function chunksByNode(words: string, tree: UpgradeTreeParse): Map<string, string> {
  const nodeOffsets = tree.nodes.map(({ key }) => ({ key, at: findKey(words, key) })).filter(({ at }) => at >= 0);
  nodeOffsets.sort((a, b) => a.at - b.at);
  return new Map(nodeOffsets.map(({ key, at }, index) => [key, words.slice(at, nodeOffsets[index + 1]?.at)]));
}

/** Index of a key as a separate word, otherwise of any occurrence; -1 if absent. */
function findKey(words: string, key: string): number {
  for (let at = words.indexOf(key); at >= 0; at = words.indexOf(key, at + 1)) {
    if (!/[A-Za-z0-9_$/]/.test(words.charAt(at - 1)) && !/[A-Za-z0-9_]/.test(words.charAt(at + key.length))) return at;
  }
  return words.indexOf(key);
}

function effectsOf(chunk: string, texts: Texts): UpgradeEffects | Record<string, never> {
  const nameKey = /\$[A-Za-z0-9_]+_name/.exec(chunk)?.[0] ?? null;
  const descriptionKey = /\$[A-Za-z0-9_]+_description/.exec(chunk)?.[0] ?? null;
  const abilities = findAbilityRefs(chunk);
  if (nameKey === null && descriptionKey === null && abilities.length === 0) return {};
  return {
    name_key: nameKey,
    name: (nameKey && texts(nameKey)) ?? '',
    desc_key: descriptionKey,
    description: (descriptionKey && texts(descriptionKey)) ?? '',
    abilities,
  };
}
