import { beforeEach, describe, expect, it } from 'vitest';
import { createBoardsService } from '../../../src/areas/leaderboards/boards/boards.service.ts';
import { createIngestService } from '../../../src/areas/leaderboards/ingest/ingest.service.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { boardLine, capture, dumpOf, get } from './dumps.ts';
import { clearStorage, fixedSettings, newStores, receive } from './stores.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const HOUR = 3600;

beforeEach(clearStorage);

describe('GET /v1/leaderboards/{uuid}/history', () => {
  it('returns one point per capture of a week', async () => {
    const stores = newStores();
    const ingest = createIngestService({ ...stores, settings: fixedSettings() });
    for (let hour = 0; hour < 169; hour += 1) {
      const rows = [['Nimbus', 1000 + hour], ...(hour % 2 === 0 ? [['Oriole', 500] as const] : [])] as const;
      await ingest.process({ ...(await receive(dumpOf(boardLine(1, rows)), TUESDAY + hour * HOUR, `v${hour}`)), isBackfill: true });
    }
    const { anchors, series } = await createBoardsService(stores).history(1, { days: 7, top: 5 }, DEFAULT_SETTINGS, 0);
    expect(anchors).toEqual(Array.from({ length: 169 }, (_, hour) => TUESDAY + hour * HOUR));
    expect(series.map(({ playerName, points }) => [playerName, points.length, points.at(-1)?.score])).toEqual([
      ['Nimbus', 169, 1168],
      ['Oriole', 85, 500],
    ]);
  });

  it('returns empty lists for a board without captures', async () => {
    for (const uuid of [20, 123_456]) {
      const { status, json } = await get(`/${uuid}/history`);
      expect([status, json]).toMatchObject([200, { uuid, anchors: [], series: [] }]);
    }
  });
});

describe('GET /v1/leaderboards/records', () => {
  it('returns integers from the newest capture with a max-age of 15 minutes', async () => {
    await capture(dumpOf(boardLine(1, [['Nimbus', 5]]), boardLine(1003, [['Oriole', 99_999]])), TUESDAY);
    await capture(
      dumpOf(boardLine(20, [['Petrel', 29_250.4]]), boardLine(1000, [['Quail', 51_204.6]]), boardLine(1001, [['Petrel', 51_000]])),
      TUESDAY + HOUR,
    );
    const { json, headers } = await get('/records');
    expect(json).toEqual({
      mastery: null,
      geode_mastery: {
        points: 29_250,
        level: 100,
        points_into_level: 150,
        points_to_next_level: 1,
        player_name: 'Petrel',
        anchor: TUESDAY + HOUR,
        level_cap: 100,
        uncapped_level: 300,
        capped: true,
      },
      power_rank: { value: 51_205, board_uuid: 1000, player_name: 'Quail', anchor: TUESDAY + HOUR },
    });
    expect(headers.get('Cache-Control')).toBe('private, max-age=900');
  });
});
