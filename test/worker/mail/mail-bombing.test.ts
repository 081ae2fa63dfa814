import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeApp } from '../../../src/composition.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { withDefaults } from '../../../src/platform/settings/variables.data.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createMailStore } from '../../../src/platform/upstream/mail/mail.store.ts';
import { mailOutbox } from '../../../src/platform/upstream/mail/mail.tables.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { newEmail, outcome, portalWorld, START, signedInPerson } from '../accounts/world.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** More than every cap allows: 20 mails a day. */
const ATTACK = 24;
/** Rotations of a token: more than a recipient gets single notices of. */
const ROTATIONS = 12;

const db = createDatabase(env.DB);
const world = portalWorld();
const mailStore = createMailStore(db);
const { scheduler } = composeApp({ ...env, ...world.vars } as Env);

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

/** Runs the job that sends queued mail. */
async function runMailJob(now: number): Promise<void> {
  await (await scheduler.start('mail', now))?.work;
  expect((await scheduler.status(now)).find(({ name }) => name === 'mail')?.lastError).toBeNull();
}

/** A client in a separate IPv6 network. */
function clientOfNetwork(number: number) {
  const client = world.client();
  Object.assign(client, { address: `2001:db8:${number.toString(16)}::1` });
  return client;
}

const changeEmail = (client: ReturnType<typeof world.client>, email: string) =>
  client.post('/auth/change-email', { new_email: email, password: PASSWORD });
const resend = (client: ReturnType<typeof world.client>, email: string) =>
  client.post('/auth/resend-verification', { email, captcha_token: solvedCaptcha('resend-verification') });
const forgot = (client: ReturnType<typeof world.client>, email: string) =>
  client.post('/auth/forgot-password', { email, captcha_token: solvedCaptcha('forgot-password') });

async function subjectsTo(email: string): Promise<string[]> {
  return (await world.mails(email)).map(({ subject }) => subject.replace(`${withDefaults(env).APP_NAME}: `, ''));
}

const countOf = (subjects: readonly string[], part: string) => subjects.filter((subject) => subject.includes(part)).length;

/** A user with a token, and the path that rotates it. */
async function tokenOwner() {
  const { client, email } = await signedInPerson(world);
  const { id } = (await client.post('/tokens', { name: 'bot' })).body;
  const rotate = async () => expect((await client.post(`/tokens/${id}/rotate`)).status).toBe(200);
  return { client, email, rotate };
}

/** Queues and sends as many notices as 50 rotations of a token, without rotating it. */
async function flood(email: string, now: number): Promise<void> {
  const notice = { subject: 'a token was rotated', text: 'The token has a new secret.\n', kind: 'notice', causedBy: null } as const;
  const insertion = () => mailStore.insertion({ id: crypto.randomUUID(), recipient: email, createdAt: now, ...notice });
  await db.batch([insertion(), ...Array.from({ length: 49 }, insertion)]);
  await runMailJob(now);
}

/** Runs the mail job every minute for some time. */
async function passTime(from: number, seconds: number): Promise<void> {
  for (let now = from; now <= from + seconds; now += 5 * MINUTE) await runMailJob(now);
}

