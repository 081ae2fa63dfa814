import { env } from 'cloudflare:workers';
import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { resetSecondFactorSql } from '../../../scripts/lib/token/token-sql.ts';
import { SECOND_FACTOR_VAULT } from '../../../src/areas/accounts/second-factor.service.ts';
import { createSecondFactorStore } from '../../../src/areas/accounts/second-factor.store.ts';
import { stepAt, TOTP_SECRET_BYTES, toBase32 } from '../../../src/areas/accounts/totp.domain.ts';
import { recoveryCodes, secondFactors } from '../../../src/platform/access/sessions/second-factor.tables.ts';
import { sessions, users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createVault } from '../../../src/platform/storage/vault.ts';
import { interruptedDatabase } from '../../support/d1/interrupted-database.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { bearer, call } from '../../support/requests.ts';
import { codeAt, fromBase32 } from '../../support/totp.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { newEmail, outcome, type PortalClient, portalWorld, START, signedInPerson } from './world.ts';

const db = createDatabase(env.DB);
const { binding, interrupt } = interruptedDatabase();
const world = portalWorld({ bindings: { DB: binding }, settings: {} });
const strict = portalWorld({ settings: { superuserSecondFactorRequired: true } });
const NEXT = 'a new password';
const vault = createVault(env.SESSION_SECRET, SECOND_FACTOR_VAULT);

const idOf = async (email: string) => (await db.select({ id: users.id }).from(users).where(eq(users.email, email)))[0]?.id ?? '';

/** Sets up a second factor with a code of the step before START, so that the codes of START are unused. */
async function enable(client: PortalClient): Promise<{ secret: string; codes: string[] }> {
  const setUp = await client.post('/auth/second-factor/set-up', { password: PASSWORD });
  expect(outcome(setUp)).toBe('200');
  const { secret } = setUp.body;
  const enabled = await client.post('/auth/second-factor/enable', { code: codeAt(secret, START - 30) });
  expect(outcome(enabled)).toBe('200');
  return { secret, codes: enabled.body.recovery_codes };
}

/** A signed-in person who enabled a second factor. */
async function enabledPerson() {
  const { client, email } = await signedInPerson(world);
  return { client, email, ...(await enable(client)) };
}

/** A signed-in person with a second factor like that of `enabledPerson`, stored without requests. */
async function securedPerson() {
  const { client, email, id: userId } = await signedInPerson(world);
  const bytes = randomBytes(TOTP_SECRET_BYTES);
  const codes = Array.from({ length: 10 }, () => toBase32(randomBytes(10)).replace(/.{4}(?=.)/g, '$&-'));
  const sealedSecret = await vault.seal(bytes.toString('base64url'), userId);
  const hashOf = (code: string) => createHash('sha256').update(code.replaceAll('-', '')).digest('hex');
  await db.batch([
    db.insert(secondFactors).values({ userId, sealedSecret, createdAt: START, confirmedAt: START, lastStep: stepAt(START - 30) }),
    db.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(code) }))),
  ]);
  return { client, email, secret: toBase32(bytes), codes };
}

/** Signs in with a code, at a time. */
function login(client: PortalClient, email: string, code?: string, password = PASSWORD) {
  return client.post('/auth/login', { email, password, code, captcha_token: solvedCaptcha('login') });
}

function clientAt(now: number): PortalClient {
  const client = world.client();
  client.now = now;
  return client;
}

