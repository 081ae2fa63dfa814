import { describe, expect, it } from 'vitest';
import { kindOfTree, toUpgradeNodes } from '../../../../src/areas/codexes/derive/derive-relations.domain.ts';
import { fileBytes } from '../../../../src/areas/codexes/format/bytes.domain.ts';
import { parseUpgradeEffects, parseUpgradeTree } from '../../../../src/areas/codexes/parse/upgrades-parse.domain.ts';
import { latin1Bytes } from '../../../support/codex/hex.ts';
import { encodeUpgradeEffects, encodeUpgradeTree } from '../../../support/codex/tables.ts';

describe('parseUpgradeTree and toUpgradeNodes', () => {
  const cost = (quantity: number) => [{ item: 'item/crafting/ore', quantity }];
  const nodes = [
    { key: 'jetpack_upgrade_01', costs: cost(5) },
    { key: 'jetpack_upgrade_02', costs: [...cost(100), { item: 'item/currency/coin', quantity: 3 }], requires: ['jetpack_upgrade_01'] },
    { key: 'jetpack_free', costs: [] },
  ];
  const tree = parseUpgradeTree(fileBytes(encodeUpgradeTree(nodes)));

  it('returns nodes with costs and references', () => {
    expect(tree.nodes).toEqual([
      { key: 'jetpack_upgrade_01', costs: cost(5), requires: [] },
      { key: 'jetpack_upgrade_02', costs: nodes[1]?.costs, requires: ['jetpack_upgrade_01'] },
    ]);
  });

  it('derives the kind of a system from the keys of its nodes', () => {
    const kindOf = (key: string) => kindOfTree({ nodes: [{ key, costs: [], requires: [] }] });
    expect(kindOf('owl_level_01')).toBe('geode_companion');
    expect(kindOf('knight_root_01')).toBe('class_prestige');
    expect(kindOf('knight_branch_01')).toBe('class_prestige');
    expect(kindOf('jetpack_upgrade_01')).toBe('geode_module');
  });

  it('returns effects per node, empty without an effects file', () => {
    const effects = parseUpgradeEffects(
      fileBytes(
        encodeUpgradeEffects([
          { key: 'jetpack_upgrade_01', nameKey: '$j1_name', descriptionKey: '$j1_description', abilities: ['abilities/fly'] },
        ]),
      ),
    );
    const rows = toUpgradeNodes('jetpack', tree, effects, (key) => (key === '$j1_name' ? 'Higher' : null));
    expect(rows.map(({ rank, effects: given }) => [rank, given])).toEqual([
      [1, { name_key: '$j1_name', name: 'Higher', desc_key: '$j1_description', description: '', abilities: ['abilities/fly'] }],
      [2, {}],
    ]);
    expect(toUpgradeNodes('jetpack', tree, null, () => null).every(({ effects: given }) => Object.keys(given).length === 0)).toBe(true);
  });

  it('returns companion levels without empty levels', () => {
    const stats = (amount: number) => [{ stat: 36, operation: 1, amount, label: 'x' }];
    const ref = 'abilities/discovery/companion/finder';
    const { levels } = parseUpgradeEffects(
      fileBytes(
        encodeUpgradeEffects([
          { key: 'owl_level_01', nameKey: '$owl_level_01_name', stats: stats(5), abilities: [ref, 'abilities/other'] },
          { key: 'owl_level_02' },
          { key: 'owl_level_10', stats: stats(7.5) },
        ]),
      ),
    );
    expect(levels).toEqual([
      { level: 1, amounts: [5], abilities: [{ ref, key: '$owl_level_01_name' }] },
      { level: 10, amounts: [7.5], abilities: [] },
    ]);
  });

  it('removes the length byte before a long name', () => {
    const key = `node_${'x'.repeat(43)}`;
    expect(parseUpgradeTree(fileBytes(latin1Bytes(`\x080${key}\x1e\x08\x11item/crafting/ore\x10\x04`))).nodes).toEqual([
      { key, costs: [{ item: 'item/crafting/ore', quantity: 2 }], requires: [] },
    ]);
  });
});
