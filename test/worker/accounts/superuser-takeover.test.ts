import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiTokens, sessions, users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { createSession } from '../../support/sessions.ts';
import { createAccount } from '../../support/tokens.ts';
import { newEmail, outcome, portalWorld, signedInPerson } from './world.ts';

const db = createDatabase(env.DB);
const OWNER_PASSWORD = 'the password of the owner';

const accountOf = async (email: string) => (await db.select().from(users).where(eq(users.email, email)))[0];

/** A deployment with a configured superuser. */
const configured = (email: string, password = OWNER_PASSWORD) =>
  portalWorld({ bindings: { SUPERUSER_EMAIL: email, SUPERUSER_PASSWORD: password } });

/** A production deployment, whose password hashes take long; without an email address no superuser is configured. */
function production(email?: string, password = OWNER_PASSWORD) {
  const superuser = email === undefined ? {} : { SUPERUSER_EMAIL: email, SUPERUSER_PASSWORD: password };
  return portalWorld({ bindings: { ENVIRONMENT: 'production', ...superuser } });
}

/** Creates an unverified account with another person's address. */
async function createUnverified(email: string): Promise<void> {
  expect((await portalWorld().client().signUp(email)).status).toBe(201);
}

let lines: string[] = [];

beforeEach(async () => {
  lines = [];
  for (const name of ['log', 'error'] as const) vi.spyOn(console, name).mockImplementation((line) => void lines.push(String(line)));
  await db.delete(users);
});

afterEach(() => vi.restoreAllMocks());

describe('the email address of the configured superuser', () => {
  it('cannot sign up, and signs in with the configured password', async () => {
    const email = newEmail();
    const world = configured(email);
    const attacker = world.client();
    expect(outcome(await attacker.signUp(` ${email.toUpperCase()}`))).toBe('409 email_taken');
    expect(outcome(await attacker.login(email))).toBe('401 invalid_credentials');
    const owner = world.client();
    expect(outcome(await owner.login(email, OWNER_PASSWORD))).toBe('200');
    expect((await owner.get('/auth/me')).body).toMatchObject({ is_superuser: true, is_verified: true });
  });

  it('cannot sign up while the configured password is too short and another superuser exists', async () => {
    const email = newEmail();
    await createAccount({ isSuperuser: true });
    const world = configured(email, 'short');
    expect(outcome(await world.client().signUp(email))).toBe('409 email_taken');
    expect(outcome(await world.client().signUp(newEmail()))).toBe('201');
  });

  it('takes over an unverified account: replaces the password and ends its sessions', async () => {
    const email = newEmail();
    await createUnverified(email);
    const squatted = await accountOf(email);
    const { credential } = await createSession({ userId: squatted?.id ?? '' });
    const world = configured(email);
    const attacker = world.client();
    expect(outcome(await attacker.login(email))).toBe('401 invalid_credentials');
    attacker.credential = credential;
    expect(outcome(await attacker.get('/auth/me'))).toBe('401 not_authenticated');
    expect(
      await db
        .select()
        .from(sessions)
        .where(eq(sessions.userId, squatted?.id ?? '')),
    ).toEqual([]);
    expect(outcome(await world.client().login(email, OWNER_PASSWORD))).toBe('200');
    expect(await accountOf(email)).toMatchObject({ id: squatted?.id, isSuperuser: true, isVerified: true });
    expect((await accountOf(email))?.tokenVersion).toBeGreaterThan(squatted?.tokenVersion ?? 0);
  });

  it('does not promote an unverified account while the configured password is too short', async () => {
    const email = newEmail();
    await createUnverified(email);
    const world = configured(email, 'short');
    expect(outcome(await world.client().login(email))).toBe('403 email_unverified');
    expect(await accountOf(email)).toMatchObject({ isSuperuser: false, isVerified: false });
    expect(lines.join()).toContain('SUPERUSER_PASSWORD');
  });

  it('promotes a verified account and keeps its password', async () => {
    const { email } = await signedInPerson(portalWorld());
    const world = configured(email);
    expect(outcome(await world.client().login(email, OWNER_PASSWORD))).toBe('401 invalid_credentials');
    const owner = world.client();
    expect(outcome(await owner.login(email))).toBe('200');
    expect((await owner.get('/auth/me')).body.is_superuser).toBe(true);
  });

  it('sets the configured password on an account without a password', async () => {
    const userId = await createAccount({ isSuperuser: true });
    const email = newEmail();
    await db.update(users).set({ email }).where(eq(users.id, userId));
    expect(outcome(await configured(email).client().login(email, OWNER_PASSWORD))).toBe('200');
  });

  it('cannot be claimed by a change of the email address', async () => {
    const email = newEmail();
    const { client } = await signedInPerson(portalWorld());
    const owner = configured(email, 'short').client();
    owner.credential = client.credential;
    expect(outcome(await owner.post('/auth/change-email', { new_email: email, password: PASSWORD }))).toBe('409 email_taken');
    // A link that was sent before the address was configured.
    const world = portalWorld();
    const early = world.client();
    early.credential = client.credential;
    expect((await early.post('/auth/change-email', { new_email: email, password: PASSWORD })).status).toBe(200);
    expect(outcome(await owner.confirm(await world.linkTo(email)))).toBe('409 email_taken');
  });

  it('gets one superuser account from concurrent requests', async () => {
    const email = newEmail();
    const worlds = [configured(email), configured(email), configured(email)];
    const responses = await Promise.all(worlds.map((world) => world.client().login(email, OWNER_PASSWORD)));
    expect(responses.map(outcome)).toEqual(['200', '200', '200']);
    expect(await db.select().from(users)).toHaveLength(1);
  });
});

