import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEntriesRepository } from '../../../src/areas/giveaways/entries.repository.ts';
import type { Giveaway } from '../../../src/areas/giveaways/giveaway.domain.ts';
import { createGiveawaysRepository } from '../../../src/areas/giveaways/giveaways.repository.ts';
import { createGiveawaysService } from '../../../src/areas/giveaways/giveaways.service.ts';
import { giveawayEntries, giveaways } from '../../../src/areas/giveaways/giveaways.tables.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { createOutbox } from '../../../src/platform/durable/outbox.ts';
import { createMailRepository } from '../../../src/platform/mail/mail.repository.ts';
import { createMailer } from '../../../src/platform/mail/mailer.ts';
import { systemRandomBytes } from '../../../src/platform/random.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { withJson } from '../../support/calculators.ts';
import { bearer, call } from '../../support/requests.ts';
import { createAccount, createSuperuserToken, createToken } from '../../support/tokens.ts';
import { recomputedDraw } from '../../unit/giveaways/recompute.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_773_156_630;
const HOUR = 3600;
const DAY = 86_400;
const CODE = 'SECRET-CODE-42';
const db = createDatabase(env.DB);
const master = bearer(await createSuperuserToken());
const TERMS = { title: 'Spring', prize_name: 'Egg', prize_code: CODE, starts_at: NOW + HOUR, ends_at: NOW + DAY };

beforeEach(async () => {
  await db.batch([db.delete(giveaways), db.delete(giveawayEntries)]);
});

/** The endpoints and their service in a new isolate. */
function open() {
  const fetch = testApp();
  const notes: string[] = [];
  const changes: number[] = [];
  let failures = 0;
  const mailer = createMailer({
    repository: createMailRepository(db),
    outbox: createOutbox(db, systemClock),
    async transport({ to }, id) {
      if (failures-- > 0) return { kind: 'retry', reason: 'no mail today' };
      notes.push(`${id} ${to}`);
      return { kind: 'done' };
    },
    isNonProduction: true,
    appName: 'Demo',
    newId: () => crypto.randomUUID(),
  });
  const service = createGiveawaysService({
    giveaways: createGiveawaysRepository(db),
    entries: createEntriesRepository(db),
    newId: () => crypto.randomUUID(),
    drawBytes: systemRandomBytes,
    onChange: async (now) => {
      changes.push(now);
    },
    mailer,
  });
  const admin = async (method: string, path: string, body?: unknown, now = NOW) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
    return withJson(await call(`/admin/giveaways${path}`, { method, authorization: master, now, ...sent }, fetch));
  };
  return {
    fetch,
    service,
    mailer,
    notes,
    changes,
    failNotes: (times: number) => {
      failures = times;
    },
    admin,
    create: async (change: Partial<typeof TERMS & { description: string | null }> = {}, now = NOW) =>
      (await admin('POST', '', { ...TERMS, ...change }, now)).body.id as string,
    /** A new isolate per request, because lists are cached. */
    list: async (path: string, now = NOW) => withJson(await call(`/v1/giveaways/${path}`, { now }, testApp())),
  };
}

const titles = ({ body }: { body: { title: string }[] }) => body.map(({ title }) => title);

