import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Story } from './user.ts';

export const programStories: readonly Story[] = [
  {
    title: 'check for an update of the companion app',
    async run(user) {
      type Check = { update_available: boolean; latest: { release: { tag_name: string }; assets: { url: string }[] } };
      const { update_available, latest } = await user.read<Check>('/v1/clientapp/check?installed=v1.3.2&platform=windows');
      assert.equal(update_available, true);
      assert.ok(latest.assets.length > 0);
      const again = await user.read<Check>(`/v1/clientapp/check?installed=${latest.release.tag_name}&platform=windows`);
      assert.equal(again.update_available, false);
    },
  },
  {
    title: 'check whether an installed mod is up to date',
    async run(user) {
      type Release = { tag: string; download_url: string };
      const { releases } = await user.read<{ releases: Release[] }>('/v1/mods/briar/quiet-interface');
      const old = releases.find(({ tag }) => tag === '1.0.0');
      assert.ok(old);
      const sha256 = createHash('sha256')
        .update(await user.bytes(old.download_url))
        .digest('hex');
      const body = JSON.stringify(await user.read('/v1/mods/lookup', { body: { hashes: [sha256], releases: 'latest' } }));
      assert.match(body, /"tag":"1\.0\.0"/);
      assert.match(body, /"tag":"1\.2\.0"/, 'the newest release is reported as well');
    },
  },
  {
    title: 'build a .tmod file and read it',
    async run(user) {
      const files = [{ path: 'ui/tiny.swf', content_base64: 'YWJjZGU=' }];
      const built = await user.send(
        '/v1/mods/build',
        { body: { properties: { title: 'Tiny', author: 'Me', tags: 'Wings' }, files } },
        user.devFile.token,
      );
      const bytes = new Uint8Array(await built.arrayBuffer());
      const headers = { 'Content-Type': 'application/octet-stream' };
      const read = await user.readWithToken<{ properties: object; files: object[] }>('/v1/mods/read', { body: bytes, headers });
      assert.partialDeepStrictEqual(read, { properties: { title: 'Tiny', author: 'Me' }, files: [{ ...files[0], checksum_ok: true }] });
    },
  },
];
