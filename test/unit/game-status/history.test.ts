import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type OpenSegment,
  type StoredSegment,
  segmentChange,
  statusHistory as storedHistory,
} from '../../../src/areas/game-status/history.domain.ts';

const DAY = 86_400;
const NOW = 1_700_086_400;
const START = NOW - DAY;

/** A segment that was confirmed until its end, or until now. */
const segment = (
  status: StoredSegment['status'],
  startedAt: number,
  endedAt: number | null,
  lastConfirmedAt = endedAt ?? NOW,
): StoredSegment => ({ status, startedAt, endedAt, lastConfirmedAt });

const INTERVAL = 60;
const statusHistory = (segments: readonly StoredSegment[], now: number, days: number) => storedHistory(segments, now, days, INTERVAL);

describe('statusHistory', () => {
  it('matches the documented example', () => {
    const history = statusHistory(
      [
        segment('online', 1_699_990_000, 1_700_050_000),
        segment('maintenance', 1_700_050_000, 1_700_053_600),
        segment('online', 1_700_053_600, null),
      ],
      NOW,
      1,
    );
    expect(history).toMatchObject({ windowStart: 1_700_000_000, windowEnd: NOW, coveredSeconds: DAY, uptime: 0.95833 });
    expect(history.segments.map(({ durationSeconds }) => durationSeconds)).toEqual([50_000, 3600, 32_800]);
    expect(history.segments.map(({ startedAt, endedAt }) => [startedAt, endedAt])).toEqual([
      [1_700_000_000, 1_700_050_000],
      [1_700_050_000, 1_700_053_600],
      [1_700_053_600, null],
    ]);
    expect(history.outages).toEqual([history.segments[1]]);
  });

  it('returns an empty history without segments', () => {
    expect(statusHistory([], NOW, 30)).toEqual({
      windowStart: NOW - 30 * DAY,
      windowEnd: NOW,
      uptime: null,
      coveredSeconds: 0,
      knownUntil: null,
      segments: [],
      outages: [],
    });
  });

  it('does not count the time before the first segment', () => {
    expect(statusHistory([segment('online', NOW - 100, null)], NOW, 90)).toMatchObject({ uptime: 1, coveredSeconds: 100 });
  });

  it('omits segments that only touch the window', () => {
    const history = statusHistory(
      [segment('down', START - 50, START), segment('online', START, NOW), segment('down', NOW, null), segment('down', NOW + 5, null)],
      NOW,
      1,
    );
    expect(history.segments).toEqual([{ status: 'online', online: true, startedAt: START, endedAt: NOW, durationSeconds: DAY }]);
  });

  it('clips a segment at both ends of the window', () => {
    expect(statusHistory([segment('down', START - 1000, NOW + 1000)], NOW, 1)).toMatchObject({
      uptime: 0,
      segments: [{ startedAt: START, endedAt: NOW, durationSeconds: DAY }],
    });
  });

  it('returns the open segment without an end', () => {
    expect(statusHistory([segment('online', START - 1000, null)], NOW, 1).segments).toEqual([
      { status: 'online', online: true, startedAt: START, endedAt: null, durationSeconds: DAY },
    ]);
  });

  it('excludes gaps from the covered time', () => {
    const history = statusHistory([segment('online', NOW - 1000, NOW - 900), segment('maintenance', NOW - 100, null)], NOW, 1);
    expect(history).toMatchObject({ coveredSeconds: 200, uptime: 0.5 });
  });

  it('does not cover the time after the last probe and five missed intervals', () => {
    const stopped = [segment('online', NOW - 7200, null, NOW - 3600)];
    expect(statusHistory(stopped, NOW, 1)).toMatchObject({
      coveredSeconds: 3900,
      uptime: 1,
      segments: [{ startedAt: NOW - 7200, endedAt: null, durationSeconds: 3900 }],
    });
    expect(storedHistory(stopped, NOW, 1, 600).coveredSeconds).toBe(6600);
    expect(storedHistory(stopped, NOW, 1, 3600).coveredSeconds).toBe(7200);
    expect(statusHistory([segment('online', START - 7200, null, START - 3600)], NOW, 1)).toMatchObject({ uptime: null, segments: [] });
  });

  it('counts a stopped prober neither as online nor as an outage', () => {
    const history = statusHistory([segment('online', NOW - 1000, NOW - 900), segment('down', NOW - 900, null, NOW - 500)], NOW, 1);
    expect(history).toMatchObject({ coveredSeconds: 800, uptime: 0.125 });
  });

  it('sorts segments by time', () => {
    const history = statusHistory([segment('down', NOW - 50, null), segment('online', NOW - 100, NOW - 50)], NOW, 1);
    expect(history.segments.map(({ status }) => status)).toEqual(['online', 'down']);
  });

  it('agrees with a per-second count', () => {
    const statuses = fc.constantFrom('online', 'maintenance', 'down') as fc.Arbitrary<StoredSegment['status']>;
    const pieces = fc.array(fc.record({ status: statuses, hole: fc.nat(40), length: fc.nat(90) }), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: -300, max: 300 }), fc.boolean(), (parts, shift, isOpen) => {
        const segments: StoredSegment[] = [];
        let at = START + shift;
        for (const { status, hole, length } of parts) {
          segments.push(segment(status, at + hole, at + hole + length));
          at += hole + length;
        }
        const last = segments.at(-1);
        if (last && isOpen) Object.assign(last, { endedAt: null, lastConfirmedAt: NOW });
        const history = statusHistory(segments, NOW, 1);
        let [covered, online] = [0, 0];
        for (const { status, startedAt, endedAt } of segments) {
          const length = Math.max(0, Math.min(endedAt ?? NOW, NOW) - Math.max(startedAt, START));
          covered += length;
          if (status === 'online') online += length;
        }
        expect(history.coveredSeconds).toBe(covered);
        expect(history.uptime).toBe(covered === 0 ? null : Math.round((online / covered) * 100_000) / 100_000);
        for (const one of history.segments) {
          expect(one.startedAt).toBeGreaterThanOrEqual(START);
          expect(one.durationSeconds).toBeGreaterThanOrEqual(0);
          expect(one.startedAt + one.durationSeconds).toBeLessThanOrEqual(NOW);
          expect(one.endedAt).toBe(one.endedAt === null ? null : one.startedAt + one.durationSeconds);
        }
      }),
    );
  });
});

