import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { composeApp } from '../../../src/composition.ts';
import { type ApiTokenRow, apiTokens } from '../../../src/platform/access/tokens.tables.ts';
import { bundleOf, createUsageWriter } from '../../../src/platform/access/usage/usage-writer.ts';
import { createSettingsStore } from '../../../src/platform/settings/settings.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { mailOutbox } from '../../../src/platform/upstream/mail/mail.tables.ts';
import { SETTINGS } from '../../support/declarations.ts';
import { bearer, call, FIRST_INSTANT as NOW } from '../../support/requests.ts';
import { createAccount, createToken } from '../../support/tokens.ts';
import { usageRecord } from '../../support/usage-record.ts';

const DAY = 86_400;
const db = createDatabase(env.DB);
const { scheduler } = composeApp(env);

async function run(name: string, now: number = NOW): Promise<void> {
  await (await scheduler.start(name, now))?.work;
  const status = (await scheduler.status(now)).find((job) => job.name === name);
  expect([name, status?.lastError]).toEqual([name, null]);
}

async function tokenWith(row: Partial<ApiTokenRow>) {
  const userId = await createAccount();
  const secret = await createToken({ userId, row });
  const stored = async () => (await db.select().from(apiTokens).where(eq(apiTokens.userId, userId)))[0] as ApiTokenRow;
  const mails = () =>
    db
      .select()
      .from(mailOutbox)
      .where(eq(mailOutbox.recipient, `${userId}@example.com`));
  const status = async () => (await call('/v1/token', { authorization: bearer(secret), now: NOW })).status;
  return { userId, secret, stored, mails, status };
}

beforeEach(async () => {
  await db.delete(mailOutbox);
});

describe('tokens-unused job', () => {
  it('revokes tokens 182 days after last use, rotation or creation', async () => {
    const old = NOW - 182 * DAY - 1;
    const unused = await tokenWith({ createdAt: old });
    const once = await tokenWith({ createdAt: old - 1000, lastUsedAt: old });
    const kept = [
      await tokenWith({ createdAt: old + 1 }),
      await tokenWith({ createdAt: old, lastUsedAt: NOW - 100 * DAY }),
      await tokenWith({ createdAt: old, rotatedAt: NOW - 100 * DAY }),
    ];
    for (const token of [unused, once, ...kept]) expect(await token.status()).toBe(200);
    await run('tokens-unused');
    for (const token of [unused, once]) {
      expect(await token.stored()).toMatchObject({ revoked: true, revokedAt: NOW, revokeReason: 'not used for 182 days' });
      expect(await token.status()).toBe(401);
    }
    for (const token of kept) expect(await token.status()).toBe(200);
  });

  it('keeps a token whose gate knows of a later use than the database', async () => {
    const token = await tokenWith({ createdAt: NOW - 200 * DAY });
    const { id } = await token.stored();
    await env.TOKEN_GATES.getByName(id).recordUsage([usageRecord({ at: NOW - DAY })]);
    await run('tokens-unused');
    expect(await token.stored()).toMatchObject({ revoked: false, lastUsedAt: NOW - DAY });
  });
});

describe('tokens-expiring job', () => {
  it('sends a mail once, a week before the expiry', async () => {
    const soon = await tokenWith({ expiresAt: NOW + 7 * DAY, name: 'my bot' });
    const others = [
      await tokenWith({ expiresAt: NOW + 7 * DAY + 1 }),
      await tokenWith({ expiresAt: null }),
      await tokenWith({ expiresAt: NOW + DAY, revoked: true }),
      await tokenWith({ expiresAt: NOW - 1 }),
    ];
    await run('tokens-expiring');
    await run('tokens-expiring', NOW + DAY / 2);
    const [mail, ...more] = await soon.mails();
    expect(more).toEqual([]);
    expect(mail?.text).toContain('"my bot"');
    expect(mail?.text).not.toContain(soon.secret);
    expect((await soon.stored()).expiryWarned).toBe(true);
    for (const other of others.slice(1)) expect(await other.mails()).toEqual([]);
  });
});

describe('tokens-expiring job', () => {
  const subjects = async (token: Awaited<ReturnType<typeof tokenWith>>) =>
    (await token.mails()).map(({ subject }) => subject.replace(/^.*: /, ''));

  it('sends one mail each 14, 3 and 0 days before the expiry', async () => {
    const end = NOW + 20 * DAY;
    const token = await tokenWith({ expiresAt: end });
    for (let now = NOW; now <= end + DAY; now += DAY / 2) await run('tokens-expiring', now);
    expect(await subjects(token)).toEqual([
      'an API token expires in 14 days',
      'an API token expires in 3 days',
      'an API token expires within a day',
    ]);
  });

  it('sends only the latest of several overdue mails', async () => {
    const token = await tokenWith({ expiresAt: NOW + 2 * DAY });
    await run('tokens-expiring');
    await run('tokens-expiring', NOW + 60);
    expect(await subjects(token)).toEqual(['an API token expires in 2 days']);
    expect((await token.stored()).expiryNotices).toBe(2);
  });
});

describe('rate-limit-digest job', () => {
  it('sends a mail to administrators when requests were rejected', async () => {
    const admin = await createAccount({ isSuperuser: true });
    const busy = await tokenWith({});
    const refuse = async (count: number, sequence: number, at = NOW) => {
      const record = usageRecord({ status: 429, at, count });
      await createUsageWriter(env.DB).write(bundleOf({ tokenId: (await busy.stored()).id, userId: busy.userId }, sequence, [record]));
    };
    const digests = () =>
      db
        .select()
        .from(mailOutbox)
        .where(eq(mailOutbox.recipient, `${admin}@example.com`));
    await refuse(500, 1, NOW - 3 * DAY);
    await refuse(19, 2);
    await run('rate-limit-digest');
    expect(await digests()).toEqual([]);
    await refuse(1, 3);
    await run('rate-limit-digest');
    expect((await digests())[0]?.text).toMatch(new RegExp(`20 {2}${busy.userId}@example\\.com`));
  });

  it('follow the settings for the threshold and the look-back', async () => {
    const admin = await createAccount({ isSuperuser: true });
    const busy = await tokenWith({});
    const now = NOW + 100 * DAY;
    const record = usageRecord({ status: 429, at: now - 5 * DAY, count: 7 });
    await createUsageWriter(env.DB).write(bundleOf({ tokenId: (await busy.stored()).id, userId: busy.userId }, 1, [record]));
    const stored = createSettingsStore(db, SETTINGS);
    const digests = async (hours: number, threshold: number) => {
      await stored.set({ key: 'rate_limit_digest_window_hours', value: hours, now, userId: null });
      await stored.set({ key: 'rate_limit_alert_threshold', value: threshold, now, userId: null });
      // Another isolate: this one caches its settings.
      await (await composeApp(env).scheduler.start('rate-limit-digest', now))?.work;
      return db
        .select()
        .from(mailOutbox)
        .where(eq(mailOutbox.recipient, `${admin}@example.com`));
    };
    expect(await digests(168, 8)).toEqual([]);
    expect(await digests(72, 7)).toEqual([]);
    expect(await digests(168, 7)).toHaveLength(1);
  });
});

describe('daily job', () => {
  it.each(['accounts-sweep', 'mail-sweep', 'usage-sweep', 'ingest-sweep', 'mail'])('%s runs without errors', (name) => run(name));
});
