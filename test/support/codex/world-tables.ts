import type { CodexType } from '../../../src/areas/codexes/codex-types.data.ts';
import {
  type BadgeSpec,
  encodeBadges,
  encodeBanners,
  encodeBlockModels,
  encodeCollection,
  encodeExecutable,
  encodeMultipliers,
  encodePowerRanks,
  encodeRecipeList,
  encodeStyleCatalogue,
  encodeUnlocks,
  encodeUpgradeEffects,
  encodeUpgradeTree,
  type TreeNodeSpec,
} from './tables.ts';
import { PROVIDERS, type WorldPlan } from './world-plan.ts';
import { type PlannedEntry, textKey, WORLD_ABILITIES } from './world-prefabs.ts';

type Files = Map<string, Uint8Array>;

const METRICS = ['EnemyKills', 'BlocksMined', 'FishCaught', 'DungeonsCleared', 'ItemsCrafted', 'MilesTravelled'];
const RANKS = ['bronze', 'silver', 'gold', 'platinum'] as const;
const MOUNT_GROUPS = ['Ground', 'Flying', 'Aquatic', 'Seasonal'] as const;

/** Adds all shared tables that the codexes read, and their texts to `texts`. */
export function addTables(files: Files, plan: WorldPlan, texts: Map<string, string>): void {
  addCollections(files, plan, texts);
  addRecipeLists(files, plan);
  addUnlocks(files, plan);
  addMastery(files, plan);
  addBadges(files, plan);
  addStyles(files, plan, texts);
  addUpgrades(files, plan, texts);
  files.set(
    'prefabs/blocks/blocks.binfab',
    encodeBlockModels(plan.placeables.map(({ identifier, model }) => [identifier, model.replace(/(\[.*\])?\.blueprint$/, '')])),
  );
  files.set(
    'prefabs/meta/powerrank.binfab',
    encodePowerRanks([
      [620, 55],
      [900, 10],
    ]),
  );
}

function ofType(plan: WorldPlan, ...types: CodexType[]): PlannedEntry[] {
  return plan.entries.filter(({ type }) => types.includes(type));
}

function addCollections(files: Files, plan: WorldPlan, texts: Map<string, string>): void {
  const table = (name: string, groups: Map<string, string[]>): void => {
    const rows = [...groups].map(([id, members]) => ({ id, nameKey: `$CollectionName_${id}`, members }));
    for (const { id, nameKey } of rows) texts.set(nameKey, id);
    files.set(`prefabs/collections/collection_${name}.binfab`, encodeCollection(rows));
  };
  const mounts = new Map<string, string[]>([...MOUNT_GROUPS, 'Dragons'].map((group) => [group, []]));
  ofType(plan, 'mount', 'dragon').forEach(({ type, identifier }, index) => {
    mounts.get(type === 'dragon' ? 'Dragons' : (MOUNT_GROUPS[index % MOUNT_GROUPS.length] ?? 'Ground'))?.push(identifier);
  });
  table('mount', mounts);
  for (const type of ['wings', 'aura', 'boat', 'ally'] as const) {
    table(type, new Map([[`${type}_all`, ofType(plan, type).map(({ identifier }) => identifier)]]));
  }
  const rarities = new Map<string, string[]>();
  for (const { stem, rarity } of plan.companions) rarities.set(rarity, [...(rarities.get(rarity) ?? []), `item/companion/${stem}`]);
  table('geodecompanion', rarities);
}

function addRecipeLists(files: Files, plan: WorldPlan): void {
  const listed = plan.recipes.filter((_, index) => index % 10 !== 0);
  files.set('prefabs/collections/collection_recipe.binfab', encodeRecipeList(listed.map(({ stem }) => stem)));
  for (const provider of PROVIDERS) {
    const stems = plan.recipes.filter((recipe) => recipe.provider === provider).map(({ stem }) => stem);
    files.set(`prefabs/${provider}.binfab`, encodeRecipeList(stems));
  }
}

/** What every account has from the start. */
const OWNED = ['collections/magrider/starter', 'hide_hat.blueprint', 'hide_face.blueprint'];

function addUnlocks(files: Files, plan: WorldPlan): void {
  const badges = ofType(plan, 'badge').map(({ identifier }) => identifier);
  const styles = ofType(plan, 'style').map(({ model }) => model ?? '');
  const sources = [
    ...ofType(plan, 'memento').map(({ identifier }) => identifier),
    ...ofType(plan, 'skin').map(({ naming }) => naming.stem),
  ];
  const groups = sources.map((source, index) => {
    const targets = [
      index % 2 === 0 ? plan.recipes[index % plan.recipes.length]?.stem : undefined,
      index % 3 === 0 ? styles[index % styles.length] : undefined,
      index % 5 === 0 ? badges[index % badges.length] : undefined,
    ];
    return { source, targets: targets.filter((target) => target !== undefined) };
  });
  files.set(
    'prefabs/collections/unlocks.binfab',
    encodeUnlocks(
      groups.filter(({ targets }) => targets.length > 0),
      OWNED,
    ),
  );
}

function addMastery(files: Files, plan: WorldPlan): void {
  const ids = plan.entries.map(({ identifier }) => identifier);
  const every = (step: number, from: number): string[] => ids.filter((_, index) => index % step === from);
  const recipes = plan.recipes.filter((_, index) => index % 4 === 0).map(({ stem }) => stem);
  files.set(
    'prefabs/meta/multipliers.binfab',
    encodeMultipliers({ 0: every(40, 0), 1: every(40, 6), 2: [...every(10, 1), ...recipes], 3: every(20, 2), 5: every(40, 3) }),
  );
  const companions = plan.companions.map(({ stem }) => `item/companion/${stem}`);
  files.set('prefabs/meta/geode_multipliers.binfab', encodeMultipliers({ 1: every(60, 4), 2: companions, 3: every(60, 5) }));
}

