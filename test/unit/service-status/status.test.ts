import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advance,
  type Check,
  type History,
  newer,
  overallState,
  PART_NAMES,
  type PartName,
  type Snapshot,
  viewAt,
} from '../../../src/areas/service-status/status.domain.ts';
import { parseHistory, readSnapshot } from '../../../src/areas/service-status/stored-history.domain.ts';

const NOW = 1_773_156_600;
const DAY = 86_400;
const GREEN: Check = { state: 'green', detail: null };

function snapshotAt(checkedAt: number, parts: Partial<Record<PartName, Check['state']>> = {}): Snapshot {
  const all = Object.fromEntries(PART_NAMES.map((name) => [name, parts[name] ? { state: parts[name], detail: 'broken' } : GREEN]));
  return { checkedAt, parts: all as Record<PartName, Check>, jobs: [], upstreams: [] };
}

function historyOf(...snapshots: Snapshot[]): History {
  return snapshots.reduce<History | null>((history, snapshot) => advance(history, snapshot, 'object'), null) as History;
}

describe('overallState', () => {
  it('returns the worst state of the parts, and degraded at worst when only upstreams are red', () => {
    expect(overallState(snapshotAt(NOW).parts)).toBe('green');
    for (const part of PART_NAMES) {
      expect(overallState(snapshotAt(NOW, { [part]: 'red' }).parts)).toBe(part === 'upstreams' ? 'degraded' : 'red');
      expect(overallState(snapshotAt(NOW, { [part]: 'degraded' }).parts)).toBe('degraded');
      expect(overallState(snapshotAt(NOW, { [part]: 'unknown' }).parts)).toBe('red');
    }
  });
});

describe('advance', () => {
  it('opens an incident, escalates it from degraded to red and closes it', () => {
    const history = historyOf(
      snapshotAt(NOW),
      snapshotAt(NOW + 60, { cache: 'degraded' }),
      snapshotAt(NOW + 120, { cache: 'red' }),
      snapshotAt(NOW + 180),
    );
    expect(history.incidents).toEqual([
      { part: 'cache', state: 'red', openedAt: NOW + 60, closedAt: NOW + 180, detail: 'broken', redAt: NOW + 120 },
    ]);
    expect(history.days).toEqual([{ day: NOW - (NOW % DAY), checked: 3, degraded: { cache: 1 }, red: { cache: 1 } }]);
  });

  it('stores the first check of a deployment without counting it', () => {
    expect(historyOf(snapshotAt(NOW, { stream: 'red' }))).toMatchObject({ days: [], incidents: [], snapshot: { checkedAt: NOW } });
    expect(historyOf(snapshotAt(NOW, { stream: 'red' }), snapshotAt(NOW + 60)).incidents).toEqual([]);
  });

  it('ignores a snapshot that is not newer than the stored one', () => {
    const history = historyOf(snapshotAt(NOW));
    expect(advance(history, snapshotAt(NOW, { cache: 'red' }), 'object')).toBe(history);
    expect(advance(history, snapshotAt(NOW - 60, { cache: 'red' }), 'object')).toBe(history);
  });

  it('counts minutes without a check as red minutes of the scheduler, split by UTC day', () => {
    const midnight = NOW - (NOW % DAY) + DAY;
    const history = historyOf(snapshotAt(midnight - 600), snapshotAt(midnight + 600));
    expect(history.days.map(({ red }) => red.scheduler)).toEqual([9, 10]);
    expect(history.incidents).toEqual([
      { part: 'scheduler', state: 'red', openedAt: midnight - 540, closedAt: midnight + 600, detail: 'no check ran' },
    ]);
  });

  it('opens no incident for a gap that the delay of the KV copy explains', () => {
    expect(advance(historyOf(snapshotAt(NOW)), snapshotAt(NOW + 180), 'copy').incidents).toEqual([]);
  });

  it('keeps the slowest response of each part in ten minutes, for one day', () => {
    const at = NOW - (NOW % 600);
    const timed = (checkedAt: number, durationsMs: Snapshot['durationsMs']) => ({ ...snapshotAt(checkedAt), durationsMs });
    const history = historyOf(
      snapshotAt(at - 60),
      timed(at, { database: 4, cache: 30 }),
      timed(at + 60, { database: 9 }),
      timed(at + 600, { cache: 12 }),
      snapshotAt(at + 660),
    );
    expect(history.latency).toEqual([
      { at, slowestMs: { database: 9, cache: 30 } },
      { at: at + 600, slowestMs: { cache: 12 } },
    ]);
    let day: History | null = history;
    for (let step = 2; step < 300; step += 1) day = advance(day, timed(at + step * 600, { database: step }), 'object');
    expect(day?.latency?.map((point) => point.at)).toEqual(Array.from({ length: 144 }, (_, index) => at + (156 + index) * 600));
  });

  it('reads a history of an earlier version, which has no response times', () => {
    const { latency: _, ...earlier } = historyOf(snapshotAt(NOW), snapshotAt(NOW + 60));
    expect(viewAt({ history: earlier, source: 'object' }, NOW + 60).latency).toEqual([]);
    expect(advance(earlier, snapshotAt(NOW + 120), 'object').latency).toHaveLength(1);
  });

  it('keeps an open incident among 200 newer ones, and shows it', () => {
    let history = historyOf(snapshotAt(NOW), snapshotAt(NOW + 60, { files: 'red' }));
    for (let step = 1; step <= 500; step += 1) {
      history = advance(history, snapshotAt(NOW + 60 + step * 60, { files: 'red', cache: step % 2 ? 'red' : 'green' }), 'object');
    }
    const isOpen = expect.objectContaining({ part: 'files', openedAt: NOW + 60, closedAt: null });
    expect(history.incidents).toHaveLength(200);
    expect(history.incidents.at(-1)).toEqual(isOpen);
    const { incidents } = viewAt({ history, source: 'object' }, NOW + 30_060);
    expect(incidents).toHaveLength(50);
    expect(incidents.at(-1)).toEqual(isOpen);
  });

  it('keeps at most 90 days and 200 incidents', () => {
    const state = fc.constantFrom<Check['state']>('green', 'degraded', 'red');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 60, max: 3 * DAY }), state), { minLength: 300, maxLength: 500 }), (steps) => {
        let at = NOW;
        let history = historyOf(snapshotAt(NOW));
        for (const [seconds, cache] of steps) {
          at += seconds;
          history = advance(history, snapshotAt(at, { cache }), 'object');
          expect(history.incidents.filter(({ part, closedAt }) => part === 'cache' && closedAt === null).length).toBe(
            cache === 'green' ? 0 : 1,
          );
        }
        expect(history.incidents.length).toBeLessThanOrEqual(200);
        expect(history.days.length).toBeLessThanOrEqual(91);
      }),
      { numRuns: 20 },
    );
  });
});

