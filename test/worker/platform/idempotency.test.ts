import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tokenAccess, tokenlessAccess } from '../../../src/platform/access/policy/policy.ts';
import type { IdempotencyObject } from '../../../src/platform/http/idempotency/idempotency.object.ts';
import { LOCK_RENEWAL_MS } from '../../../src/platform/http/idempotency/idempotency.ts';
import type { AnyRouteSpec } from '../../../src/platform/http/pipeline/define-route.ts';
import { json } from '../../../src/platform/http/replies/reply.ts';
import { badRequest } from '../../../src/platform/kit/errors/api-error.ts';
import { bearer, type CallOptions, call } from '../../support/requests.ts';
import { changeToken, createToken } from '../../support/tokens.ts';
import { type TestAppOptions, testApp, testEndpoint } from './test-app.ts';

const PATH = '/v1/test/write';
const NOW = 1_773_156_600;

/** Runs a function of the test and counts the runs. */
function writer(more: Partial<AnyRouteSpec> = {}, options: TestAppOptions = {}) {
  const state = { runs: 0, behaviour: async (): Promise<void> => {} };
  const handler = async () => {
    state.runs += 1;
    const run = state.runs;
    await state.behaviour();
    return json({ run });
  };
  const spec: Partial<AnyRouteSpec> = {
    method: 'post',
    access: tokenAccess('rotations:read'),
    rawBody: { contentTypes: ['text/plain'], description: 'Test.' },
    bodyLimit: 2 * 1024 * 1024,
    ...more,
  };
  const endpoints = [
    testEndpoint({ ...spec, path: PATH }, handler),
    testEndpoint({ ...spec, path: `${PATH}/other` }, handler),
    testEndpoint({ ...spec, path: PATH, method: 'put' }, handler),
  ];
  const fetch = testApp({ ...options, deps: { endpoints } });
  const send = (key: string | null, body = 'body', callOptions: CallOptions & { path?: string } = {}) =>
    call(
      callOptions.path ?? PATH,
      {
        method: 'POST',
        now: NOW,
        body,
        ...callOptions,
        headers: { 'Content-Length': String(body.length), ...(key === null ? {} : { 'Idempotency-Key': key }), ...callOptions.headers },
      },
      fetch,
    );
  return { state, send };
}

/** A writer with a separate token. */
async function tokenWriter(options: TestAppOptions = {}) {
  const { state, send } = writer({}, options);
  const authorization = bearer(await createToken());
  return {
    state,
    send: (key: string | null, body?: string, more: CallOptions & { path?: string } = {}) => send(key, body, { authorization, ...more }),
  };
}

/** Holds the next run until `finish` is called. `running` resolves when it has begun. */
function holdRun(state: ReturnType<typeof writer>['state']) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  state.behaviour = () => {
    begun.resolve();
    return end.promise;
  };
  return { running: begun.promise, finish: () => end.resolve() };
}

