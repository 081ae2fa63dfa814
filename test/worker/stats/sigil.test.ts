import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SHIELD_THRESHOLDS, SIGIL_ART_VERSION, WING_THRESHOLDS } from '../../../src/areas/stats/sigil.domain.ts';
import { createSigilRenderer } from '../../../src/areas/stats/sigil.routes.ts';
import { digestOf } from '../../../src/platform/http/replies/reply.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const fetch = testApp({ settings: {} });

const sigil = (query = '', headers: Record<string, string> = {}) => call(`/v1/stats/sigil${query}`, { headers }, fetch);
const etagOf = async (query: string) => (await sigil(query)).headers.get('ETag');

/** Width, height and alpha of the first pixel of an 8-bit PNG. */
function readPng(bytes: Uint8Array): { width: number; height: number; corner: number | undefined } {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const data: Uint8Array[] = [];
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (name === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const pixels = inflateSync(Buffer.concat(data));
  return { width: view.getUint32(16), height: view.getUint32(20), corner: pixels[4] };
}

describe('GET /v1/stats/sigil', () => {
  it('returns an 88-pixel transparent image, public, cacheable for a day', async () => {
    const { status, headers, bytes } = await sigil('?power_rank=31250&mastery=840');
    expect([status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([200, 'image/png', 'public, max-age=86400']);
    expect([...bytes.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
    expect(readPng(bytes)).toEqual({ width: 88, height: 88, corner: 0 });
  });

  it('returns a double-size image for scale=2', async () => {
    expect(readPng((await sigil('?scale=2')).bytes)).toMatchObject({ width: 176, height: 176 });
  });

  it('defaults to the lowest tiers', async () => {
    expect([...(await sigil()).bytes]).toEqual([...(await sigil('?power_rank=249&mastery=9&scale=1')).bytes]);
  });

  it('has an ETag of tiers, scale and art version', async () => {
    expect(await etagOf('?power_rank=31250&mastery=840')).toBe(`"sigil-${SIGIL_ART_VERSION}-12-19-1"`);
    expect(await etagOf('?power_rank=30000&mastery=800')).toBe(`"sigil-${SIGIL_ART_VERSION}-12-19-1"`);
    expect(await etagOf('?power_rank=30000&mastery=800&scale=2')).toBe(`"sigil-${SIGIL_ART_VERSION}-12-19-2"`);
  });

  it('accepts values of any size', async () => {
    const top = `"sigil-${SIGIL_ART_VERSION}-19-25-1"`;
    for (const huge of ['65000', '9007199254740993', '9'.repeat(400)])
      expect(await etagOf(`?power_rank=${huge}&mastery=${huge}`)).toBe(top);
  });

  it('returns 304 when the ETag matches', async () => {
    const etag = (await etagOf('?power_rank=700')) ?? '';
    const { status, bytes } = await sigil('?power_rank=800', { 'If-None-Match': etag });
    expect([status, bytes.length]).toEqual([304, 0]);
  });

  it.each(['power_rank=-1', 'power_rank=1.5', 'power_rank=1e3', 'mastery=abc', 'mastery=%201', 'scale=3', 'scale=0', 'scale=2.0'])(
    'returns 422 for %s',
    async (query) => {
      const { status, text } = await sigil(`?${query}`);
      expect([status, JSON.parse(text).error.details[0].loc]).toEqual([422, ['query', query.split('=')[0]]]);
    },
  );

  it('handles concurrent first requests', async () => {
    const app = testApp({ settings: {} });
    const responses = await Promise.all(Array.from({ length: 12 }, (_, index) => call(`/v1/stats/sigil?mastery=${index * 100}`, {}, app)));
    expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });
});

describe('sigil art', () => {
  const render = createSigilRenderer();

  it('is different for every tier', async () => {
    const shields = SHIELD_THRESHOLDS.map((_, shield) => ({ shield, wings: 0 }));
    const wings = WING_THRESHOLDS.map((_, tier) => ({ shield: 0, wings: tier }));
    const digests = new Set<string>();
    for (const tiers of [...shields, ...wings]) digests.add(digestOf(await render(tiers, 1)));
    expect(digests.size).toBe(SHIELD_THRESHOLDS.length + WING_THRESHOLDS.length - 1);
  });

  it('changes only together with its version', async () => {
    const parts = [
      await render({ shield: 0, wings: 0 }, 1),
      await render({ shield: 7, wings: 13 }, 1),
      await render({ shield: 14, wings: 25 }, 2),
    ];
    expect([SIGIL_ART_VERSION, ...parts.map(digestOf)]).toEqual([1, '9_E3z_8FlnBpVK_O', 'JYKtGYo1YuJS2I0Z', '9OCDsKgxjufOZUEp']);
  });
});
