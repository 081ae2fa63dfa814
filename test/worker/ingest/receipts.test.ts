import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { IngestReceiptBody } from '../../../src/areas/ingest/ingest.routes.ts';
import { createIngestLog } from '../../../src/areas/ingest/ingest.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { bearer, call, freshInstant } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';
import { report } from '../rotations/reports.ts';

const log = createIngestLog(createDatabase(env.DB));
const WHO = { userId: null, tokenId: null, summary: null, error: null };
let superuser = '';

beforeAll(async () => {
  superuser = bearer(await createSuperuserToken());
});

const read = (id: string, authorization: string | null = superuser) => call(`/v1/ingest/${id}`, { authorization });
const receiptOf = async (id: string | null) => IngestReceiptBody.parse(JSON.parse((await read(id ?? '')).text));

function upload(path: string, text: string, now = freshInstant(), authorization = superuser) {
  const body = new FormData();
  body.set('file', new File([text], 'dump.txt'));
  return call(path, { method: 'POST', authorization, now, body });
}

const LISTING = '5d0b6f1e-69d9-11ef-8d0b-6a1f6c2f9a11;Bardium;resource;3;300';

describe('GET /v1/ingest/{id}', () => {
  it('names the line and the reason of each invalid listing of a market dump', async () => {
    const text = [
      LISTING,
      LISTING.replace(';300', ';0'),
      'a;b;c;d;e',
      LISTING,
      LISTING.replace('5d0b6f1e', '5d0b6f1f').replace('Bardium', 'Unknown'),
    ].join('\n');
    const { status, headers } = await upload('/v1/market/insert', text);
    expect(status).toBe(200);
    expect(await receiptOf(headers.get('X-Ingest-ID'))).toMatchObject({
      endpoint: 'market',
      state: 'accepted',
      received: 5,
      accepted: 1,
      ignored: 1,
      rejected: 3,
      problems: [
        { line: 2, reason: 'zero_price' },
        { line: 3, reason: 'malformed' },
        { line: 4, reason: 'repeated' },
      ],
      error: null,
    });
  });

  it('keeps its numbers when a dump that was stored is processed again after a crash', async () => {
    const entry = { ...WHO, endpoint: 'leaderboards', now: 5, receiptId: crypto.randomUUID() };
    const problems = [{ line: 3, reason: 'malformed' }];
    const counts = { received: 3, accepted: 2, ignored: 0, rejected: 1 };
    await log.receive(entry);
    await log.record({ ...entry, error: 'the bucket is out of reach' });
    await log.record({ ...entry, summary: '2 entries', counts, problems });
    await log.record({ ...entry, summary: '2 entries, after a retry', counts: { ...counts, received: 2, rejected: 0 } });
    await log.record({ ...entry, error: 'D1 is out of reach' });
    expect(await receiptOf(entry.receiptId)).toMatchObject({ state: 'accepted', received: 3, rejected: 1, problems, error: null });
  });

  it('exists for a rejected insert, whose response names it', async () => {
    const { status, headers } = await upload('/v1/market/insert?timestamp=1', 'x', 1_773_824_700, bearer(await createSuperuserToken()));
    expect([status, headers.get('X-Ingest-ID')]).toEqual([200, expect.any(String)]);
    const body = new FormData();
    body.set('other', 'x');
    const refused = await call('/v1/market/insert', { method: 'POST', authorization: bearer(await createSuperuserToken()), body });
    expect(refused.status).toBe(400);
    expect(await receiptOf(refused.headers.get('X-Ingest-ID'))).toMatchObject({
      state: 'rejected',
      received: null,
      rejected: null,
      error: 'file is required and must be a non-empty file',
    });
  });

  it('counts an insert without lines as one record', async () => {
    const { headers } = await report('challenge', 'RAMPAGE ALERT!', { authorization: superuser });
    expect(await receiptOf(headers.get('X-Ingest-ID'))).toMatchObject({
      endpoint: 'challenge',
      state: 'accepted',
      received: 1,
      accepted: 1,
      problems: [],
      summary: 'RAMPAGE ALERT!',
    });
  });

  it('is named again by the replay of an idempotent retry', async () => {
    const insert = () => report('challenge', 'RAMPAGE ALERT!', { authorization: superuser, headers: { 'Idempotency-Key': 'a retry' } });
    const [first, retry] = [await insert(), await insert()];
    expect(retry.headers.get('Idempotent-Replay')).toBe('true');
    expect(first.headers.get('X-Ingest-ID')).toEqual(expect.any(String));
    expect(retry.headers.get('X-Ingest-ID')).toBe(first.headers.get('X-Ingest-ID'));
  });

  it('is `received` until the data is processed; a repeated result replaces the first', async () => {
    const receiptId = crypto.randomUUID();
    const entry = { ...WHO, endpoint: 'leaderboards', now: 100, receiptId };
    await log.receive(entry);
    await log.receive(entry);
    expect(await receiptOf(receiptId)).toMatchObject({ state: 'received', received: null, received_at: '1970-01-01T00:01:40.000Z' });
    expect((await log.latest({ limit: 5 })).map((found) => found.receiptId)).not.toContain(receiptId);
    await log.record({ ...entry, error: 'incomplete capture' });
    expect(await receiptOf(receiptId)).toMatchObject({ state: 'rejected', error: 'incomplete capture' });
    const counts = { received: 60, accepted: 0, ignored: 0, rejected: 60 };
    const problems = Array.from({ length: 60 }, (_, index) => ({ line: index + 1, reason: 'x'.repeat(1000) }));
    await log.record({ ...entry, summary: '1 board', counts, problems });
    const receipt = await receiptOf(receiptId);
    expect(receipt).toMatchObject({ state: 'accepted', rejected: 60, summary: '1 board' });
    expect([receipt.problems.length, receipt.problems[0]?.reason.length]).toEqual([50, 300]);
    expect((await log.latest({ limit: 5 })).filter((found) => found.receiptId === receiptId)).toHaveLength(1);
  });

  it('is readable with a superuser token or session, without a cooldown, and by nobody else', async () => {
    const receiptId = crypto.randomUUID();
    await log.record({ ...WHO, endpoint: 'mods', now: 100, receiptId });
    const { credential } = await createSession({ row: { isSuperuser: true } });
    for (const authorization of [superuser, superuser, bearer(credential)]) expect((await read(receiptId, authorization)).status).toBe(200);
    expect((await read(receiptId, null)).status).toBe(401);
    expect((await read(receiptId, bearer(await createToken()))).status).toBe(403);
    expect((await read(crypto.randomUUID())).status).toBe(404);
    expect((await read('nonsense')).status).toBe(422);
  });
});