describe('sign-up in production', () => {
  it('returns an error and logs it while no superuser exists or is configured', async () => {
    const email = newEmail();
    const response = await production().client().signUp(email);
    expect([outcome(response), response.headers.get('Retry-After')]).toEqual(['503 service_unavailable', expect.stringMatching(/^\d+$/)]);
    expect(response.body.error.message).toContain('sign-up is closed');
    expect(lines.join()).toContain('SUPERUSER_EMAIL');
    expect(await accountOf(email)).toBeUndefined();
  });

  it('is closed while the configured superuser cannot be created', async () => {
    expect(outcome(await production(newEmail(), 'short').client().signUp(newEmail()))).toBe('503 service_unavailable');
  });

  it('is closed while SUPERUSER_EMAIL is not a valid address, and logs what is wrong', async () => {
    expect(outcome(await production('root@localhost').client().signUp(newEmail()))).toBe('503 service_unavailable');
    expect(lines.join()).toContain('SUPERUSER_EMAIL must have a dot in the domain after the @');
    expect(await accountOf('root@localhost')).toBeUndefined();
  });

  it('opens once a superuser is configured, and creates the superuser first', async () => {
    const email = newEmail();
    expect(outcome(await production(email).client().signUp(newEmail()))).toBe('201');
    expect(await accountOf(email)).toMatchObject({ isSuperuser: true });
  });

  it('opens once a superuser exists in the database', async () => {
    const world = production();
    expect(outcome(await world.client().signUp(newEmail()))).toBe('503 service_unavailable');
    await createAccount({ isSuperuser: true });
    expect(outcome(await world.client().signUp(newEmail()))).toBe('201');
  });

  it('stays closed while the only superuser is disabled', async () => {
    await createAccount({ isSuperuser: true, isActive: false });
    expect(outcome(await production().client().signUp(newEmail()))).toBe('503 service_unavailable');
  });
});

describe('sign-up in development', () => {
  it('is open while no superuser is configured', async () => {
    expect(
      outcome(
        await portalWorld({ bindings: { ENVIRONMENT: 'development' } })
          .client()
          .signUp(newEmail()),
      ),
    ).toBe('201');
    expect(await db.select().from(apiTokens)).toEqual([]);
  });
});
