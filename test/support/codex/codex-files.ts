import type { CodexType } from '../../../src/areas/codexes/codex-types.data.ts';
import { type RandomSource, randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';
import { encodeListedBlueprint } from './encode-blueprint.ts';
import { toHex } from './hex.ts';
import { encodeAbility, encodeCostume, encodePrefab, encodeRecipe, type ModifierSpec, type PrefabSpec } from './prefabs.ts';
import { encodeLanguageTable } from './tables.ts';
import { planWorld, type WorldPlan } from './world-plan.ts';
import { HIDDEN_ABILITY, isEmptyModel, type PlannedEntry, textKey, WORLD_ABILITIES } from './world-prefabs.ts';
import { addTables, badgeIdentifier } from './world-tables.ts';

export const FULL_ENTRIES = 12_000;
export const SMALL_ENTRIES = 400;

export interface WorldOptions {
  seed: number;
  /** Minimum number of entries. There are always 4 of each type and a few companions. */
  entries: number;
  /** Version 2 changes, adds and removes about 1 % of the entries, some recipes, some texts and a shared table. */
  version: 1 | 2;
  /** Version 2 changes two, adds one and removes one of this many entries. */
  changeStep?: number;
  /** Names of the first items, for example those of a market. */
  itemNames?: readonly string[];
}

const DEFAULT_CHANGE_STEP = 60;
/** Factor and summand by which version 2 raises amounts. */
const RAISE_FACTOR = 1.2;
const RAISED_BY = 2;
/** Version 2 changes the texts of entries whose identifier length is a multiple of this. */
const REWORDED_LENGTHS = 31;
const TEXTS_PER_TABLE = 2000;

/**
 * Generates the game files of a demo branch, logical path to bytes: data for every endpoint, and some files that are not prefabs.
 * Deterministic.
 */
export function codexFiles({
  seed,
  entries,
  version,
  changeStep = DEFAULT_CHANGE_STEP,
  itemNames = [],
}: WorldOptions): Map<string, Uint8Array> {
  const plan = planWorld(seed, entries);
  nameBadges(plan);
  nameExampleMount(plan);
  nameItems(plan, itemNames);
  if (version === 2) changePlan(plan, changeStep);
  const files = new Map<string, Uint8Array>();
  const texts = new Map<string, string>([
    ['$Stat_PhysicalDamage', 'Physical Damage'],
    ['$EquipmentSlot_Mount', 'Mount'],
  ]);
  for (const entry of plan.entries) addEntry(files, texts, entry, version);
  for (const { stem, recipe } of plan.recipes) files.set(`prefabs/recipes/${stem}.binfab`, encodeRecipe(recipe));
  addCompanions(files, texts, plan);
  addPlaceables(files, texts, plan);
  addAbilities(files, texts);
  addTables(files, plan, texts);
  addTexts(files, texts);
  addOthers(files, seededRandom(`codex files ${seed}`), version);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Names the mount of the documentation's examples. */
function nameExampleMount(plan: WorldPlan): void {
  const mount = plan.entries.find(({ type }) => type === 'mount');
  if (!mount) return;
  rename(mount, 'collections/mount/cat');
  rewordName(mount, 'Cat');
}

function nameItems(plan: WorldPlan, names: readonly string[]): void {
  const items = plan.entries.filter(({ type }) => type === 'item');
  for (const [index, name] of names.entries()) {
    const item = items[index];
    if (item) rewordName(item, name);
  }
}

/** Replaces the name in the texts of an entry. */
function rewordName(entry: PlannedEntry, name: string): void {
  const { naming } = entry;
  entry.naming = { ...naming, name, description: naming.description.replace(naming.name, name) };
}

function rename(entry: PlannedEntry, identifier: string): void {
  entry.prefab = { ...entry.prefab, nameKey: `${textKey(identifier)}_name`, descriptionKey: `${textKey(identifier)}_description` };
  entry.identifier = identifier;
}

/** Renames badges to the identifiers that the ladder ranks reward. */
function nameBadges(plan: WorldPlan): void {
  plan.entries
    .filter(({ type }) => type === 'badge')
    .forEach((entry, index) => {
      rename(entry, badgeIdentifier(index));
    });
}

/** Changes, adds and removes entries that nothing else in the world references, and changes recipes. */
function changePlan(plan: WorldPlan, step: number): void {
  const steady: ReadonlySet<CodexType> = new Set(['badge', 'style', 'item']);
  let turn = -1;
  plan.entries = plan.entries.flatMap((entry) => {
    if (steady.has(entry.type)) return [entry];
    turn = (turn + 1) % step;
    if (turn === 0) return [{ ...entry, prefab: { ...entry.prefab, tradable: entry.prefab.tradable !== true } }];
    if (turn === 1) return [entry, added(entry)];
    if (turn === 3) return [{ ...entry, prefab: strengthened(entry.prefab) }];
    return turn === 2 ? [] : [entry];
  });
  plan.recipes.forEach(({ recipe }, index) => {
    if (index % step !== 0) return;
    recipe.ingredients = recipe.ingredients.map((needed, place) => (place === 0 ? { ...needed, amount: raised(needed.amount) } : needed));
  });
}

const raised = (amount: number) => Math.round(amount * RAISE_FACTOR) + RAISED_BY;

function strengthened(prefab: PrefabSpec): PrefabSpec {
  const stronger = (modifiers: readonly ModifierSpec[] = []) => modifiers.map((one) => ({ ...one, amount: raised(one.amount) }));
  const blocks = prefab.blocks?.map((block) => ({ ...block, modifiers: stronger(block.modifiers) }));
  return {
    ...prefab,
    ...(prefab.modifiers === undefined ? {} : { modifiers: stronger(prefab.modifiers) }),
    ...(blocks === undefined ? {} : { blocks }),
  };
}

function added(entry: PlannedEntry): PlannedEntry {
  const identifier = `${entry.identifier}_new`;
  const naming = { ...entry.naming, name: `New ${entry.naming.name}` };
  const prefab = { ...entry.prefab, nameKey: `${textKey(identifier)}_name`, descriptionKey: `${textKey(identifier)}_description` };
  return { ...entry, identifier, naming, prefab };
}

function addEntry(files: Map<string, Uint8Array>, texts: Map<string, string>, entry: PlannedEntry, version: number): void {
  const { prefab, naming, identifier, model, type } = entry;
  files.set(`prefabs/${identifier}.binfab`, type === 'skin' ? encodePlannedCostume(entry) : encodePrefab(prefab));
  for (const name of [...(prefab.models ?? []), model]) if (name !== null) files.set(`blueprints/${name}`, modelBytes(name));
  if (prefab.nameKey !== undefined) texts.set(prefab.nameKey, naming.name);
  const edition = version === 2 && identifier.length % REWORDED_LENGTHS === 0 ? ' Second edition.' : '';
  if (prefab.descriptionKey !== undefined) texts.set(prefab.descriptionKey, naming.description + edition);
}

function encodePlannedCostume({ prefab: { nameKey, descriptionKey }, model }: PlannedEntry): Uint8Array {
  return encodeCostume({
    ...(nameKey === undefined ? {} : { nameKey }),
    ...(descriptionKey === undefined ? {} : { descriptionKey }),
    ...(model === null ? {} : { image: model }),
  });
}

/** Placeholder of a voxel model: small, and different for each name; some have no voxels. */
function modelBytes(name: string): Uint8Array {
  if (isEmptyModel(name)) return encodeListedBlueprint([]);
  return new TextEncoder().encode(`model ${name} ${toHex(new TextEncoder().encode(name)).slice(0, 32)}`);
}

function addCompanions(files: Map<string, Uint8Array>, texts: Map<string, string>, plan: WorldPlan): void {
  for (const { stem, naming } of plan.companions) {
    const key = textKey(`item/companion/${stem}`);
    texts.set(`${key}_name`, naming.name);
    texts.set(`${key}_description`, naming.description);
    const upgradeTree = `upgrade/trees/${stem}_upgrade_tree`;
    const prefab = { nameKey: `${key}_name`, category: 'Companions', descriptionKey: `${key}_description`, tradable: true, upgradeTree };
    files.set(`prefabs/item/companion/${stem}.binfab`, encodePrefab(prefab));
  }
}

function addPlaceables(files: Map<string, Uint8Array>, texts: Map<string, string>, plan: WorldPlan): void {
  for (const { identifier, naming, model } of plan.placeables) {
    const key = textKey(identifier);
    texts.set(`${key}_name`, naming.name);
    texts.set(`${key}_description`, naming.description);
    files.set(`prefabs/${identifier}.binfab`, encodePrefab({ nameKey: `${key}_name`, descriptionKey: `${key}_description` }));
    files.set(`blueprints/${model}`, modelBytes(model));
  }
}

function addAbilities(files: Map<string, Uint8Array>, texts: Map<string, string>): void {
  const companion = { ref: 'abilities/discovery/companion/finder', key: '$abilities_discovery_finder', title: 'Finder' };
  const hidden = { ref: HIDDEN_ABILITY, key: '$abilities_flask_auto', title: 'Automatic Sip' };
  for (const { ref, key, title } of [...WORLD_ABILITIES, companion, hidden]) {
    texts.set(`${key}_name`, title);
    texts.set(`${key}_description`, `${title} happens on its own.`);
    files.set(`prefabs/${ref}.binfab`, encodeAbility(`${key}_name`, `${key}_description`));
  }
}

function addTexts(files: Map<string, Uint8Array>, texts: ReadonlyMap<string, string>): void {
  const pairs = [...texts];
  for (let start = 0; start < pairs.length; start += TEXTS_PER_TABLE) {
    const table = String(1 + start / TEXTS_PER_TABLE).padStart(3, '0');
    files.set(`languages/en/texts_${table}.binfab`, encodeLanguageTable(pairs.slice(start, start + TEXTS_PER_TABLE)));
  }
}

/** Adds files that the codexes ignore. */
function addOthers(files: Map<string, Uint8Array>, random: RandomSource, version: number): void {
  for (let index = 1; index <= 40; index += 1) {
    const length = 200 + randomBelow(random, 2000);
    files.set(
      `audio/bank_${String(index).padStart(2, '0')}.bnk`,
      Uint8Array.from({ length }, () => randomBelow(random, 256)),
    );
  }
  files.set('ui/credits.txt', new TextEncoder().encode(`Credits of version ${version}\nMade for tests.\n`));
}