describe('giveaway lifecycle', () => {
  it('schedules, opens and draws with a repeatable proof', async () => {
    const { create, list, service, changes, notes } = open();
    const id = await create({ description: 'More' });
    expect((await list('upcoming')).body).toEqual([
      {
        id,
        title: 'Spring',
        description: 'More',
        prize_name: 'Egg',
        status: 'scheduled',
        starts_at: '2026-03-10T16:30:30.000Z',
        ends_at: '2026-03-11T15:30:30.000Z',
        entry_count: 0,
        winner_username: null,
        seed_hash: null,
        seed: null,
        entries_hash: null,
        winner_entry_id: null,
      },
    ]);
    await service.processDue(NOW + HOUR - 1);
    expect(titles(await list('ongoing'))).toEqual([]);
    await service.processDue(NOW + HOUR);
    const [opened] = (await list('ongoing')).body;
    expect(opened).toMatchObject({ id, status: 'open', seed: null, seed_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(changes).toEqual([NOW + HOUR]);

    const accounts = await Promise.all(Array.from({ length: 7 }, () => createAccount()));
    for (const userId of accounts) await service.enter(id, userId, NOW + HOUR + 1);
    await service.processDue(NOW + DAY);
    const [drawn] = (await list('ended', NOW + DAY)).body;
    expect(drawn).toMatchObject({ status: 'drawn', entry_count: 7, seed_hash: opened.seed_hash });
    const proof = (await list(`${id}/draw`)).body;
    expect(await recomputedDraw(proof.seed, proof.entries)).toEqual({
      seedHash: opened.seed_hash,
      entriesHash: drawn.entries_hash,
      winnerEntryId: drawn.winner_entry_id,
    });
    const entries = await db.select().from(giveawayEntries);
    expect(proof).toMatchObject({ id, count: 7, total: 7, entries: entries.map((entry) => entry.id).sort() });
    const winner = entries.find((entry) => entry.id === drawn.winner_entry_id);
    expect(accounts).toContain(winner?.userId);
    expect(drawn.winner_username).toMatch(/^.\*\*\*$/);
    expect(notes).toEqual([`winner-${id} ${winner?.userId}@example.com`]);
  });

  it('opens immediately when the start has passed, and closes without entries', async () => {
    const { create, list, service } = open();
    const id = await create({ starts_at: NOW - 5 });
    expect((await list('ongoing')).body).toMatchObject([{ id, status: 'open' }]);
    await service.processDue(NOW + DAY);
    expect((await list('ongoing')).body).toEqual([]);
    expect((await list('ended', NOW + DAY)).body).toMatchObject([
      { id, status: 'closed', winner_username: null, seed: null, entries_hash: null },
    ]);
    expect((await list(`${id}/draw`)).status).toBe(404);
  });

  it('catches up after a long time without a job run', async () => {
    const { create, list, service } = open();
    await create();
    await service.processDue(NOW + 2 * DAY);
    expect((await list('ended', NOW + 2 * DAY)).body).toMatchObject([{ status: 'closed', ends_at: '2026-03-11T15:30:30.000Z' }]);
  });

  it('publishes the display name of the winner', async () => {
    const { create, list, service } = open();
    const id = await create({ starts_at: NOW });
    const userId = await createAccount();
    await db.update(users).set({ displayName: 'Zoe' });
    await service.enter(id, userId, NOW);
    await service.processDue(NOW + DAY);
    expect((await list('ended', NOW + DAY)).body).toMatchObject([{ winner_username: 'Zoe' }]);
  });

  it('draws on request', async () => {
    const { admin, create, list, service } = open();
    const id = await create({ starts_at: NOW });
    await service.enter(id, await createAccount(), NOW);
    const { status, body } = await admin('POST', `/${id}/close`, undefined, NOW + 60);
    expect([status, body.status, body.ends_at]).toEqual([200, 'drawn', '2026-03-10T15:31:30.000Z']);
    expect((await list('ended', NOW + 60)).body).toHaveLength(1);
    expect((await admin('POST', `/${id}/close`)).status).toBe(409);
    expect((await admin('POST', `/${id}/cancel`)).status).toBe(409);
  });

  it('retries the winner mail until it is sent once', async () => {
    const { create, service, mailer, notes, failNotes } = open();
    const id = await create({ starts_at: NOW });
    await service.enter(id, await createAccount(), NOW);
    failNotes(1);
    await service.processDue(NOW + DAY);
    expect(notes).toEqual([]);
    for (const later of [60, 120, 180]) {
      await service.processDue(NOW + DAY + later);
      await mailer.sendDue(NOW + DAY + later, new AbortController().signal);
    }
    expect(notes).toHaveLength(1);
  });

  it('does not draw when the winner mail cannot be stored', async () => {
    const { create, list, service, notes } = open();
    const id = await create({ starts_at: NOW });
    await service.enter(id, await createAccount(), NOW);
    await env.DB.exec("CREATE TRIGGER no_mail BEFORE INSERT ON mail_outbox BEGIN SELECT RAISE(ABORT, 'full'); END");
    const outcome = await service.processDue(NOW + DAY).catch(() => 'failed');
    await env.DB.exec('DROP TRIGGER no_mail');
    expect(outcome).toBe('failed');
    expect((await list('ongoing')).body).toMatchObject([{ id, status: 'open' }]);
    await service.processDue(NOW + DAY);
    expect([(await list('ended', NOW + DAY)).body, notes]).toMatchObject([[{ status: 'drawn' }], [expect.stringContaining(id)]]);
  });

  it('queues one mail under concurrent draws', async () => {
    const { create, service, notes } = open();
    const id = await create({ starts_at: NOW });
    for (let created = 0; created < 3; created += 1) await service.enter(id, await createAccount(), NOW);
    await Promise.all([service.processDue(NOW + DAY), service.processDue(NOW + DAY), service.processDue(NOW + DAY)]);
    expect(notes).toHaveLength(1);
  });
});

describe('GET /v1/giveaways', () => {
  it('sorts each list by its next start or end', async () => {
    const { create, list, service } = open();
    await create({ title: 'late', starts_at: NOW + 20, ends_at: NOW + 900 });
    await create({ title: 'early', starts_at: NOW + 10, ends_at: NOW + 1000 });
    expect(titles(await list('upcoming'))).toEqual(['early', 'late']);
    await service.processDue(NOW + 30);
    expect(titles(await list('ongoing'))).toEqual(['late', 'early']);
    await service.processDue(NOW + 2000);
    expect(titles(await list('ended', NOW + 2000))).toEqual(['early', 'late']);
    expect(titles(await list('ended?days=1', NOW + DAY + 950))).toEqual(['early']);
    expect(titles(await list('ended', NOW + DAY + 950))).toEqual(['early', 'late']);
    for (const days of [0, 31, 'x']) expect((await list(`ended?days=${days}`)).status).toBe(422);
  });

  it('is cacheable for 30 seconds and never exposes a code or a seed early', async () => {
    const { create, service, fetch, admin } = open();
    const id = await create({ starts_at: NOW, title: 'a' });
    await create({ title: 'b' });
    await service.enter(id, await createAccount(), NOW);
    const { seed } = (await db.select().from(giveaways)).find((row) => row.id === id) ?? {};
    expect(seed).toMatch(/^[0-9a-f]{64}$/);
    for (const path of ['ongoing', 'upcoming', 'ended']) {
      const { headers, text } = await call(`/v1/giveaways/${path}`, { now: NOW }, fetch);
      expect(headers.get('Cache-Control')).toBe('public, max-age=30');
      expect(text).not.toContain(CODE);
      expect(text).not.toContain(seed);
    }
    expect((await admin('GET', '')).text).not.toContain(seed);
    await service.processDue(NOW + DAY);
    for (const path of ['ended', `${id}/draw`]) {
      expect((await call(`/v1/giveaways/${path}`, { now: NOW + DAY }, testApp())).text).not.toContain(CODE);
    }
  });

  it('pages through the entries of a long draw', async () => {
    const { create, service, list } = open();
    const id = await create({ starts_at: NOW });
    for (let entry = 0; entry < 5; entry += 1) await service.enter(id, `account ${entry}`, NOW);
    await service.processDue(NOW + DAY);
    const seen: string[] = [];
    let path: string | null = `${id}/draw?limit=2`;
    while (path !== null) {
      const page = await list(path);
      seen.push(...page.body.entries);
      path = /<\/v1\/giveaways\/([^>]+)>/.exec(page.headers.get('Link') ?? '')?.[1] ?? null;
    }
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(seen).toHaveLength(5);
    expect((await list(`${id}/draw?cursor=x`)).status).toBe(400);
    expect((await list('nothing/draw')).status).toBe(404);
  });
});

describe('giveaway entry', () => {
  it('is counted once per account', async () => {
    const { create, service } = open();
    const id = await create({ starts_at: NOW });
    expect(await service.enter(id, 'one', NOW)).toBe(1);
    expect(await service.enter(id, 'one', NOW)).toBe(1);
    expect(await service.enter(id, 'two', NOW)).toBe(2);
    const crowd = Array.from({ length: 20 }, (_, index) => service.enter(id, `crowd ${index % 10}`, NOW));
    await Promise.all(crowd);
    expect((await db.select().from(giveaways))[0]?.entryCount).toBe(12);
    expect(await db.select().from(giveawayEntries)).toHaveLength(12);
  });

  it('returns 409 or 404 before the start, after the end and for an unknown giveaway', async () => {
    const { create, service } = open();
    const id = await create();
    const codeOf = (promise: Promise<unknown>) =>
      promise.then(
        () => 'entered',
        ({ code }) => code,
      );
    expect(await codeOf(service.enter(id, 'one', NOW))).toBe('conflict');
    await service.processDue(NOW + HOUR);
    expect(await codeOf(service.enter(id, 'one', NOW + HOUR))).toBe('entered');
    expect(await codeOf(service.enter(id, 'two', NOW + DAY))).toBe('conflict');
    await service.processDue(NOW + DAY);
    expect(await codeOf(service.enter(id, 'one', NOW + DAY))).toBe('conflict');
    expect(await codeOf(service.enter('nothing', 'one', NOW))).toBe('not_found');
  });

  it('is either included or rejected when concurrent with the draw', async () => {
    const { create, service } = open();
    const id = await create({ starts_at: NOW });
    await service.enter(id, 'first', NOW);
    const entering = Array.from({ length: 15 }, (_, index) =>
      service.enter(id, `late ${index}`, NOW + 1).then(
        () => 1,
        () => 0,
      ),
    );
    await service.close(id, NOW + 1);
    const entered = (await Promise.all(entering)).reduce((sum: number, one) => sum + one, 1);
    const [giveaway] = await db.select().from(giveaways);
    const stored = await db.select().from(giveawayEntries);
    expect(stored).toHaveLength(giveaway?.entryCount ?? -1);
    expect(entered).toBeLessThanOrEqual(stored.length);
    const proof = await recomputedDraw(
      giveaway?.seed ?? '',
      stored.map((entry) => entry.id),
    );
    expect(proof.winnerEntryId).toBe(giveaway?.winnerEntryId);
  });

  it('is listed for its account and deleted with it', async () => {
    const { create, service } = open();
    const over = await create({ starts_at: NOW, title: 'over', ends_at: NOW + HOUR });
    const running = await create({ starts_at: NOW, title: 'running' });
    await service.enter(over, 'me', NOW);
    await service.enter(running, 'me', NOW + 1);
    await service.enter(running, 'other', NOW + 1);
    await service.processDue(NOW + HOUR);
    expect((await service.entriesOf('me')).map(({ giveaway }) => giveaway.title)).toEqual(['running', 'over']);
    await createEntriesRepository(db).deleteAccountData('me');
    expect(await service.entriesOf('me')).toEqual([]);
    const stored = await db.select().from(giveaways);
    expect(Object.fromEntries(stored.map(({ title, entryCount }) => [title, entryCount]))).toEqual({ over: 1, running: 1 });
    expect((await service.listDrawEntries(over, '', 10)).ids).toHaveLength(1);
    await service.processDue(NOW + DAY);
    expect((await db.select().from(giveaways)).map(({ status }) => status)).toEqual(['drawn', 'drawn']);
  });
});

describe('/admin/giveaways', () => {
  it('lists giveaways with codes, newest first', async () => {
    const { admin, create } = open();
    await create({ title: 'old' }, NOW - 5);
    await create({ title: 'new', starts_at: NOW });
    const { status, body } = await admin('GET', '');
    expect([status, body.count, body.items.map(({ title }: Giveaway) => title)]).toEqual([200, 2, ['new', 'old']]);
    expect(body.items[0].prize_code).toBe(CODE);
    expect((await admin('GET', '?status=scheduled')).body.items).toMatchObject([{ title: 'old' }]);
    expect((await admin('GET', '?status=lost')).status).toBe(422);
  });

  it.each<[Record<string, unknown>, number]>([
    [{ title: '' }, 422],
    [{ title: 'x'.repeat(121) }, 422],
    [{ description: 'x'.repeat(2001) }, 422],
    [{ prize_name: null }, 422],
    [{ prize_code: '' }, 422],
    [{ ends_at: 1.5 }, 422],
    [{ ends_at: NOW + HOUR }, 400],
    [{ starts_at: NOW - 10, ends_at: NOW }, 400],
  ])('returns the error of %j', async (change, status) => {
    const { admin } = open();
    expect((await admin('POST', '', { ...TERMS, ...change })).status).toBe(status);
    expect(await db.select().from(giveaways)).toEqual([]);
  });

  it('updates the fields allowed in each state', async () => {
    const { admin, create, list } = open();
    const id = await create();
    const changed = await admin('PATCH', `/${id}`, { prize_code: 'NEW', description: 'text', starts_at: NOW + 2 * HOUR });
    expect(changed.body).toMatchObject({ prize_code: 'NEW', description: 'text', title: 'Spring', starts_at: '2026-03-10T17:30:30.000Z' });
    expect((await admin('PATCH', `/${id}`, { starts_at: NOW })).body.status).toBe('open');
    expect((await list('ongoing')).body).toHaveLength(1);
    expect((await admin('PATCH', `/${id}`, { title: 'Autumn', description: null, ends_at: NOW + 5 })).body).toMatchObject({
      title: 'Autumn',
      description: null,
      ends_at: '2026-03-10T15:30:35.000Z',
    });
    expect((await admin('PATCH', `/${id}`, { prize_code: 'OTHER' })).status).toBe(409);
    expect((await admin('PATCH', `/${id}`, { ends_at: NOW })).status).toBe(400);
    expect((await admin('PATCH', `/${id}`, { ends_at: 'soon' })).status).toBe(422);
    expect((await admin('PATCH', '/nothing', { title: 'x' })).status).toBe(404);
    expect((await admin('PATCH', `/${id}`, {})).status).toBe(200);
  });

  it('cancels permanently', async () => {
    const { admin, create, list, service } = open();
    const id = await create({ starts_at: NOW });
    expect((await admin('POST', `/${id}/cancel`)).body.status).toBe('cancelled');
    expect((await admin('POST', `/${id}/cancel`)).status).toBe(200);
    for (const path of ['ongoing', 'upcoming', 'ended']) expect((await list(path)).body).toEqual([]);
    expect((await admin('POST', `/${id}/close`)).status).toBe(409);
    await service.processDue(NOW + DAY);
    expect((await db.select().from(giveaways))[0]?.status).toBe('cancelled');
    expect((await admin('POST', '/nothing/cancel')).status).toBe(404);
    expect((await admin('POST', '/nothing/close')).status).toBe(404);
  });

  it('requires an administrator', async () => {
    const { fetch } = open();
    const ordinary = bearer(await createToken());
    expect((await call('/admin/giveaways', { authorization: ordinary }, fetch)).status).toBe(403);
    expect((await call('/admin/giveaways', {}, fetch)).status).toBe(401);
  });
});

describe('feature_giveaways_enabled', () => {
  it('hides the public lists and keeps the admin endpoints', async () => {
    const fetch = testApp({ settings: { featureGiveawaysEnabled: false } });
    expect((await call('/v1/giveaways/ongoing', {}, fetch)).status).toBe(404);
    expect((await call('/admin/giveaways', { authorization: master }, fetch)).status).toBe(200);
  });
});
