import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Giveaway } from '../../../src/areas/giveaways/giveaways.domain.ts';
import { createGiveawaysService } from '../../../src/areas/giveaways/giveaways.service.ts';
import {
  createEntriesStore,
  createGiveawaysStore,
  createPublicGiveaways,
  type EntriesStore,
  type GiveawaysStore,
} from '../../../src/areas/giveaways/giveaways.store.ts';
import { giveawayEntries, giveaways } from '../../../src/areas/giveaways/giveaways.tables.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { createOutbox } from '../../../src/platform/durable/outbox.ts';
import { systemRandomBytes } from '../../../src/platform/kit/random.ts';
import { systemClock } from '../../../src/platform/kit/time/clock.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createMailStore } from '../../../src/platform/upstream/mail/mail.store.ts';
import { createMailer } from '../../../src/platform/upstream/mail/mailer.ts';
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

/** Runs an action between the reads of a draw and its write. */
interface Interruptions {
  afterDue?: () => Promise<unknown>;
  afterListIds?: () => Promise<unknown>;
}

/** The endpoints and their service in a new isolate. */
function open(interruptions: Interruptions = {}) {
  const fetch = testApp();
  const notes: string[] = [];
  const changes: number[] = [];
  let failures = 0;
  const mailer = createMailer({
    repository: createMailStore(db),
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
    giveaways: interruptedGiveaways(interruptions),
    publicGiveaways: createPublicGiveaways(db),
    entries: interruptedEntries(interruptions),
    newId: () => crypto.randomUUID(),
    randomBytes: systemRandomBytes,
    onChange: async (now) => {
      changes.push(now);
    },
    mailer,
  });
  const admin = async (method: string, path: string, body?: unknown, now = NOW) => {
    return withJson(await call(`/admin/giveaways${path}`, { method, authorization: master, now, json: body }, fetch));
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

function interruptedGiveaways(interruptions: Interruptions): GiveawaysStore {
  const repository = createGiveawaysStore(db);
  return {
    ...repository,
    async due(...given) {
      const due = await repository.due(...given);
      await once(interruptions, 'afterDue');
      return due;
    },
  };
}

function interruptedEntries(interruptions: Interruptions): EntriesStore {
  const repository = createEntriesStore(db);
  return {
    ...repository,
    async listIds(...given) {
      const ids = await repository.listIds(...given);
      // Ids are read page by page; the last page is empty.
      if (ids.length === 0) await once(interruptions, 'afterListIds');
      return ids;
    },
  };
}

async function once(interruptions: Interruptions, moment: keyof Interruptions): Promise<void> {
  const action = interruptions[moment];
  delete interruptions[moment];
  await action?.();
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

  it('draws a giveaway that is due after 50 that fail every time', async () => {
    const { create, service, list } = open();
    const first = await create({ starts_at: NOW });
    const row = await db.select().from(giveaways).get();
    if (!row) throw new Error('no giveaway');
    const insertCopy = (n: number) => db.insert(giveaways).values({ ...row, id: `failing-${n}` });
    await db.batch([insertCopy(0), ...Array.from({ length: 48 }, (_, n) => insertCopy(n + 1))]);
    const last = await create({ starts_at: NOW + 1 }, NOW);
    await db.update(giveaways).set({ status: 'open', seed: 'x' });
    await env.DB.exec(
      `CREATE TRIGGER failing_draw BEFORE UPDATE OF status ON giveaways WHEN new.id = '${first}' OR new.id LIKE 'failing-%' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    );
    for (const later of [0, 60]) await service.processDue(NOW + DAY + later).catch(() => {});
    await env.DB.exec('DROP TRIGGER failing_draw');
    expect((await list('ended', NOW + DAY + 60)).body.map(({ id }: { id: string }) => id)).toEqual([last]);
  });

  it('queues one mail under concurrent draws', async () => {
    const { create, service, notes } = open();
    const id = await create({ starts_at: NOW });
    for (let created = 0; created < 3; created += 1) await service.enter(id, await createAccount(), NOW);
    await Promise.all([service.processDue(NOW + DAY), service.processDue(NOW + DAY), service.processDue(NOW + DAY)]);
    expect(notes).toHaveLength(1);
  });
});

describe('draw with concurrent changes', () => {
  const entries = createEntriesStore(db);
  const add = (giveawayId: string, userId: string) => entries.enter({ id: crypto.randomUUID(), giveawayId, userId, enteredAt: NOW + 1 });

  /** The drawn giveaway, checked against the stored entries. */
  async function expectProof() {
    const [giveaway] = await db.select().from(giveaways);
    const ids = (await db.select().from(giveawayEntries)).map(({ id }) => id);
    expect(giveaway).toMatchObject({ status: 'drawn', entryCount: ids.length });
    const { entriesHash, winnerEntryId } = await recomputedDraw(giveaway?.seed ?? '', ids);
    expect([giveaway?.entriesHash, giveaway?.winnerEntryId]).toEqual([entriesHash, winnerEntryId]);
    return giveaway;
  }

  it('repeats the draw when one account leaves and another enters', async () => {
    const interruptions: Interruptions = {};
    const { create, service } = open(interruptions);
    const id = await create({ starts_at: NOW });
    for (const userId of ['one', 'two', 'three']) await add(id, userId);
    interruptions.afterListIds = async () => {
      await entries.withdraw({ giveawayId: id, userId: 'two' }, NOW + 2);
      await add(id, 'four');
    };
    await service.processDue(NOW + DAY);
    await expectProof();
  });

  it('draws the account that replaces the only entry', async () => {
    const interruptions: Interruptions = {};
    const { create, service } = open(interruptions);
    const id = await create({ starts_at: NOW });
    await add(id, 'one');
    interruptions.afterListIds = async () => {
      await entries.withdraw({ giveawayId: id, userId: 'one' }, NOW + 2);
      await add(id, 'two');
    };
    await service.processDue(NOW + DAY);
    expect((await expectProof())?.winnerUserId).toBe('two');
  });

  it('repeats the draw when an account is deleted and another enters', async () => {
    const interruptions: Interruptions = {};
    const { create, service } = open(interruptions);
    const id = await create({ starts_at: NOW });
    await add(id, 'one');
    interruptions.afterListIds = async () => {
      await entries.deleteAccountData('one');
      await add(id, 'two');
    };
    await service.processDue(NOW + DAY);
    expect((await expectProof())?.winnerUserId).toBe('two');
  });

  it.each(['afterDue', 'afterListIds'] as const)('keeps an extension accepted meanwhile: %s', async (moment) => {
    const interruptions: Interruptions = {};
    const { admin, create, service } = open(interruptions);
    const id = await create({ starts_at: NOW, ends_at: NOW + HOUR });
    await add(id, 'one');
    interruptions[moment] = async () => {
      expect((await admin('PATCH', `/${id}`, { ends_at: NOW + DAY }, NOW + HOUR - 1)).status).toBe(200);
    };
    await service.processDue(NOW + HOUR);
    expect(await db.select().from(giveaways)).toMatchObject([{ status: 'open', endsAt: NOW + DAY }]);
    await service.processDue(NOW + DAY);
    expect(await expectProof()).toMatchObject({ endsAt: NOW + DAY });
  });

  it('keeps a later start accepted meanwhile', async () => {
    const interruptions: Interruptions = {};
    const { admin, create, service } = open(interruptions);
    const id = await create();
    interruptions.afterDue = async () => {
      expect((await admin('PATCH', `/${id}`, { starts_at: NOW + 2 * HOUR })).status).toBe(200);
    };
    await service.processDue(NOW + HOUR);
    expect(await db.select().from(giveaways)).toMatchObject([{ status: 'scheduled', startsAt: NOW + 2 * HOUR, seed: null }]);
  });

  it('draws the other giveaways when one draw fails', async () => {
    const { create, service, changes } = open();
    const ids = [await create({ starts_at: NOW, title: 'broken' }), await create({ starts_at: NOW + 1, title: 'later' })];
    await service.processDue(NOW + 2);
    for (const id of ids) await entries.enter({ id: `entry ${id}`, giveawayId: id, userId: 'one', enteredAt: NOW + 2 });
    await env.DB.exec(
      "CREATE TRIGGER no_draw BEFORE UPDATE OF status ON giveaways WHEN NEW.title = 'broken' BEGIN SELECT RAISE(ABORT, 'x'); END",
    );
    const failure = await service.processDue(NOW + DAY).then(
      () => null,
      (error: unknown) => error,
    );
    await env.DB.exec('DROP TRIGGER no_draw');
    expect(failure).toBeInstanceOf(Error);
    const stored = await db.select().from(giveaways);
    expect(Object.fromEntries(stored.map(({ title, status }) => [title, status]))).toEqual({ broken: 'open', later: 'drawn' });
    expect(changes.at(-1)).toBe(NOW + DAY);
  });

  it('rejects terms that contradict a concurrent change', async () => {
    const { create } = open();
    const id = await create();
    const repository = createGiveawaysStore(db);
    const read = await repository.find(id);
    if (!read) throw new Error('not created');
    expect(await repository.change(read, { startsAt: NOW + DAY - 1 })).toBe(true);
    expect(await repository.change(read, { endsAt: NOW + 2 * HOUR })).toBe(false);
    expect(await repository.change(read, { title: 'Autumn' })).toBe(true);
    expect(await repository.find(id)).toMatchObject({ startsAt: NOW + DAY - 1, endsAt: NOW + DAY, title: 'Autumn' });
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
    await createEntriesStore(db).deleteAccountData('me');
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
