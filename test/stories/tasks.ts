import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../../scripts/lib/paths.ts';
import { inFolder, Stranger } from './stranger.ts';
import type { Story, User } from './user.ts';

const WEEK = 604_800;
/** More requests than the limit of two windows: the limit may be reached in the second one. */
/** Requests for one refusal, as a multiple of the rate limit: a minute may end meanwhile. */
const MAX_WINDOWS = 3;
const BATCH = 20;

interface CreatedToken {
  id: string;
  token: string;
}

/** Signs up with the forms of the pages and the link of the mail, creates a token, and deletes the account afterwards. */
export async function withToken(
  user: User,
  use: (stranger: Stranger, session: string, created: CreatedToken) => Promise<void>,
): Promise<void> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const stranger = await Stranger.at(user, address);
  const [email, password] = [`story-${randomUUID()}@example.com`, randomUUID()];
  await stranger.follow('Get a free token');
  await stranger.submit('Create the account', { 'Email address': email, Password: password });
  await stranger.open('/portal/dev/mailbox');
  const [, mail = ''] = stranger.page.split(email);
  const link = new URL(/href="([^"]*verify-email[^"]*)"/.exec(mail)?.[1] ?? '', user.devFile.base_url);
  await stranger.open(link.href);
  await stranger.submit('Verify', { Password: password }, { hidden: { token: link.hash.replace('#token=', '') } });
  await stranger.follow('Sign in');
  const signedIn = await stranger.submit('Sign in', { 'Email address': email, Password: password });
  const { access_token: session } = (await signedIn.json()) as { access_token: string };
  try {
    await stranger.follow('Portal');
    const created = await stranger.submit('Create token', { Name: 'bot' }, { session, hidden: { scopes: 0 } });
    await use(stranger, session, (await created.json()) as CreatedToken);
  } finally {
    const deleteAccount = (secret: string) => user.send('/auth/delete-account', { body: { confirm_email: email, password } }, secret);
    // A suspension ends the session.
    await deleteAccount(session).catch(async () => {
      const { access_token } = await user.from(address).read<{ access_token: string }>('/auth/login', { body: { email, password } });
      await deleteAccount(access_token);
    });
  }
}

/** Sends a request without further ado. Returns the status of any response, and its body if it is an error. */
async function statusOf({ devFile }: User, path: string, token: string): Promise<{ status: number; error?: { doc_url: string } }> {
  const response = await fetch(new URL(path, devFile.base_url), { headers: { Authorization: `Bearer ${token}` } });
  const { error } = (await response.json()) as { error?: { doc_url: string } };
  return { status: response.status, ...(error === undefined ? {} : { error }) };
}

