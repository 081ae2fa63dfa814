import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../../scripts/lib/paths.ts';
import { inFolder } from './stranger.ts';
import type { Story, User } from './user.ts';

const TIMEOUT_MS = 60_000;
/** The same user at an address whose rate limits no other story uses. */
const elsewhere = (user: User) => user.from(`10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`);

/** What people do first. */
export const newcomerStories: readonly Story[] = [
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
    title: 'pack a mod with the command of a checkout, from the manifest that it prints',
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
