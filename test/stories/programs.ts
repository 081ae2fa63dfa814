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
    title: 'show Luxion in an overlay: state, countdown and history',
    async run(user) {
      type Window = { starts_at: number; ends_at: number; state: string };
      type Luxion = {
        active: boolean;
        seconds_remaining: number;
        current_window: Window | null;
        next_window: Window | null;
        schedule: Window[];
      };
      const luxion = await user.read<Luxion>('/v1/rotations/luxion');
      assert.equal(luxion.active, true);
      assert.ok(luxion.seconds_remaining > 0 && luxion.schedule.length === 7);
      assert.match((luxion.current_window ?? luxion.next_window)?.state ?? '', /^Day [1-7]$/);
      const { items, total } = await user.read<{ items: { started_at: number }[]; total: number }>('/v1/rotations/luxion/history');
      assert.ok(items.length === total && total >= 2, `${total} runs`);
    },
  },
  {
    title: 'browse two pages of mods with banners in a mod manager, and verify every download',
    async run(user) {
      type Mod = { banner_url: string | null; api_url: string };
      type Release = { download_url: string; sha256: string };
      const mods: Mod[] = [];
      for (const offset of [0, 2]) mods.push(...(await user.read<{ items: Mod[] }>(`/v1/mods?limit=2&offset=${offset}`)).items);
      assert.ok(mods.length > 2);
      for (const { banner_url: banner } of mods) if (banner) assert.ok((await user.bytes(banner)).length > 0);
      for (const { api_url: details } of mods) {
        const { releases } = await user.read<{ releases: Release[] }>(new URL(details).pathname);
        for (const { download_url: url, sha256 } of releases) {
          const hash = createHash('sha256')
            .update(await user.bytes(url))
            .digest('hex');
          assert.equal(hash, sha256);
        }
      }
    },
  },
  {
    title: 'find a pack with a mod and download it in both formats',
    async run(user) {
      type Pack = { handle: string; slug: string; title: string; page_url: string };
      const { items } = await user.read<{ items: Pack[] }>('/v1/modpacks/for-mod/ana/tiny-wings');
      const [pack] = items;
      assert.ok(pack);
      type Variant = { available_count: number; download_url: string; zip_url: string };
      const { variants } = await user.read<{ variants: Variant[] }>(`/v1/modpacks/${pack.handle}/${pack.slug}`);
      assert.ok(variants[0] && variants[0].available_count > 0);
      const archive = await user.bytes(variants[0].zip_url);
      assert.equal(Buffer.from(archive.slice(0, 2)).toString(), 'PK');
      const bytes = new Uint8Array(await user.bytes(variants[0].download_url));
      const headers = { 'Content-Type': 'application/octet-stream' };
      type Contents = { properties: { title: string }; files: { checksum_ok: boolean }[] };
      const { properties, files } = await user.readWithToken<Contents>('/v1/mods/read', { body: bytes, headers });
      assert.equal(properties.title, pack.title);
      assert.ok(files.length > 0 && files.every(({ checksum_ok: isValid }) => isValid));
      assert.ok((await user.text(new URL(pack.page_url).pathname)).includes(pack.title));
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
