import { describe, expect, it } from 'vitest';
import { budgetsFrom } from '../../../src/platform/access/policy/budgets.ts';
import { DEFAULT_SETTINGS } from '../../../src/platform/settings/settings.data.ts';

describe('budgetsFrom', () => {
  const standard = budgetsFrom(DEFAULT_SETTINGS, 1);

  it('has the specified defaults', () => {
    expect(standard.anonymous('standard').budget).toEqual({ name: 'anon', limit: 30, windowSeconds: 60 });
    expect(standard.token('standard').budget).toEqual({ name: 'token', limit: 120, windowSeconds: 60 });
    expect(standard.ingest).toEqual({ name: 'ingest', limit: 1, windowSeconds: 300 });
    expect(standard.ocr).toEqual({ name: 'ocr', limit: 10, windowSeconds: 60 });
  });

  it('gives the codexes five times as much, in buckets of their own', () => {
    expect(standard.anonymous('codexes')).toEqual({
      bucketPrefix: 'anon:codexes:',
      budget: { name: 'anon-codexes', limit: 150, windowSeconds: 60 },
    });
    expect(standard.token('codexes')).toEqual({
      counter: 'token-codexes',
      budget: { name: 'token-codexes', limit: 600, windowSeconds: 60 },
    });
    expect(standard.anonymous('standard').bucketPrefix).toBe('anon:');
    expect(standard.token('standard').counter).toBe('token');
  });

  it('lets a group share the standard buckets while its multiplier is 1, and gives it its own above', () => {
    for (const group of ['updates-file', 'mods-catalog', 'videos-b-image'] as const) {
      expect(standard.anonymous(group)).toEqual(standard.anonymous('standard'));
      expect(standard.token(group)).toEqual(standard.token('standard'));
    }
    const raised = budgetsFrom({ ...DEFAULT_SETTINGS, updatesFileRateLimitMultiplier: 20, modsCatalogRateLimitMultiplier: 8 }, 1);
    expect(raised.anonymous('updates-file')).toEqual({
      bucketPrefix: 'anon:updates-file:',
      budget: { name: 'anon-updates-file', limit: 600, windowSeconds: 60 },
    });
    expect(raised.token('mods-catalog')).toEqual({
      counter: 'token-mods-catalog',
      budget: { name: 'token-mods-catalog', limit: 960, windowSeconds: 60 },
    });
    expect(raised.anonymous('standard')).toEqual(standard.anonymous('standard'));
  });

  it('scales limits and not windows, and never to nothing', () => {
    const scaled = budgetsFrom(DEFAULT_SETTINGS, 2.5);
    expect(scaled.anonymous('standard').budget).toMatchObject({ limit: 75, windowSeconds: 60 });
    expect(scaled.token('codexes').budget.limit).toBe(1500);
    expect(scaled.ingest).toMatchObject({ limit: 3, windowSeconds: 300 });
    expect(budgetsFrom(DEFAULT_SETTINGS, 0.001).token('standard').budget.limit).toBe(1);
  });

  it('follows the settings', () => {
    const changed = budgetsFrom({ ...DEFAULT_SETTINGS, apiRateLimitMax: 7, apiRateLimitWindowSeconds: 10, ingestCooldownMax: 4 }, 1);
    expect(changed.token('standard').budget).toEqual({ name: 'token', limit: 7, windowSeconds: 10 });
    expect(changed.token('codexes').budget).toMatchObject({ limit: 35, windowSeconds: 10 });
    expect(changed.ingest.limit).toBe(4);
    expect(budgetsFrom({ ...DEFAULT_SETTINGS, ocrRateLimitMax: 2, ocrRateLimitWindowSeconds: 30 }, 1).ocr).toMatchObject({
      limit: 2,
      windowSeconds: 30,
    });
  });
});
