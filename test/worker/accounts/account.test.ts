import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { hashToken } from '../../../src/platform/access/tokens/token-format.ts';
import { apiTokens, sessions, users } from '../../../src/platform/access/tokens.tables.ts';
import { usageDays } from '../../../src/platform/access/usage/usage.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { bearer, call } from '../../support/requests.ts';
import { storeUsage } from '../../support/usage.ts';
import { usageRecord } from '../../support/usage-record.ts';
import { newEmail, outcome, portalWorld, START, signedInPerson } from './world.ts';

const db = createDatabase(env.DB);
const world = portalWorld();
const idOf = async (email: string) => (await db.select({ id: users.id }).from(users).where(eq(users.email, email)))[0]?.id ?? '';

describe('/auth/me', () => {
  it('changes the display name and keeps it when the field is omitted', async () => {
    const { client } = await signedInPerson(world);
    const rename = async (body: object) => (await client.send('PATCH', '/auth/me', body)).body.display_name;
    expect(await rename({ display_name: '  Ada L. ' })).toBe('Ada L.');
    expect(await rename({})).toBe('Ada L.');
    expect(await rename({ display_name: '' })).toBeNull();
    expect(await rename({ display_name: 'Ada' })).toBe('Ada');
    expect(await rename({ display_name: null })).toBeNull();
  });

  it('changes the password, ends every session and starts a new one', async () => {
    const { client, email } = await signedInPerson(world);
    const other = world.client();
    await other.login(email);
    const change = (current: string, next: string) =>
      client.post('/auth/change-password', { current_password: current, new_password: next });
    expect(outcome(await change('wrong', 'a new password'))).toBe('401 invalid_credentials');
    expect(outcome(await change(PASSWORD, 'password1'))).toBe('400 password_breached');
    const old = client.credential;
    expect((await change(PASSWORD, 'a new password')).body).toMatchObject({ access_token: expect.any(String), expires_in: 900 });
    expect((await client.get('/auth/me')).status).toBe(200);
    expect((await client.refresh()).status).toBe(200);
    client.credential = old;
    for (const one of [client, other]) expect(outcome(await one.get('/auth/me'))).toBe('401 not_authenticated');
    expect(outcome(await other.refresh())).toBe('401 not_authenticated');
    expect((await world.client().login(email, 'a new password')).status).toBe(200);
  });

  it('counts wrong passwords of a session like failed sign-ins', async () => {
    const { client } = await signedInPerson(world);
    const guess = async () =>
      outcome(await client.post('/auth/change-password', { current_password: 'wrong', new_password: 'a new password' }));
    for (let tries = 0; tries < 5; tries += 1) expect(await guess()).toBe('401 invalid_credentials');
    expect(await guess()).toBe('429 account_locked');
  });

  it('changes the email address once confirmed and notifies the old address', async () => {
    const { client, email } = await signedInPerson(world);
    const next = newEmail();
    const taken = (await signedInPerson(world)).email;
    const change = (address: string, password = PASSWORD) => client.post('/auth/change-email', { new_email: address, password });
    expect(outcome(await change(next, 'wrong'))).toBe('401 invalid_credentials');
    expect(outcome(await change(taken))).toBe('409 email_taken');
    expect(outcome(await change('a@mailinator.com'))).toBe('400 disposable_email');
    expect((await change(next.toUpperCase())).status).toBe(200);
    expect((await client.get('/auth/me')).body.email).toBe(email);
    const link = await world.linkTo(next);
    const late = world.client();
    late.now = START + 48 * 3600;
    expect(outcome(await late.confirm(link))).toBe('400 bad_request');
    expect((await client.get(`${link.path}?token=${link.token}`)).status).toBe(200);
    expect((await client.get('/auth/me')).body.email).toBe(email);
    expect(outcome(await world.client().confirm(link, 'wrong'))).toBe('401 invalid_credentials');
    expect((await client.confirm(link)).status).toBe(200);
    expect(outcome(await client.get('/auth/me'))).toBe('401 not_authenticated');
    expect((await world.mails(email)).at(-1)?.subject).toContain('address was changed');
    expect(outcome(await world.client().login(email))).toBe('401 invalid_credentials');
    const again = world.client();
    await again.login(next);
    expect((await again.get('/auth/me')).body).toMatchObject({ email: next, is_verified: true });
    // A repeated confirmation does nothing; after another change of the address the link is invalid.
    expect((await world.client().confirm(link)).status).toBe(200);
    const third = newEmail();
    await again.post('/auth/change-email', { new_email: third, password: PASSWORD });
    await again.confirm(await world.linkTo(third));
    expect(outcome(await world.client().confirm(link))).toBe('400 bad_request');
  });

  it('returns 409 when another account took the address before the confirmation', async () => {
    const { client } = await signedInPerson(world);
    const next = newEmail();
    await client.post('/auth/change-email', { new_email: next, password: PASSWORD });
    const link = await world.linkTo(next);
    await world.client().signUp(next);
    expect(outcome(await client.confirm(link))).toBe('409 email_taken');
    expect((await client.get('/auth/me')).status).toBe(200);
  });

  it('exports all account data without secrets', async () => {
    const { client, email } = await signedInPerson(world);
    const { token, id } = (await client.post('/tokens', { name: 'bot', allowed_ips: ['198.51.100.7'] })).body;
    await storeUsage(id, [usageRecord({ at: START })]);
    const response = await client.get('/auth/me/export');
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="account.json"');
    expect(response.body).toMatchObject({
      exported_at: new Date(START * 1000).toISOString(),
      user: { email },
      api_tokens: [{ id, name: 'bot', allowed_ip_count: 1 }],
      sessions: [{ current: true }],
      usage_events: [{ path: '/v1/x', token_id: id }],
    });
    for (const secret of [token, hashToken(token), 'scrypt', '198.51.100.7', client.address, client.refreshToken ?? '-']) {
      expect(response.text).not.toContain(secret);
    }
  });

  it('deletes the account with all its data immediately', async () => {
    const { client, email } = await signedInPerson(world);
    const { token, id } = (await client.post('/tokens', { name: 'bot' })).body;
    const userId = await idOf(email);
    const use = () => call('/v1/token', { authorization: bearer(token), now: client.now }, world.fetch);
    expect((await use()).status).toBe(200);
    await storeUsage(id, [usageRecord({ at: START })]);
    const objectState = () =>
      runInDurableObject(env.TOKEN_GATES.getByName(id), async (_, state) => [
        ...(await state.storage.list()).keys(),
        ...state.storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name LIKE 'request_%'"),
      ]);
    expect((await objectState()).length).toBeGreaterThan(2);
    expect(outcome(await client.post('/auth/delete-account', { confirm_email: newEmail(), password: PASSWORD }))).toBe('400 bad_request');
    expect(outcome(await client.post('/auth/delete-account', { confirm_email: email }))).toBe('422 validation_error');
    expect(outcome(await client.post('/auth/delete-account', { confirm_email: email, password: 'not my password' }))).toBe(
      '401 invalid_credentials',
    );
    expect((await client.post('/auth/delete-account', { confirm_email: ` ${email.toUpperCase()} `, password: PASSWORD })).status).toBe(204);
    expect((await use()).status).toBe(401);
    expect(outcome(await client.get('/auth/me'))).toBe('401 not_authenticated');
    expect(await objectState()).toEqual(['token']);
    for (const table of [apiTokens, sessions, usageDays]) {
      expect(await db.select().from(table).where(eq(table.userId, userId))).toEqual([]);
    }
    expect(await idOf(email)).toBe('');
    expect((await world.client().signUp(email)).status).toBe(201);
  });
});
