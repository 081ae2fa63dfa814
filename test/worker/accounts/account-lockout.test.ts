import { env } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_FAILURES } from '../../../src/areas/accounts/accounts.data.ts';
import { failedAttempts } from '../../../src/areas/accounts/accounts.tables.ts';
import { createAttempts } from '../../../src/areas/accounts/attempts.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { newEmail, outcome, portalWorld, START, signedInPerson } from './world.ts';

const world = portalWorld();
const DEVICE_COOKIE = '__Secure-portal_device';

const db = createDatabase(env.DB);
const attempts = createAttempts(db, env.SESSION_SECRET);

/** Adds to the failures of rows, as that many wrong passwords below the limit would. */
async function addFailures(rows: SQL, count: number): Promise<void> {
  const changed = await db
    .update(failedAttempts)
    .set({ failures: sql`${failedAttempts.failures} + ${count}` })
    .where(rows)
    .returning();
  expect(changed).toHaveLength(1);
}

/** Counts wrong passwords from new addresses without sending them. */
async function countFailures(email: string, count: number): Promise<void> {
  const key = `account\n${email}`;
  await attempts.count(key, ACCOUNT_FAILURES, START);
  const hash = createHmac('sha256', env.SESSION_SECRET ?? '').update(`attempts\n${key}`);
  await addFailures(eq(failedAttempts.keyHash, hash.digest('hex')), count - 1);
}

/** Sends the last two of `count` wrong passwords from new addresses, and returns the last outcome. */
async function failFromManyAddresses(email: string, count: number): Promise<string> {
  await countFailures(email, count - 2);
  await world.client().login(email, 'a wrong password');
  return outcome(await world.client().login(email, 'a wrong password'));
}

/** Brings an account to the state after 50 wrong passwords from new addresses, without sending them. */
async function reachLimit(email: string): Promise<void> {
  await countFailures(email, 49);
  await attempts.count(`account\n${email}`, ACCOUNT_FAILURES, START);
}

describe('wrong passwords of an attacker', () => {
  it('do not lock the account for other addresses', async () => {
    const { email } = await signedInPerson(world);
    const attacker = world.client();
    for (let tries = 0; tries < 5; tries += 1) await attacker.login(email, 'a wrong password');
    expect(outcome(await attacker.login(email))).toBe('429 account_locked');
    expect(outcome(await world.client().login(email))).toBe('200');
  });

  it('lock the attacker for one account only', async () => {
    const { email } = await signedInPerson(world);
    const { email: other } = await signedInPerson(world);
    const attacker = world.client();
    for (let tries = 0; tries < 5; tries += 1) await attacker.login(email, 'a wrong password');
    expect(outcome(await attacker.login(other))).toBe('200');
  });

  it('never lock a device that has signed in, not even from the same address', async () => {
    const { client, email } = await signedInPerson(world);
    const neighbour = world.client(client.address);
    for (let tries = 0; tries < 5; tries += 1) await neighbour.login(email, 'a wrong password');
    expect(await failFromManyAddresses(email, 46)).toBe('403 device_unconfirmed');
    client.now = START + 300;
    expect(client.cookies.get(DEVICE_COOKIE)).toBeDefined();
    expect(outcome(await client.login(email))).toBe('200');
  });

  it('never lock a device for its own failures', async () => {
    const { client, email } = await signedInPerson(world);
    for (let tries = 0; tries < 7; tries += 1) {
      expect(outcome(await client.login(email, 'a wrong password'))).toBe('401 invalid_credentials');
    }
    expect(outcome(await client.login(email))).toBe('200');
  });
});

describe('an unknown device after 50 failures in a day', () => {
  it('gets the same refusal for a right and a wrong password, with and without an account', async () => {
    const { email } = await signedInPerson(world);
    const nobody = newEmail();
    for (const address of [email, nobody]) expect(await failFromManyAddresses(address, 50)).toBe('401 invalid_credentials');
    const texts = [
      await world.client().login(email),
      await world.client().login(email, 'a wrong password'),
      await world.client().login(nobody),
    ].map(({ status, text }) => `${status} ${text}`);
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('device_unconfirmed');
  });

  it('signs in after it opened the link mailed for the right password', async () => {
    const { email } = await signedInPerson(world);
    await reachLimit(email);
    const mailsBefore = (await world.mails(email)).length;
    await world.client().login(email, 'a wrong password');
    expect(await world.mails(email)).toHaveLength(mailsBefore);
    const device = world.client();
    expect(outcome(await device.login(email))).toBe('403 device_unconfirmed');
    expect(await world.mails(email)).toHaveLength(mailsBefore + 1);
    const { path, token } = await world.linkTo(email);
    expect([path, (await device.get(path)).status]).toEqual(['/auth/confirm-device', 200]);
    expect(outcome(await device.login(email))).toBe('403 device_unconfirmed');
    expect(outcome(await device.post(path, { token }))).toBe('200');
    expect(device.credential).toBeNull();
    expect(outcome(await device.login(email))).toBe('200');
    expect(outcome(await world.client().login(email))).toBe('403 device_unconfirmed');
  });

  it('is accepted again a day later', async () => {
    const { email } = await signedInPerson(world);
    await reachLimit(email);
    expect(outcome(await world.client().login(email))).toBe('403 device_unconfirmed');
    const device = world.client();
    device.now = START + 86_400;
    expect(outcome(await device.login(email))).toBe('200');
  });
});

describe('the cookie of a device', () => {
  it('is worth nothing for another account or with a changed signature', async () => {
    const { client } = await signedInPerson(world);
    const { email } = await signedInPerson(world);
    await reachLimit(email);
    const cookie = client.cookies.get(DEVICE_COOKIE) ?? '';
    for (const value of [cookie, `${cookie.slice(0, -2)}AA`, 'x']) {
      const device = world.client();
      device.cookies.set(DEVICE_COOKIE, value);
      expect(outcome(await device.login(email, PASSWORD))).toBe('403 device_unconfirmed');
    }
  });

  it('is not trusted after the end of all sessions', async () => {
    const { client, email } = await signedInPerson(world);
    const cookie = client.cookies.get(DEVICE_COOKIE) ?? '';
    expect((await client.post('/auth/logout-all')).status).toBe(204);
    await reachLimit(email);
    const thief = world.client();
    thief.cookies.set(DEVICE_COOKIE, cookie);
    expect(outcome(await thief.login(email))).toBe('403 device_unconfirmed');
  });

  it('is not trusted after 50 wrong passwords in a day', async () => {
    const { client, email } = await signedInPerson(world);
    const cookie = client.cookies.get(DEVICE_COOKIE) ?? '';
    await reachLimit(email);
    const tryAsThief = async (password?: string) => {
      const thief = world.client();
      thief.now = START + 1;
      thief.cookies.set(DEVICE_COOKIE, cookie);
      return outcome(await thief.login(email, password));
    };
    expect(await tryAsThief('a wrong password')).toBe('401 invalid_credentials');
    await addFailures(eq(failedAttempts.since, START + 1), 48);
    expect(await tryAsThief('a wrong password')).toBe('401 invalid_credentials');
    expect(await tryAsThief()).toBe('403 device_unconfirmed');
  });
});
