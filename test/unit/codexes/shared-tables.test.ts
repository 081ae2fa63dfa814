import { describe, expect, it } from 'vitest';
import { toRequirements } from '../../../src/areas/codexes/derive/derive-relations.domain.ts';
import { fileBytes } from '../../../src/areas/codexes/format/bytes.domain.ts';
import { parseBadges } from '../../../src/areas/codexes/parse/badges-parse.domain.ts';
import {
  parseCollection,
  parseStyleCatalogue,
  parseUnlocks,
  resolveRecipeToken,
} from '../../../src/areas/codexes/parse/catalogues-parse.domain.ts';
import { createMetricNameScanner } from '../../../src/areas/codexes/parse/metric-names.domain.ts';
import {
  type BadgeSpec,
  encodeBadges,
  encodeBanners,
  encodeCollection,
  encodeExecutable,
  encodeStyleCatalogue,
  encodeUnlocks,
} from '../../support/codex/tables.ts';
import { ARRAY_FORMS, withArrayForm } from '../../support/codex/tree.ts';

describe('parseCollection', () => {
  const groups = [
    { id: 'ground', nameKey: '$CollectionName_ground', members: ['collections/mount/cat', 'collections/mount/Dog'] },
    { nameKey: '$CollectionName_water', members: ['collections/mount/dog', 'collections/mount/eel', 'item/companion/owl'] },
    { id: 'Lava', nameKey: 'CollectionName_lava', members: ['Item/fish/pike', 'recipe_pike', 'equipment/rod'] },
  ];

  it('derives groups from ids or name keys; the first group of a member wins', () => {
    expect(parseCollection(fileBytes(encodeCollection(groups)))).toEqual([
      { group: 'ground', member: 'collections/mount/cat' },
      { group: 'ground', member: 'collections/mount/Dog' },
      { group: 'water', member: 'collections/mount/eel' },
      { group: 'water', member: 'item/companion/owl' },
      { group: 'Lava', member: 'Item/fish/pike' },
    ]);
  });
});

describe('parseUnlocks', () => {
  it('returns sources with their targets, without what every account has from the start', () => {
    const table = [
      { source: 'item/unlocker/a', targets: ['recipe_placeable_swampSaurian_a', 'hat_a.blueprint', 'collections/badge/a'] },
      { source: 'knight', targets: ['collections/badge/k'] },
      { source: 'collections/pet/none', targets: [] },
      { source: '', targets: ['recipe_b'] },
    ];
    expect(parseUnlocks(fileBytes(encodeUnlocks(table, ['collections/magrider/starter', 'hide_hat.blueprint'])))).toEqual(
      table.slice(0, 2),
    );
  });

  it('fails if the table cannot be decoded', () => {
    expect(() => parseUnlocks(fileBytes(encodeUnlocks([]).slice(1)))).toThrow('structure could not be decoded');
  });
});

describe('resolveRecipeToken', () => {
  it('shortens a token to a known recipe', () => {
    const known = new Set(['recipe_ab', 'recipe_a']);
    expect(resolveRecipeToken('recipe_abc88', (stem) => known.has(stem))).toBe('recipe_ab');
    expect(resolveRecipeToken('recipe_xyz', (stem) => known.has(stem))).toBeNull();
  });
});

describe('parseStyleCatalogue', () => {
  it('returns the rows of every category', () => {
    const row = (name: string, raw: number) => ({
      blueprint: `equipment/${name}.blueprint`,
      nameKey: `$${name}_name`,
      descriptionKey: `$${name}_description`,
      raw,
    });
    const bytes = encodeStyleCatalogue([
      { name: 'helmets', rows: [row('Hat_A', 4), row('hat_b', 4)] },
      { name: 'masks', rows: Array.from({ length: 150 }, (_, index) => row(`mask_${index}`, 1)) },
    ]);
    const rows = parseStyleCatalogue(fileBytes(bytes), 'prefabs/loot/hat.binfab');
    expect(rows).toHaveLength(152);
    expect(rows[0]).toEqual({ id: 'hat_a', category: 'helmets', nameKey: '$Hat_A_name', descriptionKey: '$Hat_A_description', raw: 4 });
    expect(rows[151]).toMatchObject({ id: 'mask_149', category: 'masks', raw: 1 });
  });

  it('returns rows with only an id for the banner catalogue', () => {
    const rows = parseStyleCatalogue(fileBytes(encodeBanners(['equipment/banner_a', 'item/no'])), 'prefabs/loot/pvpbanner.binfab');
    expect(rows).toMatchObject([{ id: 'banner_a', raw: null }]);
  });
});

