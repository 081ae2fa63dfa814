import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { accountSuspensions } from '../../../src/areas/accounts/accounts.tables.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { outcome, portalWorld, START, signedInPerson } from './world.ts';

const db = createDatabase(env.DB);
const world = portalWorld();
let superuser: Awaited<ReturnType<typeof person>>;

async function person(isSuperuser = false) {
  const { client, email } = await signedInPerson(world);
  const [row] = await db.update(users).set({ isSuperuser }).where(eq(users.email, email)).returning();
  return { client, email, id: row?.id ?? '' };
}

beforeAll(async () => {
  superuser = await person(true);
});

const suspend = (id: string, reason: unknown = 'Uploads of malware.') => superuser.client.post(`/admin/users/${id}/suspend`, { reason });
const history = async (id: string) => (await superuser.client.get(`/admin/users/${id}/suspensions`)).body.items;

describe('POST /admin/users/{id}/suspend', () => {
  it('ends sessions, refuses tokens and sign-ins at once, and mails the reason', async () => {
    const { client, email, id } = await person();
    const authorization = bearer(await createToken({ userId: id }));
    const useToken = async () => (await call('/v1/token', { authorization, now: START }, world.fetch)).status;
    expect(await useToken()).toBe(200);

    const { body } = await suspend(id);
    expect(body).toMatchObject({ id, is_active: false });
    expect(await useToken()).toBe(401);
    expect(outcome(await client.get('/auth/me'))).toBe('401 not_authenticated');
    expect(outcome(await client.refresh())).toBe('401 not_authenticated');
    expect(outcome(await client.login(email, PASSWORD))).toBe('401 invalid_credentials');
    const mail = (await world.mails(email)).at(-1);
    expect(mail?.subject).toContain('suspended');
    expect(mail?.text).toContain('Reason: Uploads of malware.');
    expect(await history(id)).toEqual([
      expect.objectContaining({ reason: 'Uploads of malware.', started_by: superuser.id, ended_at: null, ended_by: null }),
    ]);
  });

  it('keeps the first reason and sends one mail when it is repeated', async () => {
    const { email, id } = await person();
    await suspend(id, 'first');
    expect((await suspend(id, 'second')).status).toBe(200);
    expect((await history(id)).map(({ reason }: { reason: string }) => reason)).toEqual(['first']);
    expect((await world.mails(email)).filter(({ subject }) => subject.includes('suspended'))).toHaveLength(1);
  });

  it('refuses superusers, unknown accounts, accounts being deleted, and a missing reason', async () => {
    expect(outcome(await suspend(superuser.id))).toBe('409 conflict');
    expect(outcome(await suspend('nobody'))).toBe('404 not_found');
    const { id } = await person();
    for (const reason of ['', '  ', 'a\u0000b', 'x'.repeat(501)]) expect(outcome(await suspend(id, reason))).toBe('422 validation_error');
    await db.update(users).set({ isActive: false }).where(eq(users.id, id));
    expect(outcome(await suspend(id))).toBe('409 conflict');
    expect(await history(id)).toEqual([]);
  });
});

describe('POST /admin/users/{id}/end-suspension', () => {
  it('lets tokens and sign-ins work again, and keeps both decisions', async () => {
    const { client, email, id } = await person();
    const authorization = bearer(await createToken({ userId: id }));
    await suspend(id);
    const { body } = await superuser.client.post(`/admin/users/${id}/end-suspension`, { reason: 'Appeal accepted.' });
    expect(body).toMatchObject({ is_active: true });
    expect((await call('/v1/token', { authorization, now: START }, world.fetch)).status).toBe(200);
    expect(outcome(await client.login(email, PASSWORD))).toBe('200');
    expect((await world.mails(email)).some(({ subject }) => subject.includes('active again'))).toBe(true);
    expect(await history(id)).toEqual([
      expect.objectContaining({ ended_by: superuser.id, end_reason: 'Appeal accepted.', ended_at: expect.any(String) }),
    ]);
  });

  it('refuses an account that is inactive for another reason', async () => {
    const { id } = await person();
    await db.update(users).set({ isActive: false }).where(eq(users.id, id));
    expect(outcome(await superuser.client.post(`/admin/users/${id}/end-suspension`))).toBe('409 conflict');
    const [row] = await db.select().from(users).where(eq(users.id, id));
    expect(row?.isActive).toBe(false);
  });

  it('allows a second suspension afterwards', async () => {
    const { id } = await person();
    await suspend(id, 'first');
    await superuser.client.post(`/admin/users/${id}/end-suspension`);
    await suspend(id, 'second');
    const rows = await db.select().from(accountSuspensions).where(eq(accountSuspensions.userId, id));
    expect(rows.map(({ reason }) => reason).toSorted()).toEqual(['first', 'second']);
    expect(rows.filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
  });
});
