import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { newProgress } from '../../../src/areas/leaderboards/captures/backfill.store.ts';
import { createDuplicatesService, type DuplicatesTask } from '../../../src/areas/leaderboards/duplicates/duplicates.service.ts';
import { createIngestService } from '../../../src/areas/leaderboards/ingest/ingest.service.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';
import { boardLine, dumpOf, get, type Row } from './dumps.ts';
import { clearStorage, fixedSettings, newStores, receive } from './stores.ts';

/** Monday 2026-03-09 11:00 UTC. */
const MONDAY = 1_773_054_000;
const HOUR = 3600;
const MAX_STEPS = 40;

/** A capture in which Nimbus is two characters: one gains 100 points an hour, the other stays. */
const capture = (hour: number, more: readonly Row[] = []) =>
  dumpOf(boardLine(1, [['Nimbus', 8100 + hour * 100], ['Other', 900], ['Nimbus', 500], ...more]), boardLine(20, [['Nimbus', 40], ...more]));

async function store(dumps: readonly string[]) {
  const stores = newStores();
  const ingest = createIngestService({ ...stores, settings: fixedSettings() });
  for (const [hour, dump] of dumps.entries()) {
    const anchor = MONDAY + hour * HOUR;
    await ingest.process({ ...(await receive(dump, anchor, `v${anchor}`)), isBackfill: true });
  }
}

/** Runs all steps of a task; `repeats`: how often each step runs, as after a crash before its result was stored. */
async function run(first: DuplicatesTask, { settings = DEFAULT_SETTINGS, repeats = 1 } = {}) {
  const service = createDuplicatesService(newStores());
  let task: DuplicatesTask | null = first;
  for (let steps = 0; task !== null; steps += 1) {
    if (steps > MAX_STEPS) throw new Error('the task has no end');
    const current: DuplicatesTask = task;
    for (let done = 0; done < repeats; done += 1) task = await service.step(current, settings, MONDAY);
  }
}

const search = (anchor: number) => run({ anchor, isSearched: false, backfill: null });
const backfill = (clearFirst: boolean, repeats = 1) =>
  run({ anchor: 0, isSearched: false, backfill: newProgress(MONDAY, clearFirst) }, { repeats });

const master = async (path: string, method: 'GET' | 'POST') =>
  call(`/v1/leaderboards/${path}`, { method, now: MONDAY, authorization: bearer(await createSuperuserToken()) });

beforeEach(clearStorage);

