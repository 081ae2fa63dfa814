import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createJobEndpoints, JobDetailBody, JobsBody } from '../../../src/areas/admin/jobs.routes.ts';
import type { Job } from '../../../src/platform/durable/schedule/job.ts';
import { createJobsStore } from '../../../src/platform/durable/schedule/jobs.store.ts';
import { createScheduler } from '../../../src/platform/durable/schedule/scheduler.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createUpstreamStates } from '../../../src/platform/upstream/upstream-states.store.ts';
import { unknownState } from '../../../src/platform/upstream/upstream-states.ts';
import { fixedSettings } from '../../support/declarations.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_773_824_700;
const PATHS = [
  ['GET', '/admin/jobs'],
  ['GET', '/admin/jobs/quick'],
  ['POST', '/admin/jobs/quick/run'],
] as const;

const ran: string[] = [];
let release: () => void = () => {};

const jobs: Job[] = [
  {
    name: 'quick',
    schedule: { everySeconds: 60 },
    timeoutSeconds: 5,
    sources: ['quick-source'],
    run: async () => void ran.push('quick'),
  },
  {
    name: 'failing',
    schedule: { everySeconds: 3600 },
    timeoutSeconds: 5,
    run: () => Promise.reject(new Error('no upstream')),
  },
  {
    name: 'slow',
    schedule: { everySeconds: 3600 },
    timeoutSeconds: 5,
    run: () => new Promise<void>((resolve) => (release = resolve)),
  },
  { name: 'off', schedule: { everySeconds: 3600 }, timeoutSeconds: 5, availability: () => 'disabled', run: async () => {} },
];

const scheduler = createScheduler({
  jobs,
  runs: createJobsStore(createDatabase(env.DB)),
  settings: fixedSettings(),
  resumeSources: createUpstreamStates(createDatabase(env.DB)).resume,
});
const fetch = testApp({ deps: { endpoints: createJobEndpoints(() => scheduler) } });

let superuser = '';

beforeAll(async () => {
  superuser = bearer(await createSuperuserToken());
});

const get = (authorization: string | null = superuser, now = NOW) => call('/admin/jobs', { authorization, now }, fetch);
const run = (name: string, now = NOW) => call(`/admin/jobs/${name}/run`, { method: 'POST', authorization: superuser, now }, fetch);
const codeOf = (text: string) => JSON.parse(text).error.code;

describe('access to /admin/jobs', () => {
  it.each(PATHS)('%s %s accepts only a superuser with every scope', async (method, path) => {
    const outcomes: [string, string | null, number, string][] = [
      ['nobody', null, 401, 'not_authenticated'],
      ['another scheme', 'Basic abc', 401, 'not_authenticated'],
      ['a session of the portal', 'Bearer a.b.c', 401, 'not_authenticated'],
      ['an ordinary account', bearer(await createToken()), 403, 'forbidden'],
      ['an ordinary account with some scopes', bearer(await createToken({ scopes: 8192 })), 403, 'forbidden'],
      ['a superuser with fewer scopes', bearer(await createSuperuserToken({ scopes: 32_767 })), 403, 'forbidden'],
      ['a revoked superuser', bearer(await createSuperuserToken({ row: { revoked: true } })), 401, 'not_authenticated'],
      ['a superuser elsewhere', bearer(await createSuperuserToken({ allowedIps: ['192.0.2.1'] })), 403, 'ip_not_allowed'],
    ];
    for (const [who, authorization, status, code] of outcomes) {
      const response = await call(path, { method, authorization, now: NOW }, fetch);
      expect([response.status, codeOf(response.text)], who).toEqual([status, code]);
      expect(response.headers.has('Access-Control-Allow-Origin'), who).toBe(false);
    }
    expect(ran).toEqual([]);
  });

  it.each(PATHS)('%s %s allows no cross-origin requests', async (method, path) => {
    const { status, headers } = await call(
      path,
      { method, authorization: superuser, now: NOW, headers: { Origin: 'https://evil.test' } },
      fetch,
    );
    // A browser sends cookies with cross-origin writes: these are rejected for every session.
    expect(status).toBe(method === 'GET' ? 200 : 403);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    // A rejected cross-origin write has no effect.
    expect(headers.get('X-RateLimit-Limit')).toBe(method === 'GET' ? '120' : null);
  });
});

