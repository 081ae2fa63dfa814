import { beforeEach, describe, expect, it } from 'vitest';
import { createVideosBImageEndpoint, createVideosBImages } from '../../../../src/areas/feeds/videos/videos-b-image.routes.ts';
import { createMemoryPool } from '../../../../src/platform/http/bodies/memory-pool.ts';
import { createIsolateMemory } from '../../../../src/platform/kit/isolate-memory.ts';
import { createUpstreamClient } from '../../../../src/platform/upstream/upstream-client.ts';
import { call, FIRST_INSTANT } from '../../../support/requests.ts';
import { upstreamSession } from '../../../support/upstreams/session.ts';
import { testApp } from '../../platform/test-app.ts';

const MIB = 1024 * 1024;
const COVER = 'https://i0.hdslb.com/bfs/archive/cover.jpg';

/** Requests that reached the platform, and the response to each. */
let seen: { url: string; headers: Headers }[] = [];
let respond: (url: string) => Response | Promise<Response>;

const client = createUpstreamClient({
  userAgent: 'ours',
  states: { find: async () => null, save: async () => {} },
  random: () => 0,
  fetch: async (input, init) => {
    seen.push({ url: String(input), headers: new Headers(init?.headers) });
    return respond(String(input));
  },
});
const images = createVideosBImages(client, createMemoryPool(createIsolateMemory(12 * MIB)));
const app = testApp({ deps: { endpoints: [createVideosBImageEndpoint(images)] } });
const get = (url: string) => call(`/v1/feeds/videos-b/image?url=${encodeURIComponent(url)}`, {}, app);
const image = (bytes = 3, type: string | null = 'image/webp') =>
  new Response(new Uint8Array(bytes).fill(7), { headers: type === null ? {} : { 'Content-Type': type } });
const redirect = (location: string) => new Response(null, { status: 302, headers: { Location: location } });
const outcome = async (url: string) => {
  const { status, text } = await get(url);
  return [status, JSON.parse(text).error.code];
};

beforeEach(() => {
  seen = [];
  respond = () => image();
});

describe('GET /v1/feeds/videos-b/image', () => {
  it('proxies an image with the headers required by the platform', async () => {
    const { status, bytes, headers } = await get(COVER);
    expect([status, [...bytes]]).toEqual([200, [7, 7, 7]]);
    expect(headers.get('Content-Type')).toBe('image/webp');
    expect(headers.get('Cache-Control')).toBe('public, max-age=86400');
    expect(seen.map(({ url }) => url)).toEqual([COVER]);
    expect(seen[0]?.headers.get('Referer')).toBe('https://www.bilibili.com/');
    expect(seen[0]?.headers.get('User-Agent')).toContain('Mozilla/5.0');
  });

  it('returns image/jpeg for any other content type', async () => {
    for (const type of ['text/html', null]) {
      respond = () => image(1, type);
      expect((await get(COVER)).headers.get('Content-Type')).toBe('image/jpeg');
    }
  });

  it.each(['https://hdslb.com/a.jpg', 'https://I0.HDSLB.com/a.jpg', 'https://a.b.hdslb.com/x?y=1'])('accepts %s', async (url) => {
    expect((await get(url)).status).toBe(200);
  });

  it.each([
    'http://i0.hdslb.com/a.jpg',
    'https://example.com/a.jpg',
    'https://hdslb.com.example.com/a.jpg',
    'https://nothdslb.com/a.jpg',
    'https://hdslb.com@example.com/a.jpg',
    'https://user:secret@i0.hdslb.com/a.jpg',
    'https://i0.hdslb.com:8443/a.jpg',
    '//i0.hdslb.com/a.jpg',
    'a.jpg',
  ])('returns 422 for %s without an upstream request', async (url) => {
    expect(await outcome(url)).toEqual([400, 'bad_request']);
    expect(seen).toEqual([]);
  });

  it('requires url', async () => {
    expect((await call('/v1/feeds/videos-b/image', {}, app)).status).toBe(422);
  });

  it('follows up to three redirects within the platform', async () => {
    respond = (url) => (url === COVER ? redirect('//i1.hdslb.com/moved.jpg') : image());
    expect((await get(COVER)).status).toBe(200);
    expect(seen.map(({ url }) => url)).toEqual([COVER, 'https://i1.hdslb.com/moved.jpg']);
    respond = () => redirect(COVER);
    seen = [];
    expect(await outcome(COVER)).toEqual([502, 'internal_error']);
    expect(seen).toHaveLength(4);
  });

  it.each(['https://example.com/a.jpg', 'http://i0.hdslb.com/a.jpg', 'http://127.0.0.1/'])(
    'returns 502 for a redirect to %s',
    async (target) => {
      respond = (url) => (url === COVER ? redirect(target) : image());
      expect(await outcome(COVER)).toEqual([502, 'internal_error']);
      expect(seen).toHaveLength(1);
    },
  );

  it('returns 502 when the platform fails or the image is too large', async () => {
    for (const response of [() => new Response('no', { status: 403 }), () => Promise.reject(new Error('down')), () => image(5 * MIB + 1)]) {
      respond = response;
      expect(await outcome(COVER)).toEqual([502, 'internal_error']);
    }
  });

  it('proxies images of up to 5 MB', async () => {
    respond = () => image(5 * MIB);
    expect((await get(COVER)).bytes.byteLength).toBe(5 * MIB);
  });

  it('returns 503 while too many large images are in flight', async () => {
    const gate = Promise.withResolvers<void>();
    respond = async () => {
      await gate.promise;
      return image(2 * MIB);
    };
    const many = Array.from({ length: 4 }, () => get(COVER));
    gate.resolve();
    const statuses = (await Promise.all(many)).map(({ status }) => status).sort();
    expect(statuses.at(0)).toBe(200);
    expect(statuses.at(-1)).toBe(503);
    respond = () => image();
    expect((await get(COVER)).status).toBe(200);
  });
});

describe('a mock of the platform', () => {
  it('serves the thumbnails of its videos', async () => {
    const { VIDEOS_B_SEARCH_URL = '' } = upstreamSession('videos-b').vars;
    const now = FIRST_INSTANT;
    const mocked = testApp({ bindings: { VIDEOS_B_SEARCH_URL } });
    const page = await (await fetch(`${VIDEOS_B_SEARCH_URL}?keyword=trove`)).text();
    const covers = [...page.matchAll(/<img src="([^"@]+)/g)].map(([, path]) => `https:${path}`);
    expect(covers.length).toBeGreaterThan(0);
    for (const cover of covers) {
      const { status, headers } = await call(`/v1/feeds/videos-b/image?url=${encodeURIComponent(cover)}`, { now }, mocked);
      expect([cover, status, headers.get('Content-Type')]).toEqual([cover, 200, 'image/png']);
    }
  });
});
