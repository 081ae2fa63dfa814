import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { createOutbox } from '../../../src/platform/durable/outbox.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createMailStore } from '../../../src/platform/upstream/mail/mail.store.ts';
import { mailOutbox } from '../../../src/platform/upstream/mail/mail.tables.ts';
import type { MailMessage } from '../../../src/platform/upstream/mail/mail-transport.ts';
import { createMailer, type Mailer, type QueuedMail } from '../../../src/platform/upstream/mail/mailer.ts';
import { recordingDatabase, scansOf } from '../../support/query-plans.ts';
import { FIRST_INSTANT as NOW } from '../../support/requests.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

const db = createDatabase(env.DB);
const signal = new AbortController().signal;
const TO = 'ada@example.com';
const NOTICE: QueuedMail = {
  to: TO,
  subject: 'Demo: a token was rotated',
  text: 'The token has a new secret.\n\nRevoke it if that was not you.\n',
};

/** A mailer whose transport accepts every mail. */
function mailerOf(database: D1Database = env.DB) {
  const sent: MailMessage[] = [];
  const mailer = createMailer({
    repository: createMailStore(createDatabase(database)),
    outbox: createOutbox(createDatabase(database), () => NOW),
    transport: async (message) => {
      sent.push(message);
      return { kind: 'done' };
    },
    isNonProduction: true,
    appName: 'Demo',
    newId: () => crypto.randomUUID(),
  });
  return { mailer, sent };
}

const link = (kind: NonNullable<QueuedMail['kind']>, causedBy?: string, to = TO): QueuedMail => ({
  to,
  subject: kind,
  text: 'link',
  kind,
  ...(causedBy === undefined ? {} : { causedBy }),
});

type Queued = [message: QueuedMail, now: number];

/** Queues mails in order, in one batch. */
async function queueAll(mailer: Mailer, mails: readonly Queued[]): Promise<void> {
  const [first, ...others] = mails.map(([message, now]) => mailer.compose(message, now).insertion);
  if (first) await db.batch([first, ...others]);
}

const rowsOf = (to = TO) => db.select().from(mailOutbox).where(eq(mailOutbox.recipient, to));

/** Maximum number of instants within a window of the given seconds. */
function mostWithin(instants: readonly number[], seconds: number): number {
  return Math.max(0, ...instants.map((end) => instants.filter((at) => at > end - seconds && at <= end).length));
}

beforeEach(() => db.delete(mailOutbox));

describe('recipient mail caps', () => {
  it('enforces the caps when several isolates queue mail at the same time', async () => {
    const mailers = Array.from({ length: 10 }, () => mailerOf().mailer);
    const kinds = ['reset', 'verification', 'address-change'] as const;
    await Promise.all(mailers.flatMap((mailer) => [mailer.queue(NOTICE, NOW), ...kinds.map((kind) => mailer.queue(link(kind), NOW))]));
    const rows = await rowsOf();
    const waiting = rows.filter(({ state }) => state === 'waiting').map(({ kind }) => kind);
    expect(waiting.length).toBeLessThanOrEqual(5);
    expect(waiting.filter((kind) => kind === 'reset')).toHaveLength(1);
    const notices = waiting.filter((kind) => kind === 'notice').length;
    expect(notices).toBeGreaterThan(0);
    expect(rows.filter(({ state }) => state === 'held')).toHaveLength(10 - notices);
  });

  it('allows 5 mails in 10 minutes and 20 a day in any mix, plus the hourly password reset', async () => {
    const { mailer } = mailerOf();
    const kinds = ['notice', 'alert', 'reset', 'verification', 'address-change'] as const;
    let draw = 1;
    for (let now = NOW; now < NOW + 30 * HOUR; now += 15 * MINUTE) {
      // Every kind in a separate order, some minutes apart.
      const mixed = kinds.map((_, index): Queued => {
        draw = (draw * 48_271) % 2_147_483_647;
        return [link(kinds[draw % kinds.length] ?? 'notice'), now + index * MINUTE];
      });
      await queueAll(mailer, [...mixed, [link('reset'), now + 5 * MINUTE]]);
      await mailer.sendDue(now + 6 * MINUTE, signal);
    }
    const rows = (await rowsOf()).filter(({ state }) => state === 'sent');
    const timesOf = (isCounted: (row: (typeof rows)[number]) => boolean) => rows.filter(isCounted).map(({ createdAt }) => createdAt);
    expect(
      mostWithin(
        timesOf(() => true),
        10 * MINUTE,
      ),
    ).toBeLessThanOrEqual(5);
    expect(
      mostWithin(
        timesOf(({ kind }) => kind !== 'reset'),
        DAY,
      ),
    ).toBeLessThanOrEqual(20);
    const resets = timesOf(({ kind }) => kind === 'reset');
    for (let hour = 1; hour < 30; hour += 1) {
      const end = NOW + hour * HOUR + 5 * MINUTE;
      expect(resets.filter((at) => at > end - HOUR && at <= end)).toHaveLength(1);
    }
  });

  it.each([
    ['notice', 'notice', 'notice', 'alert', 'reset'],
    ['verification', 'verification', 'notice', 'alert', 'reset'],
    ['alert', 'alert', 'alert', 'notice', 'reset'],
    ['reset', 'verification', 'verification', 'notice', 'alert'],
    ['address-change', 'verification', 'alert', 'notice', 'reset'],
  ] as const)('accepts %s, %s, %s, %s, %s in 10 minutes and refuses a sixth mail of any kind', async (...order) => {
    const { mailer } = mailerOf();
    const each = ['notice', 'alert', 'reset', 'verification', 'address-change'] as const;
    await queueAll(
      mailer,
      [...order, ...each].map((kind) => [link(kind), NOW]),
    );
    const waiting = (await rowsOf()).filter(({ state }) => state === 'waiting').map(({ kind }) => kind);
    expect(waiting).toEqual(order);
  });

  it('counts each recipient separately', async () => {
    const { mailer } = mailerOf();
    for (let index = 0; index < 3; index += 1) await mailer.queue(link('verification'), NOW);
    await mailer.queue(link('verification', undefined, 'bob@example.com'), NOW);
    expect([(await rowsOf()).length, (await rowsOf('bob@example.com')).length]).toEqual([2, 1]);
  });

  it('accepts mail again once the window has passed', async () => {
    const { mailer } = mailerOf();
    for (const now of [NOW, NOW, NOW, NOW + 10 * MINUTE - 1]) await mailer.queue(link('verification'), now);
    expect(await rowsOf()).toHaveLength(2);
    await mailer.queue(link('verification'), NOW + 10 * MINUTE);
    expect(await rowsOf()).toHaveLength(3);
  });
});

