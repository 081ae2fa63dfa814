import { foldCase } from '../../../platform/kit/values/fold.ts';
import type {
  AbilityItem,
  AbilityRow,
  AbilityTexts,
  CompanionData,
  CompanionLevel,
  CompanionStat,
  Entry,
  EntryData,
  LinkRow,
  StatItem,
  StatRow,
  StyleData,
} from '../codex.domain.ts';
import type { CodexType } from '../codex-types.data.ts';
import type { FileParse, ModifierParse, PrefabParse } from '../parse/codex-parse.domain.ts';
import {
  CRITICAL_HIT_CHANCE,
  MAX_EXPLORATION,
  OPERATIONS,
  type Operation,
  PERCENT_WHEN_ADDED,
  SLOT_LABELS,
  STATS,
} from '../parse/codex-stats.data.ts';
import {
  HAT_BASE_BY_RAW_CATEGORY,
  HAT_CATALOGUE,
  RECIPE_MASTERY_BASE,
  STYLE_CATALOGUES,
  STYLE_FAMILY_TOKENS,
  STYLE_MASTERY_BASE,
} from '../parse/codex-tables.data.ts';
import { geodeMasteryOf, masteryBase, masteryId, masteryOf, resolvePowerRank } from '../parse/mastery-and-rank.domain.ts';
import { roundAmount, toAbilityItems } from '../parse/prefab-parse.domain.ts';
import { identifierOf, linkPath, splitCamelCase, stemOf, typeOfPath } from '../paths.domain.ts';
import type { CodexContext, Texts } from './context.domain.ts';
import { recipeCategory, recipeLinks, toRecipeData } from './derive-recipe.domain.ts';
import { displayOf, referenceModel } from './references.domain.ts';

const WEAPON_FAMILY = 'Weapon';
const TREE_SUFFIX = '_upgrade_tree';

/** Rows derived from one prefab. */
export interface DerivedEntry {
  entry: Entry;
  stats: StatRow[];
  abilities: AbilityRow[];
  /** Names of the products of a recipe after the first, which a search finds; absent for other entries. */
  otherNames?: string[];
  /** `crafts`, `ingredient` and `craftable_at` links of a recipe; `owner` is the lower-case path of the entry. */
  links: LinkRow[];
}

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
  const otherProducts = data.recipe?.outputs.slice(1) ?? [];
  return {
    entry,
    ...(otherProducts.length === 0 ? {} : { otherNames: otherProducts.map(({ name }) => name) }),
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

const CONTROLLER = '_controller';
const LABELS = new Map(STATS.map(({ key, label }) => [key, label]));
const EXPLORATION_ID = STATS.find(({ key }) => key === MAX_EXPLORATION)?.id ?? 0;

/** Converts a modifier to its displayed form. */
export function toStatItem(modifier: ModifierParse, texts: Texts): StatItem {
  const operation: Operation = OPERATIONS[modifier.operation] ?? 'Set';
  const isBonus = operation === 'MultiplySum';
  return {
    stat: isBonus ? bonusKey(modifier.stat) : modifier.stat,
    stat_id: modifier.statId,
    stat_name: statName(modifier.stat, texts) + (isBonus ? ' Bonus' : ''),
    operation,
    amount: modifier.amount,
    value: roundAmount(displayedValue(modifier, operation)),
    is_percent: isPercent(modifier.stat, operation),
    label: modifier.label,
    slot: modifier.slot,
    ...(modifier.slot === null ? {} : { slot_name: texts(modifier.slot) ?? SLOT_LABELS[modifier.slot] ?? modifier.slot }),
    component: modifier.component,
    level: 0,
  };
}

function displayedValue({ stat, amount }: ModifierParse, operation: Operation): number {
  if (operation === 'MultiplySum') return amount * 100;
  if (operation === 'Multiply') return (amount - 1) * 100;
  return operation === 'Add' && stat === CRITICAL_HIT_CHANCE ? amount / 10 : amount;
}

function isPercent(stat: string, operation: Operation): boolean {
  return operation === 'MultiplySum' || operation === 'Multiply' || (operation === 'Add' && PERCENT_WHEN_ADDED.has(stat));
}

/** Key of the multiplicative bonus of a stat, listed separately from additive modifiers. */
function bonusKey(stat: string): string {
  return stat.endsWith(CONTROLLER) ? `${stat.slice(0, -CONTROLLER.length)}Bonus${CONTROLLER}` : `${stat}Bonus`;
}

export function statName(stat: string, texts: Texts): string {
  return texts(stat) ?? LABELS.get(stat) ?? splitCamelCase(stat.slice(stat.indexOf('_') + 1));
}

/** Stats of a companion level. */
function toCompanionStat(amount: number, texts: Texts): CompanionStat {
  return {
    stat: MAX_EXPLORATION,
    stat_id: EXPLORATION_ID,
    stat_name: statName(MAX_EXPLORATION, texts),
    amount,
    value: amount,
    is_percent: false,
  };
}

/** Rows of the modifiers of an entry, then of its companion levels. */
function toStatRows(path: string, items: readonly StatItem[], levels: readonly { level: number; stats: CompanionStat[] }[]): StatRow[] {
  const rows = [
    ...items.map((item) => ({ item, slot: item.slot, level: 0 })),
    ...levels.flatMap(({ level, stats }) => stats.map((item) => ({ item, slot: null, level }))),
  ];
  return rows.map(({ item, slot, level }, order) => ({
    path,
    order,
    stat: item.stat,
    statName: item.stat_name,
    value: item.value,
    isPercent: item.is_percent,
    slot,
    level,
  }));
}
