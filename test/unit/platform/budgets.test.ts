import { describe, expect, it } from 'vitest';
import { codexesBudget } from '../../../src/areas/codexes/codexes.settings.ts';
import { proxiedImageBudget } from '../../../src/areas/feeds/feeds.settings.ts';
import { modFilesBudget, modsCatalogBudget } from '../../../src/areas/mods-catalog/mods-catalog.settings.ts';
import { ocrBudget } from '../../../src/areas/ocr/ocr.settings.ts';
import { fileBudget } from '../../../src/areas/updates/updates.settings.ts';
import { budgetsFrom } from '../../../src/platform/access/policy/budgets.ts';
import { STANDARD_GROUP } from '../../../src/platform/access/policy/policy.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';

describe('budgetsFrom', () => {
  const standard = budgetsFrom(DEFAULT_SETTINGS, 1);

  it('returns the default limits of the specification', () => {
    expect(standard.anonymous(STANDARD_GROUP).budget).toEqual({ name: 'anon', limit: 30, windowSeconds: 60 });
    expect(standard.token(STANDARD_GROUP).budget).toEqual({ name: 'token', limit: 120, windowSeconds: 60 });
    expect(standard.ingest).toEqual({ name: 'ingest', limit: 1, windowSeconds: 300 });
    expect(standard.of(ocrBudget)).toEqual({ name: 'ocr', limit: 10, windowSeconds: 60 });
  });

  it('gives the codex groups five times the standard limit in separate buckets', () => {
    expect(standard.anonymous(codexesBudget)).toEqual({
      bucketPrefix: 'anon:codexes:',
      budget: { name: 'anon-codexes', limit: 150, windowSeconds: 60 },
    });
    expect(standard.token(codexesBudget)).toEqual({
      counter: 'token-codexes',
      budget: { name: 'token-codexes', limit: 600, windowSeconds: 60 },
    });
    expect(standard.anonymous(STANDARD_GROUP).bucketPrefix).toBe('anon:');
    expect(standard.token(STANDARD_GROUP).counter).toBe('token');
  });

  it('shares the standard buckets with a group while its multiplier is 1 and separates them above 1', () => {
    const ones = { updatesFileRateLimitMultiplier: 1, modsCatalogRateLimitMultiplier: 1, videosBImageRateLimitMultiplier: 1 };
    const shared = budgetsFrom({ ...DEFAULT_SETTINGS, ...ones }, 1);
    for (const group of [fileBudget, modsCatalogBudget, proxiedImageBudget]) {
      expect(shared.anonymous(group)).toEqual(shared.anonymous(STANDARD_GROUP));
      expect(shared.token(group)).toEqual(shared.token(STANDARD_GROUP));
    }
    const raised = budgetsFrom({ ...DEFAULT_SETTINGS, updatesFileRateLimitMultiplier: 20, modsCatalogRateLimitMultiplier: 8 }, 1);
    expect(raised.anonymous(fileBudget)).toEqual({
      bucketPrefix: 'anon:updates-file:',
      budget: { name: 'anon-updates-file', limit: 600, windowSeconds: 60 },
    });
    expect(raised.token(modsCatalogBudget)).toEqual({
      counter: 'token-mods-catalog',
      budget: { name: 'token-mods-catalog', limit: 960, windowSeconds: 60 },
    });
    expect(raised.anonymous(STANDARD_GROUP)).toEqual(standard.anonymous(STANDARD_GROUP));
  });

  it.each([
    ['mods', modsCatalogBudget, 240, 960],
    ['files of mods', modFilesBudget, 900, 3600],
    ['archived files', fileBudget, 600, 2400],
    ['images of videos-b', proxiedImageBudget, 300, 1200],
  ])('gives %s a wider limit by default', (_, group, anonymous, token) => {
    expect(standard.anonymous(group).budget).toEqual({ name: `anon-${group.name}`, limit: anonymous, windowSeconds: 60 });
    expect(standard.token(group).budget).toEqual({ name: `token-${group.name}`, limit: token, windowSeconds: 60 });
  });

  it('scales limits but not windows, with a minimum of 1', () => {
    const scaled = budgetsFrom(DEFAULT_SETTINGS, 2.5);
    expect(scaled.anonymous(STANDARD_GROUP).budget).toMatchObject({ limit: 75, windowSeconds: 60 });
    expect(scaled.token(codexesBudget).budget.limit).toBe(1500);
    expect(scaled.ingest).toMatchObject({ limit: 3, windowSeconds: 300 });
    expect(budgetsFrom(DEFAULT_SETTINGS, 0.001).token(STANDARD_GROUP).budget.limit).toBe(1);
  });

  it('uses the limits of changed settings', () => {
    const changed = budgetsFrom({ ...DEFAULT_SETTINGS, apiRateLimitMax: 7, apiRateLimitWindowSeconds: 10, ingestCooldownMax: 4 }, 1);
    expect(changed.token(STANDARD_GROUP).budget).toEqual({ name: 'token', limit: 7, windowSeconds: 10 });
    expect(changed.token(codexesBudget).budget).toMatchObject({ limit: 35, windowSeconds: 10 });
    expect(changed.ingest.limit).toBe(4);
    expect(budgetsFrom({ ...DEFAULT_SETTINGS, ocrRateLimitMax: 2, ocrRateLimitWindowSeconds: 30 }, 1).of(ocrBudget)).toMatchObject({
      limit: 2,
      windowSeconds: 30,
    });
  });
});
