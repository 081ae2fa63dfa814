import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { rotationsArea } from '../../../../src/areas/rotations/index.ts';
import { createJobsStore } from '../../../../src/platform/durable/schedule/jobs.store.ts';
import { createScheduler } from '../../../../src/platform/durable/schedule/scheduler.ts';
import type { Settings } from '../../../../src/platform/settings/settings.data.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { createUpstreamClient } from '../../../../src/platform/upstream/upstream-client.ts';
import { composedArea } from '../../../support/composed-area.ts';
import { DEFAULT_SETTINGS, fixedSettings } from '../../../support/declarations.ts';
import { call, ORIGIN } from '../../../support/requests.ts';
import type { Fault } from '../../../support/upstreams/faults.ts';
import { memoryStates } from '../../../support/upstreams/memory-states.ts';
import { upstreamSession } from '../../../support/upstreams/session.ts';

/** Tuesday 2026-03-10 15:30 UTC: delve week 19, about five hours after the start of a chaos chest week. */
const NOW = 1_773_156_600;
const WEEK_START = 1_773_140_400;
const WEEK = 604_800;
/** Monday 2026-03-09 15:00 UTC, the game day with hourly delve requests. */
const MONDAY = 1_773_068_400;

beforeEach(async () => {
  for (const table of ['chaos_chest_relay', 'chaos_chest_captures', 'delve_weeks', 'job_runs']) await env.DB.exec(`DELETE FROM ${table}`);
});

function relayWorld(change: Partial<Settings> = {}) {
  const chaos = upstreamSession('chaos-chest');
  const delves = upstreamSession('delves');
  const patience = { seconds: 15 };
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    chaosRelayUrl: String(chaos.settings.chaos_relay_url),
    delvesSourceUrl: String(delves.settings.delves_source_url),
    delvesSourceReferer: 'https://community.example/delves',
    featureDelvesEnabled: true,
    ...change,
  };
  const published: string[] = [];
  const db = createDatabase(env.DB);
  const states = memoryStates();
  const area = composedArea(rotationsArea, {
    bindings: { CHAOS_RELAY_REFRESH_SECONDS: '1800' },
    upstream: createUpstreamClient({
      userAgent: 'test',
      states,
      random: () => 0,
      get timeoutSeconds() {
        return patience.seconds;
      },
      pause: async () => {},
    }),
    events: {
      async changed(type) {
        published.push(type);
      },
      announce: async () => true,
    },
  });
  const fixed = fixedSettings(settings);
  const scheduler = createScheduler({ jobs: area.jobs, runs: createJobsStore(db), settings: fixed, resumeSources: states.resume });
  const fetchApp = area.fetchWith(fixed);
  const statusOf = async (name: string) => (await scheduler.status(NOW)).find((job) => job.name === name);
  return {
    chaos,
    delves,
    patience,
    published,
    scheduler,
    statusOf,
    async run(name: string, now = NOW) {
      await (await scheduler.start(name, now))?.work;
      return (await statusOf(name))?.lastError ?? null;
    },
    async get(path: string, now = NOW) {
      return JSON.parse((await call(path, { now }, fetchApp)).text);
    },
  };
}

const CHEST = '/v1/rotations/chaos-chest';
const imageUrlOf = (blueprint: string) => `${ORIGIN}/v1/codexes/render?blueprint=${blueprint}&dim=256`;
const item = (change: object = {}) => ({
  name: 'Golden Dragon',
  identifier: 'a\\b',
  blueprint: 'C_Golden',
  start: WEEK_START,
  end: WEEK_START + WEEK,
  ...change,
});