describe('GET /admin/jobs', () => {
  it('lists every job with its last run', async () => {
    await scheduler.start('quick', NOW).then((started) => started?.work);
    await scheduler.start('failing', NOW).then((started) => started?.work);
    const slow = await scheduler.start('slow', NOW);
    const body = JobsBody.parse(JSON.parse((await get(superuser, NOW + 30)).text));
    expect(body.count).toBe(4);
    const iso = (at: number) => new Date(at * 1000).toISOString();
    const nextHour = iso(NOW - (NOW % 3600) + 3600);
    expect(body.items).toEqual([
      {
        name: 'failing',
        schedule: 'every 3600 s',
        state: 'idle',
        health: 'failing',
        failures: 1,
        last_run_at: iso(NOW),
        last_success_at: null,
        last_error: 'no upstream',
        duration_ms: expect.any(Number),
        next_run_at: nextHour,
      },
      {
        name: 'off',
        schedule: 'every 3600 s',
        state: 'disabled',
        health: 'off',
        failures: 0,
        last_run_at: null,
        last_success_at: null,
        last_error: null,
        duration_ms: null,
        next_run_at: null,
      },
      {
        name: 'quick',
        schedule: 'every 60 s',
        state: 'idle',
        health: 'ok',
        failures: 0,
        last_run_at: iso(NOW),
        last_success_at: iso(NOW),
        last_error: null,
        duration_ms: expect.any(Number),
        next_run_at: iso(NOW + 60),
      },
      {
        name: 'slow',
        schedule: 'every 3600 s',
        state: 'running',
        health: 'ok',
        failures: 0,
        last_run_at: iso(NOW),
        last_success_at: null,
        last_error: null,
        duration_ms: null,
        next_run_at: nextHour,
      },
    ]);
    release();
    await slow?.work;
  });

  it('lists the jobs of the service', async () => {
    const response = await call('/admin/jobs', { authorization: superuser, now: NOW });
    const names = JobsBody.parse(JSON.parse(response.text)).items.map(({ name }) => name);
    expect(names).toContain('events-watch');
    expect(names).toEqual(names.toSorted());
  });
});

describe('GET /admin/jobs/{name}', () => {
  it('lists earlier runs, merging consecutive runs with the same result', async () => {
    const read = async (name: string) =>
      JobDetailBody.parse(JSON.parse((await call(`/admin/jobs/${name}`, { authorization: superuser, now: NOW }, fetch)).text));
    const before = (await read('failing')).history;
    for (const at of [100, 200, 300]) await scheduler.start('failing', NOW + at).then((started) => started?.work);
    const iso = (at: number) => new Date((NOW + at) * 1000).toISOString();
    const { history, failures, health } = await read('failing');
    expect(history).toEqual([
      {
        from: before[0]?.from ?? iso(100),
        to: iso(300),
        runs: 3 + (before[0]?.runs ?? 0),
        error: 'no upstream',
        max_duration_ms: expect.any(Number),
      },
    ]);
    expect([failures, health]).toEqual([history[0]?.runs, 'failing']);
  });

  it('returns 404 for an unknown job', async () => {
    const response = await call('/admin/jobs/nonsense', { authorization: superuser, now: NOW }, fetch);
    expect([response.status, codeOf(response.text)]).toEqual([404, 'not_found']);
  });
});

describe('POST /admin/jobs/{name}/run', () => {
  it('starts a job, due or not, and returns before it ends', async () => {
    ran.length = 0;
    for (const now of [NOW + 1, NOW + 2]) {
      const { status, text } = await run('quick', now);
      expect([status, text]).toEqual([202, '{"accepted":true}']);
    }
    expect(ran).toEqual(['quick', 'quick']);
  });

  it('resets the circuit breakers of the upstreams that the job calls, and of no others', async () => {
    const states = createUpstreamStates(createDatabase(env.DB));
    const paused = { ...unknownState('quick-source'), failures: 5, pausedUntil: NOW + 900 };
    await states.save(paused);
    await states.save({ ...paused, source: 'other-source' });
    expect((await run('quick')).status).toBe(202);
    expect(await states.find('quick-source')).toEqual({ ...paused, pausedUntil: null });
    expect((await states.find('other-source'))?.pausedUntil).toBe(NOW + 900);
  });

  it('returns 409 while the job runs', async () => {
    const first = await scheduler.start('slow', NOW);
    const response = await run('slow');
    expect([response.status, codeOf(response.text)]).toEqual([409, 'conflict']);
    release();
    await first?.work;
  });

  it.each(['nonsense', '%20', 'x'.repeat(80)])('returns 404 for the job name %j', async (name) => {
    const response = await run(name);
    expect([response.status, codeOf(response.text)]).toEqual([404, 'not_found']);
  });

  it('returns 405 for other methods', async () => {
    const response = await call('/admin/jobs/quick/run', { authorization: superuser, now: NOW }, fetch);
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});
