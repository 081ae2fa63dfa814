import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bearer, call, type TestResponse } from '../../support/requests.ts';
import { createToken, newToken } from '../../support/tokens.ts';
import { testApp } from './test-app.ts';

const PATH = '/v1/rotations/server-time';
const START_MS = Date.UTC(2026, 2, 10, 15, 30);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A token with valid check characters that is not stored. */
const unknownToken = () => newToken().secret;

let addresses = 0;

/** A new isolate, and a new address. */
function isolate() {
  addresses += 1;
  const address = `198.51.100.${addresses}`;
  const fetch = testApp();
  const use = (token: string, from = address) => call(PATH, { authorization: bearer(token), address: from }, fetch);
  return {
    use,
    /** Sends unknown tokens until the address has used up its free look-ups. */
    async miss(count = 20): Promise<void> {
      for (let miss = 0; miss < count; miss += 1) expect((await use(unknownToken())).status).toBe(401);
    },
  };
}

/** Uses the look-up of the current second, so that the next unknown token must wait. */
async function useLookup(use: (token: string) => Promise<TestResponse>): Promise<void> {
  expect((await use(unknownToken())).status).toBe(401);
}

describe('a valid token from an IP address that sent 20 unknown tokens', () => {
  it('is looked up within the next second and admitted', async () => {
    const { use, miss } = isolate();
    await miss();
    const token = await createToken();
    expect((await use(token)).status).toBe(200);
    expect((await use(token)).status).toBe(200);
  });

  it('gets 429 with Retry-After instead of 401 when the look-up of the current second is used', async () => {
    const { use, miss } = isolate();
    await miss();
    await useLookup(use);
    const token = await createToken();
    const refused = await use(token);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
    expect(JSON.parse(refused.text).error).toMatchObject({ code: 'rate_limited', details: { limit: 1, window_seconds: 1 } });
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('0');
    vi.setSystemTime(START_MS + 1000);
    expect((await use(token)).status).toBe(200);
  });

  it('is admitted at once when the isolate has it cached', async () => {
    const { use, miss } = isolate();
    const token = await createToken();
    expect((await use(token)).status).toBe(200);
    await miss();
    await useLookup(use);
    expect((await use(token)).status).toBe(200);
  });

  it('is admitted at once from another IP address', async () => {
    const { use, miss } = isolate();
    await miss();
    await useLookup(use);
    expect((await use(await createToken(), '203.0.113.200')).status).toBe(200);
  });

  it('gets a different status than an unknown token at GET /v1/token', async () => {
    addresses += 1;
    const options = { address: `198.51.100.${addresses}` };
    const fetch = testApp();
    const ask = async (token: string) => (await call('/v1/token', { ...options, authorization: bearer(token) }, fetch)).status;
    for (let miss = 0; miss < 21; miss += 1) expect(await ask(unknownToken())).toBe(401);
    const token = await createToken();
    expect(await ask(token)).toBe(429);
    vi.setSystemTime(START_MS + 1000);
    expect(await ask(token)).toBe(200);
  });
});

describe('an unknown token', () => {
  it('costs at most one look-up per second after 20 misses of its IP address', async () => {
    const { use, miss } = isolate();
    await miss();
    const statuses: number[] = [];
    for (let second = 0; second < 5; second += 1) {
      vi.setSystemTime(START_MS + second * 1000);
      for (let request = 0; request < 4; request += 1) statuses.push((await use(unknownToken())).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  it('is rejected with 401 from memory after its look-up', async () => {
    const { use, miss } = isolate();
    await miss(19);
    const unknown = unknownToken();
    for (let request = 0; request < 5; request += 1) expect((await use(unknown)).status).toBe(401);
  });

  it('is looked up at once again a minute after the misses', async () => {
    const { use, miss } = isolate();
    await miss();
    await useLookup(use);
    vi.setSystemTime(START_MS + 60_000);
    await miss();
  });

  it('shares one look-up per second with others that the IP address sends concurrently', async () => {
    const { use, miss } = isolate();
    await miss();
    const responses = await Promise.all(Array.from({ length: 10 }, () => use(unknownToken())));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(9);
  });
});
