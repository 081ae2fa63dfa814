import { describe, expect, it } from 'vitest';
import { createSettingRegistry, settingProblem } from '../../../src/platform/settings/setting-values.ts';
import { MAX_STRING_SETTING, type Setting } from '../../../src/platform/settings/settings.data.ts';
import { DEFAULT_SETTINGS, SETTINGS } from '../../support/declarations.ts';

const all = Object.entries(SETTINGS.all) as [string, Setting][];

describe('setting registry', () => {
  it('has unique keys', () => {
    const keys = all.map(([, { key }]) => key);
    expect(keys).toEqual([...new Set(keys)]);
  });

  it.each(all)('accepts the default of %s', (_, setting) => {
    expect(settingProblem(setting, setting.default)).toBeNull();
  });

  it('has the documented defaults', () => {
    expect(DEFAULT_SETTINGS).toMatchObject({
      featureDelvesEnabled: false,
      featureMarketEnabled: true,
      apiRateLimitMax: 120,
      apiRateLimitWindowSeconds: 60,
      publicAnonRateLimitMax: 30,
      publicAnonRateLimitWindowSeconds: 60,
      codexesRateLimitMultiplier: 5,
      updatesFileRateLimitMultiplier: 20,
      modsCatalogRateLimitMultiplier: 8,
      modFilesRateLimitMultiplier: 30,
      videosBImageRateLimitMultiplier: 10,
      ingestCooldownMax: 1,
      ingestCooldownWindowSeconds: 300,
      feedbackPerIpMax: 3,
      feedbackPerIpWindowSeconds: 3600,
      feedbackGlobalMax: 60,
      signupRateLimitMax: 5,
      loginRateLimitMax: 10,
      loginRateLimitWindowSeconds: 300,
      delvesSourceUrl: '',
    });
  });

  it('finds a name by the stored key', () => {
    expect(SETTINGS.nameOf('api_rate_limit_max')).toBe('apiRateLimitMax');
    expect(SETTINGS.nameOf('feedback.per_ip_max')).toBe('feedbackPerIpMax');
    for (const key of ['apiRateLimitMax', 'API_RATE_LIMIT_MAX', '', 'constructor', '__proto__'])
      expect(SETTINGS.nameOf(key)).toBeUndefined();
  });
});

describe('settingProblem', () => {
  it('accepts only booleans for a boolean setting', () => {
    expect(settingProblem(SETTINGS.all.featureDelvesEnabled, true)).toBeNull();
    for (const value of [1, 0, 'true', null, undefined, []]) {
      expect(settingProblem(SETTINGS.all.featureDelvesEnabled, value)).toBe('must be true or false');
    }
  });

  it('accepts only whole numbers within the bounds for an integer', () => {
    const setting = SETTINGS.all.apiRateLimitWindowSeconds;
    for (const value of [10, 60, 86_400]) expect(settingProblem(setting, value)).toBeNull();
    for (const value of [9, 86_401, -10]) expect(settingProblem(setting, value)).toBe('must be between 10 and 86400');
    for (const value of [10.5, 59.999]) expect(settingProblem(setting, value)).toBe('must be an integer');
    for (const value of [true, '60', null, Number.NaN, Number.POSITIVE_INFINITY, {}]) {
      expect(settingProblem(setting, value)).toBe('must be a number');
    }
  });

  it('accepts integers for a decimal number', () => {
    const setting = SETTINGS.all.leaderboardsGuardCollapseFrac;
    for (const value of [0, 0.25, 1]) expect(settingProblem(setting, value)).toBeNull();
    for (const value of [-0.1, 1.01]) expect(settingProblem(setting, value)).toBe('must be between 0 and 1');
    expect(settingProblem(setting, '0.5')).toBe('must be a number');
  });

  it('accepts text up to the maximum length', () => {
    const setting = SETTINGS.all.delvesSourceUrl;
    expect(settingProblem(setting, '')).toBeNull();
    expect(settingProblem(setting, 'x'.repeat(MAX_STRING_SETTING))).toBeNull();
    expect(settingProblem(setting, 'x'.repeat(MAX_STRING_SETTING + 1))).toMatch(/at most 4000/);
    expect(settingProblem(setting, 5)).toBe('must be a string');
  });
});

describe('valuesFrom', () => {
  it('returns stored values and the defaults of settings that are not stored', () => {
    const settings = SETTINGS.valuesFrom([
      { key: 'api_rate_limit_max', value: '7' },
      { key: 'feature_delves_enabled', value: 'true' },
      { key: 'feedback.chat_webhook', value: '"https://chat.test/hook"' },
    ]);
    expect(settings).toEqual({
      ...DEFAULT_SETTINGS,
      apiRateLimitMax: 7,
      featureDelvesEnabled: true,
      feedbackChatWebhook: 'https://chat.test/hook',
    });
  });

  it.each([
    ['no JSON', 'seven'],
    ['empty', ''],
    ['cut off', '"7'],
    ['of another type', '"7"'],
    ['a boolean', 'true'],
    ['null', 'null'],
    ['out of bounds', '0'],
    ['too large', '1e9'],
    ['not whole', '7.5'],
    ['not finite', '1e999'],
  ])('returns the default when the stored row is %s', (_, value) => {
    expect(SETTINGS.valuesFrom([{ key: 'api_rate_limit_max', value }])).toEqual(DEFAULT_SETTINGS);
  });

  it('ignores unknown keys', () => {
    expect(
      SETTINGS.valuesFrom([
        { key: 'long_gone', value: '1' },
        { key: '__proto__', value: '{"apiRateLimitMax":1}' },
      ]),
    ).toEqual(DEFAULT_SETTINGS);
  });
});

describe('createSettingRegistry', () => {
  const setting = (key: string): Setting => ({ type: 'bool', key, default: true, category: 'features', purpose: 'test' });

  it('throws when two areas declare the same key or the same name', () => {
    const message = 'two settings share a name or a key';
    expect(() => createSettingRegistry([{ one: setting('a') }, { two: setting('a') }])).toThrow(message);
    expect(() => createSettingRegistry([{ one: setting('a') }, { one: setting('b') }])).toThrow(message);
  });
});
