import { beforeEach, describe, expect, it } from 'vitest';
import { toAnomaliesBody } from '../../../src/areas/leaderboards/anomalies/anomalies.schemas.ts';
import { createAnomaliesService } from '../../../src/areas/leaderboards/anomalies/anomalies.service.ts';
import { createIngestService } from '../../../src/areas/leaderboards/ingest/ingest.service.ts';
import { createCaptureNotifier } from '../../../src/areas/leaderboards/ingest/notifier.service.ts';
import type { Settings } from '../../../src/platform/settings/settings.data.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { boardLine, dumpOf, type Row, storedKeys } from './dumps.ts';
import { type BoardsAt, clearStorage, fixedSettings, newStores, receive, storeCaptures } from './stores.ts';

/** Monday 2026-03-09 11:00 UTC. */
const MONDAY = 1_773_054_000;
const HOUR = 3600;
const WEEKLY = 10_003;

/** Ingest of captures, followed by the notification of the anomaly service. */
function openReport(more: Partial<Settings> = {}) {
  const settings = { ...DEFAULT_SETTINGS, ...more };
  const stores = newStores();
  const ingest = createIngestService({ ...stores, settings: fixedSettings(more) });
  const anomalies = createAnomaliesService(stores);
  const notifyOf = createCaptureNotifier(stores);
  const notify = (anchor: number) => notifyOf(anchor, [(capture) => anomalies.replaceHour(capture, settings)]);
  return {
    async put(anchor: number, lines: string[]) {
      await ingest.process({ ...(await receive(dumpOf(...lines), anchor, `v${anchor}`)), isBackfill: true });
      await notify(anchor);
    },
    /** Like `put`, but the captures are stored without a dump. */
    async putHours(hours: readonly BoardsAt[]) {
      await storeCaptures(hours);
      for (const { anchor } of hours) await notify(anchor);
    },
    body: async () => toAnomaliesBody(await anomalies.compute(settings, MONDAY)),
  };
}

/** A board with one score far above thirty evenly decreasing ones. */
const lead: Row[] = [['Ahead', 1e12], ...Array.from({ length: 30 }, (_, index): Row => [`P${index}`, 1_000_000 * 0.99 ** index])];

beforeEach(clearStorage);

