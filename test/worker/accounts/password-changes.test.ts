import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createPasswords } from '../../../src/platform/access/sessions/passwords.ts';
import { apiTokens, sessions, users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { interruptedDatabase } from '../../support/d1/interrupted-database.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { outcome, portalWorld, signedInPerson } from './world.ts';

const db = createDatabase(env.DB);
const { binding, interrupt } = interruptedDatabase();
const world = portalWorld({ bindings: { DB: binding }, settings: {} });
const NEXT = 'a new password';

const accountOf = async (email: string) => {
  const [account] = await db.select().from(users).where(eq(users.email, email));
  if (!account) throw new Error(`account not found: ${email}`);
  return account;
};
const sessionsOf = async (email: string) =>
  db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, (await accountOf(email)).id));

/** Stores a hash of the same password with a cost that is no longer used. */
async function useOldCost(email: string): Promise<void> {
  const passwordHash = await createPasswords({ n: 8, r: 8, p: 1 }).hash(PASSWORD);
  await db.update(users).set({ passwordHash }).where(eq(users.email, email));
}

describe('POST /auth/change-password', () => {
  it('changes a password whose hash has an old cost', async () => {
    const { client, email } = await signedInPerson(world);
    await useOldCost(email);
    const response = await client.post('/auth/change-password', { current_password: PASSWORD, new_password: NEXT });
    expect(outcome(response)).toBe('200');
    expect((await client.get('/auth/me')).status).toBe(200);
    expect(outcome(await world.client().login(email, NEXT))).toBe('200');
    expect(outcome(await world.client().login(email))).toBe('401 invalid_credentials');
  });

  it('keeps every session when the change is refused because the password was changed concurrently', async () => {
    const { client, email } = await signedInPerson(world);
    const other = world.client();
    interrupt(/^update "users" set "password_hash"/i, async () => {
      await other.login(email);
      await db
        .update(users)
        .set({ passwordHash: await createPasswords().hash('meanwhile'), tokenVersion: 7 })
        .where(eq(users.email, email));
      await db
        .update(sessions)
        .set({ tokenVersion: 7 })
        .where(eq(sessions.userId, (await accountOf(email)).id));
    });
    const response = await client.post('/auth/change-password', { current_password: PASSWORD, new_password: NEXT });
    expect(outcome(response)).toBe('401 invalid_credentials');
    expect(await sessionsOf(email)).toHaveLength(2);
  });
});

describe('a rehash of a password', () => {
  it('does not undo a change of the password that finished first', async () => {
    const { client, email } = await signedInPerson(world);
    await useOldCost(email);
    interrupt(/^update "users" set "password_hash" = \? where/i, async () => {
      await db
        .update(users)
        .set({ passwordHash: await createPasswords().hash(NEXT) })
        .where(eq(users.email, email));
    });
    await client.login(email);
    expect(outcome(await world.client().login(email, NEXT))).toBe('200');
    expect(outcome(await world.client().login(email))).toBe('401 invalid_credentials');
  });
});

describe('a sign-in in flight', () => {
  it('gets no session when the password changes before the session is stored', async () => {
    const { client, email } = await signedInPerson(world);
    const thief = world.client();
    interrupt(/^insert into "sessions"/i, async () => {
      const changed = await client.post('/auth/change-password', { current_password: PASSWORD, new_password: NEXT });
      expect(outcome(changed)).toBe('200');
    });
    expect(outcome(await thief.login(email))).toBe('401 invalid_credentials');
    expect(thief.refreshToken).toBeUndefined();
    expect(await sessionsOf(email)).toHaveLength(1);
    expect((await client.get('/auth/me')).status).toBe(200);
  });

  it('stores neither the sign-in nor a mail about a new device in that case', async () => {
    const { client, email } = await signedInPerson(world);
    const thief = world.client();
    thief.userAgent = 'curl/8';
    const mailsBefore = (await world.mails(email)).length;
    interrupt(/^insert into "sessions"/i, () => client.post('/auth/logout-all'));
    expect(outcome(await thief.login(email))).toBe('401 invalid_credentials');
    expect(await world.mails(email)).toHaveLength(mailsBefore);
    expect((await accountOf(email)).knownDevices).toEqual([]);
  });
});

describe('the devices that signed in', () => {
  it('mail their first sign-in at once, also when its session is stored late', async () => {
    const { client, email } = await signedInPerson(world);
    client.userAgent = 'curl/8';
    const before = (await world.mails(email)).length;
    interrupt(/^insert into "sessions"/i, () => sessionsOf(email));
    expect(outcome(await client.login(email))).toBe('200');
    expect(await world.mails(email)).toHaveLength(before + 1);
  });

  it('are new again after a new password and after the end of all sessions, and mail their next sign-in', async () => {
    const { client, email } = await signedInPerson(world);
    const thief = world.client();
    thief.userAgent = 'curl/8';
    const newDevices = async () => (await world.mails(email)).filter(({ subject }) => subject.includes('new device')).length;
    await thief.login(email);
    const before = await newDevices();
    await thief.login(email);
    expect(await newDevices()).toBe(before);
    const next = 'another four plain words';
    expect(outcome(await client.post('/auth/change-password', { current_password: PASSWORD, new_password: next }))).toBe('200');
    expect((await accountOf(email)).knownDevices).toHaveLength(1);
    expect(outcome(await thief.login(email, next))).toBe('200');
    expect((await accountOf(email)).knownDevices).toHaveLength(2);
    await thief.post('/auth/logout-all');
    expect((await accountOf(email)).knownDevices).toEqual([]);
  });
});

describe('POST /auth/refresh', () => {
  it('refuses a session that was started with an earlier token version', async () => {
    const { client, email } = await signedInPerson(world);
    // A row that a deletion of sessions missed.
    await db
      .update(users)
      .set({ tokenVersion: (await accountOf(email)).tokenVersion + 1 })
      .where(eq(users.email, email));
    expect(outcome(await client.refresh())).toBe('401 not_authenticated');
  });
});

describe('POST /auth/delete-account', () => {
  it('ends the sessions before it deletes the data', async () => {
    const { client, email } = await signedInPerson(world);
    const { id } = await accountOf(email);
    const other = world.client();
    await other.login(email);
    await client.post('/tokens', { name: 'bot' });
    let meanwhile = '';
    interrupt(/^delete from "api_tokens"/i, async () => {
      meanwhile = outcome(await other.post('/tokens', { name: 'late' }));
    });
    expect(outcome(await client.post('/auth/delete-account', { confirm_email: email, password: PASSWORD }))).toBe('204');
    expect(meanwhile).toBe('401 not_authenticated');
    expect(await db.select().from(apiTokens).where(eq(apiTokens.userId, id))).toEqual([]);
  });

  it('refuses a sign-in during the deletion', async () => {
    const { client, email } = await signedInPerson(world);
    const { id } = await accountOf(email);
    const other = world.client();
    interrupt(/^delete from "users"/i, async () => {
      expect(outcome(await other.login(email))).toBe('401 invalid_credentials');
      expect(outcome(await other.post('/tokens', { name: 'late' }))).toBe('401 not_authenticated');
    });
    expect(outcome(await client.post('/auth/delete-account', { confirm_email: email, password: PASSWORD }))).toBe('204');
    expect(await db.select().from(users).where(eq(users.id, id))).toEqual([]);
    expect(await db.select().from(apiTokens).where(eq(apiTokens.userId, id))).toEqual([]);
    expect(outcome(await other.get('/auth/me'))).toBe('401 not_authenticated');
  });
});
