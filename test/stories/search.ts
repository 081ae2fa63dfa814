import assert from 'node:assert/strict';
import type { Story } from './user.ts';

interface Hit {
  type: string;
  name: string;
  link: string;
  score: number;
  matched: { typos: number };
}
interface Results {
  items: Hit[];
  omitted: { type: string }[];
}

/** The word with two neighbouring letters swapped. */
const misspelt = (word: string) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`;

export const searchStories: readonly Story[] = [
  {
    title: 'find an entry of the codex by a misspelt name and open its page',
    async run(user) {
      const { items } = await user.read<{ items: { name: string }[] }>('/v1/codexes/mount?limit=50');
      const name = items.map((mount) => mount.name).find((text) => /\b[a-z]{5,}\b/i.test(text) && !/[^\w ]/.test(text));
      assert.ok(name);
      const query = name.replace(/\b[a-z]{5,}\b/i, misspelt);
      const results = await user.read<Results>(`/v1/search?q=${encodeURIComponent(query)}&types=codex`);
      const hit = results.items.find((found) => found.name === name);
      assert.ok(hit && hit.score >= 0.5, `${query} finds ${JSON.stringify(results.items.slice(0, 3))}`);
      assert.match(await user.text(hit.link), /<h1>/);
    },
  },
  {
    title: 'complete a name, and search market and players with a token',
    async run(user) {
      const { items } = await user.read<{ items: { name: string }[] }>('/v1/search/suggest?q=quick');
      assert.ok(items.length > 0);
      const anonymous = await user.read<Results>('/v1/search?q=mastery');
      assert.deepEqual(anonymous.omitted.map(({ type }) => type).sort(), ['board', 'item', 'player']);
      const own = await user.readWithToken<Results>('/v1/search?q=mastery&types=board');
      assert.ok(own.omitted.length === 0 && own.items.length > 0);
      assert.match(await user.text('/search?q=quickstart'), /class="search-hits"/);
    },
  },
];
