import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rowsOf } from '../../../../src/areas/leaderboards/boards/boards.store.ts';
import { createCaptureObjects } from '../../../../src/areas/leaderboards/captures/capture-objects.store.ts';
import { createPackingService } from '../../../../src/areas/leaderboards/captures/packing.service.ts';
import { createIngestService } from '../../../../src/areas/leaderboards/ingest/ingest.service.ts';
import { type IngestJob, IngestQueue, type IngestWork } from '../../../../src/areas/leaderboards/ingest/ingest-queue.service.ts';
import { createCaptureNotifier } from '../../../../src/areas/leaderboards/ingest/notifier.service.ts';
import { createRetentionJob } from '../../../../src/areas/leaderboards/ingest/retention.jobs.ts';
import { createPlayersService } from '../../../../src/areas/leaderboards/players/players.service.ts';
import type { BoardPair, CaptureListener } from '../../../../src/game/board-captures.ts';
import { DEFAULT_SETTINGS } from '../../../support/declarations.ts';
import { measure } from '../../../support/meter.ts';
import { boardLine, dumpOf, storedKeys } from '../dumps.ts';
import { areaState, clearStorage, fixedSettings, memoryJobs, newStores, receive, storeCaptures, visibleRows } from '../stores.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const HOUR = 3600;
const DAY = 86_400;

const OLD = dumpOf(
  boardLine(1, [
    ['A', 10],
    ['B', 9],
  ]),
  boardLine(3, [['A', 5]]),
  boardLine(4, [['C', 1]]),
);
const NEW = dumpOf(
  boardLine(1, [
    ['B', 20],
    ['A', 11],
    ['D', 2],
  ]),
  boardLine(3, [['A', 6]]),
  boardLine(9, [['D', 7]]),
);
const OLD_ROWS = {
  1: { entries: 2, names: ['A', 'B'], scores: [10, 9] },
  3: { entries: 1, names: ['A'], scores: [5] },
  4: { entries: 1, names: ['C'], scores: [1] },
};
const NEW_ROWS = {
  1: { entries: 3, names: ['B', 'A', 'D'], scores: [20, 11, 2] },
  3: { entries: 1, names: ['A'], scores: [6] },
  9: { entries: 1, names: ['D'], scores: [7] },
};

/** Wraps stores so that the n-th call takes effect and then throws, like a crash before the next call. */
function failing<Stores extends Record<string, object>>(stores: Stores, failAt: number) {
  const calls = { count: 0 };
  const wrap = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
        return async (...args: unknown[]) => {
          calls.count += 1;
          const isMine = calls.count === failAt;
          const result = await method.apply(target, args);
          if (isMine) throw new Error('crash');
          return result;
        };
      },
    });
  const wrapped = Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, wrap(store)])) as Stores;
  return { stores: wrapped, calls };
}

const serviceOf = (stores: ReturnType<typeof newStores>) => createIngestService({ ...stores, settings: fixedSettings() });

beforeEach(clearStorage);

describe('IngestService', () => {
  it('creates the same capture when processing is retried after a crash', async () => {
    await serviceOf(newStores()).process(await receive(OLD, TUESDAY, 'old'));
    const task = await receive(NEW, TUESDAY, 'new');
    const reference = failing(newStores(), 0);
    await serviceOf(reference.stores).process(task);
    const expected = await areaState();
    const steps = reference.calls.count;
    expect(steps).toBeGreaterThan(12);
    for (let step = 1; step <= steps; step += 1) {
      await clearStorage();
      await serviceOf(newStores()).process(await receive(OLD, TUESDAY, 'old'));
      await receive(NEW, TUESDAY, 'new');
      await expect(serviceOf(failing(newStores(), step).stores).process(task)).rejects.toThrow('crash');
      const seen = await visibleRows(TUESDAY);
      expect([OLD_ROWS, NEW_ROWS], `after step ${step}`).toContainEqual(seen);
      expect((await serviceOf(newStores()).process(task)).accepted).toBe(true);
      expect(await areaState(), `step ${step}`).toBe(expected);
      expect(await visibleRows(TUESDAY)).toEqual(NEW_ROWS);
    }
  });

  it('processes the same dump idempotently', async () => {
    const service = serviceOf(newStores());
    await service.process(await receive(OLD, TUESDAY, 'one', { digest: 'same' }));
    const state = await areaState();
    const again = await service.process(await receive(OLD, TUESDAY, 'two', { digest: 'same' }));
    expect(again).toEqual({ accepted: true, message: 'the same dump is already stored: 3 boards, 4 entries', changed: [] });
    expect(JSON.parse(await areaState())[0]).toEqual(JSON.parse(state)[0]);
    expect((await storedKeys()).filter((key) => !key.startsWith('raw/'))).toEqual(
      (JSON.parse(state)[1] as string[]).filter((key) => !key.startsWith('raw/')),
    );
  });

  it('stores only the raw dump when it rejects a dump', async () => {
    const outcome = await serviceOf(newStores()).process(await receive('nothing', TUESDAY, 'empty'));
    expect(outcome).toMatchObject({ accepted: false, changed: [] });
    expect(await storedKeys()).toEqual([`raw/00${TUESDAY}/${TUESDAY}-empty.cfg.gz`]);
    expect(await newStores().log.latest({ limit: 5 })).toMatchObject([
      { error: `anchor ${TUESDAY}: dump contains no board`, summary: null },
    ]);
  });
});

