import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { mailOutbox } from '../../../src/platform/upstream/mail/mail.tables.ts';
import { recordingDatabase } from '../../support/query-plans.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { newEmail, portalWorld, signedInPerson } from './world.ts';

const db = createDatabase(env.DB);
const { database, inOrder } = recordingDatabase();
const world = portalWorld({ bindings: { DB: database }, settings: {} });

type Flow = 'forgot-password' | 'resend-verification';

/** Response and statements of a request, including those after the response. */
async function sendRequest(flow: Flow, email: string) {
  inOrder.length = 0;
  const { status, text, headers } = await world.client().post(`/auth/${flow}`, { email, captcha_token: solvedCaptcha(flow) });
  const names = [...headers.keys()].sort();
  return { response: { status, text, names }, statements: [...inOrder] };
}

async function unverified(): Promise<string> {
  const email = newEmail();
  await world.client().signUp(email);
  return email;
}

async function disabled(): Promise<string> {
  const { email } = await signedInPerson(world);
  await db.update(users).set({ isActive: false }).where(eq(users.email, email));
  return email;
}

/** Requests each address once, then compares with an unknown address. */
async function expectSameWork(flow: Flow, addresses: readonly string[]): Promise<void> {
  // The first request of an isolate reads settings and keys.
  await sendRequest(flow, newEmail());
  const unknown = await sendRequest(flow, newEmail());
  expect(unknown.response.status).toBe(200);
  expect(unknown.statements.length).toBeGreaterThan(3);
  for (const address of addresses) expect(await sendRequest(flow, address)).toEqual(unknown);
}

describe('POST /auth/forgot-password', () => {
  it('runs the same statements and returns the same response for known, unverified, disabled and unknown addresses', async () => {
    const { email } = await signedInPerson(world);
    await expectSameWork('forgot-password', [email, await unverified(), await disabled()]);
    expect((await world.mails(email)).at(-1)?.subject).toContain('set a new password');
  });

  it('runs the same statements when a mail cap of the recipient is reached', async () => {
    const { email } = await signedInPerson(world);
    await expectSameWork('forgot-password', [email, email, email, email]);
    expect((await world.mails(email)).filter(({ subject }) => subject.includes('set a new password')).length).toBeLessThan(4);
  });

  it('stores nothing for an unknown address', async () => {
    const email = newEmail();
    await sendRequest('forgot-password', email);
    expect(await db.select().from(mailOutbox).where(eq(mailOutbox.recipient, email))).toEqual([]);
  });
});

describe('POST /auth/resend-verification', () => {
  it('runs the same statements and returns the same response for unverified, verified, disabled and unknown addresses', async () => {
    const waiting = await unverified();
    const { email } = await signedInPerson(world);
    await expectSameWork('resend-verification', [waiting, email, await disabled()]);
    expect(await world.mails(waiting)).toHaveLength(2);
  });

  it('stores nothing for an unknown address', async () => {
    const email = newEmail();
    await sendRequest('resend-verification', email);
    expect(await db.select().from(mailOutbox).where(eq(mailOutbox.recipient, email))).toEqual([]);
  });
});
