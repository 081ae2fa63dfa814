import type { AbilityItem, AbilityRow, AbilityTexts, CompanionData, CompanionLevel, Entry, EntryData, StyleData } from '../codex.domain.ts';
import type { CodexType } from '../codex-types.data.ts';
import { toAbilityItems } from '../parse/abilities.domain.ts';
import type { FileParse, PrefabParse } from '../parse/codex-parse.domain.ts';
import {
  HAT_BASE_BY_RAW_CATEGORY,
  HAT_CATALOGUE,
  RECIPE_MASTERY_BASE,
  STYLE_CATALOGUES,
  STYLE_FAMILY_TOKENS,
  STYLE_MASTERY_BASE,
} from '../parse/codex-tables.data.ts';
import { geodeMasteryOf, masteryBase, masteryId, masteryOf } from '../parse/mastery.domain.ts';
import { resolvePowerRank } from '../parse/power-rank.domain.ts';
import { foldCase, identifierOf, linkPath, stemOf, typeOfPath } from '../paths.domain.ts';
import type { DerivedEntry } from './codex-build.domain.ts';
import type { CodexContext } from './context.domain.ts';
import { recipeCategory, recipeLinks, toRecipeData } from './derive-recipe.domain.ts';
import { displayOf, referenceModel } from './references.domain.ts';
import { toCompanionStat, toStatItem, toStatRows } from './stat-values.domain.ts';

const WEAPON_FAMILY = 'Weapon';
const TREE_SUFFIX = '_upgrade_tree';

/** Entry of a prefab with its rows and links; null if the file is not an entry. Never throws. */
export function deriveEntry(parse: FileParse, context: CodexContext): DerivedEntry | null {
  const pathType = typeOfPath(parse.path);
  const { prefab, path } = parse;
  if (pathType === null || prefab === undefined) return null;
  const category = context.mountGroups.get(identifierOf(path));
  const ownCategory = (pathType === 'mount' ? category : undefined) ?? prefab.category ?? '';
  const type: CodexType = pathType === 'mount' && foldCase(ownCategory).includes('dragon') ? 'dragon' : pathType;
  const data = dataOf(type, parse.path, prefab, context);
  const entry: Entry = {
    type,
    path,
    ...displayOf(foldCase(path), context),
    category: data.style?.family ?? ownCategory,
    tradable: prefab.tradable,
    ...masteries(path, data, context),
    powerRank: prefab.powerRank ? resolvePowerRank(prefab.powerRank, context.powerRanks) : null,
    blueprint: context.prefabs.get(foldCase(path))?.model ?? null,
    data,
    ...(data.recipe ? recipeFields(foldCase(path), data.recipe, context) : {}),
  };
  return {
    entry,
    stats: toStatRows(path, data.stats ?? [], data.geode_companion?.levels ?? []),
    abilities: toAbilityRows(path, data.abilities ?? []),
    links: data.recipe ? recipeLinks(path, data.recipe) : [],
  };
}

function dataOf(type: CodexType, path: string, prefab: PrefabParse, context: CodexContext): EntryData {
  const data: EntryData = {};
  if (prefab.modifiers) data.stats = prefab.modifiers.map((modifier) => toStatItem(modifier, context.texts));
  if (prefab.abilities) data.abilities = toAbilityItems(prefab.abilities, (ref) => abilityTexts(ref, context));
  if (prefab.recipe) data.recipe = toRecipeData(path, prefab.recipe, context);
  if (type === 'style') data.style = toStyleData(path, context);
  if (prefab.companionTree !== undefined) data.geode_companion = toCompanionData(path, prefab.companionTree, context);
  return data;
}

/** Display fields of a recipe: those of its product. */
function recipeFields(path: string, recipe: NonNullable<EntryData['recipe']>, context: CodexContext): Partial<Entry> {
  const { output } = recipe;
  const own = context.prefabs.get(path)?.model ?? null;
  return {
    ...(output === null ? {} : { name: output.name, description: displayOf(linkPath(output.path), context).description }),
    category: recipeCategory(output),
    tradable: null,
    blueprint: own ?? (output === null ? null : referenceModel(output.path, context)),
  };
}

