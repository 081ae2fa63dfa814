import { CODEX_TYPE_RULES, type CodexType } from './codex-types.data.ts';

export const PREFABS = 'prefabs/';
export const BINFAB = '.binfab';
export const BLUEPRINTS = 'blueprints/';
export const BLUEPRINT = '.blueprint';

/** The form in which paths are compared. */
export function folded(path: string): string {
  return path.toLowerCase();
}

/** Last segment of a path without its extension. */
export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(binfab|blueprint)$/i, '');
}

/** Path below `prefabs/` without extension, lower-cased: how the game names a prefab. */
export function identifierOf(path: string): string {
  const lower = folded(path);
  return lower.slice(lower.startsWith(PREFABS) ? PREFABS.length : 0, lower.endsWith(BINFAB) ? -BINFAB.length : undefined);
}

/** Type of the entry that a prefab is, mounts and dragons alike as `mount`; null for a prefab that is none. */
export function typeOfPath(path: string): CodexType | null {
  const lower = folded(path);
  if (!lower.startsWith(PREFABS) || !lower.endsWith(BINFAB)) return null;
  const rule = CODEX_TYPE_RULES.find(({ prefix }) => lower.startsWith(prefix));
  if (rule === undefined || rule.excludedStemSuffixes.some((suffix) => stemOf(lower).endsWith(suffix))) return null;
  return rule.type;
}

/** `arrow_2nd` becomes `Arrow 2Nd`. */
export function nameFromStem(stem: string): string {
  return stem
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase()
    .replace(/(?<![\p{L}])\p{L}/gu, (letter) => letter.toUpperCase());
}

/** `EnemyKills` becomes `Enemy Kills`; the first letter a capital. */
export function splitCamelCase(text: string): string {
  const words = text
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The path of a model, written with or without `blueprints/` and extension, with either slash. */
export function blueprintPath(reference: string): string {
  const path = reference.replaceAll('\\', '/');
  const name = folded(path).startsWith(BLUEPRINTS) ? path.slice(BLUEPRINTS.length) : path;
  return `${BLUEPRINTS}${name}${folded(name).endsWith(BLUEPRINT) ? '' : BLUEPRINT}`;
}

/**
 * The lower-cased path under which links keep a reference, in whatever form it is written: with or without `prefabs/` and
 * extension, a bare `recipe_…`, a model. Ids of upgrade nodes, which hold a colon, stay as they are.
 */
export function linkPath(reference: string): string {
  if (reference.includes(':')) return reference;
  const lower = folded(reference).replaceAll('\\', '/');
  if (lower.startsWith(BLUEPRINTS) && lower.endsWith(BLUEPRINT)) return lower;
  const bare = lower.endsWith(BINFAB) ? lower.slice(0, -BINFAB.length) : lower;
  if (/^recipe_[^/]*$/.test(bare)) return `${PREFABS}recipes/${bare}${BINFAB}`;
  return `${bare.startsWith(PREFABS) ? '' : PREFABS}${bare}${BINFAB}`;
}
