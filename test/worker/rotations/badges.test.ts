import { env } from 'cloudflare:workers';
import { parseXml } from '@rgrove/parse-xml';
import { drizzle } from 'drizzle-orm/d1';
import { describe, expect, it } from 'vitest';
import { BADGE_NAMES } from '../../../src/areas/rotations/badges/badges.routes.ts';
import { challengeCaptures } from '../../../src/areas/rotations/schedules/rotations.tables.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

/** Tuesday 2026-03-10 15:30:30 UTC: in a challenge gap, while Fluxion is present. */
const NOW = 1_773_156_630;
const HOSTILE = `"><script>alert(1)</script>'&`;
const app = testApp();
const badge = (name: string, now = NOW, headers = {}) => call(`/v1/rotations/badge/${name}.svg`, { now, headers }, app);
const titleOf = (text: string) => /<title>([^<]*)<\/title>/.exec(text)?.[1];

describe('GET /v1/rotations/badge/{name}.svg', () => {
  it.each(BADGE_NAMES)('returns %s, cacheable until it changes', async (name) => {
    const { status, headers, text } = await badge(name);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('image/svg+xml');
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    const [, seconds] = /^public, max-age=(\d+)$/.exec(headers.get('Cache-Control') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(1);
    expect(Number(seconds)).toBeLessThanOrEqual(300);
    expect(() => parseXml(text)).not.toThrow();
    expect(titleOf(text)).toMatch(/^[^:]+: .+/);
    const etag = headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect((await badge(name, NOW, { 'If-None-Match': etag })).status).toBe(304);
  });

  it('changes with the rotation and is not cacheable longer', async () => {
    const end = 1_773_399_600;
    const before = await badge('fluxion', end - 7);
    expect(titleOf(before.text)).toMatch(/^Fluxion: (voting|selling) until Fri 13 Mar$/);
    expect(before.headers.get('Cache-Control')).toBe('public, max-age=7');
    const after = await badge('fluxion', end);
    expect(titleOf(after.text)).toBe('Fluxion: back Tue 17 Mar');
    expect(after.headers.get('ETag')).not.toBe(before.headers.get('ETag'));
  });

  it('escapes a reported name', async () => {
    const start = 1_773_158_400;
    await drizzle(env.DB)
      .insert(challengeCaptures)
      .values({ windowAnchorAt: start, name: HOSTILE, isFridayWindow: false, capturedAt: start + 5 });
    const { text, headers } = await call('/v1/rotations/badge/challenge.svg', { now: start + 10 }, testApp());
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script');
    expect(headers.get('Cache-Control')).toBe('public, max-age=30');
  });

  it('returns 404 for unknown names', async () => {
    for (const name of ['server-time', 'none', '%2e%2e', '"><x'])
      expect(JSON.parse((await badge(name)).text).error.code, name).toBe('not_found');
    const { status } = await call('/v1/rotations/badge/corruxion', { now: NOW }, app);
    expect(status).toBe(404);
  });
});

describe('GET /v1/misc/badge/game-status.svg', () => {
  it('returns the overall status', async () => {
    const { status, headers, text } = await call('/v1/misc/badge/game-status.svg', {}, app);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('image/svg+xml');
    expect(headers.get('Cache-Control')).toBe('public, max-age=30');
    expect(headers.get('ETag')).toMatch(/^"[\w-]+"$/);
    expect(titleOf(text)).toBe('Game servers: unknown');
  });

  it('returns 404 when the feature is off', async () => {
    const off = testApp({ settings: { featureServerStatusEnabled: false } });
    expect((await call('/v1/misc/badge/game-status.svg', {}, off)).status).toBe(404);
  });
});