describe('parseBadges and toRequirements', () => {
  const rank = (kind: string, values: readonly (number | string)[], rewards = ['badge_kills_bronze']) => ({ rewards, kind, values });
  const requirementsOf = (badges: readonly BadgeSpec[], metrics: readonly string[] = ['EnemyKills', 'BlocksMined']) =>
    toRequirements(parseBadges(fileBytes(encodeBadges(badges))), metrics);
  const single = (kind: string, values: readonly (number | string)[]) =>
    requirementsOf([{ id: 'dragon_fire_badge', ranks: [rank(kind, values)] }])[0];

  it('returns ladders with ranks, rewards and collections', () => {
    const rows = requirementsOf([
      {
        id: 'badge_kills',
        ranks: [
          rank('metric', [1, 10], ['badge_extra', 'badge_kills_bronze']),
          rank('metric', [1, 100], ['badge_kills_silver']),
          rank('metric', [1, 1000], []),
          rank('metric', [1, 10_000], ['badge_kills_plat_v2']),
        ],
      },
      { id: 'badge_mined', ranks: [rank('metric', [2, 5], ['badge_mined_first'])] },
    ]);
    expect(rows.map(({ badgeId, rank: number, rankName, collection, amount }) => [badgeId, number, rankName, collection, amount])).toEqual([
      ['badge_kills', 1, 'bronze', 'collections/badge/kills_bronze', 10],
      ['badge_kills', 2, 'silver', 'collections/badge/kills_silver', 100],
      ['badge_kills', 4, 'platinum', 'collections/badge/kills_platinum', 10_000],
      ['badge_mined', 1, 'bronze', 'collections/badge/mined_first', 5],
    ]);
  });

  it('returns collections for any array encoding of rewards', () => {
    const badges = [{ id: 'badge_kills', ranks: [rank('metric', [1, 10], ['badge_extra', 'badge_kills_bronze'])] }];
    for (const form of ARRAY_FORMS) {
      const rows = withArrayForm(form, () => requirementsOf(badges));
      expect(
        rows.map(({ collection }) => collection),
        form,
      ).toEqual(['collections/badge/kills_bronze']);
    }
  });

  it('reads row numbers of more than one byte', () => {
    const badges = Array.from({ length: 100 }, (_, index) => ({ id: `badge_${index}`, ranks: [rank('friends', [index])] }));
    expect(requirementsOf(badges).map(({ badgeId, amount }) => [badgeId, amount])).toEqual(badges.map(({ id }, index) => [id, index]));
  });

  it.each([
    ['metric', [1, 10], 'EnemyKills', 'Enemy Kills', 10, 0, { metric_index: 1, encoded_metric: 2 }],
    ['dragonsouls', [3, 40], 'dragon_fire_badge:dragonsouls', 'Fire Dragon Souls', 40, 0, { shape: 6 }],
    [
      'STBossKilled',
      ['quest/shadow_tower_boss_hydra.prefab', 5, 2],
      'quest/shadow_tower_boss_hydra.prefab:Ultra',
      'Shadow Hydrakken (Ultra)',
      5,
      3,
      { boss_prefab: 'quest/shadow_tower_boss_hydra.prefab', difficulty: 'Ultra' },
    ],
    ['friends', [7], 'friends', 'Friends', 7, 0, {}],
    ['UpgradeGems', [1, 9], 'UpgradeGems:all_gem_stats', 'Upgrade Gems', 9, 0, {}],
    ['UpgradeGems', [0, 9], 'UpgradeGems:single_gem_stat', 'Upgrade Gems', 9, 0, {}],
    ['SubClassEquipped', [30, 4000], 'SubClassEquipped:level=30:power_rank=4000', 'Sub Class Equipped', 15, 0, {}],
    [
      'minprestigelevelsacrossclasses',
      [10, 4],
      'minprestigelevelsacrossclasses:level=10:classes=4',
      'Minprestigelevelsacrossclasses',
      4,
      0,
      { paragon_level: 10, class_count: 4 },
    ],
    ['tinyquesttotalpetsoflevel', [3, 12], 'tinyquesttotalpetsoflevel', 'Tinyquesttotalpetsoflevel', 12, 0, {}],
    ['tinyquestconcurrentbuffedpets', [6], 'tinyquestconcurrentbuffedpets', 'Tinyquestconcurrentbuffedpets', 6, 0, {}],
    ['none', [], 'none', '', 0, 0, {}],
  ] as const)('have %s of %j', (kind, values, requirementKey, label, amount, difficulty, context) => {
    expect(single(kind, values)).toMatchObject({
      completionKind: kind,
      requirementKey,
      label,
      amount,
      difficulty,
      context,
      status: 'decoded',
    });
  });

  it('returns a separate hero badge', () => {
    const [row] = requirementsOf([{ id: 'badge_hero', ranks: [rank('entitlementUnlocked', ['X_PLAYERCLASS_CRIMEFIGHTER'], [])] }]);
    expect(row).toMatchObject({ collection: 'collections/badge/hero_unlocked', requirementKey: 'PLAYERCLASS_CRIMEFIGHTER', amount: 0 });
  });

  it('returns unknown requirements as blocked', () => {
    expect(single('metric', [9, 10])).toMatchObject({
      requirementKey: '',
      label: '',
      status: 'blocked',
      amount: 10,
      context: { metric_index: 9, encoded_metric: 18 },
    });
    expect(single('SomethingNew', [10])).toMatchObject({
      status: 'blocked',
      amount: null,
      requirementKey: 'SomethingNew',
      label: 'Something New',
    });
    expect(single('friends', [])).toMatchObject({ status: 'blocked', amount: null });
  });
});

describe('createMetricNameScanner', () => {
  const names = Array.from({ length: 300 }, (_, index) => `Metric${index}`);

  it.each([1, 7, 1000, 1_000_000])('finds the names in an executable read in chunks of %i', (size) => {
    const bytes = encodeExecutable(names, size === 1 ? 500 : 300_000);
    const scanner = createMetricNameScanner();
    for (let at = 0; at < bytes.length; at += size === 7 ? 70_001 : size * 500)
      scanner.push(bytes.subarray(at, at + (size === 7 ? 70_001 : size * 500)));
    expect(scanner.names()).toEqual(names);
  });

  it('returns no names without the table', () => {
    const scanner = createMetricNameScanner();
    scanner.push(new Uint8Array(600_000));
    expect(scanner.names()).toEqual([]);
  });
});