describe('parseHistory', () => {
  const openOf = (part: string) => ({ part, state: 'red', openedAt: NOW, closedAt: null, detail: null });
  const storedWith = (change: (history: Record<string, unknown> & { snapshot: { parts: Record<string, unknown> } }) => void) => {
    const stored = JSON.parse(JSON.stringify(historyOf(snapshotAt(NOW), snapshotAt(NOW + 60))));
    change(stored);
    return parseHistory(JSON.stringify(stored)) as History;
  };

  it('returns null for no text, malformed text and other values', () => {
    for (const text of [null, '', '{', 'null', '[]', '{"snapshot":{}}', '{"snapshot":{"checkedAt":"x"},"days":[],"incidents":[]}']) {
      expect(parseHistory(text)).toBeNull();
    }
  });

  it('closes an open incident of a part that only a newer version has, and does not show it', () => {
    const history = storedWith((stored) => Object.assign(stored, { incidents: [openOf('queues'), openOf('cache')] }));
    expect(history.incidents.map(({ closedAt }) => closedAt)).toEqual([NOW + 60, null]);
    const advanced = advance(history, snapshotAt(NOW + 120), 'object');
    expect(advanced.incidents.map(({ closedAt }) => closedAt)).toEqual([NOW + 60, NOW + 120]);
    expect(viewAt({ history: advanced, source: 'object' }, NOW + 120).incidents.map(({ part }) => part)).toEqual(['cache']);
  });

  it('reads a part that the stored snapshot lacks as unknown', () => {
    const history = storedWith(({ snapshot }) => delete snapshot.parts.cache);
    expect(viewAt({ history, source: 'object' }, NOW + 60).parts.cache.state).toBe('unknown');
  });

  it('reads states, fields and lists of a newer version', () => {
    const history = storedWith((stored) => {
      Object.assign(stored.snapshot.parts, { cache: { state: 'paused', detail: null, since: 1 }, queues: { state: 'red', detail: null } });
      Object.assign(stored.snapshot, { jobs: [{ name: 'mail', state: 'green', failures: 0 }, 'other'], upstreams: undefined });
      Object.assign(stored, {
        incidents: [{ ...openOf('cache'), state: 'paused' }],
        zones: [],
        latency: [{ at: NOW, slowestMs: { queues: 3 } }],
      });
    });
    const view = viewAt({ history, source: 'object' }, NOW + 60);
    expect(view).toMatchObject({ parts: { cache: { state: 'unknown' } }, upstreams: [], incidents: [{ part: 'cache', state: 'red' }] });
    expect(view.jobs).toEqual([{ name: 'mail', state: 'green', failures: 0, lastRunAt: null, lastSuccessAt: null, nextRunAt: null }]);
  });
});

