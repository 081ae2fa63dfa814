import { foldCase } from '../../platform/kit/values/fold.ts';
import { CODEX_TYPE_RULES, type CodexType } from './codex-types.data.ts';

export const PREFABS = 'prefabs/';
export const BINFAB = '.binfab';
export const BLUEPRINTS = 'blueprints/';
export const BLUEPRINT = '.blueprint';

/** Last segment of a path without its extension. */
export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(binfab|blueprint)$/i, '');
}

/** The game's name of a prefab: its path below `prefabs/` without extension, in lower case. */
export function identifierOf(path: string): string {
  const lower = foldCase(path);
  return lower.slice(lower.startsWith(PREFABS) ? PREFABS.length : 0, lower.endsWith(BINFAB) ? -BINFAB.length : undefined);
}

/** Type of the entry of a prefab, `mount` for dragons too; null if the prefab is not an entry. */
export function typeOfPath(path: string): CodexType | null {
  const lower = foldCase(path);
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

/** `enemyKills` becomes `Enemy Kills`. */
export function splitCamelCase(text: string): string {
  const words = text
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Path of a model from a reference with or without `blueprints/` and extension, with `/` or `\`. */
export function blueprintPath(reference: string): string {
  const path = reference.replaceAll('\\', '/');
  const name = foldCase(path).startsWith(BLUEPRINTS) ? path.slice(BLUEPRINTS.length) : path;
  return `${BLUEPRINTS}${name}${foldCase(name).endsWith(BLUEPRINT) ? '' : BLUEPRINT}`;
}

/**
 * Lower-case path of a reference in links. Accepts paths with or without `prefabs/` and extension, a bare `recipe_…`, and models.
 * Ids of upgrade nodes, which contain a colon, are returned unchanged.
 */
export function linkPath(reference: string): string {
  if (reference.includes(':')) return reference;
  const lower = foldCase(reference).replaceAll('\\', '/');
  if (lower.startsWith(BLUEPRINTS) && lower.endsWith(BLUEPRINT)) return lower;
  const bare = lower.endsWith(BINFAB) ? lower.slice(0, -BINFAB.length) : lower;
  if (/^recipe_[^/]*$/.test(bare)) return `${PREFABS}recipes/${bare}${BINFAB}`;
  return `${bare.startsWith(PREFABS) ? '' : PREFABS}${bare}${BINFAB}`;
}