describe('segmentChange', () => {
  const open: OpenSegment = { status: 'online', startedAt: 1000, lastConfirmedAt: 2000 };

  it('opens the first segment', () => {
    expect(segmentChange(null, 'online', 5000, 60)).toEqual({ kind: 'open', previousEndsAt: null });
  });

  it('confirms a segment with the same status', () => {
    expect(segmentChange(open, 'online', 2060, 60)).toEqual({ kind: 'confirm' });
    expect(segmentChange(open, 'online', 2000, 60)).toEqual({ kind: 'confirm' });
  });

  it('ends a segment in the second the next one starts', () => {
    expect(segmentChange(open, 'maintenance', 2060, 60)).toEqual({ kind: 'open', previousEndsAt: 2060 });
  });

  it('ends a segment at its last confirmation after a long gap', () => {
    for (const status of ['online', 'down'] as const) {
      expect(segmentChange(open, status, 2300, 60).kind).toBe(status === 'online' ? 'confirm' : 'open');
      expect(segmentChange(open, status, 2301, 60)).toEqual({ kind: 'open', previousEndsAt: 2000 });
      expect(segmentChange(open, status, 2301, 120)).toEqual(
        status === 'online' ? { kind: 'confirm' } : { kind: 'open', previousEndsAt: 2301 },
      );
    }
  });

  it('replaces a segment opened in the same second', () => {
    expect(segmentChange({ ...open, startedAt: 2000 }, 'down', 2000, 60)).toEqual({ kind: 'correct' });
  });

  it('ignores an unknown status and a late probe', () => {
    expect(segmentChange(open, 'unknown', 2060, 60)).toEqual({ kind: 'none' });
    expect(segmentChange(null, 'unknown', 2060, 60)).toEqual({ kind: 'none' });
    expect(segmentChange(open, 'down', 1999, 60)).toEqual({ kind: 'none' });
  });
});
