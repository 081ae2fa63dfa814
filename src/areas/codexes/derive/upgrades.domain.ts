import type { UpgradeEffects, UpgradeKind, UpgradeNode } from '../codex.domain.ts';
import { findAbilityRefs } from '../parse/abilities.domain.ts';
import type { UpgradeEffectsParse, UpgradeTreeParse } from '../parse/codex-parse.domain.ts';
import type { Texts } from './stat-values.domain.ts';

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
