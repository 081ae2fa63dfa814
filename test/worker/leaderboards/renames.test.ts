import { beforeEach, describe, expect, it } from 'vitest';
import { createIngestService } from '../../../src/areas/leaderboards/ingest/ingest.service.ts';
import { createCaptureNotifier } from '../../../src/areas/leaderboards/ingest/notifier.service.ts';
import { MAX_CHAIN, type Rename } from '../../../src/areas/leaderboards/renames/renames.domain.ts';
import { createRenamesService, type RenamesTask } from '../../../src/areas/leaderboards/renames/renames.service.ts';
import type { CaptureListener } from '../../../src/game/board-captures.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';
import { boardLine, dumpOf, get, type Row } from './dumps.ts';
import { clearStorage, fixedSettings, newStores, receive } from './stores.ts';

/** Monday 2026-03-09 11:00 UTC. */
const MONDAY = 1_773_054_000;
const HOUR = 3600;
const WEEKLY = 10_003;

const others: Row[] = Array.from({ length: 5 }, (_, index) => [`Other ${'abcde'[index]}`, 9000 - index]);
const capture = (name: string, scores: readonly number[]) =>
  dumpOf(
    ...scores.map((score, index) => boardLine(index + 1, [...others, [name, score]])),
    boardLine(WEEKLY, [[name, 5000]], { category: 'STATS' }),
  );

/** Stores captures an hour apart, and notifies the detection of renames unless told otherwise. */
async function store(dumps: readonly string[], { step = HOUR, isLive = true } = {}) {
  const stores = newStores();
  const service = createRenamesService(stores);
  const ingest = createIngestService({ ...stores, settings: fixedSettings() });
  const notify = createCaptureNotifier(stores);
  const listener: CaptureListener = async (given) => void (await service.replace(given, DEFAULT_SETTINGS, MONDAY));
  for (const [index, dump] of dumps.entries()) {
    const anchor = MONDAY + index * step;
    await ingest.process({ ...(await receive(dump, anchor, `v${anchor}`)), isBackfill: true });
    if (isLive) await notify(anchor, [listener]);
  }
  return { stores, service };
}

/** Runs all steps of a backfill; `repeats`: how often each step runs, as after a crash before its task was stored. */
async function backfill({ stores, service }: Awaited<ReturnType<typeof store>>, clearFirst = false, repeats = 1) {
  let task: RenamesTask | null = {
    ...{
      after: 0,
      startedAt: MONDAY,
      isBegun: false,
      clearFirst,
      cleared: null,
      total: 0,
      done: 0,
      detected: 0,
      skippedGap: 0,
      lifetimeBoards: 0,
    },
  };
  const notify = createCaptureNotifier(stores);
  for (let steps = 0; task !== null; steps += 1) {
    if (steps > 20) throw new Error('the backfill has no end');
    const current: RenamesTask = task;
    for (let run = 0; run < repeats; run += 1) task = await service.backfill(current, { settings: DEFAULT_SETTINGS, now: MONDAY, notify });
  }
}

const master = async (path: string, method: 'GET' | 'POST') =>
  call(`/v1/leaderboards/${path}`, { method, now: MONDAY, authorization: bearer(await createSuperuserToken()) });

beforeEach(clearStorage);

describe('renames of players', () => {
  it('are detected between two captures, listed and followed', async () => {
    await store([capture('Nimbus', [5000, 4000, 3000]), capture('Cumulus', [5000, 4000, 3000])]);
    const { json: list, headers } = await get('/renames');
    expect(headers.get('Cache-Control')).toContain('max-age=300');
    expect(list).toMatchObject({ total: 1, limit: 50, offset: 0, enabled: true, method_version: 1 });
    expect(list.renames).toMatchObject([
      {
        from_name: 'Nimbus',
        to_name: 'Cumulus',
        from_anchor: MONDAY,
        to_anchor: MONDAY + HOUR,
        confidence: 0.875,
        matched_boards: 3,
        method_version: 1,
        created_at: MONDAY,
        evidence: { gap_seconds: 3600, terms: { matched_boards: 3, rarity: 1, confidence: 0.875 } },
      },
    ]);
    const { json: chain } = await get('/renames/cumulus');
    expect(chain).toMatchObject({ query: 'cumulus', current_name: 'cumulus', aliases: ['Cumulus', 'Nimbus'], rename_count: 1 });
    expect((await get('/renames/NIMBUS')).json).toMatchObject({ query: 'NIMBUS', current_name: 'Cumulus' });
    expect((await get('/renames/Nobody')).json).toEqual({
      query: 'Nobody',
      current_name: 'Nobody',
      aliases: [],
      edges: [],
      rename_count: 0,
    });
    const { json: profile } = await get('/players/nimbus/profile');
    expect(profile).toMatchObject({ player_name: 'Cumulus', renamed_from: 'nimbus', summary: { latest_anchor: MONDAY + HOUR } });
    expect((await get('/players/nimbus/boards')).json).toMatchObject({ player_name: 'Cumulus', renamed_from: 'nimbus' });
    expect((await get('/players/Cumulus/profile')).json).toMatchObject({ player_name: 'Cumulus', renamed_from: null });
    expect((await get('/renames?limit=201')).status).toBe(422);
    expect((await get('/renames?format=json')).json).toEqual(list);
  });

  it('are stored once, and not followed to a later name after the old one was seen again', async () => {
    const dumps = [capture('Nimbus', [5000, 4000, 3000]), capture('Cumulus', [5000, 4000, 3000])];
    await store(dumps);
    await store(dumps);
    expect((await get('/renames')).json).toMatchObject({ total: 1 });
    await store([...dumps, dumpOf(boardLine(1, [...others, ['Nimbus', 2000]]))]);
    expect((await get('/players/Nimbus/profile')).json).toMatchObject({ player_name: 'Nimbus', renamed_from: null });
  });
});

