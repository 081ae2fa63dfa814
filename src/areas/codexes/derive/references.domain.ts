import { resolvePlaceableModel } from '../parse/models.domain.ts';
import { BINFAB, BLUEPRINT, BLUEPRINTS, foldCase, linkPath, nameFromStem, PREFABS, stemOf } from '../paths.domain.ts';
import type { CodexContext } from './context.domain.ts';

/** Display texts of a prefab; `description` is empty if it has none. */
export interface Display {
  name: string;
  description: string;
}

/** Display texts of a prefab by lower-case path. Also for prefabs that are not entries or do not exist. */
export function displayOf(path: string, context: CodexContext): Display {
  const stem = stemOf(path);
  const prefab = context.prefabs.get(path);
  const style = context.stylePaths.get(stem) === path ? context.styles.get(stem)?.row : undefined;
  const text = (key: string | null | undefined): string | null => (key ? context.texts(key) : null);
  return {
    name: text(prefab?.nameKey) ?? text(style?.nameKey) ?? stemName(prefab?.path ?? path),
    description: text(prefab?.descriptionKey) ?? text(style?.descriptionKey) ?? '',
  };
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
