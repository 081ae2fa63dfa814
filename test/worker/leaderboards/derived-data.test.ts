import { beforeEach, describe, expect, it } from 'vitest';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { clearActivity } from '../activity/captures.ts';
import { boardLine, capture, dumpOf, get, type Row, runQueuedJobs, storedKeys } from './dumps.ts';
import { clearStorage } from './stores.ts';

/** Monday 2026-03-09 11:00 UTC. */
const MONDAY = 1_773_054_000;
const HOUR = 3600;

const others: Row[] = Array.from({ length: 5 }, (_, index) => [`Other ${'abcde'[index]}`, 9000 - index]);

/** A capture in which one player has the same scores on three boards. */
const withName = (name: string, more: readonly Row[] = []) =>
  dumpOf(...[5000, 4000, 3000].map((score, index) => boardLine(index + 1, [...others, [name, score], ...more])));

async function insert(hour: number, dump: string): Promise<void> {
  await capture(dump, MONDAY + hour * HOUR);
  await runQueuedJobs();
}

async function deleteCapture(hour: number, query = ''): Promise<void> {
  const path = `/v1/leaderboards/delete-anchor?anchor=${MONDAY + hour * HOUR}${query}`;
  const authorization = bearer(await createSuperuserToken());
  expect((await call(path, { method: 'POST', authorization, now: MONDAY + 100 * HOUR })).status).toBe(200);
  await runQueuedJobs();
}

const listRenames = async () => {
  const { json } = await get('/renames');
  const renames = json.renames as { from_name: string; to_name: string; from_anchor: number; to_anchor: number }[];
  return renames.map((rename) => [rename.from_name, rename.to_name, (rename.to_anchor - rename.from_anchor) / HOUR]);
};

beforeEach(async () => {
  await runQueuedJobs();
  await clearStorage();
  await clearActivity();
});

describe('renames of a capture', () => {
  it.each(['', '&recompute=false'])('are deleted with the capture (%s)', async (query) => {
    await insert(0, withName('Nimbus'));
    await insert(1, withName('Cumulus'));
    expect(await listRenames()).toEqual([['Nimbus', 'Cumulus', 1]]);
    await deleteCapture(1, query);
    expect(await listRenames()).toEqual([]);
    expect((await get('/players/Nimbus/profile')).json).toMatchObject({ player_name: 'Nimbus', renamed_from: null });
  });

  it('are deleted with the earlier capture', async () => {
    await insert(0, withName('Nimbus'));
    await insert(1, withName('Cumulus'));
    await deleteCapture(0);
    expect(await listRenames()).toEqual([]);
  });

  it('are deleted when a corrected dump has none', async () => {
    await insert(0, withName('Nimbus'));
    await insert(1, withName('Cumulus'));
    await insert(1, withName('Nimbus'));
    expect(await listRenames()).toEqual([]);
  });

  it('are stored once when a capture between the two is inserted late', async () => {
    await insert(0, withName('Nimbus'));
    await insert(1, withName('Cumulus'));
    await capture(withName('Cumulus'), MONDAY + HOUR / 2);
    await runQueuedJobs();
    expect(await listRenames()).toEqual([['Nimbus', 'Cumulus', 0.5]]);
  });
});

describe('duplicate names of a capture', () => {
  const twice: Row[] = [['Nimbus', 100]];

  it('are deleted with the capture', async () => {
    await insert(0, withName('Nimbus', twice));
    await insert(1, withName('Nimbus', twice));
    expect((await get('/duplicates')).json).toMatchObject({ total: 1, latest_anchor: MONDAY + HOUR });
    await deleteCapture(1);
    expect((await get('/duplicates')).json).toMatchObject({ total: 1, latest_anchor: MONDAY });
    await deleteCapture(0);
    expect((await get('/duplicates')).json).toMatchObject({ total: 0, latest_anchor: null });
  });

  it('are deleted when a corrected dump has none', async () => {
    await insert(0, withName('Nimbus', twice));
    await insert(0, withName('Nimbus'));
    expect((await get('/duplicates')).json).toMatchObject({ total: 0, latest_anchor: null });
  });

  it('are analysed again when a capture of their days is inserted late', async () => {
    await insert(0, withName('Nimbus', twice));
    await insert(2, withName('Nimbus', twice));
    await insert(1, withName('Nimbus', twice));
    const { json } = await get('/duplicates/Nimbus');
    const { boards } = json.evidence as { boards: { series: { captures: number }[] }[] };
    expect(boards.map(({ series }) => series.map(({ captures }) => captures))).toEqual([
      [3, 3],
      [3, 3],
      [3, 3],
    ]);
  });
});

describe('hourly data of the anomaly report', () => {
  it('is deleted with the capture', async () => {
    await insert(0, withName('Nimbus'));
    await insert(1, withName('Nimbus'));
    await deleteCapture(1);
    expect((await storedKeys('reports/')).filter((key) => key.includes(String(MONDAY + HOUR)))).toEqual([]);
  });
});

describe('names of boards', () => {
  it('are deleted with the last capture of the board', async () => {
    await insert(0, withName('Nimbus'));
    await insert(1, dumpOf(boardLine(7, others)));
    expect((await get('/7')).status).toBe(200);
    await deleteCapture(1);
    expect([(await get('/7')).status, (await get('/1')).status]).toEqual([404, 200]);
  });
});
