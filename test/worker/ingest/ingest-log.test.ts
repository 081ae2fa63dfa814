import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createIngestLog } from '../../../src/areas/ingest/ingest.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { bearer } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { report } from '../rotations/reports.ts';

const WHO = { userId: null, tokenId: null };

it('ingest log keeps the result of each insert, newest first, until deletion', async () => {
  const log = createIngestLog(createDatabase(env.DB));
  await log.record({ ...WHO, endpoint: 'market', now: 100, summary: '3 listings', error: null });
  await log.record({ ...WHO, endpoint: 'mods', now: 200, summary: null, error: 'x'.repeat(5000) });
  const [newest, oldest] = await log.latest({ limit: 5 });
  expect(newest).toMatchObject({ endpoint: 'mods', now: 200, summary: null, error: 'x'.repeat(2000), userEmail: null });
  expect(oldest).toMatchObject({ endpoint: 'market', now: 100, summary: '3 listings', error: null });
  expect(await log.latest({ limit: 5, endpoint: 'market' })).toHaveLength(1);
  expect((await log.latest({ limit: 5, success: false })).map(({ now }) => now)).toEqual([200]);
  expect((await log.latest({ limit: 5, success: true, endpoint: 'mods' })).map(({ now }) => now)).toEqual([]);
  expect((await log.latest({ limit: 5, belowId: newest?.id })).map(({ now }) => now)).toEqual([100]);
  await log.deleteExpired(150);
  expect(await log.latest({ limit: 5 })).toHaveLength(1);
});

it('ingest log records capture inserts with their sender and the reason of a failure', async () => {
  const log = createIngestLog(createDatabase(env.DB));
  const authorization = bearer(await createSuperuserToken());
  const insert = (name: string) => report('challenge', name, { authorization });
  expect((await insert('RAMPAGE ALERT!')).status).toBe(200);
  expect((await insert('RAMPAGE ALERT!')).status).toBe(200);
  expect((await insert('x\u0000y')).status).toBeGreaterThanOrEqual(400);
  const entries = await log.latest({ limit: 5, endpoint: 'challenge' });
  expect(entries.slice(-2).map(({ summary, error }) => [summary, error])).toContainEqual(['RAMPAGE ALERT!', null]);
  expect(entries[0]?.tokenName).toBe('test');
});