describe('Idempotency-Key', () => {
  it('replays the first response with a marker header instead of running the request again', async () => {
    const { state, send } = await tokenWriter();
    const first = await send('a');
    expect([first.status, first.text, first.headers.get('Idempotent-Replay')]).toEqual([200, '{"run":1}', null]);
    const repeat = await send('a');
    expect([repeat.status, repeat.text, repeat.headers.get('Idempotent-Replay')]).toEqual([200, '{"run":1}', 'true']);
    expect(repeat.headers.get('Content-Type')).toBe('application/json');
    expect(repeat.headers.get('Cache-Control')).toBe('no-store');
    expect(state.runs).toBe(1);
  });

  it('charges the rate limit for a replay and gives it its own request id', async () => {
    const { send } = await tokenWriter();
    const first = await send('a');
    const repeat = await send('a', undefined, { headers: { 'X-Request-ID': 'second' } });
    expect([first, repeat].map(({ headers }) => headers.get('X-RateLimit-Remaining'))).toEqual(['119', '118']);
    expect(repeat.headers.get('X-Request-ID')).toBe('second');
  });

  it('is scoped to the token, the method, the path and the key', async () => {
    const { state, send } = await tokenWriter();
    await send('a');
    await send('b');
    await send('a', undefined, { path: `${PATH}/other` });
    await send('a', undefined, { method: 'PUT' });
    await send('a', undefined, { authorization: bearer(await createToken()) });
    expect(state.runs).toBe(5);
  });

  it('returns 409 while the first request runs', async () => {
    const { state, send } = await tokenWriter();
    const { running, finish } = holdRun(state);
    const first = send('a');
    await running;
    const second = await send('a');
    const { code, details } = JSON.parse(second.text).error;
    expect([second.status, code, details]).toEqual([409, 'conflict', { in_progress: true }]);
    expect([second.headers.get('Retry-After'), second.headers.get('X-RateLimit-Limit')]).toEqual(['2', '120']);
    finish();
    expect((await first).text).toBe('{"run":1}');
    expect((await send('a')).headers.get('Idempotent-Replay')).toBe('true');
    expect(state.runs).toBe(1);
  });

  it('returns 409 while a request runs that takes longer than a lock lasts', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    try {
      const { state, send } = await tokenWriter();
      const { running, finish } = holdRun(state);
      const first = send('a');
      await running;
      for (let elapsed = 0; elapsed < 180_000; elapsed += LOCK_RENEWAL_MS) {
        vi.advanceTimersByTime(LOCK_RENEWAL_MS);
        expect((await send('a')).status).toBe(409);
      }
      finish();
      expect((await first).text).toBe('{"run":1}');
      expect((await send('a')).headers.get('Idempotent-Replay')).toBe('true');
      expect([state.runs, vi.getTimerCount()]).toEqual([1, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('documents the response while the first request runs', async () => {
    const { components } = JSON.parse((await call('/openapi.json')).text);
    expect(components.parameters.IdempotencyKey.description).toContain('`details.in_progress: true` and `Retry-After`');
    expect(Object.keys(components.responses.conflict.headers)).toContain('Retry-After');
  });

  it('returns 422 for another body and keeps the stored response', async () => {
    const { state, send } = await tokenWriter();
    await send('a', 'one');
    const other = await send('a', 'two');
    expect([other.status, JSON.parse(other.text).error.details[0]]).toMatchObject([
      422,
      { loc: ['header', 'Idempotency-Key'], type: 'idempotency_key_reused' },
    ]);
    expect((await send('a', 'one')).headers.get('Idempotent-Replay')).toBe('true');
    expect(state.runs).toBe(1);
  });

  it('returns 422 for another query string', async () => {
    const { state, send } = await tokenWriter();
    await send('a', 'one', { path: `${PATH}?event=challenge` });
    expect((await send('a', 'one', { path: `${PATH}?event=game_update` })).status).toBe(422);
    expect((await send('a', 'one', { path: `${PATH}?event=challenge` })).headers.get('Idempotent-Replay')).toBe('true');
    expect(state.runs).toBe(1);
  });

  it('can be used again after a failed request', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { state, send } = await tokenWriter();
    for (const failure of [badRequest('wrong'), new Error('broken')]) {
      state.behaviour = async () => {
        throw failure;
      };
      expect((await send('a')).status).toBe(failure instanceof Error && failure.message === 'broken' ? 500 : 400);
    }
    state.behaviour = async () => {};
    const after = await send('a', 'another body even');
    expect([after.text, after.headers.get('Idempotent-Replay')]).toEqual(['{"run":3}', null]);
  });

  it.each([
    ['empty', ''],
    ['longer than 200 characters', 'k'.repeat(201)],
  ])('is ignored when it is %s', async (_, key) => {
    const { state, send } = await tokenWriter();
    await send(key);
    await send(key);
    expect(state.runs).toBe(2);
  });

  it('accepts 200 characters', async () => {
    const { state, send } = await tokenWriter();
    await send('k'.repeat(200));
    await send('k'.repeat(200));
    expect(state.runs).toBe(1);
  });

  it('is ignored for a body over 1 MiB', async () => {
    const { state, send } = await tokenWriter();
    const body = 'x'.repeat(1024 * 1024 + 1);
    expect((await send('a', body)).status).toBe(200);
    await send('a', body);
    expect(state.runs).toBe(2);
  });

  it('is ignored for anonymous clients, who would share one key space', async () => {
    const { state, send } = writer({ access: tokenlessAccess('rotations:read') });
    const before = (await listDurableObjectIds(env.IDEMPOTENCY)).length;
    await send('a');
    await send('a');
    expect(state.runs).toBe(2);
    expect(await listDurableObjectIds(env.IDEMPOTENCY)).toHaveLength(before);
  });

  it('is ignored for GET', async () => {
    const { state, send } = writer({ method: 'get', rawBody: undefined });
    const authorization = bearer(await createToken());
    for (let request = 0; request < 2; request += 1) {
      const response = await send('a', '', { method: 'GET', body: null, authorization });
      expect(response.headers.get('Idempotent-Replay')).toBeNull();
    }
    expect(state.runs).toBe(2);
  });

  it('returns 401 to a revoked token instead of the stored response', async () => {
    const { send } = writer();
    const secret = await createToken();
    expect((await send('a', 'body', { authorization: bearer(secret) })).status).toBe(200);
    await changeToken(secret, 'revoked = 1');
    const after = await send('a', 'body', { authorization: bearer(secret) });
    expect([after.status, after.headers.get('Idempotent-Replay')]).toEqual([401, null]);
  });

  it('runs the request when the idempotency storage fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const broken = {
      getByName: () => ({
        claim: () => Promise.reject(new Error('storage is out of reach')),
        store: () => Promise.reject(new Error('storage is out of reach')),
        release: () => Promise.reject(new Error('storage is out of reach')),
      }),
    } as unknown as DurableObjectNamespace<IdempotencyObject>;
    const { state, send } = await tokenWriter({ bindings: { IDEMPOTENCY: broken } });
    expect((await send('a')).text).toBe('{"run":1}');
    expect((await send('a')).text).toBe('{"run":2}');
    expect(state.runs).toBe(2);
  });
});

describe('IdempotencyObject', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const bytes = (text: string) => Uint8Array.from(new TextEncoder().encode(text));
  const response = { status: 200, contentType: 'application/json', body: bytes('{}') };
  const holderOf = (claim: { state: string; holder?: string }) => claim.holder ?? '';

  it('releases the lock of an unfinished request after one minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW * 1000 });
    const stub = env.IDEMPOTENCY.getByName('lock');
    expect(await stub.claim('h')).toEqual({ state: 'claimed', holder: expect.any(String) });
    vi.setSystemTime(NOW * 1000 + 59_999);
    expect(await stub.claim('h')).toEqual({ state: 'locked' });
    vi.setSystemTime(NOW * 1000 + 60_000);
    expect(await stub.claim('h')).toEqual({ state: 'claimed', holder: expect.any(String) });
  });

  it('prevents a request that outlived its lock from changing the entry of its successor', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW * 1000 });
    const stub = env.IDEMPOTENCY.getByName('successor');
    const slow = holderOf(await stub.claim('h'));
    vi.setSystemTime(NOW * 1000 + 60_000);
    const successor = holderOf(await stub.claim('h'));
    await stub.release(slow);
    await stub.store(slow, { ...response, body: bytes('{"late":true}') });
    expect(await stub.claim('h')).toEqual({ state: 'locked' });
    await stub.store(successor, response);
    expect(await stub.claim('h')).toEqual({ state: 'replay', response });
  });

  it('keeps a response for one day and then deletes all its storage', async () => {
    // Alarms in the past fire at once, so the clock is set ahead.
    const now = Date.UTC(2040, 0);
    vi.useFakeTimers({ toFake: ['Date'], now });
    const stub = env.IDEMPOTENCY.getByName('day');
    await stub.store(holderOf(await stub.claim('h')), response);
    vi.setSystemTime(now + 86_399_999);
    expect(await stub.claim('h')).toEqual({ state: 'replay', response });
    expect(await runInDurableObject(stub, (_, state) => state.storage.getAlarm())).toBe(now + 86_400_000);
    await runDurableObjectAlarm(stub);
    expect(await runInDurableObject(stub, async (_, state) => (await state.storage.list()).size)).toBe(0);
  });

  it('admits exactly one of many concurrent claims', async () => {
    const stub = env.IDEMPOTENCY.getByName('race');
    const claims = await Promise.all(Array.from({ length: 50 }, () => stub.claim('h')));
    expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ state }) => state === 'locked')).toHaveLength(49);
  });
});