describe('account mail cap', () => {
  it('allows at most four mails a day to addresses of other accounts', async () => {
    const { mailer } = mailerOf();
    const queue = (number: number, now: number) => mailer.queue(link('address-change', 'an-account', `person${number}@example.com`), now);
    await Promise.all(Array.from({ length: 20 }, (_, number) => queue(number, NOW)));
    expect(await db.select().from(mailOutbox)).toHaveLength(4);
    await queue(21, NOW + DAY - 1);
    expect(await db.select().from(mailOutbox)).toHaveLength(4);
    await queue(22, NOW + DAY);
    expect(await db.select().from(mailOutbox)).toHaveLength(5);
  });
});

describe('notices over the caps', () => {
  it('delivers all notices within 20 mails a day when one is queued every half hour', async () => {
    const { mailer, sent } = mailerOf();
    let notices = 0;
    for (let now = NOW; now < NOW + 30 * HOUR; now += 30 * MINUTE) {
      await mailer.queue(NOTICE, now);
      notices += 1;
      await mailer.sendDue(now, signal);
    }
    await mailer.sendDue(NOW + 34 * HOUR, signal);
    const noticeCounts = sent.map(({ subject }) => Number(/^Demo: (\d+) notices/.exec(subject)?.[1] ?? 1));
    expect(noticeCounts.reduce((sum, count) => sum + count, 0)).toBe(notices);
    const times = (await rowsOf()).map(({ createdAt }) => createdAt);
    expect(mostWithin(times, DAY)).toBeLessThanOrEqual(14);
  });

  it('does not delay an alert while notices are held', async () => {
    const { mailer, sent } = mailerOf();
    await queueAll(mailer, Array(50).fill([NOTICE, NOW]));
    const id = await mailer.queue({ to: TO, subject: 'Demo: your password was changed', text: 'It was changed.\n', kind: 'alert' }, NOW);
    await mailer.send(id, NOW);
    expect(sent.map(({ text }) => text)).toEqual(['It was changed.\n']);
    await mailer.queue({ ...NOTICE, subject: 'Demo: another alert', kind: 'alert' }, NOW);
    expect((await rowsOf()).filter(({ kind }) => kind === 'alert').map(({ state }) => state)).toEqual(['sent', 'held']);
  });

  it('holds notices for at most three hours while the daily cap is used up', async () => {
    const { mailer, sent } = mailerOf();
    let now = NOW;
    for (; now < NOW + 12 * HOUR; now += 20 * MINUTE) {
      await mailer.queue(NOTICE, now);
      await mailer.sendDue(now, signal);
    }
    await mailer.queue({ to: TO, subject: 'Demo: your password was changed', text: 'It was changed.\n' }, now);
    expect((await rowsOf()).filter(({ subject, state }) => subject.includes('password') && state === 'held')).toHaveLength(1);
    await mailer.sendDue(now + 3 * HOUR, signal);
    expect(sent.filter(({ text }) => text.includes('It was changed.'))).toHaveLength(1);
  });

  it('merges held notices into one mail that contains shared paragraphs once', async () => {
    const { mailer, sent } = mailerOf();
    for (let index = 0; index < 5; index += 1) {
      await mailer.queue({ ...NOTICE, text: `Token ${index} has a new secret.\n\nRevoke it if that was not you.\n` }, NOW + index);
    }
    await mailer.queue({ to: TO, subject: 'Demo: your password was changed', text: 'It was changed.\n' }, NOW + 9);
    await mailer.sendDue(NOW + 9, signal);
    expect(sent).toHaveLength(3);
    await mailer.sendDue(NOW + 10 * MINUTE + 2, signal);
    expect(sent.slice(3)).toEqual([
      {
        to: TO,
        subject: 'Demo: 3 notices about your account',
        text: [
          'This mail combines several notices sent within a short time.',
          '10 March 2026, 15:30 UTC - a token was rotated',
          'Token 3 has a new secret.',
          'Revoke it if that was not you.',
          '10 March 2026, 15:30 UTC - a token was rotated',
          'Token 4 has a new secret.',
          '10 March 2026, 15:30 UTC - your password was changed',
          'It was changed.\n',
        ].join('\n\n'),
      },
    ]);
  });

  it('sends a single held notice unchanged', async () => {
    const { mailer, sent } = mailerOf();
    for (let index = 0; index < 4; index += 1) await mailer.queue(NOTICE, NOW);
    await mailer.sendDue(NOW + 10 * MINUTE, signal);
    expect(sent).toEqual(Array(4).fill({ to: TO, subject: NOTICE.subject, text: NOTICE.text }));
  });

  it('stores the text of 20 notices per subject and counts further ones', async () => {
    const { mailer, sent } = mailerOf();
    await queueAll(
      mailer,
      Array.from({ length: 103 }, (_, index): Queued => [{ ...NOTICE, text: `Token ${index}.\n` }, NOW + index]),
    );
    expect(await rowsOf()).toHaveLength(23);
    await mailer.sendDue(NOW + 20 * MINUTE, signal);
    expect(sent.at(-1)).toMatchObject({ subject: 'Demo: 100 notices about your account' });
    expect(sent.at(-1)?.text).toContain('Token 22.\n\n80 more notices with this subject followed.\n');
    expect((await rowsOf()).map(({ state }) => state)).toEqual(Array(4).fill('sent'));
  });

  it('holds a notice once per id', async () => {
    const { mailer } = mailerOf();
    for (let index = 0; index < 4; index += 1) await mailer.queue(NOTICE, NOW);
    for (let index = 0; index < 3; index += 1) await mailer.compose(NOTICE, NOW, 'exposed-1').insertion;
    const held = (await rowsOf()).filter(({ state }) => state === 'held');
    expect(held.map(({ repeats }) => repeats)).toEqual([0, 0]);
  });

  it('merges notices once when several runners merge concurrently, and loses no notice queued meanwhile', async () => {
    const mailers = Array.from({ length: 4 }, () => mailerOf());
    await queueAll(mailerOf().mailer, Array(40).fill([NOTICE, NOW]));
    const later = NOW + 10 * MINUTE;
    await Promise.all([
      ...mailers.map(({ mailer }) => mailer.sendDue(later, signal)),
      ...mailers.map(({ mailer }) => mailer.queue(NOTICE, later)),
    ]);
    await mailers[0]?.mailer.sendDue(later + 4 * HOUR, signal);
    const sent = mailers.flatMap((one) => one.sent);
    const noticeCounts = sent.map(({ subject }) => Number(/^Demo: (\d+) notices/.exec(subject)?.[1] ?? 1));
    expect(noticeCounts.reduce((sum, count) => sum + count, 0)).toBe(44);
    expect(sent.length).toBeLessThanOrEqual(6);
  });
});

describe('mail cap query', () => {
  it('never scans a whole table', async () => {
    const { database, statements } = recordingDatabase();
    const { mailer } = mailerOf(database);
    for (let index = 0; index < 4; index += 1) await mailer.queue(NOTICE, NOW);
    await mailer.sendOrSimulate(link('reset'), true, NOW);
    await mailer.queue(link('address-change', 'an-account'), NOW);
    await mailer.sendDue(NOW + 10 * MINUTE, signal);
    expect(statements.size).toBeGreaterThan(6);
    const scans = await scansOf(statements, ['mail_outbox', 'outbox', 'users']);
    // The recipients of held notices come from a partial index that contains only them.
    expect(scans.filter((scan) => !scan.includes('mail_outbox_held'))).toEqual([]);
  });
});
