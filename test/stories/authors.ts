import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Story, User } from './user.ts';

const WAIT_MS = 30_000;
const POLL_MS = 250;

interface Release {
  id: string;
  state: string;
  sha256: string;
}

/** Bytes that pass as a zip archive and that nobody published before. */
const newZip = () => new Uint8Array([0x50, 0x4b, 3, 4, ...randomBytes(60)]);

export const authorStories: readonly Story[] = [
  {
    title: 'claim a mod, publish from a script with a project key, and withdraw the release',
    async run(user) {
      const handle = `story-${randomUUID().slice(0, 13)}`;
      const title = `Wings of ${handle}`;
      const slug = `wings-of-${handle}`;
      const artifact = Buffer.from(newZip()).toString('base64');
      const release = { tag: '1.0.0', format: 'zip', artifact_base64: artifact };
      await user.send('/v1/mods/insert', { body: { handle, title, release } }, user.devFile.superuser_token);

      const session = await user.signIn();
      const claim = await readAs<{ id: string }>(user, '/mod-claims', session, { mod: `${handle}/${slug}`, note: 'It is mine.' });
      await readAs(user, `/admin/mod-claims/${claim.id}/confirm`, user.devFile.superuser_token ?? '', {});
      const path = `${handle}/${slug}`;
      const { key } = await readAs<{ key: string }>(user, `/projects/${path}/keys`, session, { name: 'pipeline' });

      // A release of a mod is posted with the title of the mod, which is unique.
      const url = `https://discord.com/api/webhooks/1202/story-${randomUUID()}`;
      const conditions = [{ event: 'mod_release', match: 'author', values: [handle], limit: null }];
      const webhook = await readAs<{ id: string }>(user, '/v1/webhooks', session, {
        url,
        label: 'story',
        events: ['mod_release'],
        conditions,
      });

      const signal = AbortSignal.timeout(WAIT_MS);
      const stream = await user.send('/v1/events/stream?types=mod_release', { signal });
      const file = newZip();
      const form = new FormData();
      form.set('tag', '1.1.0');
      form.set('publish', 'true');
      form.set('file', new File([file], 'wings.zip'));
      const published = await readAs<Release>(user, `/v1/publishing/${path}/releases`, key, form);
      assert.equal(published.state, 'published');
      const sha256 = createHash('sha256').update(file).digest('hex');
      assert.equal(published.sha256, sha256);
      await untilText(stream, published.id);
      await untilPosted(user, title);
      await user.send(`/v1/webhooks/${webhook.id}`, { method: 'DELETE' }, session);

      assert.match(await (await user.send(`/mods/${path}`)).text(), /1\.1\.0/);
      const { releases } = await user.read<{ releases: Release[] }>(`/v1/mods/${path}`);
      assert.equal(releases[0]?.id, published.id);
      const lookUp = () => user.read<{ unknown: string[] }>('/v1/mods/lookup', { body: { hashes: [sha256] } });
      assert.deepEqual((await lookUp()).unknown, []);

      const reason = { reason: 'Crashes on start' };
      const withdrawn = await readAs<Release>(user, `/v1/publishing/${path}/releases/${published.id}/withdraw`, key, reason);
      assert.equal(withdrawn.state, 'withdrawn');
      assert.deepEqual((await lookUp()).unknown, [sha256]);
    },
  },
];

async function readAs<Body>(user: User, path: string, secret: string, body: object): Promise<Body> {
  return (await (await user.send(path, { body }, secret)).json()) as Body;
}

/** Reads an event stream until it contains a text. */
async function untilText(response: Response, wanted: string): Promise<void> {
  let text = '';
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    if (text.includes(wanted)) return;
  }
  throw new Error('the stream ended early');
}

/** Waits until the mock chat service has a post with a text. Without the mock there is nothing to wait for. */
async function untilPosted({ devFile: { chat_messages_url: url } }: User, wanted: string): Promise<void> {
  if (!url) return;
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if ((await (await fetch(url)).text()).includes(wanted)) return;
  }
  throw new Error('the release was not posted to the chat');
}
