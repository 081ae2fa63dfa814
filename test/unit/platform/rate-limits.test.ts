import { describe, expect, it } from 'vitest';
import { codexesRateLimit } from '../../../src/areas/codexes/codexes.settings.ts';
import { proxiedImageRateLimit } from '../../../src/areas/feeds/feeds.settings.ts';
import { modFilesRateLimit, modsCatalogRateLimit } from '../../../src/areas/mods-catalog/mods-catalog.settings.ts';
import { ocrRateLimit } from '../../../src/areas/ocr/ocr.settings.ts';
import { fileRateLimit } from '../../../src/areas/updates/updates.settings.ts';
import { ingestRateLimit, STANDARD_GROUP } from '../../../src/platform/access/policy/policy.ts';
import { rateLimitsFrom } from '../../../src/platform/access/policy/rate-limits.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';

describe('rateLimitsFrom', () => {
  const standard = rateLimitsFrom(DEFAULT_SETTINGS, 1);

  it('returns the default limits of the specification', () => {
    expect(standard.anonymous(STANDARD_GROUP).rateLimit).toEqual({ name: 'anon', limit: 30, windowSeconds: 60 });
    expect(standard.token(STANDARD_GROUP).rateLimit).toEqual({ name: 'token', limit: 120, windowSeconds: 60 });
    expect(standard.of(ingestRateLimit)).toEqual({ name: 'ingest', limit: 1, windowSeconds: 300 });
    expect(standard.of(ocrRateLimit)).toEqual({ name: 'ocr', limit: 10, windowSeconds: 60 });
  });

  it('gives the codex groups five times the standard limit in separate buckets', () => {
    expect(standard.anonymous(codexesRateLimit)).toEqual({
      bucketPrefix: 'anon:codexes:',
      rateLimit: { name: 'anon-codexes', limit: 150, windowSeconds: 60 },
    });
    expect(standard.token(codexesRateLimit)).toEqual({
      counter: 'token-codexes',
      rateLimit: { name: 'token-codexes', limit: 600, windowSeconds: 60 },
    });
    expect(standard.anonymous(STANDARD_GROUP).bucketPrefix).toBe('anon:');
    expect(standard.token(STANDARD_GROUP).counter).toBe('token');
  });

  it('shares the standard buckets with a group while its multiplier is 1 and separates them above 1', () => {
    const ones = { updatesFileRateLimitMultiplier: 1, modsCatalogRateLimitMultiplier: 1, videosBImageRateLimitMultiplier: 1 };
    const shared = rateLimitsFrom({ ...DEFAULT_SETTINGS, ...ones }, 1);
    for (const group of [fileRateLimit, modsCatalogRateLimit, proxiedImageRateLimit]) {
      expect(shared.anonymous(group)).toEqual(shared.anonymous(STANDARD_GROUP));
      expect(shared.token(group)).toEqual(shared.token(STANDARD_GROUP));
    }
    const raised = rateLimitsFrom({ ...DEFAULT_SETTINGS, updatesFileRateLimitMultiplier: 20, modsCatalogRateLimitMultiplier: 8 }, 1);
    expect(raised.anonymous(fileRateLimit)).toEqual({
      bucketPrefix: 'anon:updates-file:',
      rateLimit: { name: 'anon-updates-file', limit: 600, windowSeconds: 60 },
    });
    expect(raised.token(modsCatalogRateLimit)).toEqual({
      counter: 'token-mods-catalog',
      rateLimit: { name: 'token-mods-catalog', limit: 960, windowSeconds: 60 },
    });
    expect(raised.anonymous(STANDARD_GROUP)).toEqual(standard.anonymous(STANDARD_GROUP));
  });

  it.each([
    ['mods', modsCatalogRateLimit, 240, 960],
    ['files of mods', modFilesRateLimit, 900, 3600],
    ['archived files', fileRateLimit, 600, 2400],
    ['images of videos-b', proxiedImageRateLimit, 300, 1200],
  ])('gives %s a wider limit by default', (_, group, anonymous, token) => {
    expect(standard.anonymous(group).rateLimit).toEqual({ name: `anon-${group.name}`, limit: anonymous, windowSeconds: 60 });
    expect(standard.token(group).rateLimit).toEqual({ name: `token-${group.name}`, limit: token, windowSeconds: 60 });
  });

  it('scales limits but not windows, with a minimum of 1', () => {
    const scaled = rateLimitsFrom(DEFAULT_SETTINGS, 2.5);
    expect(scaled.anonymous(STANDARD_GROUP).rateLimit).toMatchObject({ limit: 75, windowSeconds: 60 });
    expect(scaled.token(codexesRateLimit).rateLimit.limit).toBe(1500);
    expect(scaled.of(ingestRateLimit)).toMatchObject({ limit: 3, windowSeconds: 300 });
    expect(rateLimitsFrom(DEFAULT_SETTINGS, 0.001).token(STANDARD_GROUP).rateLimit.limit).toBe(1);
  });

  it('uses the limits of changed settings', () => {
    const changed = rateLimitsFrom({ ...DEFAULT_SETTINGS, apiRateLimitMax: 7, apiRateLimitWindowSeconds: 10, ingestCooldownMax: 4 }, 1);
    expect(changed.token(STANDARD_GROUP).rateLimit).toEqual({ name: 'token', limit: 7, windowSeconds: 10 });
    expect(changed.token(codexesRateLimit).rateLimit).toMatchObject({ limit: 35, windowSeconds: 10 });
    expect(changed.of(ingestRateLimit).limit).toBe(4);
    expect(rateLimitsFrom({ ...DEFAULT_SETTINGS, ocrRateLimitMax: 2, ocrRateLimitWindowSeconds: 30 }, 1).of(ocrRateLimit)).toMatchObject({
      limit: 2,
      windowSeconds: 30,
    });
  });
});