/** The bucket of captures; runs work once, after the first read of an object. */
function betweenReads(work: () => Promise<void>) {
  let reads = 0;
  const bucket = new Proxy(env.BOARDS, {
    get(target, name) {
      const member = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      if (name !== 'get') return member.bind(target);
      return async (...args: unknown[]) => {
        const object = await member.apply(target, args);
        reads += 1;
        if (reads === 1) {
          const bytes = await (object as R2ObjectBody).arrayBuffer();
          await work();
          return { arrayBuffer: async () => bytes };
        }
        return object;
      };
    },
  });
  return { bucket, count: () => reads };
}

/** A queue in memory with its own clock. */
function queueOf(work: Partial<IngestWork>) {
  const { jobs, storage } = memoryJobs();
  const clock = { now: 1000 };
  const nothing = async () => {};
  const full: IngestWork = {
    ingest: async () => ({ accepted: true, message: 'done', changed: [] }),
    notify: async () => [],
    report: nothing,
    pack: nothing,
    totals: async () => null,
    playerDocuments: async () => null,
    cleanUp: async () => [],
    recompute: async () => null,
    renames: async () => null,
    duplicates: async () => null,
    logFailure: nothing,
    ...work,
  };
  const create = () => new IngestQueue(storage, full, () => clock.now);
  return { queue: create(), restarted: create, jobs, clock };
}

const dumpJob = (id: string, anchor = TUESDAY): IngestJob => ({
  kind: 'ingest',
  task: { id, anchor, rawKey: '', digest: id, bytes: 0, isBackfill: false, receivedAt: anchor, userId: null, tokenId: null },
});

