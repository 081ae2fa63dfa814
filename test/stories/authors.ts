import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Story, User } from './user.ts';

const WAIT_MS = 30_000;

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
      const artifact = Buffer.from(newZip()).toString('base64');
      const release = { tag: '1.0.0', format: 'zip', artifact_base64: artifact };
      await user.send('/v1/mods/insert', { body: { handle, title: 'Story Wings', release } }, user.devFile.superuser_token);

      const session = await user.signIn();
      const claim = await readAs<{ id: string }>(user, '/mod-claims', session, { mod: `${handle}/story-wings`, note: 'It is mine.' });
      await readAs(user, `/admin/mod-claims/${claim.id}/confirm`, user.devFile.superuser_token ?? '', {});
      const path = `${handle}/story-wings`;
      const { key } = await readAs<{ key: string }>(user, `/projects/${path}/keys`, session, { name: 'pipeline' });

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