describe('later names of a player', () => {
  const rename = (from: string, to: string, toAnchor: number): Rename => ({
    from,
    to,
    fromAnchor: toAnchor - HOUR,
    toAnchor,
    boards: [{ uuid: 1, name: 'Board', from: 10, to: 10, cell: 1 }],
    runnerUp: 0,
    confidence: 0.9,
  });
  const save = async (...renames: Rename[]) => {
    const { renames: stored } = newStores();
    for (const [anchor, own] of Map.groupBy(renames, ({ toAnchor }) => toAnchor)) await stored.replace(anchor, own, { drift: 0.1 }, MONDAY);
    return stored;
  };

  it('are the targets of the newest rename of each name, in order, in one read', async () => {
    const stored = await save(
      rename('Ann', 'Old', MONDAY),
      rename('Ann', 'Bea', MONDAY + HOUR),
      rename('Bea', 'Cleo', MONDAY + 2 * HOUR),
      rename('Dora', 'Ann', MONDAY),
    );
    expect(await stored.laterNames('ANN')).toEqual([
      { toName: 'Bea', toAnchor: MONDAY + HOUR },
      { toName: 'Cleo', toAnchor: MONDAY + 2 * HOUR },
    ]);
    expect(await stored.laterNames('Cleo')).toEqual([]);
  });

  it('end after the largest number of names when two names were exchanged', async () => {
    const stored = await save(rename('Ann', 'Bea', MONDAY), rename('Bea', 'Ann', MONDAY + HOUR));
    expect(await stored.laterNames('Ann')).toHaveLength(MAX_CHAIN);
    expect((await get('/players/Ann/profile')).status).toBe(200);
  });
});

describe('backfill of renames', () => {
  const dumps = [capture('Ann', [5000, 4000]), capture('Bea', [5000, 4000]), capture('Cleo', [5000, 4000])];

  it('compares all neighbouring captures, with the same result when steps are repeated', async () => {
    const world = await store(dumps, { isLive: false });
    expect((await get('/renames')).json).toMatchObject({ total: 0 });
    await backfill(world, true, 2);
    expect((await get('/renames')).json).toMatchObject({ total: 2 });
    expect(JSON.parse((await master('renames-backfill-status', 'GET')).text)).toEqual({
      running: false,
      total: 2,
      done: 2,
      detected: 2,
      skipped_gap: 0,
      started_at: MONDAY,
      finished_at: MONDAY,
      last_anchor: MONDAY + 2 * HOUR,
      clear_first: true,
      lifetime_boards: 2,
      cleared: 0,
      recorded_renames: 2,
    });
    expect((await get('/renames/ann')).json).toMatchObject({ current_name: 'Cleo', rename_count: 2 });
  });

  it('skips captures that are too far apart', async () => {
    const world = await store(dumps, { isLive: false, step: 2 * HOUR });
    await backfill(world);
    const status = JSON.parse((await master('renames-backfill-status', 'GET')).text);
    expect(status).toMatchObject({ total: 2, done: 2, detected: 0, skipped_gap: 2, cleared: null });
  });

  it('starts once, and reports nothing before the first one', async () => {
    expect(JSON.parse((await master('renames-backfill-status', 'GET')).text)).toMatchObject({ running: false, started_at: null, total: 0 });
    const first = await master('renames-backfill?clear_first=true', 'POST');
    expect([first.status, JSON.parse(first.text)]).toEqual([202, { started: true, clear_first: true }]);
  });
});

describe('renames that are switched off', () => {
  it('return 404 with feature_disabled, not the error of another route', async () => {
    const off = testApp({ settings: { leaderboardRenamesEnabled: false } });
    for (const path of ['/renames', '/renames/Nimbus', '/renames/0']) {
      const { status, json } = await get(path, {}, off);
      expect([status, json.error], path).toMatchObject([404, { code: 'not_found', details: { feature_disabled: true } }]);
    }
  });
});
