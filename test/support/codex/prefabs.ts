import type { BinComponent, BinFile, BinObject } from '../../../src/areas/codexes/format/binfab.domain.ts';
import { encodeBinfab } from './encode-binfab.ts';
import { array, bare, component, entity, fixed, float, int, object, text, when } from './tree.ts';

/* Encodes prefab files in the game's format. */

export interface ModifierSpec {
  stat: number;
  /** Number of the operation, half its raw byte. */
  operation: number;
  amount: number;
  label: string;
}

export interface PrefabSpec {
  nameKey?: string;
  category?: string;
  descriptionKey?: string;
  tradable?: boolean;
  modifiers?: readonly ModifierSpec[];
  /** Blocks of modifiers by slot kind: 0 mount, 1 cart, 2 wings, 3 boat. */
  blocks?: readonly { kind: number; modifiers: readonly ModifierSpec[] }[];
  abilities?: readonly string[];
  /** Model references, with authors and extension if the game has them. */
  models?: readonly string[];
  /** Raw tier, an even number. */
  powerRankTier?: number;
  /** Reference to an upgrade tree. */
  upgradeTree?: string;
  /** Components before the identity. */
  before?: readonly BinComponent[];
}

const IDENTITY = 49;
const TREE = 90;
const RANK = 120;
const MODIFIERS = 150;
const BLOCKS = 151;
const ABILITIES = 152;
const MODELS = 160;

export function modifier({ stat, operation, amount, label }: ModifierSpec): BinObject {
  return object({ 0: int(stat), 1: int(operation), 2: float(amount), 3: text(label), 4: fixed() });
}

export function encodePrefab(spec: PrefabSpec): Uint8Array<ArrayBuffer> {
  return encodeBinfab(prefabTree(spec));
}

export function prefabTree(spec: PrefabSpec): BinFile {
  const { modifiers, blocks, abilities, models, powerRankTier, upgradeTree } = spec;
  const components: (BinComponent | null)[] = [
    base(),
    ...(spec.before ?? []),
    identity(spec),
    upgradeTree === undefined ? null : component(TREE, {}, { 0: text(upgradeTree) }),
    powerRankTier === undefined ? null : component(RANK, {}, { 3: int(powerRankTier / 2), 4: int(-1) }),
    modifiers === undefined ? null : component(MODIFIERS, {}, { 3: array(modifiers.map(modifier)) }),
    blocks === undefined ? null : component(BLOCKS, {}, { 2: array(blocks.map(block)) }),
    abilities === undefined ? null : component(ABILITIES, {}, { 1: array(abilities.map((ref) => object({ 0: text(ref) }))) }),
    models === undefined ? null : component(MODELS, {}, { 0: array(models.map((name) => object({ 0: text(name) }))) }),
  ];
  return entity(...components.filter((item) => item !== null));
}

/** The first component of every entity. */
function base(): BinComponent {
  return component(0, { 0: text(''), 1: fixed(0x47ef_ffff_e000_0000n), 2: int(2) });
}

/** One section, like all identities of the game. */
function identity({ nameKey, category, descriptionKey, tradable }: PrefabSpec): BinComponent {
  return component(IDENTITY, {
    1: when(nameKey, text),
    2: when(category, text),
    5: when(descriptionKey, text),
    6: text(''),
    8: int(0),
    14: when(tradable, (isTradable) => int(isTradable ? 1 : 0)),
    15: int(0),
  });
}

export interface CostumeSpec {
  /** Model of its image, with or without extension. */
  image?: string;
  nameKey?: string;
  descriptionKey?: string;
  /** Models of the parts of the body. */
  parts?: readonly string[];
}

/** Encodes a costume: an object without components. */
export function encodeCostume({ image = '', nameKey = '', descriptionKey = '', parts = [] }: CostumeSpec): Uint8Array<ArrayBuffer> {
  const body = object({ 0: text('body.skeleton'), 1: array(parts.map((part) => object({ 0: text(part), 1: text('AP_head') }))) });
  const texts = { 4: text(image), 5: text(nameKey), 6: text(descriptionKey) };
  return encodeBinfab(bare({ 0: int(9), 1: int(1), 2: array([body]), 3: int(0), ...texts }));
}

function block({ kind, modifiers }: { kind: number; modifiers: readonly ModifierSpec[] }): BinObject {
  return object({ 0: int(kind), 1: array(modifiers.map(modifier)) });
}

export function encodeAbility(nameKey: string, descriptionKey: string): Uint8Array<ArrayBuffer> {
  return encodeBinfab(entity(component(12, {}, { 1: text(nameKey), 5: text(descriptionKey) })));
}

export interface RecipeSpec {
  ingredients: readonly RecipeRowSpec[];
  results?: readonly RecipeRowSpec[];
  /** Collectibles that the recipe unlocks: a path, or the bare name of a costume. */
  unlocks?: readonly string[];
  /** Product in a field of its own. */
  product?: string;
  requirements?: readonly string[];
  /** Raw varint, an even number. */
  mastery?: number;
  models?: readonly string[];
}

interface RecipeRowSpec {
  path: string;
  amount: number;
}

/** A row of ingredients or results; `unlock` names a collectible in a row without path. */
function recipeRow({ path, amount }: RecipeRowSpec, unlock = ''): BinObject {
  const unlocked = object({ 0: int(unlock === '' ? -1 : 2), 1: text(unlock), 2: text('') });
  return object({ 0: text(path), 1: int(amount), 2: text(''), 3: unlocked, 4: int(unlock === '' ? 0 : 2) });
}

/** A requirement: its kind, and an object that depends on it. */
function requirement(tokens: readonly string[]): BinObject {
  return object({
    0: text(tokens[0] ?? 'null'),
    1: object(Object.fromEntries(tokens.slice(1).map((token, index) => [index, text(token)]))),
  });
}

export function encodeRecipe(spec: RecipeSpec): Uint8Array<ArrayBuffer> {
  const { ingredients, results = [], unlocks = [], mastery, models = [] } = spec;
  return encodeBinfab(
    bare({
      0: array(ingredients.map((row) => recipeRow(row))),
      1: array([...results.map((row) => recipeRow(row)), ...unlocks.map((name) => recipeRow({ path: '', amount: 0 }, name))]),
      2: float(0.25),
      3: int(1),
      5: when(mastery, (raw) => int(raw / 2)),
      6: when(models.length === 0 ? undefined : models, (names) => array(names.map((name) => object({ 0: text(name) })))),
      7: int(0),
      8: int(0),
      9: text(''),
      10: requirement(spec.requirements ?? []),
      11: int(0),
      15: requirement([]),
      16: text(spec.product ?? ''),
    }),
  );
}