describe('the set-up of a second factor', () => {
  it('requires the password and takes effect with the first code', async () => {
    const { client, email } = await signedInPerson(world);
    expect(outcome(await client.post('/auth/second-factor/set-up', { password: 'wrong' }))).toBe('401 invalid_credentials');
    const { secret, otpauth_uri: uri, qr_svg: svg } = (await client.post('/auth/second-factor/set-up', { password: PASSWORD })).body;
    expect(uri).toContain(`secret=${secret}&`);
    expect(svg).toMatch(/^<svg /);
    expect(outcome(await world.client().login(email))).toBe('200');
    expect(outcome(await client.post('/auth/second-factor/enable', { code: '000000' }))).toBe('401 invalid_credentials');
    expect((await client.get('/auth/second-factor')).body).toMatchObject({ enabled: false, recovery_codes_left: 0, events: [] });
    expect(outcome(await client.post('/auth/second-factor/enable', { code: codeAt(secret, START) }))).toBe('200');
    expect((await client.get('/auth/second-factor')).body).toMatchObject({
      enabled: true,
      recovery_codes_left: 10,
      events: [{ kind: 'enabled' }],
    });
    expect(outcome(await client.post('/auth/second-factor/set-up', { password: PASSWORD }))).toBe('403 second_factor_required');
    expect((await world.mails(email)).at(-1)?.subject).toContain('second factor enabled');
  });

  it('ends every other session and continues the own one', async () => {
    const { client, email } = await signedInPerson(world);
    const other = world.client();
    await other.login(email);
    await enable(client);
    expect(outcome(await other.get('/auth/me'))).toBe('401 not_authenticated');
    expect(outcome(await other.refresh())).toBe('401 not_authenticated');
    expect((await client.get('/auth/me')).status).toBe(200);
    expect((await client.refresh()).status).toBe(200);
  });

  it('stores the secret encrypted for the account and the recovery codes as hashes', async () => {
    const { email, secret, codes } = await enabledPerson();
    const [factor] = await db
      .select()
      .from(secondFactors)
      .where(eq(secondFactors.userId, await idOf(email)));
    expect(factor?.sealedSecret).toMatch(/^[0-9a-f]{8}\./);
    const hashes = await db
      .select()
      .from(recoveryCodes)
      .where(eq(recoveryCodes.userId, await idOf(email)));
    const stored = JSON.stringify([factor, hashes]);
    for (const text of [secret, fromBase32(secret).toString('base64url'), ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(text);
    }
    // Another account cannot use the ciphertext.
    const { client, email: thief } = await securedPerson();
    await db
      .update(secondFactors)
      .set({ sealedSecret: factor?.sealedSecret ?? '', lastStep: 0 })
      .where(eq(secondFactors.userId, await idOf(thief)));
    expect(outcome(await login(client, thief, codeAt(secret, START)))).toBe('401 invalid_credentials');
  });

  it('shows no secret in the export of the account', async () => {
    const { client, secret, codes } = await enabledPerson();
    const { text, body } = await client.get('/auth/me/export');
    expect(body.second_factor).toMatchObject({ enabled: true, recovery_codes_left: 10 });
    for (const hidden of [secret, ...codes, 'v1.']) expect(text).not.toContain(hidden);
  });
});

describe('a sign-in with a second factor', () => {
  it('requires a code after the right password only', async () => {
    const { email, secret } = await enabledPerson();
    expect(outcome(await login(world.client(), email))).toBe('403 second_factor_required');
    expect(outcome(await login(world.client(), email, undefined, 'wrong'))).toBe('401 invalid_credentials');
    expect(outcome(await login(world.client(), email, codeAt(secret, START), 'wrong'))).toBe('401 invalid_credentials');
    expect(outcome(await login(world.client(), email, codeAt(secret, START)))).toBe('200');
  });

  it('accepts a code once', async () => {
    const { email, secret } = await securedPerson();
    const code = codeAt(secret, START);
    expect(outcome(await login(world.client(), email, code))).toBe('200');
    expect(outcome(await login(world.client(), email, code))).toBe('401 invalid_credentials');
  });

  it('accepts a code once when it is sent several times at once', async () => {
    const { email, secret } = await securedPerson();
    const code = codeAt(secret, START);
    const outcomes = (await Promise.all([0, 1, 2, 3].map(() => login(world.client(), email, code)))).map(outcome);
    expect(outcomes.filter((text) => text === '200')).toHaveLength(1);
  });

  it('accepts a code once for requests that read the account before any of them stored it', async () => {
    const { email } = await securedPerson();
    const [id, step] = [await idOf(email), stepAt(START)];
    const store = createSecondFactorStore(db, () => crypto.randomUUID());
    const used = await Promise.all([step, step, step - 1].map((each) => store.useStep(id, each)));
    expect(used).toEqual([true, false, false]);
  });

  it('refuses the code that finished the set-up', async () => {
    const { email, secret } = await enabledPerson();
    expect(outcome(await login(world.client(), email, codeAt(secret, START - 30)))).toBe('401 invalid_credentials');
  });

  it.each([
    [-60, '401 invalid_credentials'],
    [-30, '200'],
    [0, '200'],
    [30, '200'],
    [60, '401 invalid_credentials'],
  ])('handles a device whose clock differs by %i s', async (drift, expected) => {
    const { email, secret } = await securedPerson();
    const now = START + 600;
    expect(outcome(await login(clientAt(now), email, codeAt(secret, now + drift)))).toBe(expected);
  });

  it('refuses an earlier code after a later one was accepted', async () => {
    const { email, secret } = await securedPerson();
    const now = START + 600;
    expect(outcome(await login(clientAt(now), email, codeAt(secret, now + 30)))).toBe('200');
    for (const drift of [-30, 0])
      expect(outcome(await login(clientAt(now), email, codeAt(secret, now + drift)))).toBe('401 invalid_credentials');
  });

  it('accepts each recovery code once, in any spelling, and mails the owner', async () => {
    const { client, email, codes } = await enabledPerson();
    const [first = '', second = ''] = codes;
    expect(outcome(await login(world.client(), email, first))).toBe('200');
    expect((await world.mails(email)).at(-1)?.subject).toContain('recovery code was used');
    expect(outcome(await login(world.client(), email, first))).toBe('401 invalid_credentials');
    expect(outcome(await login(world.client(), email, ` ${second.toLowerCase().replaceAll('-', ' ')} `))).toBe('200');
    expect((await client.get('/auth/second-factor')).body).toMatchObject({
      recovery_codes_left: 8,
      events: expect.arrayContaining([expect.objectContaining({ kind: 'recovery_code_used' })]),
    });
    const outcomes = (await Promise.all([0, 1, 2].map(() => login(world.client(), email, codes[2])))).map(outcome);
    expect(outcomes.filter((text) => text === '200')).toHaveLength(1);
  });

  it('refuses recovery codes of another account and replaced ones', async () => {
    const { client, email, secret, codes } = await securedPerson();
    const { codes: others } = await securedPerson();
    expect(outcome(await login(world.client(), email, others[0]))).toBe('401 invalid_credentials');
    const renewed = await client.post('/auth/second-factor/recovery-codes', { password: PASSWORD, code: codeAt(secret, START) });
    expect(renewed.body.recovery_codes).toHaveLength(10);
    expect(outcome(await login(world.client(), email, codes[0]))).toBe('401 invalid_credentials');
    expect(outcome(await login(world.client(), email, renewed.body.recovery_codes[0]))).toBe('200');
  });

  it('locks the codes for an hour after five wrong ones, from any number of addresses', async () => {
    const { email, secret } = await securedPerson();
    for (let tries = 0; tries < 5; tries += 1) {
      expect(outcome(await login(world.client(), email, String(tries).repeat(6)))).toBe('401 invalid_credentials');
    }
    expect(outcome(await login(world.client(), email, codeAt(secret, START)))).toBe('429 account_locked');
    const later = START + 3600;
    expect(outcome(await login(clientAt(later), email, codeAt(secret, later)))).toBe('200');
  });

  it('counts concurrent wrong codes', async () => {
    const { email } = await securedPerson();
    const responses = await Promise.all(Array.from({ length: 9 }, (_, index) => login(world.client(), email, String(index).repeat(6))));
    const outcomes = responses.map(outcome);
    expect(outcomes.filter((text) => text === '401 invalid_credentials')).toHaveLength(5);
    expect(outcomes.filter((text) => text === '429 account_locked')).toHaveLength(4);
  });

  it('does not lock the codes of a device that has signed in', async () => {
    const { client, email, secret } = await securedPerson();
    for (let tries = 0; tries < 6; tries += 1) await login(world.client(), email, '000000');
    expect(outcome(await login(client, email, codeAt(secret, START)))).toBe('200');
  });
});

describe('a password reset by mail', () => {
  it('neither signs in nor removes the second factor', async () => {
    const { email, secret } = await securedPerson();
    await world.client().post('/auth/forgot-password', { email, captcha_token: solvedCaptcha('forgot-password') });
    const { token } = await world.linkTo(email);
    const client = world.client();
    const reset = await client.post('/auth/reset-password', { token, new_password: NEXT });
    expect([outcome(reset), client.refreshToken, client.credential]).toEqual(['200', undefined, null]);
    expect(outcome(await login(client, email, undefined, NEXT))).toBe('403 second_factor_required');
    expect(outcome(await login(client, email, codeAt(secret, START), NEXT))).toBe('200');
  });
});

describe('a sensitive change', () => {
  const change = (client: PortalClient, email: string, code?: string) => [
    () => client.post('/auth/change-password', { current_password: PASSWORD, new_password: NEXT, code }),
    () => client.post('/auth/change-email', { new_email: newEmail(), password: PASSWORD, code }),
    () => client.post('/auth/delete-account', { confirm_email: email, password: PASSWORD, code }),
    () => client.post('/auth/second-factor/disable', { password: PASSWORD, code }),
    () => client.post('/auth/second-factor/recovery-codes', { password: PASSWORD, code }),
  ];

  it('requires a code', async () => {
    const { client, email } = await securedPerson();
    for (const send of change(client, email)) expect(outcome(await send())).toBe('403 second_factor_required');
    for (const send of change(client, email, '000000')) expect(outcome(await send())).toBe('401 invalid_credentials');
    expect((await client.get('/auth/me')).body.email).toBe(email);
  });

  it.each([
    ['changes the password', 0],
    ['mails a link to a new address', 1],
    ['deletes the account', 2],
    ['removes the second factor', 3],
    ['replaces the recovery codes', 4],
  ])('%s with a code', async (_, index) => {
    const { client, email, secret } = await securedPerson();
    expect([200, 204]).toContain((await change(client, email, codeAt(secret, START))[index]?.())?.status);
  });

  it('returns new recovery codes once when two requests replace them at once', async () => {
    const { client, secret, codes } = await securedPerson();
    const renew = (code?: string) => client.post('/auth/second-factor/recovery-codes', { password: PASSWORD, code });
    let other: Awaited<ReturnType<typeof renew>> | undefined;
    interrupt(/insert into "second_factor_events"/i, async () => {
      other = await renew(codes[1]);
    });
    const own = await renew(codeAt(secret, START));
    const results = [own, other];
    expect(results.map((result) => result && outcome(result)).sort()).toEqual(['200', '400 bad_request']);
    const valid = results.find((result) => result?.status === 200)?.body.recovery_codes[0];
    expect((await client.post('/auth/second-factor/disable', { password: PASSWORD, code: valid })).status).toBe(204);
  });

  it('removes only the second factor that it was sent for', async () => {
    const { client, secret, codes } = await securedPerson();
    const disable = (code?: string) => client.post('/auth/second-factor/disable', { password: PASSWORD, code });
    interrupt(/insert into "second_factor_events"/i, async () => {
      expect((await disable(codes[1])).status).toBe(204);
      await enable(client);
    });
    expect(outcome(await disable(codeAt(secret, START)))).toBe('400 bad_request');
    const { enabled, recovery_codes_left: left, events } = (await client.get('/auth/second-factor')).body;
    expect([enabled, left]).toEqual([true, 10]);
    expect(events.filter(({ kind }: { kind: string }) => kind === 'disabled')).toHaveLength(1);
  });

  it('needs no code after the second factor was removed, and the owner gets a mail', async () => {
    const { client, email, secret } = await securedPerson();
    await client.post('/auth/second-factor/disable', { password: PASSWORD, code: codeAt(secret, START) });
    expect((await world.mails(email)).at(-1)?.subject).toContain('second factor disabled');
    expect(outcome(await world.client().login(email))).toBe('200');
    expect((await client.get('/auth/second-factor')).body).toMatchObject({ enabled: false, recovery_codes_left: 0 });
  });

  it('deletes the second factor with the account', async () => {
    const { client, email, secret } = await securedPerson();
    const id = await idOf(email);
    await client.post('/auth/delete-account', { confirm_email: email, password: PASSWORD, code: codeAt(secret, START) });
    expect(await db.select().from(secondFactors).where(eq(secondFactors.userId, id))).toEqual([]);
    expect(await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, id))).toEqual([]);
  });
});

