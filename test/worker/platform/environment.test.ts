import { describe, expect, it } from 'vitest';
import { call } from '../../support/requests.ts';
import { createToken, TOKEN_FORMAT } from '../../support/tokens.ts';
import { testApp } from './test-app.ts';

const PATH = '/v1/rotations/server-time';
/** An instant in the past, different from the real clock. */
const ASKED = 1_773_156_600;

const production = [
  ['absent', undefined],
  ['empty', ''],
  ['production', 'production'],
  ['misspelt', 'developement'],
  ['in another letter case', 'Development'],
  ['with a space', 'test '],
] as const;

describe.each(production)('ENVIRONMENT %s', (_, ENVIRONMENT) => {
  const fetch = testApp({ bindings: { ENVIRONMENT, RATE_LIMIT_MULTIPLIER: '10', TOKEN_KEY: TOKEN_FORMAT.key ?? '' }, settings: {} });

  it('is production: ignores the clock header of a request', async () => {
    const before = Math.floor(Date.now() / 1000);
    const response = await call(PATH, { now: ASKED }, fetch);
    const { now_unix: now } = JSON.parse(response.text);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(before + 60);
    expect(response.headers.get('Date')).toBe(new Date(now * 1000).toUTCString());
    expect(Number(response.headers.get('X-RateLimit-Reset'))).toBeGreaterThan(before);
  });

  it('is production: does not scale limits', async () => {
    expect((await call(PATH, {}, fetch)).headers.get('X-RateLimit-Limit')).toBe('30');
  });

  it('is production: refuses an expired token regardless of the clock header', async () => {
    const authorization = `Bearer ${await createToken({ expiresAt: ASKED + 60 })}`;
    expect((await call(PATH, { now: ASKED, authorization }, fetch)).status).toBe(401);
  });
});

describe.each(['development', 'test'])('ENVIRONMENT %s', (ENVIRONMENT) => {
  const fetch = testApp({ bindings: { ENVIRONMENT, RATE_LIMIT_MULTIPLIER: '10' }, settings: {} });

  it('accepts the clock header of a request on every endpoint and scales limits', async () => {
    const authorization = `Bearer ${await createToken({ expiresAt: ASKED + 60 })}`;
    const response = await call(PATH, { now: ASKED, authorization }, fetch);
    expect(JSON.parse(response.text).now_unix).toBe(ASKED);
    expect(response.headers.get('Date')).toBe('Tue, 10 Mar 2026 15:30:00 GMT');
    expect(response.headers.get('X-RateLimit-Limit')).toBe('1200');
    expect(response.headers.get('RateLimit')).toMatch(/;t=60$/);
    expect((await call(PATH, { now: ASKED + 61, authorization }, fetch)).status).toBe(401);
  });

  it.each(['', 'now', '-5', '1.5', '1e9', '0x10', '9999999999999'])('uses the system clock when the clock header is %j', async (clock) => {
    const response = await call(PATH, { headers: { 'X-Test-Now': clock } }, fetch);
    expect(Math.abs(JSON.parse(response.text).now_unix - Date.now() / 1000)).toBeLessThan(60);
  });
});
