/**
 * Tests the TypeScript client through a proxy that fails on demand. `npm run clients` starts the service and the proxy.
 * Environment: BASE_URL (of the service), PROXY_URL, TOKEN, MASTER_TOKEN.
 */
import assert from 'node:assert/strict';
import { createClient, EventStreamError } from '../../clients/typescript/dist/index.js';
import { asMaster, client, PROXY_URL, proxy, report, runChecks, until } from './support.ts';

const COEFFICIENT = { critical_damage: 100, physical_damage: 1000 };

const CHECKS: Record<string, () => Promise<void>> = {
  async 'typed requests'() {
    const api = client();
    const { data, error } = await api.GET('/v1/codexes/{type}', {
      params: { path: { type: 'mount' }, query: { limit: 2, fields: ['name'] } },
    });
    assert.equal(error, undefined);
    assert.equal(data?.items.length, 2);
    const refused = await api.GET('/v1/codexes/{type}/entry', { params: { path: { type: 'mount' }, query: { path: 'none' } } });
    assert.equal(refused.error?.error.code, 'not_found');
    const sum = await api.POST('/v1/stats/coefficient', { body: COEFFICIENT });
    assert.equal(sum.data?.coefficient, 2000);
    for (const name of ['', '.', '..']) {
      const summary = () => api.GET('/v1/market/items/{name}/summary', { params: { path: { name } } });
      await assert.rejects(summary, new TypeError(`path.name must not be "${name}"`));
    }
    assert.throws(() => createClient({ baseUrl: 'ftp://api.example.com' }), TypeError);
  },

  async 'retries with Retry-After'() {
    await proxy({ fail: 2, status: 503, retryAfter: 1 });
    const start = performance.now();
    const { response } = await client().GET('/v1/rotations/server-time');
    assert.equal(response.status, 200);
    assert.ok(performance.now() - start >= 2000, 'waits for Retry-After');
    assert.equal((await proxy({ drop: 2 })).received, 3);
    assert.equal((await client().GET('/v1/rotations/server-time')).response.status, 200);
    assert.equal((await proxy({ fail: 9, status: 503, retryAfter: null })).received, 3);
    assert.equal((await client({ retries: 1 }).GET('/v1/rotations/server-time')).response.status, 503);
    assert.equal((await proxy({ fail: 1, retryAfter: 3600 })).received, 2);
    assert.equal((await client().GET('/v1/rotations/server-time')).response.status, 503, 'does not wait for an hour');
    assert.equal((await proxy({ fail: 1, retryAfter: null })).received, 1);
  },

  async 'retries only safe requests'() {
    const api = client();
    assert.equal((await api.POST('/v1/stats/coefficient', { body: COEFFICIENT })).response.status, 503);
    assert.equal((await proxy({ fail: 1 })).received, 1);
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    assert.equal((await api.POST('/v1/stats/coefficient', { body: COEFFICIENT, headers })).response.status, 200);
    assert.equal((await proxy({ fail: 0 })).received, 2);
  },

  async 'revalidates with the stored ETag'() {
    const api = client();
    const read = async () => (await api.GET('/v1/market/items')).data;
    const first = await read();
    await proxy();
    assert.deepEqual(await read(), first);
    assert.deepEqual(await read(), first);
    const counts = await proxy();
    assert.ok(counts.conditional === counts.forwarded && counts.notModified === counts.forwarded, JSON.stringify(counts));
    const without = client({ cacheBytes: 0 });
    await without.GET('/v1/market/items');
    await without.GET('/v1/market/items');
    assert.equal((await proxy()).conditional, 0);
  },

  async 'waits for the next window'() {
    // The development server multiplies the limit: 100 requests in 10 s per address.
    await asMaster('PUT', '/admin/config/public_anon_rate_limit_window_seconds', { value: 10 });
    await asMaster('PUT', '/admin/config/public_anon_rate_limit_max', { value: 1 });
    await new Promise((resolve) => setTimeout(resolve, 6000));
    try {
      const api = createClient({ baseUrl: PROXY_URL, retries: 0, cacheBytes: 0 });
      await api.GET('/v1/rotations/server-time');
      await proxy();
      const statuses = await Promise.all(
        Array.from({ length: 130 }, async () => (await api.GET('/v1/rotations/server-time')).response.status),
      );
      assert.ok(statuses.every((status) => status === 200));
      assert.equal((await proxy()).refused, 0);
      assert.equal(api.rateLimits.get('anon')?.limit, 100);
    } finally {
      await asMaster('DELETE', '/admin/config/public_anon_rate_limit_max');
      await asMaster('DELETE', '/admin/config/public_anon_rate_limit_window_seconds');
      await new Promise((resolve) => setTimeout(resolve, 6000));
    }
  },

  async 'resumes the event stream'() {
    const stop = new AbortController();
    const names: string[] = [];
    const types: string[] = [];
    let lastId = '';
    const reading = (async () => {
      for await (const event of client().events({ types: ['challenge', 'chaos'], signal: stop.signal, maxDelayMs: 500 })) {
        types.push(event.type);
        if (event.type === 'challenge') names.push(event.data.name ?? '');
        lastId = event.id;
      }
    })();
    const untilNamed = (name: string) =>
      until(
        name,
        () => names.includes(name),
        () => names,
      );
    await until('snapshot', () => types.length === 2);
    await report('ts-0');
    await untilNamed('ts-0');
    const expected = ['ts-0'];
    for (let round = 1; round <= 3; round += 1) {
      await proxy({ down: true, cut: true });
      for (const letter of 'abcde') {
        expected.push(`ts-${round}${letter}`);
        await report(`ts-${round}${letter}`);
      }
      await proxy({ down: false });
      await untilNamed(`ts-${round}e`);
    }
    stop.abort();
    await reading;
    assert.deepEqual(names.slice(names.indexOf('ts-0')), expected, 'in order, each once');
    assert.equal(types.filter((type) => type === 'chaos').length, 1, 'a state that did not change is not repeated');
    // A restarted program resumes after the stored event.
    await report('ts-later');
    for await (const event of client().events({ types: ['challenge'], lastEventId: lastId })) {
      assert.equal(event.type === 'challenge' && event.data.name, 'ts-later');
      break;
    }
    await assert.rejects(async () => {
      for await (const _ of client({ token: 'broken' }).events()) break;
    }, EventStreamError);
  },
};

await runChecks(CHECKS);