describe('IngestQueue', () => {
  it('processes concurrent dumps in order, so that the last one wins', async () => {
    const service = serviceOf(newStores());
    const { queue } = queueOf({ ingest: service.process });
    const first = queue.add({ kind: 'ingest', task: await receive(OLD, TUESDAY, 'first') });
    const second = queue.add({ kind: 'ingest', task: await receive(NEW, TUESDAY, 'second') });
    const outcomes = Promise.all([queue.outcomeOf(first), queue.outcomeOf(second)]);
    await Promise.all([queue.round(), queue.round()]);
    expect((await outcomes).map(({ accepted }) => accepted)).toEqual([true, true]);
    expect(await visibleRows(TUESDAY)).toEqual(NEW_ROWS);
    expect((await storedKeys('boards/')).every((key) => key.includes('/second/'))).toBe(true);
  });

  it('keeps a job of a kind that only a newer version knows, and does the others first', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const done: unknown[] = [];
    const { queue, jobs } = queueOf({
      ingest: async (task) => {
        done.push(task?.id);
        return { accepted: true, message: 'done', changed: [] };
      },
      notify: async (anchor) => {
        done.push(anchor);
        return [];
      },
    });
    queue.add({ kind: 'clusters', task: { anchor: TUESDAY } } as unknown as IngestJob);
    queue.add({ kind: 'tell', anchor: 5 });
    await queue.round();
    await queue.round();
    expect([done, [...jobs.values()].map(({ job }) => job.kind)]).toEqual([[5], ['clusters']]);
  });

  it('retries failed dumps in order without blocking other jobs', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const done: string[] = [];
    let broken = true;
    const { queue, clock, restarted } = queueOf({
      async ingest({ id }) {
        if (broken) throw new Error('no storage');
        done.push(id);
        return { accepted: true, message: 'done', changed: [TUESDAY] };
      },
      async notify(anchor) {
        done.push(`notify ${anchor}`);
        return [];
      },
    });
    const place = queue.add(dumpJob('one'));
    queue.add(dumpJob('two'));
    queue.add({ kind: 'tell', anchor: 5 });
    const outcome = queue.outcomeOf(place);
    await queue.round();
    expect((await outcome).message).toContain('retried');
    expect([done, queue.nextAt()]).toEqual([['notify 5'], 0]);
    broken = false;
    await queue.round();
    expect(done).toEqual(['notify 5']);
    clock.now += 5000;
    const after = restarted();
    while (after.nextAt() !== null) await after.round();
    expect(done).toEqual(['notify 5', 'one', 'two', `notify ${TUESDAY}`]);
  });

  it('responds for a dump queued behind a failed one', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { queue } = queueOf({ ingest: () => Promise.reject(new Error('no')) });
    queue.add(dumpJob('one'));
    await queue.round();
    const outcome = queue.outcomeOf(queue.add(dumpJob('two')));
    await queue.round();
    expect(await outcome).toMatchObject({ accepted: true, changed: [] });
  });

  it('removes a dump after the maximum number of attempts and logs the failure', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const given: string[] = [];
    const { queue, clock } = queueOf({
      ingest: () => Promise.reject(new Error('permanently broken')),
      async logFailure(job, error) {
        given.push(`${job.kind}: ${error}`);
      },
    });
    queue.add(dumpJob('one'));
    for (let round = 0; queue.nextAt() !== null; round += 1) {
      expect(round).toBeLessThan(10);
      await queue.round();
      clock.now += 2 * HOUR * 1000;
    }
    expect(given).toEqual(['ingest: permanently broken']);
  });

  it('keeps notifying of a capture, and logs the failure once', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const failures: string[] = [];
    const notified: number[] = [];
    let broken = true;
    const { queue, clock, jobs } = queueOf({
      async notify(anchor) {
        if (broken) throw new Error('no database');
        notified.push(anchor);
        return [];
      },
      async logFailure(job, error) {
        failures.push(`${JSON.stringify(job)}: ${error}`);
      },
    });
    queue.add({ kind: 'tell', anchor: 7 });
    for (let round = 0; round < 12; round += 1) {
      await queue.round();
      clock.now = queue.nextAt() ?? 0;
    }
    expect([jobs.size, failures]).toEqual([1, ['{"kind":"tell","anchor":7}: no database']]);
    broken = false;
    await queue.round();
    expect([notified, jobs.size]).toEqual([[7], 0]);
  });

  it('runs a job again that was added while an equal one was running', async () => {
    const task = { consumer: 'activity', after: 0, isForced: true } as const;
    const computed: number[] = [];
    const { queue } = queueOf({
      async recompute({ after }) {
        // A second backfill of everything arrives during the first step of the first one.
        if (computed.length === 0) queue.add({ kind: 'recompute', task });
        computed.push(after);
        return after < 2 ? { ...task, after: after + 1 } : null;
      },
    });
    queue.add({ kind: 'recompute', task });
    while (queue.nextAt() !== null) await queue.round();
    expect(computed).toEqual([0, 0, 1, 2]);
  });

  it('deduplicates jobs', () => {
    const { queue, jobs } = queueOf({});
    queue.add({ kind: 'tell', anchor: 1 });
    queue.add({ kind: 'tell', anchor: 1 });
    queue.add({ kind: 'tell', anchor: 2 });
    expect(jobs.size).toBe(2);
  });
});

describe('capture listeners', () => {
  it('receive each board with the rows of the previous capture, and are notified of the next capture after a backfill', async () => {
    const stores = newStores();
    const service = serviceOf(stores);
    const notified: { anchor: number; previousAnchor: number | null; pairs: BoardPair[] }[] = [];
    const notifyOf = createCaptureNotifier(stores);
    const listener: CaptureListener = async (capture) => {
      const pairs: BoardPair[] = [];
      for await (const pair of capture.boards()) pairs.push(pair);
      notified.push({ anchor: capture.anchor, previousAnchor: capture.previousAnchor, pairs });
    };
    const notify = (anchor: number) => notifyOf(anchor, [listener]);
    await service.process(await receive(OLD, TUESDAY, 'a'));
    expect((await service.process(await receive(NEW, TUESDAY + 2 * HOUR, 'b'))).changed).toEqual([TUESDAY + 2 * HOUR]);
    const between = await service.process(await receive(NEW, TUESDAY + HOUR, 'c'));
    expect(between.changed).toEqual([TUESDAY + HOUR, TUESDAY + 2 * HOUR]);
    await notify(TUESDAY);
    await notify(TUESDAY + HOUR);
    expect(notified.map(({ anchor, previousAnchor }) => [anchor, previousAnchor])).toEqual([
      [TUESDAY, null],
      [TUESDAY + HOUR, TUESDAY],
    ]);
    expect(notified[1]?.pairs.map(({ uuid, earlier, later }) => [uuid, earlier && [...earlier.names], later && [...later.names]])).toEqual([
      [1, ['A', 'B'], ['B', 'A', 'D']],
      [3, ['A'], ['A']],
      [4, ['C'], null],
      [9, null, ['D']],
    ]);
    expect(notified[0]?.pairs[0]).toMatchObject({ uuid: 1, name: 'BOARD 1', category: 'META', isPlayerBoard: true, earlier: null });
  });
});

