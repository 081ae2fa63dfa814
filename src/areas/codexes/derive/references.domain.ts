import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { Entry, RecipePart } from '../codex.domain.ts';
import { resolvePlaceableModel } from '../parse/models.domain.ts';
import { BINFAB, BLUEPRINT, BLUEPRINTS, linkPath, nameFromStem, PREFABS, stemOf } from '../paths.domain.ts';
import type { CodexContext, Texts } from './context.domain.ts';

/** Display texts of a prefab; `description` is empty if it has none. */
interface Display {
  name: string;
  description: string;
}

/** Keys of the display texts of a prefab in language tables; the first with a text applies. */
export interface DisplayKeys {
  name: string[];
  description: string[];
  /** Of a recipe with several products: the English names of those after the first, with their keys. */
  others?: { name: string; keys: string[] }[];
}

type DisplayContext = Pick<CodexContext, 'prefabs' | 'styles' | 'stylePaths'>;

/** Keys of a prefab by lower-case path. Also for prefabs that are not entries or do not exist. */
function displayKeysOf(path: string, context: DisplayContext): DisplayKeys {
  const stem = stemOf(path);
  const prefab = context.prefabs.get(path);
  const style = context.stylePaths.get(stem) === path ? context.styles.get(stem)?.row : undefined;
  return {
    name: [prefab?.nameKey, style?.nameKey].filter(isKey),
    description: [prefab?.descriptionKey, style?.descriptionKey].filter(isKey),
  };
}

const isKey = (key: string | null | undefined): key is string => typeof key === 'string' && key !== '';

/** First text of some keys; null if none has a text. */
export function firstText(keys: readonly string[], texts: Texts): string | null {
  for (const key of keys) {
    const text = texts(key);
    if (text !== null) return text;
  }
  return null;
}

/** Display texts of a prefab by lower-case path. Also for prefabs that are not entries or do not exist. */
export function displayOf(path: string, context: CodexContext): Display {
  const keys = displayKeysOf(path, context);
  return {
    name: firstText(keys.name, context.texts) ?? stemName(context.prefabs.get(path)?.path ?? path),
    description: firstText(keys.description, context.texts) ?? '',
  };
}

/** Keys of the display texts of an entry: those of the product for a recipe. */
export function entryKeysOf({ path, data }: Pick<Entry, 'path' | 'data'>, context: DisplayContext): DisplayKeys {
  const [output, ...others] = data.recipe?.outputs ?? [];
  if (!output) return displayKeysOf(foldCase(path), context);
  const { description } = displayKeysOf(linkPath(output.path), context);
  return {
    name: productKeys(output, context),
    description,
    ...(others.length === 0 ? {} : { others: others.map((other) => ({ name: other.name, keys: productKeys(other, context) })) }),
  };
}

/** Keys of the name of a product; none for one that is not a prefab. */
function productKeys({ path }: Pick<RecipePart, 'path'>, context: DisplayContext): string[] {
  const product = linkPath(path);
  return context.prefabs.has(product) ? displayKeysOf(product, context).name : [];
}

/** Name derived from a path. */
function stemName(path: string): string {
  return nameFromStem(stemOf(path)) || path;
}

const TRADE_SUFFIX = /_(?:no)?trade$/;

/** Name of a product or ingredient of a recipe. */
export function referenceName(reference: string, context: CodexContext): string {
  const path = linkPath(reference);
  if (context.prefabs.has(path)) return displayOf(path, context).name;
  return stemName(path.replace(BINFAB, '').replace(TRADE_SUFFIX, ''));
}

/** Model of a referenced prefab; that of placeables and blocks is in the block table. */
export function referenceModel(reference: string, context: CodexContext): string | null {
  const lower = foldCase(reference);
  const placeableModel = /^(?:placeable|block)\//.test(lower) ? resolvePlaceableModel(lower, context.blockModels, context.models) : null;
  return placeableModel ?? context.prefabs.get(linkPath(reference))?.model ?? null;
}

/** Link target of a reference. Bare names of styles and costumes are resolved to their prefab if it exists. */
export function linkTarget(reference: string, context: CodexContext): string {
  const lower = foldCase(reference).replaceAll('\\', '/');
  if (lower.endsWith(BLUEPRINT))
    return context.stylePaths.get(stemOf(lower)) ?? (lower.startsWith(BLUEPRINTS) ? lower : BLUEPRINTS + lower);
  if (!/[/.:]/.test(lower)) {
    const skin = `${PREFABS}skins/${lower}${BINFAB}`;
    if (context.hasPrefab(skin)) return skin;
  }
  return linkPath(reference);
}
