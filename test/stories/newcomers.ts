import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '../../scripts/lib/paths.ts';
import type { Story, User } from './user.ts';

const TIMEOUT_MS = 60_000;
/** More requests than the limit of two windows: the limit may be reached in the second one. */
const MAX_REQUESTS = 400;
const BATCH = 20;

/** The account of a newcomer, with its own rate limits. */
interface Newcomer {
  user: User;
  session: string;
  createToken(): Promise<{ id: string; token: string }>;
}

/** The same user at an address whose rate limits no other story uses. */
const elsewhere = (user: User) => user.from(`10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`);

/** Signs up, opens the link in the mail, signs in, and deletes the account afterwards. */
async function withNewcomer(known: User, use: (newcomer: Newcomer) => Promise<void>): Promise<void> {
  const email = `story-${randomUUID()}@example.com`;
  const password = randomUUID();
  const user = elsewhere(known);
  await user.send('/auth/signup', { body: { email, password } });
  const mailbox = await user.text('/portal/dev/mailbox');
  const [, mail = ''] = mailbox.split(email);
  const [, token] = /token=([\w.-]+)/.exec(mail) ?? [];
  assert.ok(token, 'the mailbox has the link');
  await user.send('/auth/verify-email', { body: { token, password } });
  const { access_token: session } = await user.read<{ access_token: string }>('/auth/login', { body: { email, password } });
  const createToken = async () => (await (await user.send('/tokens', { body: { name: 'bot', scopes: 0 } }, session)).json()) as Created;
  try {
    await use({ user, session, createToken });
  } finally {
    await user.send('/auth/delete-account', { body: { confirm_email: email } }, session);
  }
}

interface Created {
  id: string;
  token: string;
}

