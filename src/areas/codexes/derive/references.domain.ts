import { resolvePlaceableModel } from '../parse/models.domain.ts';
import { BINFAB, BLUEPRINT, BLUEPRINTS, folded, linkPath, nameFromStem, PREFABS, stemOf } from '../paths.domain.ts';
import type { CodexContext } from './context.domain.ts';

/** Texts that a prefab shows; `description` is "" where it has none. */
export interface Display {
  name: string;
  description: string;
}

/** Name and description of a prefab by its lower-cased path, whether it is an entry or not, or exists at all. */
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

/** Falls back to the path as name. */
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

/** Model of a referenced prefab: placeables and blocks have theirs in a table. */
export function referenceModel(reference: string, context: CodexContext): string | null {
  const lower = folded(reference);
  const placed = /^(?:placeable|block)\//.test(lower) ? resolvePlaceableModel(lower, context.blockModels, context.models) : null;
  return placed ?? context.prefabs.get(linkPath(reference))?.model ?? null;
}

/** Where a link to a reference points; bare names of styles and costumes find their prefab when it exists. */
export function linkTarget(reference: string, context: CodexContext): string {
  const lower = folded(reference).replaceAll('\\', '/');
  if (lower.endsWith(BLUEPRINT))
    return context.stylePaths.get(stemOf(lower)) ?? (lower.startsWith(BLUEPRINTS) ? lower : BLUEPRINTS + lower);
  if (!/[/.:]/.test(lower)) {
    const skin = `${PREFABS}skins/${lower}${BINFAB}`;
    if (context.hasPrefab(skin)) return skin;
  }
  return linkPath(reference);
}
