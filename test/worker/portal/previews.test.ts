import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Staged, stageEntry } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { deleteExpiredPreviews } from '../../../src/areas/portal/previews/previews.service.ts';
import { createRateLimiter } from '../../../src/platform/access/limits/rate-limiter.ts';
import { addressBucket } from '../../../src/platform/access/policy/addresses.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { PATHS, SMALL_CODEX } from '../../support/codex/small-codex.ts';
import { call, freshInstant, HOME_ADDRESS } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const CAT = `/og/codex/mount.png?path=${encodeURIComponent(PATHS.cat)}`;
const app = testApp();

beforeAll(async () => {
  const writes = createCodexWrites(createDatabase(env.DB));
  const staged: Staged = {};
  for (const entry of SMALL_CODEX) stageEntry(staged, entry, 'first', 'added');
  await writes.stageRows('live-us', 1, staged);
  await writes.applyBuild({ branch: 'live-us', ordinal: 1, parserVersion: PARSER_VERSION, now: 1_780_930_452 });
});

const countStoredImages = async () => (await env.ARCHIVE.list({ prefix: 'previews/' })).objects.length;
const sizeOf = (png: Uint8Array) => {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
};

describe('GET /og/*', () => {
  it.each(['/og/front.png', '/og/status.png', CAT])('returns %s as a cacheable PNG of 1200 x 630', async (path) => {
    const { status, headers, bytes } = await call(path, {}, app);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('image/png');
    expect(headers.get('Cache-Control')).toBe('public, max-age=86400');
    expect(headers.get('ETag')).toMatch(/^"[0-9a-f]{64}"$/);
    expect(sizeOf(bytes)).toEqual([1200, 630]);
    expect(bytes.length).toBeLessThan(150_000);
    const again = await call(path, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } }, app);
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  const withoutFonts = () =>
    testApp({ bindings: { ASSETS: { fetch: async () => new Response(null, { status: 404 }) } as unknown as Fetcher } });

  it('renders an image once and serves the stored copy afterwards', async () => {
    const first = await call(CAT, {}, app);
    const before = await countStoredImages();
    const second = await call(CAT, {}, withoutFonts());
    expect(second.bytes).toEqual(first.bytes);
    expect(await countStoredImages()).toBe(before);
  });

  it('returns 503 when the fonts cannot be loaded', async () => {
    const { status, text } = await call(`/og/codex/mount.png?path=${encodeURIComponent(PATHS.lion)}`, {}, withoutFonts());
    expect(status).toBe(503);
    expect(text).toContain('"code":"service_unavailable"');
  });

  it('returns 429 after 30 new renderings of an address, and still serves stored images', async () => {
    const now = freshInstant();
    // As 28 renderings do.
    const address = addressBucket('preview-drawings:', { callerAddress: HOME_ADDRESS, location: null });
    const limiter = createRateLimiter(env.RATE_LIMITS);
    for (let made = 0; made < 28; made += 1) await limiter.charge(address, { name: 'preview-drawings', limit: 30, windowSeconds: 60 }, now);
    const statusOf = async (name: string) => (await call('/og/front.png', { now }, testApp({ bindings: { APP_NAME: name } }))).status;
    const statuses: number[] = [];
    for (const name of ['one', 'two', 'three', 'four']) statuses.push(await statusOf(name));
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(await statusOf('two')).toBe(200);
  });

  it('returns 404 for an unknown entry, type, mod or page', async () => {
    for (const path of ['/og/codex/mount.png?path=none', '/og/codex/planet.png?path=x', '/og/mods/ana/none.png', '/og/none.png'])
      expect((await call(path, {}, app)).status, path).toBe(404);
    expect((await call('/og/codex/mount.png', {}, app)).status).toBe(422);
  });
});

describe('preview tags of pages', () => {
  const tagOf = (text: string, name: string) =>
    new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&');

  it.each(['/', `/codex/mount/entry?path=${encodeURIComponent(PATHS.cat)}`])(
    'includes title, description and image on %s',
    async (path) => {
      const { text } = await call(path, {}, app);
      for (const name of ['og:title', 'og:description', 'og:url', 'og:image']) expect(tagOf(text, name), name).toBeTruthy();
      expect(tagOf(text, 'twitter:card')).toBe('summary_large_image');
      const image = tagOf(text, 'og:image') ?? '';
      expect(image).toMatch(/^https:\/\//);
      const { pathname, search } = new URL(image);
      expect((await call(pathname + search, {}, app)).status).toBe(200);
    },
  );
});

describe('deleteExpiredPreviews', () => {
  it('deletes stored images after 30 days, within 16 daily runs', async () => {
    await call(CAT, {}, app);
    const now = Math.floor(Date.now() / 1000);
    const day = 86_400;
    for (let run = 0; run < 16; run += 1) await deleteExpiredPreviews(env.ARCHIVE, now + (13 + run) * day);
    expect(await countStoredImages()).toBeGreaterThan(0);
    for (let run = 0; run < 16; run += 1) await deleteExpiredPreviews(env.ARCHIVE, now + (31 + run) * day);
    expect(await countStoredImages()).toBe(0);
  });
});