describe('chaos chest relay', () => {
  it('stores the item and publishes an event', async () => {
    const world = relayWorld();
    await world.chaos.order({ state: { payload: { data: [item()] } } });
    expect(await world.run('chaos-chest-relay')).toBeNull();
    expect(await world.get(CHEST)).toEqual({
      active: true,
      starts_at: WEEK_START,
      ends_at: WEEK_START + WEEK,
      seconds_remaining: WEEK_START + WEEK - NOW,
      item: { name: 'Golden Dragon', identifier: 'a/b', blueprint: 'c_golden', image_url: imageUrlOf('c_golden') },
      fetched_at: '2026-03-10T15:30:00.000Z',
    });
    expect(world.published).toEqual(['chaos']);
    expect(await world.statusOf('chaos-chest-relay')).toMatchObject({ schedule: 'every 1800 s', state: 'idle' });
  });

  it('is visible immediately, also in isolates with a recent read', async () => {
    const world = relayWorld();
    expect((await world.get(CHEST)).item).toBeNull();
    await world.chaos.order({ state: { payload: item() } });
    await world.run('chaos-chest-relay');
    expect((await world.get(CHEST)).item.name).toBe('Golden Dragon');
  });

  it('is overridden by a report of the week and by the end of its item', async () => {
    const world = relayWorld();
    await world.chaos.order({ state: { payload: item({ end: WEEK_START + 86_400 }) } });
    await world.run('chaos-chest-relay');
    expect((await world.get(CHEST, WEEK_START + 86_399)).item.name).toBe('Golden Dragon');
    expect((await world.get(CHEST, WEEK_START + 86_400)).item).toBeNull();
    await env.DB.exec(`INSERT INTO chaos_chest_captures VALUES (${WEEK_START}, 'Reported', ${NOW - 60})`);
    expect((await relayWorld().get(CHEST)).item).toEqual({ name: 'Reported', identifier: null, blueprint: null, image_url: null });
  });

  it.each<[Fault | object, RegExp]>([
    ['error-500', /HTTP 500/],
    ['timeout', /no complete response/],
    ['html', /not JSON/],
    ['cut-short', /not JSON/],
    ['invalid-utf8', /not valid text/],
    ['huge', /larger than/],
    ['redirect-private', /private network/],
    [{ payload: { data: [] } }, /no item/],
    [{ payload: { name: ' ' } }, /no item/],
    [{ payload: 'maintenance' }, /not JSON|no item/],
  ])('keeps the item during %j', async (fault, error) => {
    const world = relayWorld();
    await world.chaos.order({ state: { payload: item() } });
    await world.run('chaos-chest-relay');
    await world.chaos.order(typeof fault === 'string' ? { fault } : { state: fault });
    if (fault === 'timeout') world.patience.seconds = 0.05;
    expect(await world.run('chaos-chest-relay', NOW + 1800)).toMatch(error);
    expect(await world.get(CHEST)).toMatchObject({ item: { name: 'Golden Dragon' }, fetched_at: '2026-03-10T15:30:00.000Z' });
    expect(world.published).toEqual(['chaos']);
  });

  it('is off without a URL', async () => {
    expect(await relayWorld({ chaosRelayUrl: '' }).statusOf('chaos-chest-relay')).toMatchObject({ state: 'unconfigured', nextRunAt: null });
  });
});

describe('delve relay', () => {
  const DELVES = '/v1/rotations/delves';

  it('stores the floors of the current week unchanged', async () => {
    const world = relayWorld();
    expect(await world.run('delves-relay')).toBeNull();
    const body = await world.get(DELVES);
    expect(body).toMatchObject({ week: 19, is_current: true, total: 2, count: 2, fetched_at: '2026-03-10T15:30:00.000Z' });
    expect(body.depths[0]).toMatchObject({ depth: 110, boss: { n: 'Vengeful Pinata God', b: ['Fury'] }, roomDetails: [{ e: 0 }, null] });
    const [requested] = await world.delves.calls();
    expect(requested?.query).toEqual({ week: '19', limit: '200' });
    expect(requested?.headers).toMatchObject({ referer: 'https://community.example/delves?week=19', 'accept-language': 'en-US,en;q=0.9' });
    expect(requested?.headers['user-agent']).toMatch(/^Mozilla/);
  });

  it.each<[object, RegExp]>([
    [{ state: { floors: [] } }, /no floors/],
    [{ state: { weekNumber: 18 } }, /another week/],
    [{ fault: 'error-500' }, /HTTP 500/],
    [{ fault: 'html' }, /not JSON/],
    [{ fault: 'huge' }, /larger than/],
  ])('keeps the floors during %j', async (order, error) => {
    const world = relayWorld();
    await world.run('delves-relay');
    await world.delves.order(order);
    expect(await world.run('delves-relay', NOW + 3600)).toMatch(error);
    expect(await world.get(DELVES)).toMatchObject({ count: 2, fetched_at: '2026-03-10T15:30:00.000Z' });
  });

  it('is paused while the switch is off and without a URL', async () => {
    expect(await relayWorld({ featureDelvesEnabled: false }).statusOf('delves-relay')).toMatchObject({ state: 'disabled' });
    expect(await relayWorld({ delvesSourceUrl: '' }).statusOf('delves-relay')).toMatchObject({ state: 'unconfigured' });
  });

  it('runs hourly on the game day Monday, otherwise daily', async () => {
    const world = relayWorld();
    const countRequests = async (now: number) => {
      const before = (await world.delves.calls()).length;
      await world.scheduler.tick(now);
      return (await world.delves.calls()).length - before;
    };
    const hours: number[] = [];
    for (let hour = 0; hour < 48; hour++) hours.push(await countRequests(MONDAY + hour * 3600));
    // Hourly from Monday 15:00 to Tuesday 10:00 UTC, then at 11:00 only.
    expect(hours).toEqual([...Array(20).fill(1), 1, ...Array(23).fill(0), 1, 0, 0, 0]);
  });
});
