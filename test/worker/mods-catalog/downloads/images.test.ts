import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createImageVariants } from '../../../../src/areas/mods-catalog/downloads/image-variants.service.ts';
import { createMemoryPool } from '../../../../src/platform/http/bodies/memory-pool.ts';
import { shrinkImage } from '../../../../src/platform/kit/images/shrink-image.ts';
import { renderSvg } from '../../../../src/platform/kit/images/svg-renderer.ts';
import { createIsolateMemory, ISOLATE_RATE_LIMIT_BYTES, isolateMemory } from '../../../../src/platform/kit/isolate-memory.ts';
import { readImageHeader } from '../../../../src/platform/kit/values/image-header.ts';
import { call } from '../../../support/requests.ts';
import { base64, clearCatalog, publish } from '../catalog.ts';

beforeAll(clearCatalog);

/** A PNG of a circle with the given size. */
const circle = (width: number, height: number) =>
  renderSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="200" cy="150" r="100" fill="#f80"/></svg>`,
  );

describe('GET /v1/mods/images/{sha256} with w', () => {
  it('returns a proportional WebP, or the original if it is not wider', async () => {
    const original = await circle(800, 601);
    const { mod } = await publish({ title: 'Resized', banner_base64: base64(original) });
    const path = new URL(mod.banner_url).pathname;
    const small = await call(`${path}?w=400`);
    expect([small.status, small.headers.get('Content-Type')]).toEqual([200, 'image/webp']);
    expect(small.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(readImageHeader(small.bytes)).toMatchObject({ type: 'image/webp', width: 400, height: 301, animated: false });
    const again = await call(`${path}?w=400`, { headers: { 'If-None-Match': small.headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
    expect(readImageHeader((await call(`${path}?w=708`)).bytes)).toMatchObject({ width: 708, height: 532 });
    for (const query of ['?w=1416', '?w=', '']) expect((await call(path + query)).bytes, query).toEqual(original);
  });

  it('returns the original if decoding fails', async () => {
    const broken = (await circle(900, 300)).map((byte, index) => (index > 60 ? 0 : byte));
    const { mod } = await publish({ title: 'Broken', banner_base64: base64(broken) });
    expect((await call(`${new URL(mod.banner_url).pathname}?w=400`)).bytes).toEqual(broken);
  });
});

it('shrinkImage returns null if the image is too large, truncated or undecodable', async () => {
  expect(await shrinkImage(await circle(3800, 1000), 400)).toBeNull();
  const tall = await circle(1500, 2000);
  expect(await shrinkImage(tall, 1416)).toBeNull();
  expect(await shrinkImage(tall, 708)).not.toBeNull();
  for (const bytes of [[], [1, 2, 3], [...(await circle(800, 600)).subarray(0, 40)]]) {
    expect(await shrinkImage(new Uint8Array(bytes), 400)).toBeNull();
  }
});

describe('createImageVariants', () => {
  const context = { signal: new AbortController().signal, waitUntil: () => {} };
  const uncached = { bytes: async (_: string, read: () => Promise<Uint8Array<ArrayBuffer> | null>) => read() };
  const bytes = new Uint8Array([1, 2, 3]);

  it('resizes an image once, also after a failure', async () => {
    const made: number[] = [];
    const variants = createImageVariants({
      ...{
        bucket: env.ARCHIVE,
        store: { bytes: async () => bytes },
        memory: createMemoryPool(createIsolateMemory(8 << 20)),
        contents: uncached,
      },
      async shrink(_, width) {
        made.push(width);
        if (width === 708) throw new Error('trap');
        return width === 400 ? bytes : null;
      },
    });
    for (let round = 0; round < 2; round += 1) {
      expect(await variants.variantOf('once', '400', context)).toEqual(bytes);
      expect(await variants.variantOf('once', '708', context)).toBeNull();
      expect(await variants.variantOf('once', '1416', context)).toBeNull();
    }
    expect(made).toEqual([400, 708, 1416]);
  });

  it('returns busy above the concurrency limit', async () => {
    const variants = createImageVariants({
      ...{
        bucket: env.ARCHIVE,
        store: { bytes: async () => bytes },
        memory: createMemoryPool(createIsolateMemory(0)),
        shrink: async () => bytes,
      },
      contents: uncached,
    });
    expect(await variants.variantOf('busy', '400', context)).toBe('busy');
  });

  it('returns busy if the isolate has too little memory to decode the image', async () => {
    const original = await circle(1600, 2000);
    const variants = createImageVariants({
      bucket: env.ARCHIVE,
      store: { bytes: async () => original },
      memory: createMemoryPool(createIsolateMemory(8 << 20)),
      contents: uncached,
      shrink: shrinkImage,
    });
    const others = ISOLATE_RATE_LIMIT_BYTES - 40 * 1024 * 1024;
    isolateMemory.take(others);
    try {
      expect(await variants.variantOf('large', '400', context)).toBe('busy');
    } finally {
      isolateMemory.refund(others);
    }
    expect(await variants.variantOf('large', '400', context)).toBeInstanceOf(Uint8Array);
  });
});