describe('anomaly report', () => {
  it('flags scores and gaps only on boards that reset', async () => {
    const report = openReport();
    await report.put(MONDAY, [boardLine(1, lead), boardLine(WEEKLY, lead, { category: 'STATS' })]);
    const { players, total_flagged: total } = await report.body();
    expect([total, players.map(({ player_name: name, leaderboards }) => [name, leaderboards.map(({ uuid }) => uuid)])]).toEqual([
      1,
      [['Ahead', [WEEKLY]]],
    ]);
  });

  it('lists analysed and excluded boards by category and name, with keys in schema order', async () => {
    const report = openReport({ leaderboardsAnomalyExcludedBoards: '20', leaderboardsResetOverrides: `${WEEKLY}:none` });
    await report.put(MONDAY, [
      boardLine(WEEKLY, lead, { category: 'stats', name: 'B' }),
      boardLine(1, lead, { category: 'META', name: 'b' }),
      boardLine(3, lead, { category: 'META', name: 'A' }),
      boardLine(20, lead),
      boardLine(4, lead.slice(0, 5)),
      boardLine(1100, lead),
    ]);
    const body = await report.body();
    expect(Object.keys(body)).toEqual([
      ...['players', 'clusters', 'clusters_boards_scanned', 'computed_at', 'anchor', 'method', 'config'],
      ...['total_flagged', 'boards_analyzed', 'boards_excluded', 'analyzed_boards', 'excluded_boards'],
      ...['alt_clusters_enabled', 'cheater_detection_enabled'],
    ]);
    expect(body).toMatchObject({ clusters: [], clusters_boards_scanned: 5, boards_analyzed: 3, boards_excluded: 1, total_flagged: 0 });
    expect(body.analyzed_boards.map(({ uuid, reset_kind: kind, entries }) => [uuid, kind, entries])).toEqual([
      [3, 'default', 31],
      [1, 'default', 31],
      [WEEKLY, 'none', 31],
    ]);
    expect(body.excluded_boards).toEqual([
      { uuid: 20, name: 'BOARD 20', category: 'META', reset_kind: 'default', contest_type: null, reason: 'admin_excluded', entries: null },
      { uuid: 4, name: 'BOARD 4', category: 'META', reset_kind: 'default', contest_type: null, reason: 'below_min_size', entries: 5 },
    ]);
  });

  it('finds names that differ only in digits with nearly equal scores', async () => {
    const family: Row[] = [1009, 1006, 1003, 1000].map((score, index) => [`Ember${4 - index}`, score]);
    const report = openReport({ leaderboardsClusterExcludedBoards: '4' });
    await report.put(MONDAY, [boardLine(3, family), boardLine(4, family), boardLine(5, family.slice(0, 2))]);
    const body = await report.body();
    expect(body.clusters_boards_scanned).toBe(1);
    expect(body.clusters).toEqual([
      {
        stem: 'ember',
        label: 'ember*',
        method: 'name_stem',
        corroborated_by: ['name_stem'],
        member_count: 4,
        members: ['Ember1', 'Ember2', 'Ember3', 'Ember4'],
        members_truncated: 0,
        board_count: 1,
        boards: [
          {
            uuid: 3,
            name: 'BOARD 3',
            category: 'META',
            contest_type: null,
            members: 4,
            member_names: ['Ember1', 'Ember2', 'Ember3', 'Ember4'],
            score_min: 1000,
            score_max: 1009,
            spread: 0.00892,
            rank_min: 1,
            rank_max: 4,
            matching_hours: null,
            avg_hourly_gain: null,
          },
        ],
        confidence: 0.721,
        summary: '4 names ember* within 0.89 % of each other on 1 board',
        measurements: {
          member_count: 4,
          board_count: 1,
          tightest_spread_pct: 0.892,
          score_band_pct: 2,
          closeness: 0.554,
          size_term: 0.2,
          board_term: 0.5,
          ceiling: 0.95,
        },
      },
    ]);
  });

  it('finds names whose scores rise alike for hours, and none while the search is off', async () => {
    const report = openReport();
    for (let hour = 0; hour <= 5; hour += 1) {
      const same: Row[] = ['Ann', 'Bea', 'Cleo'].map((name) => [name, 1000 + hour * 500]);
      const others = Array.from(
        { length: 30 },
        (_, index): Row => [`Player ${String.fromCodePoint(65 + index)}`, 900 - index + hour * (index + 1)],
      );
      await report.put(MONDAY + hour * HOUR, [boardLine(3, [...same, ...others])]);
    }
    const { clusters } = await report.body();
    expect(clusters).toMatchObject([
      {
        stem: '',
        label: 'Ann +2',
        method: 'co_movement',
        members: ['Ann', 'Bea', 'Cleo'],
        confidence: 0.862,
        boards: [{ uuid: 3, score_min: null, matching_hours: 5, avg_hourly_gain: 2500 }],
        measurements: { matching_hours: 5, group_size: 3, board_count: 1, name_corroborated: false, name_stem: null },
      },
    ]);
    const off = openReport({ leaderboardsAltClustersEnabled: false, leaderboardsCheaterDetectionEnabled: false });
    expect(await off.body()).toMatchObject({
      players: [],
      clusters: [],
      clusters_boards_scanned: 0,
      alt_clusters_enabled: false,
      cheater_detection_enabled: false,
    });
  });

  it('flags a player whose score rose in nearly every hour of the week, on the board with the lowest uuid', async () => {
    const report = openReport();
    // The increase before the first capture of the week does not count; the board is small and never resets.
    const before: BoardsAt = { anchor: MONDAY - HOUR, boards: { 3: [['Steady', 0]] } };
    const week = Array.from({ length: 61 }, (_, hour): BoardsAt => {
      const rows: Row[] = [
        ['Steady', 1000 + Math.max(0, hour - 6)],
        ['Idle', 900],
      ];
      return { anchor: MONDAY + hour * HOUR, boards: { 3: rows, 4: rows } };
    });
    await report.putHours([before, ...week]);
    const { players } = await report.body();
    expect(players).toMatchObject([
      {
        player_name: 'Steady',
        confidence: 0.8,
        leaderboards: [
          {
            uuid: 3,
            rank: 1,
            score: 1054,
            confidence: 0.8,
            evidence: [{ type: 'sustained_velocity', measurements: { active_hours: 54, captures_since_reset: 60 }, confidence: 0.8 }],
          },
        ],
      },
    ]);
    await report.put(MONDAY + 30 * 24 * HOUR, [boardLine(3, [['Steady', 0]])]);
    expect(await storedKeys('reports/active/')).toEqual([`reports/active/${MONDAY + 30 * 24 * HOUR}.gz`]);
  });
});
