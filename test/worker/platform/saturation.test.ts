import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_SHARDS_ASKED } from '../../../src/areas/events/events.data.ts';
import { bearer, type CallOptions, call, freshInstant } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { testApp } from './test-app.ts';

/** A namespace whose objects refuse every call as the platform does above their capacity, and the number of calls. */
function overloaded() {
  const calls: string[] = [];
  const refuse = (method: string) => async () => {
    calls.push(method);
    throw Object.assign(new Error('Durable Object is overloaded. Requests queued for too long.'), { overloaded: true, retryable: true });
  };
  const stub = new Proxy({}, { get: (_, method) => refuse(String(method)) });
  return { namespace: { getByName: () => stub } as never, calls };
}

type ObjectBinding = 'RATE_LIMITS' | 'TOKEN_GATES' | 'IDEMPOTENCY' | 'EVENT_COORDINATOR' | 'EVENT_SHARDS';

/** Sends a request while the objects of a binding are overloaded. */
async function callWithout(binding: ObjectBinding, path: string, options: CallOptions = {}) {
  const { namespace, calls } = overloaded();
  const response = await call(path, options, testApp({ bindings: { [binding]: namespace } }));
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), calls };
}

const insert = async (headers: Record<string, string> = {}): Promise<[string, CallOptions]> => [
  '/v1/rotations/challenge/insert',
  {
    method: 'POST',
    authorization: bearer(await createSuperuserToken()),
    now: freshInstant(),
    headers,
    json: { name: `Challenge ${crypto.randomUUID()}` },
  },
];

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('object above its capacity', () => {
  it('returns 503 with Retry-After after one call when it counts an address or a token', async () => {
    const anonymous = await callWithout('RATE_LIMITS', '/v1/rotations/server-time');
    expect(anonymous).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/), calls: { length: 1 } });
    const authorization = bearer(await createToken());
    const withToken = await callWithout('TOKEN_GATES', '/v1/rotations/server-time', { authorization });
    expect(withToken).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    expect(withToken.calls.filter((method) => method === 'admit')).toHaveLength(1);
  });

  it('does not stop a write when it stores the idempotency key or publishes the event', async () => {
    const keyed = await callWithout('IDEMPOTENCY', ...(await insert({ 'Idempotency-Key': crypto.randomUUID() })));
    expect(keyed).toMatchObject({ status: 200 });
    const published = await callWithout('EVENT_COORDINATOR', ...(await insert()));
    expect(published).toMatchObject({ status: 200 });
    expect(published.calls).toEqual(['publish']);
  });

  it('refuses a stream with 503 after a bounded number of shards, and the next one without a call', async () => {
    const { namespace, calls } = overloaded();
    const fetch = testApp({ bindings: { EVENT_SHARDS: namespace, EVENTS_SHARDS: '8' } });
    for (const count of [1, 2]) {
      const response = await call('/v1/events/stream', { address: `198.51.100.${count}` }, fetch);
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '30']);
    }
    expect(calls).toHaveLength(8);
    expect(calls.length).toBeLessThanOrEqual(MAX_SHARDS_ASKED);
  });
});
