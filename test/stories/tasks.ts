import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inRoot } from '../../scripts/lib/paths.ts';
import type { Story, User } from './user.ts';

const WEEK = 604_800;

/** A stranger who starts at the front page and knows only what links and texts of pages say. */
class Stranger {
  page = '';
  readonly #user: User;
  /** Paths of the visited pages. */
  readonly #steps: string[] = [];

  constructor(user: User) {
    this.#user = user;
  }

  static async at(user: User, address: string): Promise<Stranger> {
    const stranger = new Stranger(user.from(address));
    await stranger.#open('/');
    return stranger;
  }

  async #open(path: string): Promise<void> {
    this.page = await this.#user.text(path);
    this.#steps.push(path);
  }

  /** Follows the first link whose path matches. Throws if the page has none. Returns its path. */
  async follow(path: RegExp): Promise<string> {
    const [target] = this.links().filter((href) => path.test(href));
    assert.ok(target !== undefined, `${this.#steps.join(' > ')}: no link to ${path}`);
    await this.#open(target);
    return target;
  }

  links(): string[] {
    return [...this.page.matchAll(/<a\b[^>]*? href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  }

  /** The first group of what the text of the page has. */
  copy(pattern: RegExp): string {
    const [, found] = pattern.exec(this.page.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')) ?? [];
    assert.ok(found !== undefined, `${this.#steps.join(' > ')}: nothing like ${pattern}`);
    return found;
  }
}

/** Tasks of new users, by links and texts alone. */
export const taskStories: readonly Story[] = [
  {
    title: 'task: see the price history and the listings of an item',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.1');
      await stranger.follow(/^\/market$/);
      await stranger.follow(/^\/market\/item\?/);
      assert.match(stranger.page, /Median unit price[\s\S]+Active listings, cheapest first[\s\S]+Prices by day/);
      await stranger.follow(/days=90/);
      assert.match(stranger.page, /<th scope="row"><time datetime="\d{4}-\d\d-\d\d">/);
    },
  },
  {
    title: 'task: find all mods of an author',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.2');
      await stranger.follow(/^\/mods$/);
      const author = decodeURIComponent((await stranger.follow(/^\/mods\/authors\/briar/)).split('/').at(-1) ?? '');
      assert.match(stranger.page, new RegExp(`<h1>Mods of ${author}</h1>`));
      const authors = stranger.links().filter((href) => href.startsWith('/mods/authors/') && !href.includes('?'));
      assert.ok(authors.length > 0 && authors.every((href) => href === `/mods/authors/${author}`), authors.join(', '));
    },
  },
  {
    title: 'task: see who played most this week',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.3');
      await stranger.follow(/^\/leaderboards$/);
      const board = stranger.copy(/<a href="\/leaderboards\/(\d+)">WEEKLY EXPERIENCE EARNED</);
      await stranger.follow(new RegExp(`^/leaderboards/${board}$`));
      assert.match(stranger.page, /First ten[\s\S]+>1\. [\s\S]+Largest gains/);
    },
  },
  {
    title: 'task: put a board badge into a README',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.4');
      await stranger.follow(/^\/leaderboards$/);
      await stranger.follow(/^\/leaderboards\/\d+$/);
      const image = stranger.copy(/\[!\[[^\]]*\]\((https?:[^)]+\/badge\.svg)\)\]/);
      assert.match(await user.text(new URL(image).pathname), /^<svg[^>]+>/);
    },
  },
  {
    title: 'task: show the top ten of a board on a website',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.5');
      await stranger.follow(/^\/leaderboards$/);
      const board = (await stranger.follow(/^\/leaderboards\/\d+$/)).split('/').at(-1) ?? '';
      await stranger.follow(/^\/docs\/reference\/leaderboards/);
      const path = stranger.copy(/(\/v1\/leaderboards\/\{uuid\}\/entries)/).replace('{uuid}', board);
      const { items } = await user.readWithToken<{ items: { rank: number; player_name: string }[] }>(`${path}?limit=10`);
      assert.equal(items.length, 10);
      assert.equal(items[0]?.rank, 1);
    },
  },
  {
    title: 'task: copy the codex daily',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.6');
      await stranger.follow(/^\/docs$/);
      await stranger.follow(/^\/docs\/recipes\/codex-copy$/);
      const { pathname } = new URL(stranger.copy(/curl --etag-compare[^\n]*? (https?:\/\/[^\s<"]+)/));
      const first = await user.send(pathname);
      assert.ok((await first.text()).trimEnd().split('\n').length > 100);
      const tomorrow = await fetch(new URL(pathname, user.devFile.base_url), {
        headers: { 'If-None-Match': first.headers.get('ETag') ?? '' },
      });
      assert.equal(tomorrow.status, 304);
    },
  },
  {
    title: 'task: read the stats of a screenshot',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.7');
      await stranger.follow(/^\/docs$/);
      await stranger.follow(/^\/docs\/reference\/ocr/);
      const path = stranger.copy(/(\/v1\/ocr\/character)/);
      const form = new FormData();
      form.set('file', new Blob([readFileSync(inRoot('test', 'fixtures', 'ocr', 'sheet.png'))], { type: 'image/png' }), 'sheet.png');
      const { stats } = await user.readWithToken<{ stats: Record<string, unknown> }>(path, { body: form });
      assert.ok(Object.keys(stats).length > 5);
    },
  },
  {
    title: 'task: get a Discord message when a merchant arrives, without a program',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.8');
      await stranger.follow(/^\/docs$/);
      await stranger.follow(/^\/docs\/webhooks$/);
      assert.match(stranger.page, /Post when Corruxion arrives/);
      const session = await user.signIn();
      const body = {
        url: `https://discord.com/api/webhooks/1203/story-${Date.now()}`,
        events: ['corruxion'],
        conditions: [{ event: 'corruxion', match: 'change', values: ['arrives'] }],
      };
      type Created = { id: string; conditions: { sentence: string }[] };
      const created = (await (await user.send('/v1/webhooks', { body }, session)).json()) as Created;
      await user.send(`/v1/webhooks/${created.id}`, { method: 'DELETE' }, session);
      assert.deepEqual(
        created.conditions.map(({ sentence }) => sentence),
        ['Post when Corruxion arrives'],
      );
    },
  },
  {
    title: 'task: get a Discord message when a merchant arrives, with a program',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.9');
      await stranger.follow(/^\/docs\/recipes\/discord-bot$/);
      assert.match(stranger.page, /corruxion/);
      assert.match(stranger.page, /\/v1\/events\/stream|events\/stream|\.follow|\.events\(/);
      type Visit = { active: boolean; starts_at: number; schedule: { starts_at: number }[] };
      const { schedule } = await user.read<Visit>('/v1/rotations/corruxion');
      assert.ok((schedule[0]?.starts_at ?? 0) < Date.now() / 1000 + 3 * WEEK);
    },
  },
  {
    title: 'task: be told of a game update in a feed reader whose entries open as pages',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.10');
      await stranger.follow(/^\/updates$/);
      const feed = stranger.links().find((href) => href.endsWith('/versions.atom')) ?? '';
      const [, entry = ''] = /<entry>[\s\S]*?<link[^>]* href="([^"]+)"/.exec(await user.text(feed)) ?? [];
      const page = await user.text(new URL(entry).pathname);
      assert.match(page, /Files modified/);
    },
  },
];
