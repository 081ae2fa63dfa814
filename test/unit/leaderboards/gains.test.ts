import { describe, expect, it } from 'vitest';
import { gainWindow, largestGains } from '../../../src/areas/leaderboards/boards/insights.domain.ts';
import { decodeColumns, encodeColumns } from '../../../src/areas/leaderboards/captures/board-rows.domain.ts';
import { columnsOf } from '../../support/board-rows.ts';

const DAY = 86_400;
/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const MONDAY = TUESDAY - DAY;

const rowsOf = (...rows: [name: string, score: number][]) => decodeColumns(encodeColumns(columnsOf(rows)));
const between = { isSinceReset: false, limit: 10 };

describe('gainWindow', () => {
  it('lasts from the earlier to the newest capture without a reset', () => {
    const earlier = TUESDAY - 7 * DAY - 3600;
    expect(gainWindow({ at: TUESDAY, earlier, days: 7, cadence: 'never' })).toEqual({
      start: earlier,
      end: TUESDAY,
      startAnchor: earlier,
      resetAt: null,
    });
  });

  it('starts at the last reset after the earlier capture', () => {
    for (const earlier of [TUESDAY - 30 * DAY, MONDAY - 1, null]) {
      expect(gainWindow({ at: TUESDAY, earlier, days: 30, cadence: 'weekly' })).toMatchObject({
        start: MONDAY,
        startAnchor: null,
        resetAt: MONDAY,
      });
    }
    expect(gainWindow({ at: TUESDAY + 60, earlier: TUESDAY, days: 1, cadence: 'daily' })).toMatchObject({ start: TUESDAY, resetAt: null });
  });

  it('has no start for the first capture of a board that never resets', () => {
    expect(gainWindow({ at: TUESDAY, earlier: null, days: 1, cadence: 'never' })).toMatchObject({ start: null, resetAt: null });
  });
});

describe('largestGains', () => {
  it('sorts by gain, then rank, then name, and shares the place of equal gains', () => {
    const before = rowsOf(['Quail', 100], ['Oriole', 90], ['Nimbus', 80], ['Petrel', 70], ['Robin', 60]);
    const rows = rowsOf(['Oriole', 110], ['quail', 105], ['Nimbus', 100], ['Petrel', 90], ['Robin', 60]);
    const { items, total, newPlayers } = largestGains(rows, { ...between, before });
    expect(items.map(({ place, playerName, gain }) => [place, playerName, gain])).toEqual([
      [1, 'Oriole', 20],
      [1, 'Nimbus', 20],
      [1, 'Petrel', 20],
      [4, 'quail', 5],
    ]);
    expect([total, newPlayers]).toEqual([4, 0]);
    expect(items[0]).toMatchObject({ rank: 1, prevRank: 2, prevScore: 90, score: 110 });
  });

  it('leaves out falls and unchanged scores, and counts new players', () => {
    const gains = largestGains(rowsOf(['Nimbus', 90], ['Oriole', 50], ['New', 40]), {
      ...between,
      before: rowsOf(['Nimbus', 95], ['Oriole', 50]),
    });
    expect(gains).toEqual({ reason: 'ok', higherIsBetter: true, items: [], total: 0, newPlayers: 1 });
  });

  it('counts removed points on a board that ranks low scores first', () => {
    const gains = largestGains(rowsOf(['Nimbus', 10.5], ['Oriole', 12]), {
      ...between,
      before: rowsOf(['Nimbus', 11.1], ['Oriole', 11.5]),
    });
    expect(gains).toMatchObject({ higherIsBetter: false, items: [{ playerName: 'Nimbus', gain: 0.6 }], total: 1 });
  });

  it('takes the scores as gains since a reset, unless low scores rank first', () => {
    const since = { before: null, isSinceReset: true, limit: 1 };
    expect(largestGains(rowsOf(['Nimbus', 30], ['Oriole', 20]), since)).toMatchObject({
      reason: 'ok',
      items: [{ place: 1, gain: 30, prevRank: null, prevScore: 0 }],
      total: 2,
    });
    expect(largestGains(rowsOf(['Nimbus', 30], ['Oriole', 40]), since)).toMatchObject({ reason: 'crossed_reset', items: [] });
  });

  it('compares a row with the nearest of several earlier rows of the name', () => {
    const before = rowsOf(['Nimbus', 100], ['Oriole', 80], ['Nimbus', 50]);
    expect(largestGains(rowsOf(['Oriole', 80], ['Nimbus', 55]), { ...between, before }).items).toMatchObject([
      { playerName: 'Nimbus', prevRank: 3, prevScore: 50, gain: 5 },
    ]);
  });

  it('has none without an earlier capture', () => {
    expect(largestGains(rowsOf(['Nimbus', 30]), { ...between, before: null })).toMatchObject({ reason: 'no_prior_snapshot', items: [] });
  });
});
