import { describe, expect, it } from 'vitest';
import { admitEarly } from '../../../src/platform/http/pipeline/early-admission.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';

describe('admitEarly', () => {
  it('returns the decision if the settings that it read have the expected values', async () => {
    const early = admitEarly(DEFAULT_SETTINGS, async ({ apiRateLimitMax }) => apiRateLimitMax);
    expect(await early.under({ ...DEFAULT_SETTINGS, sessionRateLimitMax: 1 })).toBe(DEFAULT_SETTINGS.apiRateLimitMax);
  });

  it('returns null if a setting that the decision read has another value', async () => {
    const early = admitEarly(DEFAULT_SETTINGS, async ({ apiRateLimitMax }) => apiRateLimitMax);
    expect(await early.under({ ...DEFAULT_SETTINGS, apiRateLimitMax: 1 })).toBeNull();
  });

  it('throws the error of a refusal only if the settings confirm it', async () => {
    const early = admitEarly(DEFAULT_SETTINGS, async ({ apiRateLimitMax }) => {
      throw new Error(`refused at ${apiRateLimitMax}`);
    });
    await expect(early.under(DEFAULT_SETTINGS)).rejects.toThrow('refused at');
    expect(await early.under({ ...DEFAULT_SETTINGS, apiRateLimitMax: 1 })).toBeNull();
  });
});
