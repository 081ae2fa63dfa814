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

function identity({ nameKey, category, descriptionKey, tradable }: PrefabSpec): BinComponent {
  return component(
    IDENTITY,
    { 0: int(3) },
    {
      1: when(nameKey, text),
      2: when(category, text),
      5: when(descriptionKey, text),
      14: when(tradable, (isTradable) => int(isTradable ? 1 : 0)),
    },
  );
}

function block({ kind, modifiers }: { kind: number; modifiers: readonly ModifierSpec[] }): BinObject {
  return object({ 0: int(kind), 1: array(modifiers.map(modifier)) });
}

export function encodeAbility(nameKey: string, descriptionKey: string): Uint8Array<ArrayBuffer> {
  return encodeBinfab(entity(component(12, {}, { 1: text(nameKey), 5: text(descriptionKey) })));
}

export interface RecipeSpec {
  ingredients: readonly { path: string; amount: number }[];
  /** Value of field 16. */
  product?: string;
  productAmount?: number;
  requirements?: readonly string[];
  /** Raw varint, an even number. */
  mastery?: number;
  models?: readonly string[];
}

export function encodeRecipe(spec: RecipeSpec): Uint8Array<ArrayBuffer> {
  const { product, productAmount } = spec;
  const own = product !== undefined && productAmount !== undefined ? [{ path: product, amount: productAmount }] : [];
  const rows = [...spec.ingredients, ...own].map(({ path, amount }) => object({ 0: text(path), 1: int(amount) }));
  return encodeBinfab(
    bare({
      0: array(rows),
      1: array((spec.requirements ?? []).map((token) => object({ 0: text(token) }))),
      2: when(spec.mastery, (mastery) => object({ 3: int(1), 5: int(mastery / 2), 7: int(1), 8: int(1), 9: text('') })),
      6: when(spec.models, (models) => array(models.map((name) => object({ 0: text(name) })))),
      16: when(product, text),
    }),
  );
}
