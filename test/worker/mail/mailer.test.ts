import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { outbox } from '../../../src/platform/durable/outbox.tables.ts';
import { createOutbox } from '../../../src/platform/durable/outbox.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createMailStore } from '../../../src/platform/upstream/mail/mail.store.ts';
import { mailOutbox } from '../../../src/platform/upstream/mail/mail.tables.ts';
import { mailHtml } from '../../../src/platform/upstream/mail/mail-html.domain.ts';
import { createBindingTransport, createHttpTransport, type MailTransport } from '../../../src/platform/upstream/mail/mail-transport.ts';
import { createMailer } from '../../../src/platform/upstream/mail/mailer.ts';
import { FIRST_INSTANT as NOW } from '../../support/requests.ts';
import { createAccount } from '../../support/tokens.ts';
import { mailsIn } from '../../support/upstreams/mail.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { testUpstream } from '../../support/upstreams/test-upstream.ts';

const db = createDatabase(env.DB);
const repository = createMailStore(db);
const signal = new AbortController().signal;
const MAIL = { to: 'ada@example.com', subject: 'Hello', text: 'A link: https://x.example/secret-token\n' };

function provider() {
  const session = upstreamSession('mail');
  const upstream = testUpstream();
  const config = { url: session.vars.MAIL_URL ?? '', apiKey: session.vars.MAIL_API_KEY ?? '', from: 'Us <us@example.com>' };
  return { session, transport: createHttpTransport(upstream, config) };
}

function mailerOf(transport: MailTransport | null, more: { isNonProduction?: boolean; nowSeconds?: () => number } = {}) {
  return createMailer({
    repository,
    outbox: createOutbox(db, more.nowSeconds ?? (() => NOW)),
    transport,
    isNonProduction: more.isNonProduction ?? false,
    appName: 'Demo',
    newId: () => crypto.randomUUID(),
  });
}

/** The attempts of a waiting mail. */
const queuedOf = async (id: string) => (await db.select().from(outbox).where(eq(outbox.key, id)))[0];
const rowOf = async (id: string) => (await db.select().from(mailOutbox).where(eq(mailOutbox.id, id)))[0];

beforeEach(async () => {
  vi.restoreAllMocks();
  await db.delete(mailOutbox);
});

