import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { INTERNAL_ERROR } from '../../support/internal-error.ts';
import { bearer, call, type TestResponse } from '../../support/requests.ts';
import { changeToken, createAccount, createToken, newToken, notifyGate } from '../../support/tokens.ts';
import { testApp } from './test-app.ts';

const PATH = '/v1/rotations/server-time';
const NOW = 1_773_156_600;

/** The status with the bucket that was charged. */
const summaryOf = ({ status, headers }: TestResponse) => `${status} ${headers.get('RateLimit-Policy') ?? '-'}`;

describe('token in use', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('is refused permanently and at once after its revocation', async () => {
    const secret = await createToken();
    const send = async () => call(PATH, { authorization: bearer(secret), now: NOW });
    expect((await send()).status).toBe(200);
    await changeToken(secret, 'revoked = 1');
    const refused = await send();
    expect([refused.status, refused.headers.get('WWW-Authenticate'), JSON.parse(refused.text).error.code]).toEqual([
      401,
      'Bearer',
      'not_authenticated',
    ]);
    expect((await call('/v1/token', { authorization: bearer(secret), now: NOW })).status).toBe(401);
  });

  it('gets the same 401 when it is revoked, forged or unknown, or its account is deleted or inactive', async () => {
    const texts = new Set<string>();
    const secrets = [
      await createToken({ row: { revoked: true } }),
      await createToken({ userId: await createAccount({ isActive: false }) }),
      await createToken({ userId: 'nobody' }),
      `gda_${'A'.repeat(43)}_nYPti`,
      newToken().secret,
    ];
    for (const secret of secrets) {
      const response = await call(PATH, { authorization: bearer(secret), now: NOW });
      expect(summaryOf(response)).toBe('401 -');
      texts.add(response.text);
    }
    expect(texts.size).toBe(1);
  });

  it('moves between token and anonymous rate limits as its scopes change', async () => {
    const secret = await createToken({ scopes: 1 });
    const send = async () => summaryOf(await call(PATH, { authorization: bearer(secret), now: NOW }));
    expect(await send()).toBe('200 "token";q=120;w=60');
    await changeToken(secret, 'scopes = 2');
    expect(await send()).toBe('200 "anon";q=30;w=60');
    await changeToken(secret, 'scopes = 0');
    expect(await send()).toBe('200 "token";q=120;w=60');
  });

  it('is accepted from its networks only, in any notation of the address', async () => {
    const secret = await createToken({ allowedIps: ['198.51.100.0/24', '2001:db8:aaaa::/48'] });
    const send = async (address: string | null) => {
      const response = await call(PATH, { authorization: bearer(secret), now: NOW, address });
      return `${response.status} ${response.headers.get('X-RateLimit-Limit')}`;
    };
    for (const address of ['198.51.100.200', '::ffff:198.51.100.1', '2001:DB8:AAAA:5::1']) expect(await send(address)).toBe('200 120');
    for (const address of ['198.51.101.1', '2001:db8:aaab::1', 'nowhere', null]) expect(await send(address)).toBe('403 null');
  });

  it('ignores client addresses in other headers', async () => {
    const authorization = bearer(await createToken({ allowedIps: ['198.51.100.7'] }));
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'True-Client-IP', 'Forwarded', 'CF-Connecting-IPv6']) {
      const response = await call(PATH, { authorization, now: NOW, headers: { [name]: '198.51.100.7' } });
      expect(JSON.parse(response.text).error.code).toBe('ip_not_allowed');
    }
  });

  it('keeps its counts when its gate receives a change', async () => {
    const secret = await createToken();
    const remaining = async () => (await call(PATH, { authorization: bearer(secret), now: NOW })).headers.get('X-RateLimit-Remaining');
    expect(await remaining()).toBe('119');
    await notifyGate(secret);
    expect(await remaining()).toBe('118');
  });

  it('is refused as revoked within one second while its rate limit blocks it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const fetch = testApp({ settings: { apiRateLimitMax: 1 } });
    const secret = await createToken();
    const status = async () => (await call(PATH, { authorization: bearer(secret), now: NOW }, fetch)).status;
    expect([await status(), await status()]).toEqual([200, 429]);
    await changeToken(secret, 'revoked = 1');
    vi.setSystemTime(Date.now() + 1000);
    expect(await status()).toBe(401);
  });
});

describe('unavailable token table', () => {
  const rename = (from: string, to: string) => env.DB.prepare(`ALTER TABLE ${from} RENAME TO ${to}`).run();

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('does not affect cached tokens and anonymous clients, and returns 500 without details for other tokens', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const fetch = testApp();
    const [known, other] = [bearer(await createToken()), bearer(await createToken())];
    expect((await call(PATH, { authorization: known, now: NOW }, fetch)).status).toBe(200);
    await rename('api_tokens', 'api_tokens_away');
    try {
      expect((await call(PATH, { authorization: known, now: NOW }, fetch)).status).toBe(200);
      expect((await call(PATH, { now: NOW }, fetch)).status).toBe(200);
      const unknown = await call(PATH, { authorization: other, now: NOW }, fetch);
      expect([unknown.status, JSON.parse(unknown.text)]).toEqual([500, { error: INTERNAL_ERROR }]);
    } finally {
      await rename('api_tokens_away', 'api_tokens');
    }
  });
});
