import type { BinValue } from '../../../src/areas/codexes/format/binfab.domain.ts';
import { encodeBinfab } from './encode-binfab.ts';
import { latin1Bytes } from './hex.ts';
import { type ModifierSpec, modifier } from './prefabs.ts';
import { array, bare, float, int, object, text, when } from './tree.ts';

/* Encodes shared tables in the game's format. */

type Bytes = Uint8Array<ArrayBuffer>;

export function encodeLanguageTable(texts: Iterable<readonly [key: string, value: string]>): Bytes {
  return encodeBinfab(bare({ 0: array([...texts].map(([key, value]) => object({ 0: text(key), 1: text(value) }))) }));
}

export interface CollectionGroup {
  /** Default: derived from the name key. */
  id?: string;
  nameKey: string;
  members: readonly string[];
}

export function encodeCollection(groups: readonly CollectionGroup[]): Bytes {
  const rows = groups.map(({ id, nameKey, members }) =>
    object({
      0: when(id, text),
      1: text(nameKey),
      2: int(1),
      3: array(members.map((member) => object({ 0: text(member), 1: array([], text('')), 2: text(''), 3: array([], text('')) }))),
      4: int(1),
    }),
  );
  return encodeBinfab(bare({ 0: array(rows) }));
}

/** Encodes the recipe catalogue or a crafting station. */
export function encodeRecipeList(stems: readonly string[]): Bytes {
  return encodeBinfab(bare({ 0: array(stems.map((stem) => object({ 0: text(stem) }))) }));
}

/** Encodes groups of unlocks; `owned` is what every account has from the start. */
export function encodeUnlocks(groups: readonly { source: string; targets: readonly string[] }[], owned: readonly string[] = []): Bytes {
  const named = (name: string) => object({ 0: int(1), 1: text(name), 2: text('') });
  const rows = groups.map(({ source, targets }) => object({ 0: named(source), 1: array(targets.map(named)) }));
  return encodeBinfab(bare({ 0: array(rows), 1: array(owned.map(named)) }));
}

const FACTORS = [0, 1, 2, 3, 5] as const;

/** Encodes identifiers by factor, in five groups, of which some can be empty. */
export function encodeMultipliers(ids: Partial<Record<(typeof FACTORS)[number], readonly string[]>>): Bytes {
  const row = (id: string) => object({ 0: int(0), 1: text(id), 2: text('') });
  const groups = FACTORS.map((factor) => object({ 0: float(factor), 1: array((ids[factor] ?? []).map(row)), 2: array([], int(0)) }));
  return encodeBinfab(bare({ 0: array(groups) }));
}

/** Encodes raw tiers (even numbers) with their ranks. The first row of the game's table has no rank. */
export function encodePowerRanks(rows: readonly (readonly [tier: number, rank: number])[]): Bytes {
  const all = [[0, 0] as const, ...rows];
  return encodeBinfab(bare({ 0: array(all.map(([tier, rank]) => object({ 0: int(tier / 2), 1: int(rank) }))) }));
}

export interface BadgeSpec {
  id: string;
  ranks: readonly { rewards: readonly string[]; kind: string; values: readonly (number | string)[] }[];
}

export function encodeBadges(badges: readonly BadgeSpec[]): Bytes {
  const rewards = badges.flatMap(({ id, ranks }) =>
    ranks.flatMap((rank) => rank.rewards.map((reward) => object({ 0: text(reward), 1: text(`$${reward}_name`), 2: text(id) }))),
  );
  const rows = badges.map(({ id, ranks }) =>
    object({
      0: text(id),
      1: array(
        ranks.map((rank) =>
          object({
            2: array(rank.rewards.map(text), text('')),
            3: object({ 0: text(rank.kind), 1: object({}, payload(rank.values)) }),
          }),
        ),
      ),
    }),
  );
  return encodeBinfab(bare({ 0: array(rewards), 1: array(rows) }));
}

function payload(values: readonly (number | string)[]): Record<number, BinValue> {
  return Object.fromEntries(values.map((value, index) => [index, typeof value === 'string' ? text(value) : int(value)]));
}

/** Encodes an executable with a table of metric names directly after a number, preceded by `size` other bytes. */
export function encodeExecutable(names: readonly string[], size = 4096): Bytes {
  const table = latin1Bytes(`\u0000\u0000\u0080?${names.join('\u0000')}\u0000\u0000KPlayerMetric\u0000end`);
  const bytes = new Uint8Array(size + table.length);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 2654435761) >>> 24;
  bytes.set(table, size);
  return bytes;
}

export function encodeBlockModels(rows: readonly (readonly [placeable: string, model: string])[]): Bytes {
  return encodeBinfab(bare({ 0: array(rows.map(([placeable, model]) => object({ 0: text(placeable), 1: text(model) }))) }));
}

export interface StyleSpec {
  blueprint: string;
  nameKey: string;
  descriptionKey: string;
  /** Value in the file. */
  raw: number;
}

export function encodeStyleCatalogue(categories: readonly { name: string; rows: readonly StyleSpec[] }[]): Bytes {
  const rowOf = ({ blueprint, nameKey, descriptionKey, raw }: StyleSpec) =>
    object({ 0: text(blueprint), 1: text(nameKey), 2: text(descriptionKey), 3: int(raw % 2 === 0 ? raw / 2 : -(raw + 1) / 2) });
  return encodeBinfab(bare({ 0: array(categories.map(({ name, rows }) => object({ 0: text(name), 1: array(rows.map(rowOf)) }))) }));
}

export function encodeBanners(references: readonly string[]): Bytes {
  return encodeBinfab(bare({ 0: array(references.map((reference) => object({ 0: text(reference) }))) }));
}

export interface TreeNodeSpec {
  key: string;
  costs: readonly { item: string; quantity: number }[];
  requires?: readonly string[];
}

export function encodeUpgradeTree(nodes: readonly TreeNodeSpec[]): Bytes {
  const rows = nodes.map(({ key, costs, requires = [] }) =>
    object({
      0: text(key),
      1: array(costs.map(({ item, quantity }) => object({ 0: text(item), 1: int(quantity) }))),
      2: array(requires.map((name) => object({ 0: text(name) }))),
    }),
  );
  return encodeBinfab(bare({ 0: array(rows) }));
}

export interface NodeEffectSpec {
  key: string;
  nameKey?: string;
  descriptionKey?: string;
  abilities?: readonly string[];
  stats?: readonly ModifierSpec[];
}

export function encodeUpgradeEffects(nodes: readonly NodeEffectSpec[]): Bytes {
  const rows = nodes.map(({ key, nameKey, descriptionKey, abilities = [], stats = [] }) =>
    object({
      0: text(key),
      1: when(nameKey, text),
      2: when(descriptionKey, text),
      3: array(abilities.map((ref) => object({ 0: text(ref) }))),
      4: array(stats.map(modifier)),
    }),
  );
  return encodeBinfab(bare({ 0: array(rows) }));
}