describe('mailer', () => {
  it('sends a mail in the format of the provider and deletes its text', async () => {
    const { session, transport } = provider();
    const mailer = mailerOf(transport);
    const id = await mailer.queue(MAIL, NOW);
    await mailer.send(id, NOW);
    const calls = await session.calls();
    expect(mailsIn(calls)).toEqual([
      { from: 'Us <us@example.com>', to: [MAIL.to], subject: MAIL.subject, text: MAIL.text, html: mailHtml(MAIL) },
    ]);
    expect(calls[0]?.headers).toMatchObject({ 'idempotency-key': id, 'content-type': 'application/json' });
    expect(await rowOf(id)).toMatchObject({ state: 'sent', text: null, tries: 1, lastError: null });
    expect(await queuedOf(id)).toBeUndefined();
    await mailer.send(id, NOW);
    await mailer.sendDue(NOW + 9999, signal);
    expect(await session.calls()).toHaveLength(1);
  });

  it('attempts a mail five times with growing pauses', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { session, transport } = provider();
    await session.order({ state: { answers: [500, 503, 429, 401, 500] } });
    const mailer = mailerOf(transport);
    const id = await mailer.queue(MAIL, NOW);
    let now = NOW;
    for (const pause of [60, 120, 240, 480]) {
      await mailer.sendDue(now, signal);
      expect(await rowOf(id)).toMatchObject({ state: 'waiting', text: MAIL.text });
      expect(await queuedOf(id)).toMatchObject({ nextTryAt: now + pause });
      await mailer.sendDue(now + pause - 1, signal);
      now += pause;
    }
    await mailer.sendDue(now, signal);
    expect(await rowOf(id)).toMatchObject({ state: 'failed', tries: 5, text: null, lastError: expect.stringContaining('HTTP 500') });
    await mailer.sendDue(now + 9999, signal);
    expect(await session.calls()).toHaveLength(5);
  });

  it('delivers a mail once the provider recovers', async () => {
    const { session, transport } = provider();
    await session.order({ fault: 'reset', times: 1 });
    const mailer = mailerOf(transport);
    const id = await mailer.queue(MAIL, NOW);
    await mailer.send(id, NOW);
    expect([await rowOf(id), await queuedOf(id)]).toMatchObject([{ state: 'waiting' }, { tries: 1 }]);
    await mailer.sendDue(NOW + 60, signal);
    expect(await rowOf(id)).toMatchObject({ state: 'sent', tries: 2 });
  });

  it('does not retry a rejected address, and marks the account until a mail is accepted', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { session, transport } = provider();
    await session.order({ state: { answers: [422] } });
    const userId = await createAccount();
    const to = `${userId}@example.com`;
    const mailer = mailerOf(transport);
    const refusedAt = async () => (await db.select().from(users).where(eq(users.id, userId)))[0]?.mailRefusedAt;
    const id = await mailer.queue({ ...MAIL, to }, NOW);
    await mailer.send(id, NOW);
    expect([await rowOf(id), await refusedAt()]).toMatchObject([{ state: 'failed', tries: 1 }, NOW]);
    await mailer.send(await mailer.queue({ ...MAIL, to }, NOW), NOW);
    expect(await refusedAt()).toBeNull();
  });

  it('sends a mail once when several runners send concurrently', async () => {
    const { session, transport } = provider();
    const mailer = mailerOf(transport);
    const id = await mailer.queue(MAIL, NOW);
    await Promise.all([mailer.send(id, NOW), mailer.send(id, NOW), mailer.sendDue(NOW, signal)]);
    expect(await session.calls()).toHaveLength(1);
  });

  it('resends the mail of a crashed sender under the same idempotency key', async () => {
    const { session, transport } = provider();
    const real = { now: NOW };
    const id = await mailerOf(transport).queue(MAIL, NOW);
    // The crash: the attempt has started and never ends.
    await db
      .update(outbox)
      .set({ leaseUntil: real.now + 30 })
      .where(eq(outbox.key, id));
    const mailer = mailerOf(transport, { nowSeconds: () => real.now });
    await mailer.sendDue(NOW, signal);
    expect(await session.calls()).toHaveLength(0);
    real.now += 30;
    await mailer.sendDue(NOW, signal);
    expect((await session.calls()).map(({ headers }) => headers['idempotency-key'])).toEqual([id]);
  });

  it('stores a mail and the related record in one transaction', async () => {
    const mailer = mailerOf(null);
    const { insertion } = mailer.compose(MAIL, NOW);
    const duplicate = db.insert(users).values({ id: await createAccount(), email: 'x@example.com', createdAt: NOW });
    await expect(db.batch([insertion, duplicate])).rejects.toThrow();
    expect([await db.select().from(mailOutbox), await db.select().from(outbox)]).toEqual([[], []]);
  });

  it('never logs the contents of a mail in production', async () => {
    const lines: string[] = [];
    for (const name of ['log', 'error'] as const) vi.spyOn(console, name).mockImplementation((line) => void lines.push(String(line)));
    const { session, transport } = provider();
    await session.order({ state: { answers: [500, 422] } });
    const mailer = mailerOf(transport);
    for (let index = 0; index < 3; index += 1) await mailer.send(await mailer.queue(MAIL, NOW), NOW);
    await mailerOf(null).send(await mailer.queue(MAIL, NOW), NOW);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).not.toMatch(/secret-token|ada@example\.com|demo-mail-key/);
  });
});

describe('mailer without a provider', () => {
  it('does not send queued mail in production', async () => {
    const mailer = mailerOf(null);
    const id = await mailer.queue(MAIL, NOW);
    await mailer.send(id, NOW);
    expect([mailer.isConfigured, mailer.mailbox()]).toEqual([false, null]);
    expect([await rowOf(id), await queuedOf(id)]).toMatchObject([{ state: 'waiting' }, { tries: 0 }]);
    await mailer.deleteExpired(NOW + 30 * 86_400 + 1);
    expect([await rowOf(id), await queuedOf(id)]).toEqual([undefined, undefined]);
  });

  it('logs mail and stores it for its mailbox in development', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
    const mailer = mailerOf(null, { isNonProduction: true });
    await mailer.send(await mailer.queue(MAIL, NOW), NOW);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: 'mail', to: MAIL.to, text: MAIL.text });
    expect(await mailer.mailbox()).toMatchObject([{ recipient: MAIL.to, text: MAIL.text, state: 'kept' }]);
    await mailer.deleteExpired(NOW + 30 * 86_400 + 1);
    expect(await mailer.mailbox()).toEqual([]);
  });
});

describe('createBindingTransport', () => {
  it('sends the message and classifies errors as recipient or service errors', async () => {
    const sent: unknown[] = [];
    const errors: (Error | null)[] = [
      null,
      Object.assign(new Error('x'), { code: 'E_RECIPIENT_SUPPRESSED' }),
      Object.assign(new Error('x'), { code: 'E_RATE' }),
      new Error('x'),
    ];
    const binding = {
      async send(message: unknown) {
        sent.push(message);
        const error = errors.shift();
        if (error) throw error;
        return { messageId: '1' };
      },
    } as SendEmail;
    const transport = createBindingTransport(binding, 'us@example.com');
    const kinds = [];
    for (let index = 0; index < 4; index += 1) kinds.push((await transport(MAIL, 'id', signal)).kind);
    expect(kinds).toEqual(['done', 'refused', 'retry', 'retry']);
    expect(sent[0]).toEqual({ from: 'us@example.com', to: MAIL.to, subject: MAIL.subject, text: MAIL.text, html: mailHtml(MAIL) });
  });
});