describe('readSnapshot', () => {
  it('counts no minute and opens, escalates and closes no incident of a part that was not checked', () => {
    const { cache: _, ...parts } = snapshotAt(NOW).parts;
    const unchecked = (at: number) => readSnapshot({ ...snapshotAt(at), parts });
    expect(historyOf(snapshotAt(NOW), unchecked(NOW + 60))).toMatchObject({ incidents: [], days: [{ checked: 1, red: {} }] });
    const open = historyOf(snapshotAt(NOW), snapshotAt(NOW + 60, { cache: 'degraded' }), unchecked(NOW + 120));
    expect(open.incidents).toEqual([{ part: 'cache', state: 'degraded', openedAt: NOW + 60, closedAt: null, detail: 'broken' }]);
  });
});

describe('viewAt', () => {
  const history = historyOf(snapshotAt(NOW));

  it('reports red once the snapshot is 90 s old', () => {
    expect(viewAt({ history, source: 'object' }, NOW + 89).status).toBe('green');
    const stale = viewAt({ history, source: 'object' }, NOW + 90);
    expect(stale.status).toBe('red');
    expect(stale.parts.scheduler.state).toBe('red');
    expect(stale.incidents[0]).toMatchObject({ part: 'scheduler', openedAt: NOW + 60, closedAt: null });
    expect(PART_NAMES.filter((name) => stale.parts[name].state === 'green')).toEqual([]);
  });

  it('reports red when the history was read from the copy and when it could not be read', () => {
    expect(viewAt({ history, source: 'copy' }, NOW)).toMatchObject({ status: 'red', parts: { store: { state: 'red' } } });
    const nothing = viewAt({ history: null, source: null }, NOW);
    expect(nothing).toMatchObject({ status: 'red', checkedAt: null, parts: { store: { state: 'red' } } });
    expect(PART_NAMES.filter((name) => nothing.parts[name].state === 'green')).toEqual([]);
  });
});

describe('advance after a time without checks', () => {
  const job = (name: string, failures: number) => ({
    name,
    state: 'red' as const,
    lastRunAt: NOW - DAY,
    lastSuccessAt: NOW - DAY,
    failures,
    nextRunAt: NOW,
  });
  const stateAfter = (jobs: Snapshot['jobs']) => {
    const { snapshot } = historyOf(snapshotAt(NOW - DAY), { ...snapshotAt(NOW, { jobs: 'red' }), jobs });
    return { part: snapshot.parts.jobs.state, states: snapshot.jobs.map(({ state }) => state) };
  };

  it('shows jobs that had no chance to run as unknown, and those that fail as red', () => {
    expect(stateAfter([job('a', 0)])).toEqual({ part: 'green', states: ['unknown'] });
    expect(stateAfter([job('a', 0), job('b', 2)])).toEqual({ part: 'red', states: ['unknown', 'red'] });
    expect(stateAfter([])).toEqual({ part: 'red', states: [] });
  });

  it('shows a job that is late at the check after that as red', () => {
    const late = [job('a', 0)];
    const history = historyOf(snapshotAt(NOW - DAY), { ...snapshotAt(NOW, { jobs: 'red' }), jobs: late });
    const { snapshot } = advance(history, { ...snapshotAt(NOW + 60, { jobs: 'red' }), jobs: late }, 'object');
    expect([snapshot.parts.jobs.state, snapshot.jobs[0]?.state]).toEqual(['red', 'red']);
  });
});

it('newer returns the history with the later check', () => {
  const old = historyOf(snapshotAt(NOW));
  const young = historyOf(snapshotAt(NOW + 60));
  expect([newer(old, young), newer(young, old), newer(null, old), newer(old, null), newer(null, null)]).toEqual([
    young,
    young,
    old,
    old,
    null,
  ]);
});