describe('the mailer', () => {
  it('sends at most 5 mails to one address for many address changes and returns 429 afterwards', async () => {
    const { client } = await signedInPerson(world);
    const victim = newEmail();
    const outcomes: string[] = [];
    for (let made = 0; made < ATTACK; made += 1) outcomes.push(outcome(await changeEmail(client, victim)));
    const mails = await world.mails(victim);
    expect(mails.length).toBeGreaterThan(0);
    expect(mails.length).toBeLessThanOrEqual(5);
    expect(outcomes.filter((status) => status === '200')).toHaveLength(mails.length);
    expect(outcomes.at(-1)).toBe('429 rate_limited');
    expect((await changeEmail(client, victim)).headers.get('Retry-After')).toMatch(/^\d+$/);
  });

  it('sends at most 20 mails a day for one account over all recipients', async () => {
    const { client } = await signedInPerson(world);
    const victims = Array.from({ length: ATTACK }, newEmail);
    for (const victim of victims) await changeEmail(client, victim);
    const sent = (await Promise.all(victims.map((victim) => world.mails(victim)))).flat();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThanOrEqual(20);
  });

  it('counts mails caused by several accounts concurrently', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => signedInPerson(world)));
    const victim = newEmail();
    await Promise.all(people.flatMap(({ client }) => [changeEmail(client, victim), changeEmail(client, victim)]));
    expect((await world.mails(victim)).length).toBeLessThanOrEqual(5);
  });

  it('sends at most 5 verification mails in 10 minutes and 20 a day for requests from many networks', async () => {
    const email = newEmail();
    await world.client().signUp(email);
    for (let made = 0; made < ATTACK; made += 1) {
      const client = clientOfNetwork(made);
      expect((await resend(client, email)).status).toBe(200);
    }
    const atOnce = await world.mails(email);
    expect(atOnce.length).toBeGreaterThanOrEqual(2);
    expect(atOnce.length).toBeLessThanOrEqual(5);
    for (let made = 0; made < 12; made += 1) {
      const client = clientOfNetwork(1000 + made);
      client.now = START + (made + 1) * HOUR;
      await resend(client, email);
    }
    const rows = await db.select().from(mailOutbox).where(eq(mailOutbox.recipient, email));
    expect(rows.length).toBeGreaterThan(atOnce.length);
    for (const { createdAt: end } of rows) {
      expect(rows.filter(({ createdAt }) => createdAt > end - DAY && createdAt <= end).length).toBeLessThanOrEqual(20);
    }
  });

  it('requires the captcha before a verification mail is sent again', async () => {
    const email = newEmail();
    await world.client().signUp(email);
    const ask = async (token?: string) => outcome(await world.client().post('/auth/resend-verification', { email, captcha_token: token }));
    expect([await ask(), await ask(solvedCaptcha('signup'))]).toEqual(['400 captcha_failed', '400 captcha_failed']);
    expect(await world.mails(email)).toHaveLength(1);
  });

  it('merges the notices of many token rotations into a few mails that list every rotation', async () => {
    const { client, email, rotate } = await tokenOwner();
    const before = (await world.mails(email)).length;
    for (let made = 0; made < ROTATIONS; made += 1) await rotate();
    expect((await world.mails(email)).length - before).toBeLessThanOrEqual(5);
    await passTime(client.now, 15 * MINUTE);
    const mails = (await world.mails(email)).slice(before);
    expect(mails.length).toBeLessThanOrEqual(5);
    // The notice of the created token, some single notices, and one merged notice.
    const single = countOf(await subjectsTo(email), 'was rotated');
    const merged = mails.at(-1);
    expect(merged?.subject).toContain(`${ROTATIONS - single} notices`);
    expect(merged?.text).toMatch(/"bot" \(gda_\w+…\) has a new secret/);
    expect(
      await db
        .select()
        .from(mailOutbox)
        .where(and(eq(mailOutbox.recipient, email), eq(mailOutbox.state, 'held'))),
    ).toEqual([]);
  });

  it('sends the notice of a changed password after a flood of other notices', async () => {
    const { client, email } = await tokenOwner();
    await flood(email, client.now);
    const body = { current_password: PASSWORD, new_password: 'another four words' };
    expect((await client.post('/auth/change-password', body)).status).toBe(200);
    await passTime(client.now, 15 * MINUTE);
    const texts = (await world.mails(email)).map(({ subject, text }) => subject + text);
    expect(texts.filter((text) => text.includes('your password was changed'))).toHaveLength(1);
  });
});

describe('an attacker without access to the account', () => {
  it('cannot block the password reset of a victim with earlier mails', async () => {
    const { client, email } = await tokenOwner();
    await flood(email, client.now);
    for (let hour = 0; hour < 4; hour += 1) {
      const now = client.now + hour * HOUR;
      const before = (await world.mails(email)).length;
      for (let made = 0; made < 5; made += 1) {
        const attacker = clientOfNetwork(5000 + 10 * hour + made);
        attacker.now = now;
        await forgot(attacker, email);
      }
      const sent = (await subjectsTo(email)).slice(before);
      expect(countOf(sent, 'set a new password')).toBeGreaterThanOrEqual(1);
      expect(sent.length).toBeLessThanOrEqual(5);
    }
  });

  it('cannot delay the notices of a victim with password resets', async () => {
    const { client, email, rotate } = await tokenOwner();
    for (let made = 0; made < 8; made += 1) {
      const attacker = clientOfNetwork(7000 + made);
      attacker.now = client.now;
      await forgot(attacker, email);
    }
    await rotate();
    expect(countOf(await subjectsTo(email), 'was rotated')).toBe(1);
  });

  it('cannot block the sign-up of a victim by changing to its email address', async () => {
    const victim = newEmail();
    for (let round = 0; round < 6; round += 1) {
      const { client } = await signedInPerson(world);
      client.now = START + round * 10 * MINUTE;
      await client.refresh();
      for (let made = 0; made < 4; made += 1) await changeEmail(client, victim);
    }
    const late = world.client();
    late.now = START + 5 * 10 * MINUTE;
    expect((await late.signUp(victim)).status).toBe(201);
    expect((await subjectsTo(victim)).at(-1)).toBe('verify your email address');
  });

  it('cannot detect an account by its remaining mails', async () => {
    const { email } = await signedInPerson(world);
    const responses = [];
    for (const address of [email, email, email, newEmail()]) responses.push(await forgot(world.client(), address));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await db.select().from(users).where(eq(users.email, email))).toHaveLength(1);
  });
});