function masteries(path: string, data: EntryData, context: CodexContext): Pick<Entry, 'mastery' | 'masteryGeode'> {
  const stem = stemOf(foldCase(path));
  const identifier = identifierOf(path);
  const ids = data.recipe ? [stem] : data.style ? [identifier, `${stem}.blueprint`, masteryId(stem)] : [masteryId(identifier)];
  const id = ids[0] ?? identifier;
  const base = data.recipe ? RECIPE_MASTERY_BASE : data.style ? (data.style.base_mastery ?? STYLE_MASTERY_BASE) : masteryBase(id);
  const factorIn = (rows: ReadonlyMap<string, number>) => ids.map((key) => rows.get(key)).find((factor) => factor !== undefined);
  return {
    mastery: data.recipe ? data.recipe.mastery : masteryOf(factorIn(context.multipliers), base),
    masteryGeode: geodeMasteryOf(id, factorIn(context.geodeMultipliers), base),
  };
}

function abilityTexts(ref: string, context: CodexContext): AbilityTexts {
  const { nameKey = null, descriptionKey: key = null } = context.abilities.get(linkPath(ref)) ?? {};
  const name = nameKey && context.texts(nameKey);
  const description = key && context.texts(key);
  return { ...(name ? { name } : {}), ...(key ? { key } : {}), ...(description ? { description } : {}) };
}

function toAbilityRows(path: string, items: readonly AbilityItem[]): AbilityRow[] {
  return items
    .flatMap((item) => (item.hidden ? [] : [item]))
    .map(({ ref, name = '', description = '' }, order) => ({ path, order, ref, name, description }));
}

function toStyleData(path: string, context: CodexContext): StyleData {
  const identifier = pathBelowPrefabs(path);
  const stem = stemOf(path);
  const listed = context.styles.get(foldCase(stem));
  const common = { source_id: identifier, equipment_ref: stem, resolved_id: identifier, confidence: 'high' as const };
  if (listed === undefined) {
    const family = STYLE_FAMILY_TOKENS.find(({ token }) => foldCase(stem).includes(token))?.family ?? null;
    return { ...common, family };
  }
  const { catalogue, row } = listed;
  const base = catalogue === HAT_CATALOGUE ? HAT_BASE_BY_RAW_CATEGORY[row.raw ?? Number.NaN] : STYLE_MASTERY_BASE;
  return {
    ...common,
    family: STYLE_CATALOGUES[catalogue] ?? WEAPON_FAMILY,
    catalogue,
    ...(row.raw === null ? {} : { raw_category: row.raw }),
    ...(base === undefined ? {} : { base_mastery: base }),
  };
}

/** Like `identifierOf`, in the original case. */
function pathBelowPrefabs(path: string): string {
  const identifier = identifierOf(path);
  const start = foldCase(path).indexOf(identifier);
  return path.slice(start, start + identifier.length);
}

function toCompanionData(path: string, tree: string | null, context: CodexContext): CompanionData {
  const effects = tree === null ? undefined : (context.effects.get(tree.replace(TREE_SUFFIX, '')) ?? context.effects.get(tree));
  return {
    upgrade_tree: tree,
    rarity: context.companionRarities.get(identifierOf(path)) ?? null,
    levels: (effects?.levels ?? []).map(
      ({ level, amounts, abilities }): CompanionLevel => ({
        level,
        stats: amounts.map((amount) => toCompanionStat(amount, context.texts)),
        abilities: abilities.map(({ ref, key }) => {
          const { description } = abilityTexts(ref, context);
          return { ref, key, amount: 0, ...(description === undefined ? {} : { description }) };
        }),
      }),
    ),
  };
}
