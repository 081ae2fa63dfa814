import { type FileBytes, scanRealTexts, scanTexts } from '../format/strings.domain.ts';
import { foldCase, stemOf } from '../paths.domain.ts';
import type { CollectionMember, UnlockGroup } from './codex-parse.domain.ts';

const GROUP_KEY = '$CollectionName';
const COMPANION_TABLE = 'collection_geodecompanion';

/** Members of a collection table with their groups, in file order; the first group of a member is used. */
export function parseCollection(file: FileBytes, path: string): CollectionMember[] {
  const prefix = stemOf(foldCase(path)) === COMPANION_TABLE ? 'item/companion/' : 'collections/';
  const members = new Map<string, CollectionMember>();
  let remembered: string | null = null;
  let group: string | null = null;
  for (const { text } of scanTexts(file)) {
    if (text.startsWith(GROUP_KEY)) {
      group = remembered ?? text.slice(GROUP_KEY.length).replace(/^_/, '');
      remembered = null;
    } else if (foldCase(text).startsWith(prefix)) {
      const key = foldCase(text);
      if (group !== null && !members.has(key)) members.set(key, { group, member: text });
    } else if (!text.includes('/') && !text.includes('$')) remembered = text;
  }
  return [...members.values()];
}

const BARE_RECIPE = /^recipe_[a-z0-9_]+$/;
const SOURCE_PREFIXES = ['collections/', 'item/', 'equipment/', 'recipes/', 'placeable/'];
const MIN_LABEL_LENGTH = 4;

/** Groups of the unlock table: a source and its targets, in file order. Targets before the first source are ignored. */
export function parseUnlocks(file: FileBytes): UnlockGroup[] {
  const groups: UnlockGroup[] = [];
  for (const { text } of scanRealTexts(file)) {
    if (text.endsWith('.blueprint') || BARE_RECIPE.test(text) || text.startsWith('collections/badge/')) groups.at(-1)?.targets.push(text);
    else if (isUnlockSource(text)) groups.push({ source: text, targets: [] });
  }
  return groups.filter(({ targets }) => targets.length > 0);
}

function isUnlockSource(text: string): boolean {
  if (text.startsWith('$')) return false;
  if (SOURCE_PREFIXES.some((prefix) => text.startsWith(prefix))) return true;
  return text.length >= MIN_LABEL_LENGTH && !/[/.]/.test(text);
}

const RECIPE_TOKEN = /recipe_[a-z0-9_]+/g;

/** Recipe tokens of a file, in lower case, in order, without duplicates. May have extra characters at the end. */
export function parseRecipeTokens(latin1: string): string[] {
  return [...new Set(latin1.toLowerCase().match(RECIPE_TOKEN))];
}

/** Longest prefix of a token that is a known recipe; null if none. */
export function resolveRecipeToken(token: string, isRecipe: (stem: string) => boolean): string | null {
  for (let end = token.length; end > 'recipe_'.length; end -= 1) {
    if (isRecipe(token.slice(0, end))) return token.slice(0, end);
  }
  return null;
}

/** Placeables and blocks of the block table, with the base name of their model. */
export function parseBlockModels(file: FileBytes): [placeable: string, model: string][] {
  const models: [string, string][] = [];
  let remembered: string | null = null;
  for (const { field, text } of scanRealTexts(file)) {
    if (field === 0 && (text.startsWith('placeable/') || text.startsWith('block/'))) remembered = text;
    else if (field === 1 && remembered !== null) {
      models.push([remembered, text]);
      remembered = null;
    }
  }
  return models;
}
