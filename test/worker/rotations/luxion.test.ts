import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { luxionRuns } from '../../../src/areas/rotations/schedules/rotations.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { setClock } from '../events/objects.ts';
import { TestStream } from '../events/streams.ts';
import { testApp } from '../platform/test-app.ts';
import { report, reporter } from './reports.ts';

/** Tuesday 2026-07-21 15:06 UTC; the first window opens on Wednesday 02:00 UTC. */
const FIRST_SEEN = 1_784_646_360;
const ANCHOR = 1_784_631_600;
const OPENING = 1_784_685_600;
const WINDOWS = [OPENING, 1_784_782_800, 1_784_880_000, 1_784_977_200, 1_785_074_400, 1_785_171_600, 1_785_268_800];
const END = 1_785_279_600;
const SEVEN = ['corruxion', 'fluxion', 'gardening_2', 'gardening_3', 'mana', 'stampy', 'weekly_buff'];

const insert = async (now: number, query = '') =>
  call(`/v1/rotations/luxion/insert${query}`, { method: 'POST', now, authorization: await reporter() });
const read = async (now: number) => JSON.parse((await call('/v1/rotations/luxion', { now }, testApp())).text);
const window = (position: number) => {
  const startsAt = WINDOWS[position - 1] ?? 0;
  return { starts_at: startsAt, ends_at: startsAt + 10_800, state: `Day ${position}` };
};

beforeEach(async () => {
  await env.DB.exec('DELETE FROM luxion_runs');
});

describe('GET /v1/rotations/luxion', () => {
  it('is empty before the first report', async () => {
    expect(await read(FIRST_SEEN)).toEqual({
      active: false,
      merchant_open: false,
      starts_at: null,
      ends_at: null,
      seconds_remaining: 0,
      current_window: null,
      next_window: null,
      schedule: [],
      first_seen_at: null,
      last_seen_at: null,
    });
  });

  it('returns the reported run, its windows and the countdown', async () => {
    await insert(FIRST_SEEN);
    const seen = { first_seen_at: '2026-07-21T15:06:00.000Z', last_seen_at: '2026-07-21T15:06:00.000Z' };
    const shared = { starts_at: FIRST_SEEN, ends_at: END, schedule: [1, 2, 3, 4, 5, 6, 7].map(window), ...seen };
    const closed = { ...shared, active: true, merchant_open: false, current_window: null };
    expect(await read(1_784_649_600)).toEqual({ ...closed, next_window: window(1), seconds_remaining: 36_000 });
    expect(await read(1_784_689_200)).toEqual({
      ...shared,
      active: true,
      merchant_open: true,
      current_window: window(1),
      next_window: window(2),
      seconds_remaining: 7200,
    });
    expect(await read(1_784_721_600)).toEqual({ ...closed, next_window: window(2), seconds_remaining: 61_200 });
    expect(await read(END)).toEqual({ ...closed, active: false, next_window: null, seconds_remaining: 0 });
  });
});

describe('POST /v1/rotations/luxion/insert', () => {
  it('begins a run, and extends it until it ends', async () => {
    expect(JSON.parse((await insert(FIRST_SEEN)).text)).toEqual({ anchor: ANCHOR, name: 'luxion', refreshed: false });
    expect(JSON.parse((await insert(END - 1)).text)).toEqual({ anchor: ANCHOR, name: 'luxion', refreshed: true });
    // The last sighting proves presence for four hours.
    expect((await read(END)).ends_at).toBe(END - 1 + 14_400);
    expect(JSON.parse((await insert(END + 14_400)).text)).toMatchObject({ anchor: 1_785_236_400, refreshed: false });
  });

  it('ends the run with present=false, and nothing afterwards', async () => {
    expect(JSON.parse((await insert(FIRST_SEEN, '?present=false')).text)).toEqual({ anchor: ANCHOR, name: 'luxion', refreshed: false });
    expect((await read(FIRST_SEEN)).starts_at).toBeNull();
    await insert(FIRST_SEEN);
    expect(JSON.parse((await insert(1_785_152_400, '?present=false')).text)).toEqual({ anchor: ANCHOR, name: 'luxion', refreshed: true });
    expect(JSON.parse((await insert(1_785_160_000, '?present=false')).text)).toEqual({ anchor: ANCHOR, name: 'luxion', refreshed: false });
    const body = await read(1_785_152_400);
    expect([body.active, body.ends_at, body.schedule]).toEqual([false, 1_785_152_400, [1, 2, 3, 4, 5].map(window)]);
  });

  it('begins one run under concurrency', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, (_, index) => insert(FIRST_SEEN + index)));
    const bodies = responses.map(({ text }) => JSON.parse(text));
    expect(bodies.map(({ anchor }) => anchor)).toEqual(responses.map(() => ANCHOR));
    expect(bodies.filter(({ refreshed }) => !refreshed)).toHaveLength(1);
    const { text } = await call('/v1/rotations/luxion/history', { now: FIRST_SEEN }, testApp());
    expect(JSON.parse(text).total).toBe(1);
  });

  it('requires a superuser, accepts 1 per 5 minutes and returns a receipt', async () => {
    const path = '/v1/rotations/luxion/insert';
    const method = 'POST';
    expect((await call(path, { method, now: FIRST_SEEN })).status).toBe(401);
    expect((await call(path, { method, now: FIRST_SEEN, authorization: bearer(await createToken()) })).status).toBe(403);
    const authorization = await reporter();
    const first = await call(path, { method, now: FIRST_SEEN, authorization });
    expect([first.status, first.headers.has('X-Ingest-ID')]).toEqual([200, true]);
    expect((await call(path, { method, now: FIRST_SEEN + 60, authorization })).status).toBe(429);
    expect((await call(`${path}?present=maybe`, { method, now: FIRST_SEEN, authorization: await reporter() })).status).toBe(422);
  });
});

