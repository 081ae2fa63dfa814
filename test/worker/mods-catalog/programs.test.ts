import { beforeAll, describe, expect, it } from 'vitest';
import { call, type Fetch } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';
import { base64, hashOf, packed, publish, testImage } from './catalog.ts';

/** Requests of programs that players run, without a token, from one address and within one minute. */
const NOW = 1_773_156_600;
const MODS = 60;
const INSTALLED = 40;
const PAGE = 30;

/** A client that fails on every response except 200. */
function program(address: string) {
  const request = async (target: string, options: Parameters<typeof call>[1] = {}) => {
    const { pathname, search } = new URL(target, 'https://api.test');
    const response = await call(pathname + search, { now: NOW, ...options, headers: { 'CF-Connecting-IP': address, ...options.headers } });
    expect(response.status, `${target}: ${response.text.slice(0, 200)}`).toBe(200);
    return response;
  };
  return {
    request,
    read: async (target: string) => JSON.parse((await request(target)).text),
    async lookup(hashes: readonly string[]) {
      return JSON.parse((await request('/v1/mods/lookup', { method: 'POST', json: { hashes, releases: 'latest' } })).text);
    },
  };
}

const fileOf = (index: number) => packed(`installed ${index}`);

beforeAll(async () => {
  for (let index = 0; index < MODS; index += 1) {
    await publish(
      { title: `Program ${index}`, banner_base64: base64(testImage(500 + index)) },
      { artifact_base64: base64(fileOf(index)) },
      NOW - 86_400 + index,
    );
  }
}, 120_000);

describe('a mod manager', () => {
  it('browses two pages with banners and checks 40 installed mods', async () => {
    const { read, request, lookup } = program('10.46.0.1');
    let banners = 0;
    for (const offset of [0, PAGE]) {
      const { items, total } = await read(`/v1/mods?limit=${PAGE}&offset=${offset}`);
      expect([items.length, total]).toEqual([PAGE, MODS]);
      for (const { banner_url, preview_urls } of items) {
        for (const url of [banner_url, ...preview_urls]) await request(url);
        banners += 1;
      }
    }
    expect(banners).toBe(2 * PAGE);
    const hashes = await Promise.all(Array.from({ length: INSTALLED }, (_, index) => hashOf(fileOf(index))));
    const { results, unknown } = await lookup(hashes);
    expect([Object.keys(results).length, unknown]).toEqual([INSTALLED, []]);
    // Updates of all of them.
    for (const { release } of Object.values<{ release: { download_url: string } }>(results)) await request(release.download_url);
    expect((await read('/v1/mods/popular')).items.length).toBe(25);
  });
});

describe('a launcher', () => {
  it('looks up a mod, downloads and verifies it', async () => {
    const { request, lookup } = program('10.46.0.2');
    const sha256 = await hashOf(fileOf(7));
    const { results } = await lookup([sha256]);
    const { release } = results[sha256];
    const { bytes } = await request(release.download_url);
    expect(new Uint8Array(bytes)).toEqual(fileOf(7));
    expect(await hashOf(new Uint8Array(bytes))).toBe(release.sha256);
  });
});

describe('the limit of images and downloads', () => {
  it('is thirty times the public limit, with counters of its own', async () => {
    const { read } = program('10.46.0.3');
    const { items } = await read('/v1/mods?limit=1');
    const image = new URL(items[0].banner_url).pathname;
    const options = { now: NOW, headers: { 'CF-Connecting-IP': '10.46.0.3' } };
    const limitOf = async (path: string, fetch?: Fetch) => {
      const { status, headers } = await call(path, options, fetch);
      return [status, headers.get('X-RateLimit-Limit')];
    };
    expect(await limitOf(image)).toEqual([200, '900']);
    expect(await limitOf('/v1/mods?limit=1')).toEqual([200, '240']);

    const few = testApp({ settings: { publicAnonRateLimitMax: 2 } });
    options.headers['CF-Connecting-IP'] = '10.46.0.4';
    const images = await Promise.all(Array.from({ length: 60 }, () => limitOf(image, few)));
    expect(images).toEqual(images.map(() => [200, '60']));
    expect(await limitOf(image, few)).toEqual([429, '60']);
    expect(await limitOf('/v1/mods?limit=1', few)).toEqual([200, '16']);
  });
});