/** Makes an account a superuser. */
const promote = (email: string) => db.update(users).set({ isSuperuser: true }).where(eq(users.email, email));

describe('a token of a superuser', () => {
  it('is created and rotated with a code only, and works without one', async () => {
    const { client, email, secret } = await securedPerson();
    await promote(email);
    expect(outcome(await client.post('/tokens', { name: 'bot' }))).toBe('403 second_factor_required');
    expect(outcome(await client.post('/tokens', { name: 'bot', code: '000000' }))).toBe('401 invalid_credentials');
    const created = await client.post('/tokens', { name: 'bot', code: codeAt(secret, START) });
    expect(outcome(created)).toBe('201');
    expect((await call('/admin/jobs', { authorization: bearer(created.body.token), now: START }, world.fetch)).status).toBe(200);
    const path = `/tokens/${created.body.id}/rotate`;
    expect(outcome(await client.post(path))).toBe('403 second_factor_required');
    expect(outcome(await client.post(path, { code: codeAt(secret, START) }))).toBe('401 invalid_credentials');
    expect(outcome(await client.post(path, { code: codeAt(secret, START + 30) }))).toBe('200');
  });

  it('needs no code without a second factor, nor for ordinary accounts', async () => {
    const { client, email } = await signedInPerson(world);
    await promote(email);
    expect(outcome(await client.post('/tokens', { name: 'bot' }))).toBe('201');
    const ordinary = await securedPerson();
    expect(outcome(await ordinary.client.post('/tokens', { name: 'bot' }))).toBe('201');
  });
});