describe('GET /v1/rotations/luxion/history', () => {
  it('lists runs newest first, with limit and offset', async () => {
    const runs = [0, 28, 56].map((back) => {
      const seenAt = FIRST_SEEN - back * 86_400;
      return { startedAt: ANCHOR - back * 86_400, firstSeenAt: seenAt, lastSeenAt: seenAt, endedAt: back === 0 ? 1_785_152_400 : null };
    });
    await createDatabase(env.DB).insert(luxionRuns).values(runs);
    const history = async (query = '') => JSON.parse((await call(`/v1/rotations/luxion/history${query}`, {}, testApp())).text);
    const { items, count, total } = await history();
    expect([count, total]).toEqual([3, 3]);
    expect(items[0]).toEqual({
      started_at: FIRST_SEEN,
      ends_at: 1_785_152_400,
      first_seen_at: '2026-07-21T15:06:00.000Z',
      last_seen_at: '2026-07-21T15:06:00.000Z',
    });
    expect((await history('?limit=1&offset=1')).items[0].started_at).toBe(FIRST_SEEN - 28 * 86_400);
    expect((await history('?limit=201')).error.code).toBe('validation_error');
    expect((await history('?offset=-1')).error.code).toBe('validation_error');
  });
});

describe('GET /v1/rotations/calendar', () => {
  const calendar = async (query: string, now = FIRST_SEEN) =>
    JSON.parse((await call(`/v1/rotations/calendar${query}`, { now }, testApp())).text);

  it('has the windows of every run with types=luxion, and the seven types without', async () => {
    await insert(FIRST_SEEN);
    const { events, count } = await calendar('?types=luxion');
    expect(count).toBe(7);
    expect(events[0]).toEqual({ type: 'luxion', name: 'Luxion', starts_at: OPENING, ends_at: OPENING + 10_800 });
    const types = async (query: string) => [...new Set((await calendar(query)).events.map(({ type }: { type: string }) => type))].sort();
    expect(await types('')).toEqual(SEVEN);
    expect(await types('?types=luxion,corruxion')).toEqual(['corruxion', 'luxion']);
    // Windows enter and leave the calendar one by one.
    expect((await calendar('?types=luxion', 1_785_279_600 + 365 * 86_400 - 1)).count).toBe(1);
    expect((await calendar('?types=luxion', 1_785_279_600 + 365 * 86_400)).count).toBe(0);
    const file = async (query: string) => (await call(`/v1/rotations/calendar.ics${query}`, { now: FIRST_SEEN }, testApp())).text;
    expect(await file('')).not.toContain('Luxion');
    expect((await file('?types=luxion')).match(/SUMMARY:Luxion/g)).toHaveLength(7);
  });
});

describe('an overlay of players', () => {
  it('polls the merchants every 10 seconds for a minute and follows their events, without a token', async () => {
    const headers = { 'CF-Connecting-IP': '10.46.1.1' };
    const start = 1_784_646_360;
    for (let now = start; now < start + 60; now += 10) {
      for (const merchant of ['corruxion', 'fluxion', 'luxion']) {
        expect((await call(`/v1/rotations/${merchant}`, { now, headers })).status).toBe(200);
      }
    }
    const query = 'types=challenge,corruxion,fluxion,luxion';
    const stream = await TestStream.open({ now: start, query, address: '10.46.1.1' });
    expect(stream.response.status).toBe(200);
    await stream.close();
    const calendar = await call('/v1/rotations/calendar?types=corruxion,fluxion,luxion', { now: start, headers });
    expect(calendar.status).toBe(200);
  });
});

describe('GET /v1/events/stream', () => {
  it('sends one message at the detection and one per opening, to streams that name the type', async () => {
    await setClock(FIRST_SEEN);
    const named = await TestStream.open({ now: FIRST_SEEN, query: 'types=luxion' });
    const plain = await TestStream.open({ now: FIRST_SEEN });
    await insert(FIRST_SEEN);
    await insert(FIRST_SEEN + 3600);
    await setClock(OPENING + 10);
    await insert(OPENING + 20);
    await insert(OPENING + 3600);
    const messages = await named.messages(2);
    const states = messages.map(({ body }) => JSON.parse(body));
    expect(messages.map(({ type }) => type)).toEqual(['luxion', 'luxion']);
    expect(states.map(({ merchant_open, current_window }) => [merchant_open, current_window?.state ?? null])).toEqual([
      [false, null],
      [true, 'Day 1'],
    ]);
    const later = await TestStream.open({ now: OPENING + 3600, query: 'types=luxion' });
    const { type, body } = await later.message();
    expect([type, JSON.parse(body).active]).toEqual(['luxion', true]);
    await report('chaos-chest', 'Egg', { now: OPENING + 3600 });
    const seen = await plain.until(({ event, json }) => event === 'chaos' && json.includes('Egg'));
    expect(seen.map(({ message }) => message?.type)).not.toContain('luxion');
    await Promise.all([named.close(), plain.close(), later.close()]);
  });
});
