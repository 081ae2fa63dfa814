import assert from 'node:assert/strict';
import type { Story } from './user.ts';

interface Items<Item> {
  items: Item[];
}

const PNG = [0x89, 0x50, 0x4e, 0x47];

export const codexStories: readonly Story[] = [
  {
    title: 'find the fastest mount with its image',
    async run(user) {
      type Mount = { type: string; value: number; image_url: string };
      const { items } = await user.read<Items<Mount>>('/v1/codexes/stats?stat=MovementSpeed&type=mount&limit=3');
      const [fastest, second] = items;
      assert.ok(fastest && second && fastest.value >= second.value);
      assert.deepEqual([...(await user.bytes(fastest.image_url)).slice(0, 4)], PNG);
    },
  },
  {
    title: 'list the recipes that use a material',
    async run(user) {
      const { items: materials } = await user.read<Items<{ path: string }>>('/v1/codexes/search?type=item&category=Materials&limit=20');
      for (const { path } of materials) {
        const query = `path=${encodeURIComponent(path)}&direction=in&rel=ingredient`;
        const { items: uses } = await user.read<Items<{ type: string; name: string; qty: number }>>(`/v1/codexes/links?${query}`);
        if (uses.length === 0) continue;
        assert.ok(uses.every(({ type, qty }) => type === 'recipe' && qty > 0));
        return;
      }
      assert.fail('no recipe uses a material');
    },
  },
  {
    title: 'read the codex in another language',
    async run(user) {
      type Language = { code: string; own_name: string; translated: number; total: number };
      const { items: languages } = await user.read<Items<Language>>('/v1/codexes/languages');
      const german = languages.find(({ code }) => code === 'de');
      assert.ok(german && german.translated > 0 && german.translated <= german.total);
      const path = encodeURIComponent('prefabs/collections/mount/cat.binfab');
      const cat = await user.read<{ name: string }>(`/v1/codexes/mount/entry?path=${path}&lang=de`);
      assert.equal(cat.name, 'Katze');
      const { items } = await user.read<Items<{ path: string }>>('/v1/codexes/search?q=katze&lang=de&limit=200');
      assert.ok(items.some((entry) => entry.path === decodeURIComponent(path)));
      const page = await user.text(`/codex/mount/entry?path=${path}&lang=de`);
      assert.ok(page.includes('<h1 lang="de">Katze</h1>') && page.includes('Deutsch'));
    },
  },
  {
    title: 'price what an item is made of',
    async run(user) {
      const { items: recipes } = await user.read<Items<{ path: string }>>('/v1/codexes/recipe?limit=1');
      type Tree = { nodes: { parent: number | null; quantity: number }[]; materials: object[]; omitted: string[] };
      const path = encodeURIComponent(recipes[0]?.path ?? '');
      const tree = await user.readWithToken<Tree>(`/v1/codexes/recipes/tree?path=${path}&quantity=2`);
      assert.ok(tree.nodes.length > 1 && tree.materials.length > 0 && tree.nodes[0]?.quantity === 2);
      assert.deepEqual(tree.omitted, []);
      assert.ok((await user.text(`/codex/crafting?path=${path}`)).includes('Crafting '));
    },
  },
  {
    title: 'read the kept versions and the patch notes',
    async run(user) {
      const { items: builds } = await user.read<Items<{ ordinal: number; previous: number | null }>>('/v1/codexes/builds');
      assert.ok(builds.length > 0);
      assert.ok((await user.text('/codex/changes')).includes(`/codex/changes/${builds[0]?.ordinal}`));
      const [newest, oldest] = [builds[0], builds.at(-1)];
      assert.ok(newest && newest.previous !== null && oldest?.previous === null, 'at least two versions');
      const { items: changes } = await user.read<Items<{ change: string; fields: object[] }>>(`/v1/codexes/changes/${newest.ordinal}`);
      assert.ok(changes.some(({ change, fields }) => change === 'modified' && fields.length > 0));
      assert.ok((await user.text(`/codex/changes/${newest.ordinal}`)).includes('Before'));
    },
  },
  {
    title: 'list the tiers of a badge',
    async run(user) {
      type Rank = { rank: number; rank_name: string; amount: number };
      const { items } = await user.read<Items<Rank>>('/v1/codexes/requirements?collection=collections/badge/mining_bronze');
      assert.ok(items.length >= 3);
      assert.deepEqual(
        items.map(({ rank }) => rank),
        items.map((_, index) => index + 1),
      );
      assert.ok(
        items.every(({ amount }, index) => index === 0 || amount > (items[index - 1]?.amount ?? 0)),
        'each rank has a higher requirement',
      );
    },
  },
];