describe('the setting superuser_second_factor_required', () => {
  it('leaves a superuser without a second factor only the set-up', async () => {
    const { client, email } = await signedInPerson(strict);
    const { client: person } = await signedInPerson(strict);
    const early = await client.post('/tokens', { name: 'early' });
    await promote(email);
    const refused = [
      await client.get('/admin/jobs'),
      await client.post('/tokens', { name: 'bot' }),
      await client.post(`/tokens/${early.body.id}/rotate`),
      await client.post('/v1/market/insert', {}),
    ];
    expect(refused.map(outcome)).toEqual(Array(4).fill('403 second_factor_required'));
    expect((await call('/admin/jobs', { authorization: bearer(early.body.token), now: START }, strict.fetch)).status).toBe(200);
    const { secret } = await enable(client);
    expect((await client.get('/admin/jobs')).status).toBe(200);
    expect(outcome(await client.post('/tokens', { name: 'bot', code: codeAt(secret, START) }))).toBe('201');
    expect(outcome(await person.post('/tokens', { name: 'bot' }))).toBe('201');
  });

  it('is off by default', async () => {
    const { client, email } = await signedInPerson(world);
    await promote(email);
    expect((await client.get('/admin/jobs')).status).toBe(200);
  });
});

describe('the reset by the operator', () => {
  it('removes the second factor, ends the sessions and is recorded', async () => {
    const { client, email } = await securedPerson();
    const id = await idOf(email);
    const bystander = await securedPerson();
    const statements = resetSecondFactorSql(id, "o'brien@laptop", START).split('\n');
    await env.DB.batch(statements.map((text) => env.DB.prepare(text)));
    expect(outcome(await client.get('/auth/me'))).toBe('401 not_authenticated');
    expect(await db.select().from(sessions).where(eq(sessions.userId, id))).toEqual([]);
    const again = world.client();
    expect(outcome(await again.login(email))).toBe('200');
    expect((await again.get('/auth/second-factor')).body).toMatchObject({
      enabled: false,
      recovery_codes_left: 0,
      events: expect.arrayContaining([{ kind: 'reset_by_operator', actor: "o'brien@laptop", at: new Date(START * 1000).toISOString() }]),
    });
    expect((await bystander.client.get('/auth/second-factor')).body).toMatchObject({ enabled: true, recovery_codes_left: 10 });
    expect(outcome(await world.client().login(bystander.email))).toBe('403 second_factor_required');
  });
});

describe('the log', () => {
  it('contains no secret and no code', async () => {
    const lines: string[] = [];
    for (const name of ['log', 'error'] as const) vi.spyOn(console, name).mockImplementation((line) => void lines.push(String(line)));
    const { email, secret, codes } = await enabledPerson();
    await login(world.client(), email, codeAt(secret, START));
    await login(world.client(), email, codes[0]);
    await login(world.client(), email, '135790');
    vi.restoreAllMocks();
    for (const text of [secret, codeAt(secret, START), codes[0] ?? '', '135790']) expect(lines.join('\n')).not.toContain(text);
  });
});