describe('createCaptureNotifier', () => {
  it('calls the other listeners when one fails, and fails itself', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const stores = newStores();
    await serviceOf(stores).process(await receive(OLD, TUESDAY, 'a'));
    const called: number[] = [];
    const listeners: CaptureListener[] = [() => Promise.reject(new Error('cannot follow')), async ({ anchor }) => void called.push(anchor)];
    await expect(createCaptureNotifier(stores)(TUESDAY, listeners)).rejects.toThrow('cannot follow');
    expect(called).toEqual([TUESDAY]);
  });
});

describe('packing and retention', () => {
  async function fill(days: number): Promise<void> {
    const service = serviceOf(newStores());
    for (let day = 0; day < days; day += 1) {
      for (const hour of [0, 5]) {
        const anchor = TUESDAY + day * DAY + hour * HOUR;
        await service.process(await receive(hour === 0 ? OLD : NEW, anchor, `v${day}-${hour}`));
      }
    }
  }

  const readAll = async () => {
    const players = createPlayersService(newStores());
    const rows = [];
    for (let day = 0; day < 3; day += 1) for (const hour of [0, 5]) rows.push(await visibleRows(TUESDAY + day * DAY + hour * HOUR));
    return JSON.stringify([rows, await players.history('a', { uuid: undefined, limit: 100 }, DEFAULT_SETTINGS)]);
  };

  it('packs a game day into one object per board and player shard without loss', async () => {
    await fill(3);
    const before = await readAll();
    const stores = newStores();
    const packing = createPackingService(stores.captures, stores.objects);
    const now = TUESDAY + 2 * DAY + 6 * HOUR;
    const tasks = await packing.plan(DEFAULT_SETTINGS, now);
    expect(tasks.map(({ kind, anchors }) => [kind, anchors.length])).toEqual([
      ['players', 2],
      ['players', 2],
    ]);
    for (const task of tasks) await packing.pack(task);
    expect((await storedKeys('players/')).length).toBe(2);
    expect(await readAll()).toBe(before);
    const old = await packing.plan(DEFAULT_SETTINGS, now + 36 * DAY);
    expect(old.map(({ kind }) => kind)).toEqual(['players', 'boards', 'boards', 'boards']);
    for (const task of old) await packing.pack(task);
    expect([await storedKeys('players/'), await storedKeys('boards/')]).toEqual([[], []]);
    expect(await readAll()).toBe(before);
    expect(await packing.plan(DEFAULT_SETTINGS, now + 36 * DAY)).toEqual([]);
  });

  it('takes as many statements for 20 captures as for two', async () => {
    const hours = Array.from({ length: 20 }, (_, hour) => TUESDAY + hour * HOUR);
    await storeCaptures(hours.map((anchor) => ({ anchor, boards: { 1: [['A', 10]], 3: [['B', 9]] } })));
    const stores = newStores();
    const packing = createPackingService(stores.captures, stores.objects);
    const statementsFor = async (anchors: number[]) => (await measure(() => packing.pack({ kind: 'boards', anchors }))).statements;
    expect(await statementsFor(hours.slice(2))).toBe(await statementsFor(hours.slice(0, 2)));
    expect(await storedKeys('boards/')).toEqual([]);
  });

  it('never serves the rows of another capture to a reader of a pack while its captures are packed again', async () => {
    const anchors = [0, 1, 2].map((hour) => TUESDAY + hour * HOUR);
    const service = serviceOf(newStores());
    for (const [index, anchor] of anchors.entries()) await service.process(await receive(index === 2 ? NEW : OLD, anchor, `v${index}`));
    const stores = newStores();
    const packing = createPackingService(stores.captures, stores.objects);
    const task = { kind: 'boards' as const, anchors };
    await packing.pack(task);
    // The task is retried after a failed deletion; in between, a capture was replaced by one with other rows.
    await service.process(
      await receive(
        dumpOf(
          boardLine(
            1,
            Array.from({ length: 500 }, (_, row) => [`P${row}`, 900 - row]),
          ),
        ),
        TUESDAY + HOUR,
        'w1',
      ),
    );
    const expected = await visibleRows(TUESDAY + 2 * HOUR);
    const reading = betweenReads(() => packing.pack(task));
    const at = await stores.boards.at(1, [TUESDAY + 2 * HOUR]);
    if (!at) throw new Error('the board has no rows');
    const rows = await rowsOf(at, stores.boards, createCaptureObjects(reading.bucket));
    expect(reading.count()).toBeGreaterThan(1);
    expect({ entries: 3, names: rows.names, scores: rows.scores }).toEqual(expected[1]);
    expect(await visibleRows(TUESDAY + 2 * HOUR)).toEqual(expected);
    expect(new Set((await storedKeys('packs/boards/')).map((key) => key.replace(/[^/]*$/, ''))).size).toBe(1);
  });

  it('resumes packing after a crash at any step', async () => {
    await fill(1);
    const steps = 40;
    const task = { kind: 'players' as const, anchors: [TUESDAY, TUESDAY + 5 * HOUR] };
    const packWith = (stores: ReturnType<typeof newStores>) => createPackingService(stores.captures, stores.objects).pack(task);
    for (let step = 1; step <= steps; step += 1) {
      await clearStorage();
      await fill(1);
      const before = await visibleRows(TUESDAY);
      const { stores, calls } = failing(newStores(), step);
      const crashed = await packWith(stores).then(
        () => false,
        () => true,
      );
      if (!crashed) {
        expect(calls.count).toBeLessThan(step);
        return;
      }
      await packWith(newStores());
      expect(await visibleRows(TUESDAY)).toEqual(before);
      expect(await storedKeys('players/')).toEqual([]);
      const { items } = await createPlayersService(newStores()).history('A', { uuid: 1, limit: 9 }, DEFAULT_SETTINGS);
      expect(items.map(({ score }) => score)).toEqual([11, 10]);
    }
    throw new Error('packing has more steps than were tried');
  });

  it('replaces a packed capture and deletes unused packs', async () => {
    await fill(1);
    const stores = newStores();
    const packing = createPackingService(stores.captures, stores.objects);
    const anchors = [TUESDAY, TUESDAY + 5 * HOUR];
    for (const kind of ['boards', 'players'] as const) await packing.pack({ kind, anchors });
    const service = serviceOf(newStores());
    await service.process(await receive(NEW, TUESDAY, 'again'));
    expect([await visibleRows(TUESDAY), await visibleRows(TUESDAY + 5 * HOUR)]).toEqual([NEW_ROWS, NEW_ROWS]);
    expect((await storedKeys('packs/')).length).toBeGreaterThan(0);
    await service.process(await receive(OLD, TUESDAY + 5 * HOUR, 'again-2'));
    expect(await storedKeys('packs/')).toEqual([]);
    expect(await visibleRows(TUESDAY + 5 * HOUR)).toEqual(OLD_ROWS);
  });

  it('deletes raw dumps after a month and packs past game days', async () => {
    await fill(3);
    const stores = newStores();
    const enqueued: IngestJob[] = [];
    const ingest = {
      enqueue: async (jobs: readonly IngestJob[]) => void enqueued.push(...jobs),
      processNow: () => Promise.reject(new Error('unexpected call')),
    };
    const job = createRetentionJob({ ...stores, packing: createPackingService(stores.captures, stores.objects), ingest });
    const now = TUESDAY + DAY + 30 * DAY;
    await job.run({ now, settings: DEFAULT_SETTINGS, signal: new AbortController().signal, isManual: false });
    expect((await storedKeys('raw/')).length).toBe(4);
    expect((await stores.captures.find(TUESDAY))?.rawKey).toBeNull();
    expect((await stores.captures.find(TUESDAY + DAY))?.rawKey).not.toBeNull();
    expect(enqueued.map((queued) => queued.kind)).toEqual(['pack', 'pack', 'pack', 'totals', 'player-documents']);
  });
});