function addBadges(files: Files, plan: WorldPlan): void {
  const ladders = Math.max(1, Math.floor(ofType(plan, 'badge').length / RANKS.length));
  // One additional ladder for the documentation's examples.
  const badges = Array.from({ length: ladders + 1 }, (_, ladder): BadgeSpec => {
    const id = ladder === ladders ? 'badge_mining' : `badge_ladder_${ladder + 1}`;
    return {
      id,
      ranks: RANKS.map((rank, index) => ({
        rewards: [rank === 'platinum' ? `${id}_plat` : `${id}_${rank}`],
        ...completion(ladder, index),
      })),
    };
  });
  files.set('prefabs/meta/badges.binfab', encodeBadges(badges));
  files.set('Trove_x64.exe', encodeExecutable(METRICS));
}

function completion(ladder: number, rank: number): Pick<BadgeSpec['ranks'][number], 'kind' | 'values'> {
  const amount = 10 ** (rank + 1);
  switch (ladder % 5) {
    case 1:
      return { kind: 'STBossKilled', values: ['quest/shadow_tower_boss_hydra.prefab', amount, rank % 3] };
    case 2:
      return { kind: 'dragonsouls', values: [ladder, amount] };
    case 3:
      return { kind: 'minprestigelevelsacrossclasses', values: [amount, rank + 1] };
    case 4:
      return { kind: 'somethingnew', values: [amount] };
    default:
      return { kind: 'metric', values: [1 + (ladder % (METRICS.length + 1)), amount] };
  }
}

/** Identifier of the nth planned badge, which a ladder rank rewards. */
export function badgeIdentifier(index: number): string {
  const rank = RANKS[index % RANKS.length] ?? 'bronze';
  return `collections/badge/ladder_${Math.floor(index / RANKS.length) + 1}_${rank}`;
}

function addStyles(files: Files, plan: WorldPlan, texts: Map<string, string>): void {
  const rowsOf = (prefix: string) =>
    ofType(plan, 'style')
      .filter(({ identifier }, index) => identifier.startsWith(`equipment/${prefix}_`) && index % 8 !== 0)
      .map(({ identifier, naming, model }, index) => {
        const key = textKey(identifier);
        texts.set(`${key}_name`, naming.name);
        texts.set(`${key}_description`, naming.description);
        return { blueprint: model ?? '', nameKey: `${key}_name`, descriptionKey: `${key}_description`, raw: [4, 1, 2][index % 3] ?? 1 };
      });
  for (const [catalogue, prefix] of [
    ['hat', 'hat'],
    ['face', 'face'],
    ['weapon_melee', 'sword'],
    ['weapon_bow', 'bow'],
    ['weapon_staff', 'staff'],
  ] as const) {
    files.set(`prefabs/loot/${catalogue}.binfab`, encodeStyleCatalogue([{ name: 'basic', rows: rowsOf(prefix) }]));
  }
  const banners = ofType(plan, 'style').filter(({ identifier }) => identifier.startsWith('equipment/banner_'));
  files.set('prefabs/loot/pvpbanner.binfab', encodeBanners(banners.map(({ identifier }) => identifier)));
}

function addUpgrades(files: Files, plan: WorldPlan, texts: Map<string, string>): void {
  const material = ofType(plan, 'item')[0]?.identifier ?? 'item/crafting/ore';
  const costs = (rank: number) => [{ item: material, quantity: rank * 25 }];
  const tree = (key: string, nodes: readonly TreeNodeSpec[], stats = false): void => {
    files.set(`prefabs/upgrade/trees/${key}.binfab`, encodeUpgradeTree(nodes));
    const effects = nodes.map((node, index) => {
      texts.set(`$${node.key}_name`, `Step ${index + 1}`);
      texts.set(`$${node.key}_description`, `What step ${index + 1} of ${key.replaceAll('_', ' ')} gives.`);
      const ref = stats ? 'abilities/discovery/companion/finder' : (WORLD_ABILITIES[index % WORLD_ABILITIES.length]?.ref ?? '');
      const exploration = { stat: 36, operation: 1, amount: 5 * (index + 1), label: 'exploration' };
      return {
        key: node.key,
        nameKey: `$${node.key}_name`,
        descriptionKey: `$${node.key}_description`,
        abilities: index % 2 === 0 ? [ref] : [],
        stats: stats ? [exploration] : [],
      };
    });
    files.set(`prefabs/upgrade/upgrades/${key}.binfab`, encodeUpgradeEffects(effects));
  };
  const ladder = (prefix: string, count: number): TreeNodeSpec[] =>
    Array.from({ length: count }, (_, index) => {
      const key = (rank: number): string => `${prefix}_${String(rank).padStart(2, '0')}`;
      return { key: key(index + 1), costs: costs(index + 1), ...(index === 0 ? {} : { requires: [key(index)] }) };
    });
  for (const module of ['jetpack', 'headlamp', 'grappler']) tree(`module_${module}`, ladder(`${module}_upgrade`, 5));
  tree('prestige_knight', [...ladder('knight_root', 3), ...ladder('knight_branch', 3)]);
  for (const { stem } of plan.companions) tree(stem, ladder(`${stem}_level`, 4), true);
}
