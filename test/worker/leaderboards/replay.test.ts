import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createIngestService } from '../../../src/areas/leaderboards/ingest/ingest.service.ts';
import { withJson } from '../../support/calculators.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { boardLine, dumpOf, insert } from './dumps.ts';
import { clearStorage, fixedSettings, newStores, receive, visibleRows } from './stores.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const HOUR = 3600;

const OLD = dumpOf(boardLine(1, [['A', 10]]), boardLine(3, [['A', 5]]));
const NEW = dumpOf(boardLine(1, [['B', 20]]));
const OLD_ROWS = { 1: { entries: 1, names: ['A'], scores: [10] }, 3: { entries: 1, names: ['A'], scores: [5] } };
const NEW_ROWS = { 1: { entries: 1, names: ['B'], scores: [20] } };

const master = bearer(await createSuperuserToken());
const dumps = async (query = '', authorization = master) =>
  withJson(await call(`/admin/leaderboards/dumps${query}`, { authorization, now: TUESDAY + 9 * HOUR }));
const replay = async (dump: unknown, authorization = master) => {
  return withJson(await call('/admin/leaderboards/replay', { method: 'POST', authorization, now: TUESDAY + 9 * HOUR, json: { dump } }));
};

/** Runs all queued jobs of the ingest object. */
async function runQueuedJobs(): Promise<void> {
  const ingest = env.BOARDS_INGEST.getByName('ingest');
  while (await runDurableObjectAlarm(ingest)) expect(true).toBe(true);
}

beforeEach(clearStorage);

describe('GET /v1/leaderboards/dumps', () => {
  it('lists dumps newest first, in pages', async () => {
    for (let hour = 0; hour < 5; hour += 1) await receive(OLD, TUESDAY + hour * HOUR, `dump-${hour}`);
    const hours: number[] = [];
    let query = '?limit=2';
    for (let pages = 0; pages < 3; pages += 1) {
      const { status, body } = await dumps(query);
      expect([status, body.total]).toEqual([200, 5]);
      for (const { anchor, received_at: receivedAt, size } of body.items) {
        expect([receivedAt, size > 20]).toEqual([anchor, true]);
        hours.push((anchor - TUESDAY) / HOUR);
      }
      query = `?limit=2&cursor=${body.next_cursor}`;
    }
    expect([hours, query]).toEqual([[4, 3, 2, 1, 0], '?limit=2&cursor=null']);
    expect((await dumps('?cursor=x')).status).toBe(400);
  });

  it('requires a superuser', async () => {
    const token = bearer(await createToken());
    expect([(await dumps('', token)).status, (await replay('x', token)).status]).toEqual([403, 403]);
  });
});

describe('POST /v1/leaderboards/dumps/replay', () => {
  it('recreates the capture on every replay and logs each one', async () => {
    const { json } = await insert(OLD, `?sync=true&timestamp=${TUESDAY}&backfill=true`, { now: TUESDAY + HOUR });
    expect(json.accepted).toBe(true);
    const [first] = (await dumps()).body.items;
    await insert(NEW, `?sync=true&timestamp=${TUESDAY}&backfill=true`, { now: TUESDAY + 2 * HOUR });
    await runQueuedJobs();
    expect(await visibleRows(TUESDAY)).toEqual(NEW_ROWS);
    for (let again = 0; again < 2; again += 1) {
      const { status, body } = await replay(first.dump);
      expect([status, body]).toEqual([202, { accepted: true, dump: first.dump, anchor: TUESDAY }]);
      await runQueuedJobs();
      expect(await visibleRows(TUESDAY)).toEqual(OLD_ROWS);
    }
    const [entry] = await newStores().log.latest({ limit: 1 });
    const rawKey = `raw/${first.dump}.cfg.gz`;
    expect(entry).toMatchObject({ summary: `anchor ${TUESDAY}: replay of ${rawKey}: 2 boards, 2 entries`, error: null, tokenName: 'test' });
  });

  it('processes a dump that is identical to the current capture', async () => {
    const service = createIngestService({ ...newStores(), settings: fixedSettings() });
    const task = await receive(OLD, TUESDAY, 'one');
    await service.process(task);
    const again = await service.process({ ...task, id: 'again', isReplay: true });
    expect(again).toMatchObject({ accepted: true, message: '2 boards, 2 entries', changed: [TUESDAY] });
    expect((await newStores().captures.find(TUESDAY))?.version).toBe('again');
    expect(await visibleRows(TUESDAY)).toEqual(OLD_ROWS);
  });

  it('returns 404 for an unknown dump', async () => {
    for (const dump of ['nothing', '../boards/x', `00${TUESDAY}/${TUESDAY}-none`]) expect((await replay(dump)).status).toBe(404);
    expect([(await replay('')).status, (await replay(7)).status]).toEqual([422, 422]);
  });
});

describe('insert log of leaderboards', () => {
  it('records failed inserts immediately, accepted ones after processing', async () => {
    const authorization = bearer(await createSuperuserToken());
    expect((await insert('', '', { authorization })).status).toBe(400);
    const [failed, ...rest] = await newStores().log.latest({ limit: 5 });
    expect([failed?.endpoint, failed?.summary, failed?.error?.includes('file'), rest]).toEqual(['leaderboards', null, true, []]);
    await insert(OLD, '', { now: TUESDAY + HOUR, authorization });
    await runQueuedJobs();
    const entries = await newStores().log.latest({ limit: 5 });
    expect(entries.map(({ summary, error }) => summary ?? error)).toEqual([`anchor ${TUESDAY}: 2 boards, 2 entries`, failed?.error]);
  });
});