/** Sends a request and returns the status of any response. */
async function statusOf({ devFile }: User, path: string, token: string): Promise<number> {
  const response = await fetch(new URL(path, devFile.base_url), { headers: { Authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

/** The path of a link on a page. */
function linkOn(page: string, href: RegExp): string {
  const [, path] = new RegExp(`href="(${href.source})"`).exec(page) ?? [];
  assert.ok(path, `no link ${href.source}`);
  return path;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", amp: '&' };

/** The text of the code block of a language that contains a word. */
function codeOn(page: string, language: string, word: string): string {
  const blocks = [...page.matchAll(/<div class="code[^"]*" data-language="(\w+)">.*?<code[^>]*>(.*?)<\/code>/gs)];
  const found = blocks
    .filter(([, name]) => name === language)
    .map(([, , html = '']) => html.replaceAll(/<[^>]+>/g, '').replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole))
    .find((text) => text.includes(word));
  assert.ok(found, `no ${language} code with ${word}`);
  return found;
}

/** Gives a story a folder that is deleted afterwards. */
async function inFolder(use: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'story-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Refused {
  items: { path: string; refused_by: { name: string; limit: number; window_seconds: number; reset_at: string } | null }[];
}

/** What people do first, found by the links and the texts of the documentation. */
export const newcomerStories: readonly Story[] = [
  {
    title: 'see why my bot got 429: which limit, since when, and until when',
    async run(known) {
      await withNewcomer(known, async ({ user, session, createToken }) => {
        const { id, token } = await createToken();
        const path = '/v1/rotations/server-time';
        let refused = 0;
        for (let sent = 0; refused === 0 && sent < MAX_REQUESTS; sent += BATCH) {
          const statuses = await Promise.all(Array.from({ length: BATCH }, () => statusOf(user, path, token)));
          refused = statuses.filter((status) => status === 429).length;
        }
        assert.ok(refused > 0, 'the limit is reached');
        // The error links its documentation, which leads to the guide that explains it.
        const { error } = (await (
          await fetch(new URL(path, user.devFile.base_url), { headers: { Authorization: `Bearer ${token}` } })
        ).json()) as {
          error?: { doc_url: string };
        };
        const guide = linkOn(
          await user.text(new URL(error?.doc_url ?? '/docs/errors', user.devFile.base_url).pathname),
          /\/docs\/rate-limits[^"]*/,
        );
        const text = await user.text(guide.split('#')[0] ?? '');
        assert.ok(text.includes('/v1/token/requests') && text.includes('/portal/usage#why-429'));
        const own = (await (await user.send('/v1/token/requests?status_code=429', {}, token)).json()) as Refused;
        const account = (await (await user.send(`/tokens/requests?status_code=429&token_id=${id}`, {}, session)).json()) as Refused;
        for (const { items } of [own, account]) {
          assert.partialDeepStrictEqual(items[0], { path, refused_by: { name: 'token', limit: 120, window_seconds: 60 } });
          assert.match(items[0]?.refused_by?.reset_at ?? '', /:00\.000Z$/);
        }
      });
    },
  },
  {
    title: 'rotate my token without downtime',
    async run(known) {
      await withNewcomer(known, async ({ user, session, createToken }) => {
        const { id, token } = await createToken();
        const rotated = (await (await user.send(`/tokens/${id}/rotate`, { body: { overlap_seconds: 600 } }, session)).json()) as Created;
        for (const secret of [token, rotated.token]) assert.equal(await statusOf(user, '/v1/token', secret), 200);
        await user.send(`/tokens/${id}/rotate`, { body: { overlap_seconds: 0 } }, session);
        for (const secret of [token, rotated.token]) assert.equal(await statusOf(user, '/v1/token', secret), 401);
      });
    },
  },
  {
    title: 'verify a webhook signature in Python with the code of the guide',
    async run(known) {
      const user = elsewhere(known);
      const guide = linkOn(await user.text('/docs'), /\/docs\/webhooks/);
      const program = codeOn(await user.text(guide), 'python', 'def verify');
      const run = (text: string) => spawnSync('python3', ['-'], { input: text, encoding: 'utf8', timeout: TIMEOUT_MS });
      const genuine = run(program);
      assert.equal(genuine.stdout.trim(), 'Racing Challenge', genuine.stderr);
      const forged = run(program.replace('"type":"racing"', '"type":"rampage"'));
      assert.match(forged.stderr, /no matching signature/);
    },
  },
  {
    title: 'be told of a game update in a feed reader, in a chat channel and in the event stream',
    async run(known) {
      const user = elsewhere(known);
      const feed = await user.text('/v1/updates/live-us/versions.atom');
      assert.match(feed, /<entry>\s*<title>[^<]+<\/title>/);
      const body = { events: ['game_update'] };
      const session = await user.signIn();
      const url = `https://discord.com/api/webhooks/1203/story-${randomUUID()}`;
      const webhook = (await (await user.send('/v1/webhooks', { body: { url, label: 'story', ...body } }, session)).json()) as {
        id: string;
      };
      try {
        const tried = await user.send(`/v1/webhooks/${webhook.id}/test?event=game_update`, { method: 'POST' }, session);
        assert.equal(((await tried.json()) as { ok: boolean }).ok, true);
      } finally {
        await user.send(`/v1/webhooks/${webhook.id}`, { method: 'DELETE' }, session);
      }
      const stream = await user.send('/v1/events/stream?types=game_update');
      const [first] = await readChunks(stream, 1);
      assert.match(first ?? '', /game_update|retry|: /);
    },
  },
  {
    title: 'submit a leaderboard dump and read what became of it',
    async run(known) {
      const user = elsewhere(known);
      const sample = await user.text('/ui/sample-leaderboards.txt');
      const { superuser_email: email = '', superuser_password: password = '' } = user.devFile.portal ?? {};
      const { access_token: session } = await user.read<{ access_token: string }>('/auth/login', { body: { email, password } });
      const form = new FormData();
      form.set('file', new File([sample], 'leaderboards.txt'));
      // An hour that no demo data has; the capture is deleted again.
      const anchor = 1_500_000_000;
      try {
        const path = `/v1/leaderboards/insert?sync=true&backfill=true&timestamp=${anchor}`;
        const response = await user.send(path, { body: form }, session);
        const { accepted, message } = (await response.json()) as { accepted: boolean; message: string };
        assert.ok(accepted, message);
        const receipt = response.headers.get('X-Ingest-ID');
        const { id } = (await (await user.send(`/v1/ingest/${receipt}`, {}, session)).json()) as { id: string };
        assert.equal(id, receipt);
        type Entries = { items: { player_name: string; score: number }[] };
        const { items } = await user.readWithToken<Entries>(`/v1/leaderboards/1/entries?at=${anchor}&limit=1`);
        assert.partialDeepStrictEqual(items, [{ player_name: 'Ana', score: 1_204_455 }]);
      } finally {
        await user.send(`/v1/leaderboards/delete-anchor?anchor=${anchor}`, { method: 'POST' }, session);
      }
    },
  },
  {
    title: 'build a mod from a folder and read it',
    async run(known) {
      const user = elsewhere(known);
      await inFolder(async (folder) => {
        const [source, target] = [join(folder, 'wings'), join(folder, 'wings.tmod')];
        mkdirSync(join(source, 'files', 'ui'), { recursive: true });
        writeFileSync(join(source, 'files', 'ui', 'tiny.swf'), 'abc');
        const build = () => {
          const command = [inRoot('scripts', 'mods.ts'), 'build', source, target];
          return spawnSync(process.execPath, command, { encoding: 'utf8', timeout: TIMEOUT_MS });
        };
        // Without a manifest the command prints one to start from.
        const { stderr: advice } = build();
        const manifest = advice.slice(advice.indexOf('{'), advice.lastIndexOf('}') + 1).replace('My mod', 'Tiny Wings');
        writeFileSync(join(source, 'mod.json'), manifest);
        const built = build();
        assert.equal(built.status, 0, built.stderr);
        const headers = { 'Content-Type': 'application/octet-stream' };
        const body = new Uint8Array(readFileSync(target));
        const read = await user.readWithToken<object>('/v1/mods/read', { body, headers });
        assert.partialDeepStrictEqual(read, { properties: { title: 'Tiny Wings' }, files: [{ path: 'ui/tiny.swf', checksum_ok: true }] });
      });
    },
  },
  {
    title: 'add up the power rank of my gear and my gems',
    async run(known) {
      const user = elsewhere(known);
      type Sources = { sources: { name: string; value: number }[] };
      const { sources } = await user.readWithToken<Sources>('/v1/stats/power-rank');
      const gear = sources.filter(({ name }) => ['Hat', 'Weapon', 'Face', 'Ring'].includes(name));
      assert.equal(gear.length, 4);
      const gem = await user.readWithToken<object>('/v1/gems/generate', {
        body: { tier: 4, type: 1, element: 2, level: 10, seed: 'story' },
      });
      const judged = await user.readWithToken<{ calculated_power_rank: number }>('/v1/gems/evaluate', { body: { gem } });
      const total = gear.reduce((sum, { value }) => sum + value, judged.calculated_power_rank);
      assert.ok(total > 8000 && total < sources.reduce((sum, { value }) => sum + value, 0), `${total}`);
      const sigil = await user.send(`/v1/stats/sigil?power_rank=${Math.round(total)}&mastery=500`);
      assert.match(sigil.headers.get('Content-Type') ?? '', /^image\//);
    },
  },
];

/** The first chunks of a stream, which is then closed. */
async function readChunks(response: Response, count: number): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    chunks.push(new TextDecoder().decode(chunk));
    if (chunks.length >= count) break;
  }
  return chunks;
}