/** Tasks of new users, by links and texts alone. */
export const taskStories: readonly Story[] = [
  {
    title: 'task: see the price history and the listings of an item',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.1');
      await stranger.follow(/^\/market$/);
      await stranger.follow(/^\/market\/item\?/);
      // An item of the codex leads to its entry, which links all prices.
      if (stranger.page.includes('id="price"')) await stranger.follow(/^\/market\/item\?.*days=30/);
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
      const board = stranger.copy(/<a href="\/leaderboards\/(\d+)">Weekly Experience Earned</);
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
  {
    title: 'task: see why my bot got 429: which limit, when it was full, and what to do',
    needsUsualLimits: true,
    async run(user) {
      await withToken(user, async (stranger, session, { id, token }) => {
        const path = '/v1/rotations/server-time';
        const { headers } = await user.send(path, {}, token);
        const limit = Number(headers.get('X-RateLimit-Limit'));
        let refused: { error?: { doc_url: string } } | undefined;
        for (let sent = 0; refused === undefined && sent < MAX_WINDOWS * limit; sent += BATCH) {
          const responses = await Promise.all(Array.from({ length: BATCH }, () => statusOf(user, path, token)));
          refused = responses.find(({ status }) => status === 429);
        }
        await stranger.open(refused?.error?.doc_url ?? '/docs/errors');
        await stranger.follow('Why 429, and the requests that were refused');
        assert.match(stranger.text(), /Why 429, and what to do/);
        const { pathname, search } = new URL(stranger.copy(/"(https?:[^"]+\/v1\/token\/requests\?status_code=429)"/));
        type Refused = { items: { path: string; refused_by: { name: string; limit: number; reset_at: string } }[] };
        const { items } = (await (await user.send(pathname + search, {}, token)).json()) as Refused;
        assert.partialDeepStrictEqual(items[0], { path, refused_by: { name: 'token', limit } });
        assert.match(items[0]?.refused_by.reset_at ?? '', /:00\.000Z$/);
        await stranger.follow('usage page');
        assert.match(stranger.text(), /Why 429/);
        const own = `/tokens/requests?${stranger.copy(/<option value="([^"]+)">429 only</)}&token_id=${id}`;
        const shown = (await (await user.send(own, {}, session)).json()) as Refused;
        assert.deepEqual(shown.items[0]?.refused_by, items[0]?.refused_by);
      });
    },
  },
  {
    title: 'task: rotate my token without downtime',
    async run(user) {
      await withToken(user, async (stranger, session, { id, token }) => {
        await stranger.follow('Docs');
        await stranger.follow('Authentication');
        assert.match(stranger.text(), /Rotate a token without downtime/);
        await stranger.follow('Tokens');
        const rotate = async (choice: string) => {
          const response = await stranger.submit('Rotate', { 'The old secret works': choice }, { session, id });
          return ((await response.json()) as CreatedToken).token;
        };
        const rotated = await rotate('for one hour');
        for (const secret of [token, rotated]) assert.equal((await statusOf(user, '/v1/token', secret)).status, 200);
        const last = await rotate('no longer');
        for (const secret of [token, rotated]) assert.equal((await statusOf(user, '/v1/token', secret)).status, 401);
        assert.equal((await statusOf(user, '/v1/token', last)).status, 200);
      });
    },
  },
  {
    title: 'task: verify a webhook signature in Python',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.11');
      await stranger.follow('Docs');
      await stranger.follow('Signed webhooks');
      const program = stranger.code('python', 'def verify');
      await inFolder(async (folder) => {
        const genuine = await stranger.run('python3', program, { folder });
        assert.equal(genuine.stdout.trim(), stranger.code('text', 'Challenge'), genuine.stderr);
        const forged = await stranger.run('python3', program.replace('"type":"racing"', '"type":"rampage"'), { folder });
        assert.match(forged.stderr, /no matching signature/);
      });
    },
  },
  {
    title: 'task: submit a leaderboard dump and read what became of it',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.12');
      await stranger.follow('Docs');
      await stranger.follow('Send dumps');
      const sample = await user.text(stranger.links().find((href) => href.endsWith('/sample-leaderboards.txt')) ?? '');
      assert.ok(sample.includes(stranger.code('text', 'MASTERY')), 'the page shows the rows of the sample');
      const { superuser_email: email = '', superuser_password: password = '' } = user.devFile.portal ?? {};
      const login = await user.send('/auth/login', { body: { email, password } });
      // A session has no cooldown, as the page says: the story can be run again at once.
      const { access_token: session } = (await login.json()) as { access_token: string };
      const env = { GAME_DATA_SUPERUSER_TOKEN: session };
      await inFolder(async (folder) => {
        try {
          const sent = await stranger.run('bash', stranger.code('bash', 'leaderboards/insert'), { folder, env });
          const shown = JSON.parse(stranger.code('json', '"endpoint": "leaderboards"')) as { accepted: number };
          assert.partialDeepStrictEqual(
            JSON.parse(sent.stdout),
            { state: 'accepted', accepted: shown.accepted, problems: [] },
            sent.stderr,
          );
          const at = stranger.copy(/timestamp=(\d+)/);
          await stranger.follow('the entries of the board');
          const path = stranger.copy(/(\/v1\/leaderboards\/\{uuid\}\/entries)/).replace('{uuid}', '1');
          type Entries = { items: { player_name: string; score: number }[] };
          const { items } = await user.readWithToken<Entries>(`${path}?at=${at}&limit=1`);
          assert.partialDeepStrictEqual(items, [{ player_name: 'Ana', score: 1_204_455 }]);
        } finally {
          await stranger.open('/docs/recipes/send-dumps');
          const removed = await stranger.run('bash', stranger.code('bash', 'delete-anchor'), { folder, env });
          assert.equal((JSON.parse(removed.stdout) as { deleted: boolean }).deleted, true);
        }
      });
    },
  },
  {
    title: 'task: build a mod from a folder',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.13');
      await stranger.follow('Docs');
      await stranger.follow('Publish a mod');
      assert.match(stranger.text(), /Build a file from a folder/);
      await inFolder(async (folder) => {
        mkdirSync(join(folder, 'wings', 'blueprints'), { recursive: true });
        writeFileSync(join(folder, 'wings', 'blueprints', 'mine.blueprint'), 'abc');
        const { status, stderr } = await stranger.run('python3', stranger.code('python', '/v1/mods/build'), { folder });
        assert.equal(status, 0, stderr);
        const headers = { 'Content-Type': 'application/octet-stream' };
        const body = new Uint8Array(readFileSync(join(folder, 'tiny.tmod')));
        const path = stranger.copy(/(\/v1\/mods\/read)/);
        const read = await user.readWithToken<object>(path, { body, headers });
        const files = ['blueprints/mine.blueprint', 'ui/tiny.swf'].map((name) => ({ path: name, checksum_ok: true }));
        assert.partialDeepStrictEqual(read, { properties: { title: 'Tiny' }, files });
      });
    },
  },
  {
    title: 'task: add up the power rank of my gear',
    async run(user) {
      const stranger = await Stranger.at(user, '198.51.102.14');
      await stranger.follow('Docs');
      await stranger.follow('Power Rank of your gear');
      await inFolder(async (folder) => {
        const { stdout, stderr } = await stranger.run('python3', stranger.code('python', '/v1/gems/evaluate'), { folder });
        assert.equal(stdout.trim(), stranger.code('text', 'Power Rank'), stderr);
      });
      const { pathname, search } = new URL(stranger.copy(/"(https?:[^"]+\/v1\/stats\/sigil[^"]+)"/));
      const sigil = await user.send(pathname + search.replaceAll('&amp;', '&'));
      assert.match(sigil.headers.get('Content-Type') ?? '', /^image\//);
    },
  },
];
