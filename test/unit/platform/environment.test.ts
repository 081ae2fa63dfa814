import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/platform/settings/environment.ts';

describe('readEnvironment', () => {
  it.each([undefined, '', 'production', 'Development', 'TEST', 'dev', 'develop', 'testing', ' test', 'test ', 'development,test', 'true'])(
    'treats %j as production, with enforced limits',
    (name) => {
      const vars = {
        RATE_LIMIT_MULTIPLIER: '50',
        WEBHOOK_POST_BASE: 'http://127.0.0.1:9825',
        SIGNED_WEBHOOK_POST_BASE: 'http://127.0.0.1:9827',
        DEMO_DATA: 'on',
      };
      expect(readEnvironment({ ...(name === undefined ? {} : { ENVIRONMENT: name }), ...vars })).toEqual({
        isNonProduction: false,
        signedBaseUrlOverride: null,
        rateLimitScale: 1,
        linkProblem: 'BASE_URL is empty: mails with links are not sent',
        chatBaseUrlOverride: null,
        isDemo: false,
        logSample: 0.1,
      });
    },
  );

  it.each(['development', 'test'])('is non-production when ENVIRONMENT is exactly %s', (ENVIRONMENT) => {
    expect(readEnvironment({ ENVIRONMENT, RATE_LIMIT_MULTIPLIER: '50' })).toMatchObject({ isNonProduction: true, rateLimitScale: 50 });
    expect(readEnvironment({ ENVIRONMENT, RATE_LIMIT_MULTIPLIER: '0.5' }).rateLimitScale).toBe(0.5);
  });

  it.each(['development', 'test'])('replaces the Discord hosts in %s when WEBHOOK_POST_BASE is set', (ENVIRONMENT) => {
    const WEBHOOK_POST_BASE = 'http://127.0.0.1:9825';
    expect(readEnvironment({ ENVIRONMENT, WEBHOOK_POST_BASE }).chatBaseUrlOverride).toBe(WEBHOOK_POST_BASE);
    expect(readEnvironment({ ENVIRONMENT, WEBHOOK_POST_BASE: '' }).chatBaseUrlOverride).toBeNull();
  });

  it.each(['development', 'test'])('marks the data as demo data in %s when DEMO_DATA is "on"', (ENVIRONMENT) => {
    expect(readEnvironment({ ENVIRONMENT, DEMO_DATA: 'on' }).isDemo).toBe(true);
    expect(readEnvironment({ ENVIRONMENT, DEMO_DATA: '' }).isDemo).toBe(false);
  });

  it('allows mail with links in production only when BASE_URL is set, and always in other environments', () => {
    expect(readEnvironment({ ENVIRONMENT: 'production', BASE_URL: 'https://api.example' }).linkProblem).toBeNull();
    expect(readEnvironment({ ENVIRONMENT: 'development', BASE_URL: '' }).linkProblem).toBeNull();
  });

  it.each([
    ['0', 0],
    ['0.25', 0.25],
    ['1', 1],
    ['', 0.1],
    ['-1', 0.1],
    ['2', 0.1],
    ['many', 0.1],
  ])('logs a share of requests in production for LOG_SAMPLE %j: %d', (LOG_SAMPLE, share) => {
    expect(readEnvironment({ ENVIRONMENT: 'production', LOG_SAMPLE }).logSample).toBe(share);
  });

  it.each(['development', 'test'])('logs every request in %s unless LOG_SAMPLE is set', (ENVIRONMENT) => {
    expect(readEnvironment({ ENVIRONMENT, LOG_SAMPLE: '' }).logSample).toBe(1);
    expect(readEnvironment({ ENVIRONMENT, LOG_SAMPLE: '0.5' }).logSample).toBe(0.5);
  });

  it.each([undefined, '', '0', '-1', 'many', 'Infinity', 'NaN'])('ignores the RATE_LIMIT_MULTIPLIER %j', (multiplier) => {
    const env = { ENVIRONMENT: 'test', ...(multiplier === undefined ? {} : { RATE_LIMIT_MULTIPLIER: multiplier }) };
    expect(readEnvironment(env).rateLimitScale).toBe(1);
  });
});
