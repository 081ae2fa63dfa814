import { describe, expect, it } from 'vitest';
import type { AccessKind } from '../../src/platform/access/policy/policy.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { SETTINGS } from '../support/declarations.ts';
import { ALL_ON, appWithSettings, ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { call, type Fetch, freshInstant, freshInstantFor, type TestResponse } from '../support/requests.ts';
import {
  cheapestOf,
  expectRateLimitHeaders,
  isPublic,
  onlyUsed,
  outcomeFor,
  requestWithoutText,
  resetAfter,
  scopeOf,
  textOf,
  usedRateLimits,
} from './access-checks.ts';
import type { CredentialName } from './access-table.data.ts';
import { type Credential, credentialFor } from './credentials.ts';
import { RATE_LIMITS, type RateLimitName } from './declarations.data.ts';
import { plainRequest, validRequest } from './inputs.ts';
import { prepare } from './prepare.ts';
import { codeOf, errorOf } from './responses.ts';
import { IS_LONG_RUN, shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

/** Credentials that are counted in different buckets. */
const COUNTED: readonly CredentialName[] = ['none', 'no_scope_ip_ok', 'every_scope_any_ip', 'superuser_ip_ok'];
/** Larger limits take too long to use up request by request, even in `npm run test:long`. */
const MAX_TESTED_LIMIT = 1000;
/** Limits that are used up with the smallest settings, except in `npm run test:long`. */
const LARGE_LIMIT = 100;
/** Factor of the limits of groups whose factor is a setting, in place of up to 50. */
const FACTOR = 2;
const factors = Object.keys(SETTINGS.all).filter((name) => name.endsWith('RateLimitMultiplier'));
/** The service with one request a window for addresses and tokens, which the limits of groups multiply. */
const smallest = appWithSettings({
  ...ALL_ON,
  ...Object.fromEntries(factors.map((name) => [name, FACTOR])),
  publicAnonRateLimitMax: 1,
  apiRateLimitMax: 1,
});

/** Where a case uses up its bucket, and the limit there. */
function serviceFor(bucket: RateLimitName): { fetch?: Fetch; limit: number } {
  const { limit } = RATE_LIMITS[bucket];
  const base = bucket.startsWith('anon') ? RATE_LIMITS.anon : bucket.startsWith('token') ? RATE_LIMITS.token : null;
  if (base === null || IS_LONG_RUN || limit < LARGE_LIMIT) return { limit };
  const factor = limit / base.limit;
  return { fetch: smallest, limit: bucket.endsWith('-pages') ? factor : Math.min(factor, FACTOR) };
}

/** Kinds whose limits have tests of their own, because each endpoint has another. */
const TESTED_ELSEWHERE: readonly AccessKind[] = ['address', 'session', 'project'];
/** Rows of access, without the limits of single endpoints. */
const ROWS_WITH_LIMITS = new Set(
  TESTED.filter(({ spec }) => !TESTED_ELSEWHERE.includes(spec.access.kind)).map(({ spec }) => textOf(spec.access)),
);

interface SpentCase {
  title: string;
  credential: CredentialName;
  bucket: RateLimitName;
  /** Endpoints of a row with the same decision for the credential. The first uses up the bucket, all must refuse then. */
  endpoints: [Endpoint, ...Endpoint[]];
}

/** Every row of access with the first limit that each credential charges. */
const ALL_SPENT_CASES: SpentCase[] = [...ROWS_WITH_LIMITS].flatMap((row) =>
  COUNTED.flatMap((credential) => {
    const byBucket = new Map<RateLimitName, [Endpoint, ...Endpoint[]]>();
    for (const endpoint of TESTED.filter(({ spec }) => textOf(spec.access) === row)) {
      const [bucket] = outcomeFor(endpoint.spec.access, credential).shown;
      if (bucket === undefined || serviceFor(bucket).limit > MAX_TESTED_LIMIT) continue;
      const group = byBucket.get(bucket);
      if (!group) byBucket.set(bucket, [endpoint]);
      else if (scopeOf(group[0].spec.access) === scopeOf(endpoint.spec.access) || credential !== 'no_scope_ip_ok') group.push(endpoint);
    }
    return [...byBucket].map(([bucket, endpoints]) => ({
      title: `${endpoints[0].spec.access.kind} (${row}) x ${credential} on ${bucket}`,
      credential,
      bucket,
      endpoints,
    }));
  }),
);

const SPENT_CASES = ALL_SPENT_CASES.filter(({ bucket }, index) => {
  const isFirst = ALL_SPENT_CASES.findIndex((other) => other.bucket === bucket) === index;
  return IS_LONG_RUN || isFirst || serviceFor(bucket).limit < LARGE_LIMIT;
});

async function callAs(endpoint: Endpoint, { authorization, address }: Credential, now: number, fetch?: Fetch): Promise<TestResponse> {
  const { path, options } = await requestWithoutText(endpoint);
  return call(path, { ...options, authorization, address, now }, fetch);
}

/** Expects the 429 response of a request over the limit, with its headers and details. */
function expectRefusal(response: TestResponse, bucket: RateLimitName, limit: number = RATE_LIMITS[bucket].limit): void {
  const { windowSeconds } = RATE_LIMITS[bucket];
  expect(response.status, response.text.slice(0, 500)).toBe(429);
  expect(errorOf(response)).toMatchObject({ code: 'rate_limited', details: { limit, window_seconds: windowSeconds } });
  expect(response.headers.get('Retry-After')).toBe(String(resetAfter(bucket, response.now) - response.now));
  expectRateLimitHeaders(response, bucket, limit + 1, limit);
}

describe('a used-up rate limit', () => {
  // Each case calls every endpoint of its row.
  it.each(SPENT_CASES)('returns 429 for $title', { timeout: 180_000 }, async ({ credential: name, bucket, endpoints }) => {
    const first = cheapestOf(endpoints) ?? endpoints[0];
    const credential = await credentialFor(name, scopeOf(first.spec.access));
    const { authorization, address } = credential;
    const now = freshInstantFor(RATE_LIMITS[bucket].windowSeconds);
    const { fetch, limit } = serviceFor(bucket);
    for (let used = 1; used <= limit; used += 1) {
      const response = await callAs(first, credential, now, fetch);
      // During its cooldown an insert returns the cooldown, and is still counted.
      if (codeOf(response) !== 'rate_limited') expectRateLimitHeaders(response, bucket, used, limit);
    }
    for (const endpoint of endpoints) {
      // A refused request needs no stored data.
      const { path, options } = plainRequest(endpoint);
      expectRefusal(await call(path, { ...options, authorization, address, now }, fetch), bucket, limit);
    }
    const reset = resetAfter(bucket, now);
    expectRefusal(await callAs(first, credential, reset - 1, fetch), bucket, limit);
    await callAs(first, credential, reset, fetch);
    expect(await usedRateLimits(credential, reset)).toEqual(onlyUsed([bucket], 1, credential));
  });

  it('does not affect other rate limit buckets', async () => {
    const anyone = await credentialFor('none', 'rotations:read');
    const token = await credentialFor('every_scope_any_ip', 'rotations:read');
    const gauge = cheapestOf(ENDPOINTS.filter(({ spec }) => isPublic(spec.access)));
    if (!gauge) throw new Error('endpoint to read the counts not found');
    const now = freshInstant();
    for (let used = 0; used <= RATE_LIMITS.anon.limit; used += 1) await callAs(gauge, anyone, now);
    expectRateLimitHeaders(await callAs(gauge, token, now), 'token', 1);
    expectRateLimitHeaders(await callAs(gauge, { ...anyone, address: '10.20.30.41' }, now), 'anon', 1);
  });
});

describe('a well-formed invalid token', () => {
  it('gets the same 401 if it is unknown, revoked, or of a disabled or deleted account', async () => {
    const names: CredentialName[] = ['unknown', 'revoked', 'owner_inactive', 'owner_deleted'];
    const texts = await Promise.all(
      names.map(async (name) => {
        const { authorization, address } = await credentialFor(name, 'rotations:read');
        return (await call('/v1/rotations/server-time', { authorization, address })).text;
      }),
    );
    expect(new Set(texts).size).toBe(1);
  });
});

const INSERTS = TESTED.filter(({ spec: { access } }) => access.kind === 'master' && access.cooldown !== null);

describe.each(INSERTS.map((endpoint) => ({ title: titleOf(endpoint), endpoint })))('cooldown of $title', ({ endpoint }) => {
  it('returns 429 for a second insert of the token, with a valid or an invalid body', async () => {
    const credential = await credentialFor('superuser_ip_ok', 'rotations:read');
    const { authorization } = credential;
    const now = freshInstant();
    expectRateLimitHeaders(await callAs(endpoint, credential, now), 'token', 1);
    const { path, options } = await validRequest(endpoint);
    expectRefusal(await callAs(endpoint, credential, now + 1), 'ingest');
    expectRefusal(await call(path, { ...options, body: '{', authorization, now: now + 2 }), 'ingest');
    expect(await usedRateLimits(credential, now)).toEqual(onlyUsed(['token'], 3, credential));
  });

  it('ends with its window and does not affect other cooldowns', async () => {
    const credential = await credentialFor('superuser_ip_ok', 'rotations:read');
    const now = freshInstant();
    const success = endpoint.spec.ok.status ?? 200;
    expect((await callAs(endpoint, credential, now)).status).toBe(success);
    const others = INSERTS.filter((insert) => insert !== endpoint);
    for (const other of shareOf(INSERTS.indexOf(endpoint), others)) {
      expect((await callAs(other, credential, now)).status, titleOf(other)).toBe(other.spec.ok.status ?? 200);
    }
    expect((await callAs(endpoint, await credentialFor('superuser_ip_ok', 'feeds:read'), now)).status).toBe(success);
    expect((await callAs(endpoint, credential, resetAfter('ingest', now))).status).toBe(success);
  });
});