describe('POST /v1/leaderboards/insert', () => {
  it('returns a receipt that becomes complete when the dump is processed', async () => {
    const lines = ['a$Leaderboard_Category_Meta$17 = BOARD$META##1;Ana;5|nonsense|2;Bo;4', 'b$Cat$-1 = NAME$META##1;A;1', '# comment'];
    const { status, headers } = await upload('/v1/leaderboards/insert?backfill=true&sync=true', lines.join('\n'));
    expect(status).toBe(200);
    expect(await receiptOf(headers.get('X-Ingest-ID'))).toMatchObject({
      state: 'accepted',
      received: 4,
      accepted: 2,
      rejected: 2,
      problems: [
        { line: 1, reason: '(board 17) has 1 malformed entries, the first: nonsense' },
        { line: 2, reason: expect.stringContaining('has a non-numeric uuid') },
      ],
    });
  });

  it.each(['', '&sync=true'])('logs a dump that the queue did not take (%s)', async (more) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const outOfReach = () => Promise.reject(new Error('the queue is out of reach'));
    const objects = new Proxy(env.BOARDS_INGEST, {
      get: (target, name) => (name === 'getByName' ? () => ({ enqueue: outOfReach, processNow: outOfReach }) : Reflect.get(target, name)),
    });
    const body = new FormData();
    body.set('file', new File(['Board$Leaderboard_Category_Meta$1 = BOARD$META##1;Nimbus;5'], 'dump.txt'));
    const authorization = bearer(await createSuperuserToken());
    const request = { method: 'POST', authorization, now: freshInstant(), body };
    const { status } = await call(
      `/v1/leaderboards/insert?backfill=true${more}`,
      request,
      testApp({ bindings: { BOARDS_INGEST: objects } }),
    );
    expect(status).toBe(500);
    const [entry] = await log.latest({ limit: 1, endpoint: 'leaderboards' });
    expect(entry?.error).toContain('the queue is out of reach');
    vi.restoreAllMocks();
  });
});
