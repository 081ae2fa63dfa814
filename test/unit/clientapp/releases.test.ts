import { describe, expect, it } from 'vitest';
import { assetsForPlatform, checkForUpdate, parseReleases } from '../../../src/areas/clientapp/releases.domain.ts';
import { release } from '../../support/upstreams/clientapp.ts';

const AT = 1_773_156_600;
const asset = (name: string) => ({ name, url: `https://x.example/${name}`, size: 1, contentType: null, downloadCount: 0 });

describe('parseReleases', () => {
  it('parses a release', () => {
    expect(parseReleases([release(7, 'v1.0.0', AT, ['a.msi'], { prerelease: true })])).toEqual([
      {
        releaseId: 7,
        tagName: 'v1.0.0',
        name: 'Companion 1.0.0',
        body: 'Notes of v1.0.0',
        htmlUrl: 'https://github.example/owner/companion/releases/tag/v1.0.0',
        prerelease: true,
        publishedAt: AT,
        assets: [
          {
            name: 'a.msi',
            url: 'https://github.example/owner/companion/releases/download/v1.0.0/a.msi',
            size: 1000,
            contentType: 'application/octet-stream',
            downloadCount: 0,
          },
        ],
      },
    ]);
  });

  it.each([
    ['a draft', { draft: true }],
    ['an id that is not a number', { id: '7' }],
    ['an id that is not an integer', { id: 1.5 }],
    ['no tag', { tag_name: '  ' }],
    ['no page URL', { html_url: null }],
    ['a javascript: page URL', { html_url: 'javascript:alert(1)' }],
    ['no date', { published_at: null }],
    ['an invalid date', { published_at: 'yesterday' }],
  ])('skips a release with %s', (_, more) => {
    expect(parseReleases([release(7, 'v1', AT, [], more), release(8, 'v2', AT, [])]).map(({ releaseId }) => releaseId)).toEqual([8]);
  });

  it.each([null, {}, 'text', [null, 3, []]])('returns no releases for %j', (payload) => expect(parseReleases(payload)).toEqual([]));

  it('defaults missing file fields and skips files without name or URL', () => {
    const assets = [
      { name: 'a.apk', browser_download_url: 'https://x.example/a' },
      { name: 'b.apk' },
      { browser_download_url: 'https://x.example/c' },
    ];
    expect(parseReleases([release(1, 'v1', AT, [], { assets })])[0]?.assets).toEqual([
      { name: 'a.apk', url: 'https://x.example/a', size: 0, contentType: null, downloadCount: 0 },
    ]);
  });

  it('defaults a missing name to the tag and missing notes to empty', () => {
    expect(parseReleases([release(1, 'v1', AT, [], { name: null, body: null })])[0]).toMatchObject({ name: 'v1', body: '' });
  });
});

describe('assetsForPlatform', () => {
  const all = ['z.exe', 'b.MSI', 'a.msi', 'app.tar.gz', 'app.rpm', 'app.deb', 'App.AppImage', 'app.apk', 'SHA256SUMS', 'app.msi.sig'].map(
    asset,
  );

  it.each([
    ['windows', ['a.msi', 'b.MSI', 'z.exe']],
    ['linux', ['App.AppImage', 'app.deb', 'app.rpm', 'app.tar.gz']],
    ['android', ['app.apk']],
  ] as const)('lists files for %s, preferred type first', (platform, names) => {
    expect(assetsForPlatform(all, platform).map(({ name }) => name)).toEqual(names);
  });
});

describe('checkForUpdate', () => {
  const [parsed] = parseReleases([release(1, 'v1.4.0', AT, ['a.msi'])]);
  const latest = parsed ? { platform: 'windows' as const, release: { ...parsed, fetchedAt: AT }, assets: parsed.assets } : null;

  it.each([
    ['1.3.9', true, true],
    ['1.4.0', false, true],
    ['1.4.0-rc.1', true, true],
    ['1.5', false, true],
    ['nightly', false, false],
    ['', false, false],
  ])('compares the installed version "%s" with the newest release', (installed, updateAvailable, comparable) => {
    expect(checkForUpdate(installed, latest)).toEqual({ updateAvailable, comparable });
  });

  it('returns comparable false without a release', () => {
    expect(checkForUpdate('1.0.0', null)).toEqual({ updateAvailable: false, comparable: false });
  });
});
