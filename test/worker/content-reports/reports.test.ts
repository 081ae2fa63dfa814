import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_OPEN_REPORTS } from '../../../src/areas/content-reports/reports.data.ts';
import { createReportsStore } from '../../../src/areas/content-reports/reports.store.ts';
import { contentReports } from '../../../src/areas/content-reports/reports.tables.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { outcome, portalWorld, START, signedInPerson } from '../accounts/world.ts';

const db = createDatabase(env.DB);
const world = portalWorld();
const store = createReportsStore(db);
const REPORT = { page: '/mods/ada/better-maps', reason: 'malware', message: 'The newest release starts a miner.' };
let superuser: { client: Awaited<ReturnType<typeof signedInPerson>>['client']; id: string };

beforeAll(async () => {
  const { client, email } = await signedInPerson(world);
  const [row] = await db.update(users).set({ isSuperuser: true }).where(eq(users.email, email)).returning();
  superuser = { client, id: row?.id ?? '' };
});

const visitorReport = (change: object = {}) => ({ ...REPORT, captcha_token: solvedCaptcha('report'), ...change });
const openReports = async () => (await superuser.client.get('/admin/reports?limit=200')).body;

describe('POST /reports/visitor', () => {
  it('stores the report of a visitor who solved the captcha, without an account', async () => {
    const page = '/mods/packs/ada/winter';
    expect(outcome(await world.client().post('/reports/visitor', visitorReport({ page })))).toBe('200');
    const { items, open } = await openReports();
    expect(items).toContainEqual(expect.objectContaining({ page, reason: 'malware', reporter_email: null, decision: null }));
    expect(open).toBe(items.length);
  });

  it('refuses a visitor without the captcha, and more than five reports of one address in an hour', async () => {
    expect(outcome(await world.client().post('/reports/visitor', REPORT))).toBe('400 captcha_failed');
    const client = world.client();
    for (let sent = 0; sent < 5; sent += 1) expect(outcome(await client.post('/reports/visitor', visitorReport()))).toBe('200');
    expect(outcome(await client.post('/reports/visitor', visitorReport()))).toBe('429 rate_limited');
  });

  it('names the field that is invalid', async () => {
    const cases: [string, unknown][] = [
      ['page', '/portal/admin'],
      ['page', '/mods'],
      ['page', 'https://evil.example/mods/a/b'],
      ['page', '/mods/a/b/c/d'],
      ['reason', 'boredom'],
      ['message', 'short'],
      ['message', 'x'.repeat(2001)],
      ['message', 'text with \u202e hidden characters'],
    ];
    for (const [field, value] of cases) {
      const { body, status } = await world.client().post('/reports/visitor', visitorReport({ [field]: value }));
      expect([field, status, JSON.stringify(body.error)]).toEqual([field, 422, expect.stringContaining(field)]);
    }
  });
});

describe('POST /reports/account', () => {
  it('stores the account, which its deletion removes from the report', async () => {
    const { client, email } = await signedInPerson(world);
    expect(outcome(await client.post('/reports/account', REPORT))).toBe('200');
    expect((await openReports()).items).toContainEqual(expect.objectContaining({ reporter_email: email }));
    const [account] = await db.select().from(users).where(eq(users.email, email));
    await store.deleteByAccount(account?.id ?? '');
    expect((await openReports()).items).not.toContainEqual(expect.objectContaining({ reporter_email: email }));
  });
});

describe('POST /admin/reports/{id}/decide', () => {
  it('closes a report once, and keeps who decided and why', async () => {
    await world.client().post('/reports/visitor', visitorReport({ page: '/mods/ada/decided' }));
    const [report] = (await openReports()).items.filter(({ page }: { page: string }) => page === '/mods/ada/decided');
    const decide = (decision: string) => superuser.client.post(`/admin/reports/${report.id}/decide`, { decision, note: 'Taken down.' });
    const results = await Promise.all([decide('acted'), decide('dismissed')]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { body } = await superuser.client.get('/admin/reports?state=decided');
    expect(body.items).toContainEqual(
      expect.objectContaining({ id: report.id, decided_by: superuser.id, decision_note: 'Taken down.', decided_at: expect.any(String) }),
    );
    expect(outcome(await superuser.client.post('/admin/reports/unknown/decide', { decision: 'acted' }))).toBe('404 not_found');
  });

  it('is for superusers only', async () => {
    const { client } = await signedInPerson(world);
    expect(outcome(await client.get('/admin/reports'))).toBe('403 forbidden');
    expect(outcome(await client.post('/admin/reports/x/decide', { decision: 'acted' }))).toBe('403 forbidden');
  });
});

describe('createReportsStore', () => {
  it('refuses a report while the maximum is open, and deletes only decided ones', async () => {
    await db.delete(contentReports);
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_OPEN_REPORTS})
       INSERT INTO content_reports (id, page, reason, message, created_at) SELECT 'many' || i, '/mods/a/b', 'spam', 'spam', ${START} FROM n`,
    ).run();
    const report = { id: 'one', page: '/mods/a/b', reason: 'spam', message: 'spam', userId: null, createdAt: START } as const;
    expect(await store.add(report)).toBe(false);
    await store.decide('many1', { decision: 'dismissed', note: null, actor: 'x', now: START });
    expect(await store.add(report)).toBe(true);
    await store.deleteDecided(START);
    expect(await store.find('many1')).not.toBeNull();
    await store.deleteDecided(START + 1);
    expect(await store.find('many1')).toBeNull();
    await db.delete(contentReports);
  });
});
