import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createReportsStore } from '../../../src/areas/rotations/reports/reports.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { call, type TestResponse } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const fetch = testApp({ settings: { publicAnonRateLimitMax: 10_000 } });
const reports = createReportsStore(createDatabase(env.DB));

const WEEK = 604_800;
const HOUR = 3600;
/** Tuesday 2026-03-10 11:00:00 UTC. */
const TUESDAY = 1_773_140_400;

const CHESTS = 'chaos-chest';
const CHALLENGES = 'challenge';
const COUNT = 7;

const addChest = (index: number) =>
  reports.saveChaosChest({ weekAnchorAt: TUESDAY + index * WEEK, name: `Item ${index}`, capturedAt: TUESDAY + index * WEEK + 60 });
const addChallenge = (index: number, name = `Name ${index}`, isFridayWindow = false) =>
  reports.saveChallenge({ windowAnchorAt: TUESDAY + index * HOUR, name, isFridayWindow, capturedAt: TUESDAY + index * HOUR + 60 });

beforeAll(async () => {
  for (let index = 0; index < COUNT; index += 1) {
    await addChest(index);
    await addChallenge(index);
  }
});

const history = (kind: string, query = '') => call(`/v1/rotations/${kind}/history${query}`, {}, fetch);
const namesOf = ({ text }: TestResponse): string[] => JSON.parse(text).items.map(({ name }: { name: string }) => name);
const nextOf = ({ headers }: TestResponse) => /^<([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];

/** Names of a page and of all following pages. */
async function follow(first: TestResponse, between: () => Promise<void> = async () => {}): Promise<string[][]> {
  const pages = [namesOf(first)];
  for (let next = nextOf(first); next !== undefined; ) {
    await between();
    const page = await call(next, {}, fetch);
    expect(page.status).toBe(200);
    pages.push(namesOf(page));
    next = nextOf(page);
  }
  return pages;
}

describe('GET /v1/rotations/chaos-chest/history', () => {
  it('returns every week, newest first', async () => {
    const body = JSON.parse((await history(CHESTS)).text);
    expect([body.count, body.total]).toEqual([COUNT, COUNT]);
    expect(body.items[0]).toEqual({
      week_anchor: TUESDAY + 6 * WEEK,
      week_ends_at: TUESDAY + 7 * WEEK,
      name: 'Item 6',
      image_url: null,
      captured_at: new Date((TUESDAY + 6 * WEEK + 60) * 1000).toISOString(),
    });
  });
});

describe('GET /v1/rotations/challenge/history', () => {
  it('returns every window, newest first, with its type', async () => {
    const names = ['Collection Challenge', 'RAMPAGE ALERT!', 'Rampage', 'racing', 'Some Dungeon'];
    for (const [index, name] of names.entries()) await addChallenge(-1 - index, name, index === 1);
    const { items } = JSON.parse((await history(CHALLENGES)).text);
    expect(items[0]).toEqual({
      window_anchor: TUESDAY + 6 * HOUR,
      window_ends_at: TUESDAY + 6 * HOUR + 1200,
      name: 'Name 6',
      type: 'dungeon',
      is_friday_window: false,
      captured_at: new Date((TUESDAY + 6 * HOUR + 60) * 1000).toISOString(),
    });
    const older = items.slice(COUNT).map((item: { name: string; is_friday_window: boolean }) => [item.name, item.is_friday_window]);
    expect(older).toEqual(names.map((name, index) => [name, index === 1]));
    await env.DB.prepare('DELETE FROM challenge_captures WHERE window_anchor_at < ?1').bind(TUESDAY).run();
  });
});

describe.each([
  [CHESTS, 'Item', 200],
  [CHALLENGES, 'Name', 500],
])('paging through the history of %s', (kind, word, max) => {
  const names = (...indices: number[]) => indices.map((index) => `${word} ${index}`);

  it('applies limit and offset', async () => {
    const page = await history(kind, '?limit=3&offset=2');
    expect(namesOf(page)).toEqual(names(4, 3, 2));
    expect(JSON.parse(page.text)).toMatchObject({ count: 3, total: COUNT });
    const beyond = await history(kind, '?offset=100');
    expect([beyond.status, JSON.parse(beyond.text), nextOf(beyond)]).toEqual([
      200,
      { items: [], count: 0, total: COUNT, next_cursor: null },
      undefined,
    ]);
  });

  it('links to the next page until the last', async () => {
    expect(await follow(await history(kind, '?limit=3'))).toEqual([names(6, 5, 4), names(3, 2, 1), names(0)]);
    expect(await follow(await history(kind, '?limit=2&offset=3'))).toEqual([names(3, 2), names(1, 0)]);
    expect(nextOf(await history(kind))).toBeUndefined();
  });

  it('has no link on a full last page', async () => {
    expect(nextOf(await history(kind, `?limit=${COUNT}`))).toBeUndefined();
    expect(nextOf(await history(kind, '?limit=1&offset=6'))).toBeUndefined();
    expect(nextOf(await history(kind, `?limit=${COUNT - 1}`))).toBeDefined();
  });

  it('keeps limit and total in links', async () => {
    const next = nextOf(await history(kind, '?limit=2')) ?? '';
    expect(next).toMatch(new RegExp(`^/v1/rotations/${kind}/history\\?limit=2&cursor=[A-Za-z0-9_-]+$`));
    expect(JSON.parse((await call(next, {}, fetch)).text)).toMatchObject({ count: 2, total: COUNT });
  });

  it('is stable while reports arrive', async () => {
    let arrived = COUNT;
    const pages = await follow(await history(kind, '?limit=2'), async () => {
      if (arrived === COUNT + 2) return;
      await (kind === CHESTS ? addChest(arrived) : addChallenge(arrived));
      arrived += 1;
    });
    expect(pages.flat()).toEqual(names(6, 5, 4, 3, 2, 1, 0));
    const [table, key] = kind === CHESTS ? ['chaos_chest_captures', 'week_anchor_at'] : ['challenge_captures', 'window_anchor_at'];
    const last = TUESDAY + (COUNT - 1) * (kind === CHESTS ? WEEK : HOUR);
    await env.DB.prepare(`DELETE FROM ${table} WHERE ${key} > ?1`).bind(last).run();
  });

  it('accepts an offset or a cursor, not both', async () => {
    const cursor = new URL(nextOf(await history(kind, '?limit=2')) ?? '', 'https://api.test').searchParams.get('cursor');
    for (const offset of [0, 3]) {
      const { status, text } = await history(kind, `?cursor=${cursor}&offset=${offset}`);
      expect([status, JSON.parse(text).error.details[0].loc]).toEqual([422, ['query', 'cursor']]);
    }
  });

  it.each(['x', 'W10', btoa('{"a":1}'), '%ff'])('rejects the invalid cursor %j', async (cursor) => {
    const { status, text } = await history(kind, `?cursor=${cursor}`);
    expect([status, JSON.parse(text).error.code]).toEqual([400, 'bad_request']);
  });

  it('validates limit and offset', async () => {
    for (const query of [`?limit=${max}`, '?limit=1', '?offset=0', '?offset=1000000000'])
      expect((await history(kind, query)).status).toBe(200);
    for (const query of [
      `?limit=${max + 1}`,
      '?limit=0',
      '?limit=-1',
      '?limit=1.5',
      '?limit=ten',
      '?limit=1&limit=2',
      '?offset=-1',
      '?offset=1e3',
      '?offset=99999999999999999999',
      `?cursor=${'x'.repeat(201)}`,
      '?cursor=%00',
    ]) {
      const { status, text } = await history(kind, query);
      expect([query, status, JSON.parse(text).error.code]).toEqual([query, 422, 'validation_error']);
    }
  });
});
