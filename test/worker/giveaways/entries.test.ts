import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { giveawayEntries, giveaways } from '../../../src/areas/giveaways/giveaways.tables.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { withJson } from '../../support/calculators.ts';
import { givePassword } from '../../support/passwords.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_773_156_630;
const CODE = 'SECRET-CODE-42';
const db = createDatabase(env.DB);
const master = bearer(await createSuperuserToken());

beforeEach(async () => {
  await db.batch([db.delete(giveaways), db.delete(giveawayEntries)]);
});

/** An open giveaway, and requests of a signed-in browser. */
async function open() {
  const fetch = testApp();
  const post = async (path: string, authorization: string, body?: unknown, now = NOW) => {
    return withJson(await call(path, { method: 'POST', authorization, now, json: body }, fetch));
  };
  const terms = { title: 'Spring', prize_name: 'Egg', prize_code: CODE, starts_at: NOW, ends_at: NOW + 3600 };
  const { body } = await post('/admin/giveaways', master, terms);
  return {
    id: body.id as string,
    enter: (credential: string, now = NOW, id: string = body.id) => post(`/giveaways/${id}/entries`, bearer(credential), undefined, now),
    mine: async (credential: string) => withJson(await call('/giveaways/mine', { authorization: bearer(credential), now: NOW }, fetch)),
    withdraw: async (credential: string, now = NOW, id: string = body.id) =>
      withJson(await call(`/giveaways/${id}/entries`, { method: 'DELETE', authorization: bearer(credential), now }, fetch)),
    close: () => post(`/admin/giveaways/${body.id}/close`, master),
  };
}

describe('/giveaways/{id}/entries', () => {
  it('enters each account once', async () => {
    const { enter, mine, id } = await open();
    const { credential } = await createSession();
    for (let again = 0; again < 2; again += 1) {
      const { status, body } = await enter(credential);
      expect([status, body]).toEqual([200, { entered: true, entry_count: 1 }]);
    }
    const { body } = await mine(credential);
    expect(body).toMatchObject({ count: 1, items: [{ won: false, prize_code: null, giveaway: { id, entry_count: 1, seed: null } }] });
  });

  it('allows withdrawing and re-entering while the giveaway is open', async () => {
    const { enter, withdraw, mine, close, id } = await open();
    const [one, other] = [await createSession(), await createSession()];
    for (const { credential } of [one, other]) await enter(credential);
    for (let again = 0; again < 2; again += 1) {
      const { status, body } = await withdraw(one.credential);
      expect([status, body]).toEqual([200, { entered: false, entry_count: 1 }]);
    }
    expect((await mine(one.credential)).body.items).toEqual([]);
    expect((await mine(other.credential)).body.count).toBe(1);
    expect((await withdraw(one.credential, NOW, 'nothing')).status).toBe(404);
    expect((await withdraw('x.y.z')).status).toBe(401);
    expect((await enter(one.credential)).body.entry_count).toBe(2);
    expect((await withdraw(one.credential, NOW + 3600)).body.error.code).toBe('conflict');
    expect((await withdraw(one.credential)).status).toBe(200);
    const drawn = (await close()).body;
    expect([drawn.status, drawn.entry_count]).toEqual(['drawn', 1]);
    expect((await withdraw(other.credential)).body.error.code).toBe('conflict');
    expect((await mine(other.credential)).body.items[0]).toMatchObject({ won: true, giveaway: { id } });
  });

  it('counts entries correctly under concurrency', async () => {
    const { enter, withdraw, close } = await open();
    const people = await Promise.all(Array.from({ length: 4 }, () => createSession()));
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(people.flatMap(({ credential }) => [enter(credential), withdraw(credential), enter(credential)]));
    }
    const count = async () => (await db.select({ id: giveawayEntries.id }).from(giveawayEntries)).length;
    const stored = await db.select({ entryCount: giveaways.entryCount }).from(giveaways);
    expect(stored).toEqual([{ entryCount: await count() }]);
    const [drawn] = await Promise.all([close(), ...people.map(({ credential }) => withdraw(credential))]);
    expect([drawn.body.status, drawn.body.entry_count]).toEqual([(await count()) > 0 ? 'drawn' : 'closed', await count()]);
  });

  it('requires a session, a verified email address and an open giveaway', async () => {
    const { enter, id } = await open();
    expect((await enter('x.y.z')).status).toBe(401);
    expect((await call(`/giveaways/${id}/entries`, { method: 'POST', authorization: master, now: NOW })).status).toBe(401);
    const { credential, userId } = await createSession();
    expect((await enter(credential, NOW, 'nothing')).status).toBe(404);
    expect((await enter(credential, NOW + 3600)).body.error.code).toBe('conflict');
    await db.update(users).set({ isVerified: false });
    const { status, body } = await enter(credential);
    expect([status, body.error.code]).toEqual([403, 'email_unverified']);
    await db.update(users).set({ isVerified: true });
    expect(userId).toBeTruthy();
  });

  it('returns the code only to the winner', async () => {
    const { enter, mine, close } = await open();
    const sessions = [await createSession(), await createSession(), await createSession()];
    for (const { credential } of sessions) await enter(credential);
    const drawn = (await close()).body;
    const responses = await Promise.all(sessions.map(({ credential }) => mine(credential)));
    const codes = responses.map(({ body }) => body.items[0].prize_code);
    expect(codes.filter((code) => code === CODE)).toHaveLength(1);
    expect(codes.filter((code) => code === null)).toHaveLength(2);
    const winner = responses.find(({ body }) => body.items[0].won);
    expect(winner?.body.items[0].entry_id).toBe(drawn.winner_entry_id);
    expect(responses.filter(({ text }) => text.includes(CODE))).toHaveLength(1);
  });

  it('deletes entries with the account', async () => {
    const { enter, id } = await open();
    const { credential, userId } = await createSession();
    await enter(credential);
    const json = { confirm_email: `${userId}@example.com`, password: await givePassword(userId) };
    const response = await call('/auth/delete-account', { method: 'POST', authorization: bearer(credential), now: NOW, json }, testApp());
    expect(response.status, response.text).toBeLessThan(300);
    expect(await db.select().from(giveawayEntries)).toEqual([]);
    expect(await db.select({ id: giveaways.id, entryCount: giveaways.entryCount }).from(giveaways)).toEqual([{ id, entryCount: 0 }]);
  });

  it('mails the winner without the code', async () => {
    const { enter, close } = await open();
    const { credential, userId } = await createSession();
    await enter(credential);
    await close();
    const { results } = await env.DB.prepare('SELECT * FROM mail_outbox').all<Record<string, unknown>>();
    const mail = JSON.stringify(results);
    expect(mail).toContain(`${userId}@example.com`);
    expect(mail).toContain('You won: Egg');
    expect(mail).not.toContain(CODE);
  });
});