describe('duplicate names of the newest capture', () => {
  it('are listed with the lines of their characters', async () => {
    await store([capture(0), capture(1), capture(2), capture(3)]);
    await search(MONDAY + 3 * HOUR);
    const { json: list, headers } = await get('/duplicates');
    expect(headers.get('Cache-Control')).toContain('max-age=300');
    const flat = {
      slot: 1,
      captures: 4,
      first_anchor: MONDAY,
      last_anchor: MONDAY + 3 * HOUR,
      first_score: 500,
      last_score: 500,
      last_rank: 3,
    };
    const duplicate = {
      name: 'Nimbus',
      kind: 'same_name',
      verdict: 'one_live',
      boards: 1,
      max_occurrences: 2,
      spellings: ['Nimbus'],
      first_anchor: MONDAY + 3 * HOUR,
      last_anchor: MONDAY + 3 * HOUR,
      method_version: 1,
      updated_at: MONDAY,
      evidence: {
        lookback_days: 7,
        boards: [
          {
            uuid: 1,
            name: 'BOARD 1',
            occurrences: 2,
            series: [
              { ...flat, slot: 0, first_score: 8100, last_score: 8400, last_rank: 1, moved: true, frozen: false },
              { ...flat, moved: false, frozen: true },
            ],
          },
        ],
        summary: 'Nimbus appears several times on 1 board; one of the characters plays',
      },
    };
    expect(list).toEqual({
      duplicates: [duplicate],
      total: 1,
      current: 1,
      latest_anchor: MONDAY + 3 * HOUR,
      limit: 50,
      offset: 0,
      enabled: true,
      method_version: 1,
    });
    expect((await get('/duplicates/nimbus')).json).toEqual({ query: 'nimbus', found: true, enabled: true, ...duplicate });
    expect((await get('/duplicates/Other')).json).toEqual({ query: 'Other', found: false, enabled: true });
  });

  it('merge spellings with repeated rows', async () => {
    await store([
      dumpOf(boardLine(1, [['Ann', 5000]]), boardLine(20, [['ann', 40]])),
      dumpOf(
        boardLine(1, [
          ['Ann', 5000],
          ['Ann', 4000],
        ]),
      ),
    ]);
    await search(MONDAY);
    expect((await get('/duplicates?kind=case')).json.duplicates).toMatchObject(
      [{ name: 'Ann', kind: 'case', verdict: 'not_analysed' }].map((row) => ({
        ...row,
        verdict: 'case_only',
        boards: 2,
        max_occurrences: 2,
        spellings: ['Ann', 'ann'],
        evidence: {},
      })),
    );
    await search(MONDAY + HOUR);
    const merged = { name: 'Ann', kind: 'both', verdict: 'all_idle', boards: 1, first_anchor: MONDAY, last_anchor: MONDAY + HOUR };
    for (const kind of ['case', 'same_name']) {
      expect((await get(`/duplicates?kind=${kind}`)).json.duplicates).toMatchObject([{ ...merged, spellings: ['Ann', 'ann'] }]);
    }
    const { status, json } = await get('/duplicates?kind=both');
    expect([status, (json.error as { code: string }).code]).toEqual([422, 'validation_error']);
  });

  it('keep the analysis when the name is only in older captures', async () => {
    await store([capture(0), capture(1)]);
    await search(MONDAY + HOUR);
    await store([capture(0), capture(1), dumpOf(boardLine(1, [['Other', 1]]))]);
    await search(MONDAY + HOUR);
    expect((await get('/duplicates')).json).toMatchObject({ current: 1, duplicates: [{ verdict: 'one_live' }] });
  });
});

describe('backfill of duplicate names', () => {
  it('searches all captures and analyses the newest, with the same result when steps are repeated', async () => {
    await store([
      capture(0, [
        ['Bea', 30],
        ['Bea', 20],
      ]),
      capture(1),
      capture(2),
    ]);
    await backfill(true, 2);
    const { json } = await get('/duplicates');
    expect(json).toMatchObject({ total: 2, current: 1, latest_anchor: MONDAY + 2 * HOUR });
    expect(json.duplicates).toMatchObject([
      { name: 'Nimbus', verdict: 'one_live', first_anchor: MONDAY, last_anchor: MONDAY + 2 * HOUR },
      { name: 'Bea', verdict: 'not_analysed', boards: 2, first_anchor: MONDAY, last_anchor: MONDAY, evidence: {} },
    ]);
    expect(JSON.parse((await master('duplicates-backfill-status', 'GET')).text)).toEqual({
      running: false,
      phase: 'analysis',
      total: 3,
      done: 3,
      detected: 4,
      started_at: MONDAY,
      finished_at: MONDAY,
      last_anchor: MONDAY + 2 * HOUR,
      clear_first: true,
      cleared: 0,
      recorded_duplicates: 2,
    });
  });

  it('starts once', async () => {
    const first = await master('duplicates-backfill?clear_first=true', 'POST');
    expect([first.status, JSON.parse(first.text)]).toEqual([202, { started: true, clear_first: true }]);
    await env.BOARDS.put('reports/duplicates-backfill.json', JSON.stringify({ task: {}, finishedAt: null, heartbeatAt: MONDAY }));
    expect((await master('duplicates-backfill', 'POST')).status).toBe(409);
  });
});

describe('duplicate names that are switched off', () => {
  it('return 404 with feature_disabled, not the error of another route', async () => {
    const off = testApp({ settings: { leaderboardDuplicatesEnabled: false } });
    for (const path of ['/duplicates', '/duplicates/Nimbus', '/duplicates/0', '/duplicates?kind=nonsense']) {
      const { status, json } = await get(path, {}, off);
      expect([status, json.error], path).toMatchObject([404, { code: 'not_found', details: { feature_disabled: true } }]);
    }
  });
});
