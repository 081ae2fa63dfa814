import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { composeApp } from '../../../src/composition.ts';
import { TokenGateObject } from '../../../src/platform/access/tokens/token-gate.object.ts';
import { createDatabases } from '../../../src/platform/storage/database.ts';
import { ignoresCredentials } from '../../contract/access-checks.ts';
import { appFetch } from '../../support/app-fetch.ts';
import { freezeReplica, type StaleReplica } from '../../support/d1/stale-replica.ts';
import { withoutEqualPreviews } from '../../support/equal-previews.ts';
import { bearer, call, type Fetch, FIRST_INSTANT } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { createSuperuserToken, createToken, notifyGate, readToken } from '../../support/tokens.ts';
import { TestStream } from '../events/streams.ts';
import { report } from '../rotations/reports.ts';

const NOW = FIRST_INSTANT;

/** A new isolate behind a replica, without cached data. */
function isolate({ binding }: StaleReplica): Fetch {
  return appFetch(createApp(composeApp({ ...env, DB: binding })));
}

/** Sends requests of an account, each through a new isolate. */
function visitor(replica: StaleReplica, authorization: string) {
  return async (method: string, path: string, body?: object) => {
    const { status, text } = await call(path, { method, now: NOW, authorization, json: body }, isolate(replica));
    return { status, body: text === '' ? null : JSON.parse(text) };
  };
}

describe('the service with a replica that never catches up', () => {
  it('reads public data from the replica and sees writes of the same isolate', async () => {
    const before = await freezeReplica();
    const { db, publicReads } = createDatabases(before.binding);
    const other = createDatabases(before.binding);
    const names = (reads: typeof publicReads) => reads.$client.prepare('select name from supporters order by name').all<{ name: string }>();
    await db.$client.prepare("insert into supporters (name) values ('new')").run();
    expect((await names(publicReads)).results).toEqual([{ name: 'new' }]);
    expect((await names(other.publicReads)).results).toEqual([]);
    const bookmark = await other.freshness.catchUp();
    expect(bookmark).toMatch(/^[0-9a-f-]{10,}$/);
    expect((await names(other.publicReads)).results).toEqual([{ name: 'new' }]);
    const third = createDatabases(before.binding);
    await third.freshness.require(bookmark);
    expect((await names(third.publicReads)).results).toEqual([{ name: 'new' }]);
  });

  it('rejects a write statement on the public read connection', async () => {
    const { publicReads } = createDatabases(env.DB);
    for (const text of [
      "insert into supporters (name) values ('x')",
      'with a as (select 1) delete from supporters',
      'drop table supporters',
    ]) {
      await expect(publicReads.$client.prepare(text).run()).rejects.toThrow();
    }
    expect((await publicReads.$client.prepare("select replace('a', 'a', 'b') as x, 'delete from y' as z").all()).results).toHaveLength(1);
  });

  it('shows an account its current state on every isolate', async () => {
    const { credential } = await createSession();
    const replica = await freezeReplica();
    const visit = visitor(replica, bearer(credential));

    await visit('PATCH', '/auth/me', { display_name: 'Ada' });
    expect((await visit('GET', '/auth/me')).body.display_name).toBe('Ada');

    const minted = await visit('POST', '/tokens', { name: 'first', scope_names: [] });
    expect(minted.status).toBe(201);
    expect((await visit('GET', '/tokens')).body).toMatchObject([{ name: 'first' }]);
    await visit('PATCH', `/tokens/${minted.body.id}`, { name: 'renamed' });
    expect((await visit('GET', '/tokens')).body).toMatchObject([{ name: 'renamed' }]);
    expect((await visitor(replica, bearer(minted.body.token))('GET', '/v1/token')).body.name).toBe('renamed');

    const webhook = {
      url: 'https://discord.com/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyzABCDEFGHIJ',
      events: ['challenge'],
    };
    const made = await visit('POST', '/v1/webhooks', webhook);
    expect((await visit('GET', '/v1/webhooks')).body.items).toMatchObject([{ id: made.body.id, label: '' }]);
    await visit('PATCH', `/v1/webhooks/${made.body.id}`, { label: 'mine' });
    expect((await visit('GET', '/v1/webhooks')).body.items).toMatchObject([{ label: 'mine' }]);
    await visit('DELETE', `/v1/webhooks/${made.body.id}`);
    expect((await visit('GET', '/v1/webhooks')).body.items).toEqual([]);

    await visit('POST', `/tokens/${minted.body.id}/revoke`, { reason: 'lost' });
    expect((await visit('GET', '/tokens')).body).toMatchObject([{ revoked: true }]);
    expect((await visit('GET', '/auth/sessions')).status).toBe(200);
    await visit('POST', '/auth/logout-all', {});
    expect((await visit('GET', '/auth/me')).status).toBe(401);
  });

  it('rejects a revoked token on an isolate and a gate without cached state', async () => {
    const secret = await createToken();
    const replica = await freezeReplica();
    const use = async () => (await call('/v1/rotations/daily-buffs', { authorization: bearer(secret) }, isolate(replica))).status;
    expect(await use()).toBe(200);
    const { db } = createDatabases(replica.binding);
    await db.$client.prepare('update api_tokens set revoked = 1 where id = ?').bind(readToken(secret).id).run();
    const { id, hash: hashedToken } = readToken(secret);
    const response = await runInDurableObject(env.TOKEN_GATES.getByName(id), async (_, state) => {
      await state.storage.deleteAll();
      const gate = new TokenGateObject(state, { ...env, DB: replica.binding });
      const demand = { kind: 'any' } as const;
      return gate.admit({
        hashedToken,
        demand,
        callerAddress: null,
        now: NOW,
        counter: 'token',
        limit: 9,
        windowSeconds: 60,
        finished: [],
      });
    });
    expect(response).toEqual({ outcome: 'unauthenticated' });
    await notifyGate(secret);
    expect(await use()).toBe(401);
  });

  it('does not read account or access data from the replica', async () => {
    const { results } = await env.DB.prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'
        AND (sql LIKE '%user_id%' OR sql LIKE '%email%' OR sql LIKE '%recipient%' OR sql LIKE '%hashed_token%')`,
    ).all<{ name: string }>();
    // Isolates read the values of settings from the replica, but not who set them; of giveaways they read what is published.
    const partlyPublic = ['setting_overrides', 'giveaways', 'giveaway_entries'];
    const named = results.map(({ name }) => name).filter((name) => !partlyPublic.includes(name));
    const privateTables = [
      ...named,
      'user_id',
      'winner_user_id',
      'prize_code',
      'setting_changes',
      'updated_by_user_id',
      'outbox',
      'ingest_log',
      'jobs',
    ];
    expect(privateTables).toEqual(expect.arrayContaining(['users', 'api_tokens', 'sessions', 'webhooks']));
    const session = await createSession({ isSuperuser: true });
    const token = await createToken({ userId: session.userId });
    const replica = await freezeReplica();
    const composed = composeApp({ ...env, DB: replica.binding });
    const fetch = appFetch(createApp(composed));
    const read = withoutEqualPreviews(await composed.service.endpoints()).filter(
      ({ spec }) => spec.method === 'get' && !spec.params && !spec.streams,
    );
    expect(read.length).toBeGreaterThan(80);
    for (const [index, { spec }] of read.entries()) {
      const secrets = ignoresCredentials(spec.access) ? [token] : [token, session.credential];
      for (const secret of secrets) await call(spec.path, { now: NOW + index * 7200, authorization: bearer(secret) }, fetch);
    }
    // The account that a project counts for only groups the entries of lists.
    const grouping = "select 'account:' || a.user_id from project_accounts a";
    const statements = new Set(replica.replicaStatements.map((text) => text.replaceAll(grouping, 'select null from accounts')));
    expect(statements.size).toBeGreaterThan(20);
    const reading = (table: string) => [...statements].filter((text) => new RegExp(`\\b${table}\\b`).test(text));
    expect(privateTables.flatMap(reading)).toEqual([]);
  });

  it('does not send a snapshot older than its event id', async () => {
    // One token per insert, because of the cooldown.
    const masters = [await createSuperuserToken(), await createSuperuserToken(), await createSuperuserToken()];
    const replica = await freezeReplica();
    const insert = async (name: string, now: number, master = '') => {
      return (await report('challenge', name, { now, authorization: bearer(master) }, isolate(replica))).status;
    };
    // An isolate that has read the replica before.
    const reader = isolate(replica);
    await call('/v1/rotations/challenge/current', { now: NOW }, reader);
    for (const [index, name] of ['Rampage', 'Coin Collection', 'Biome Challenge'].entries()) {
      expect(await insert(name, NOW + index * 61, masters[index])).toBe(200);
      for (const fetch of [reader, isolate(replica)]) {
        const stream = await TestStream.open({ now: NOW + index * 61, query: 'types=challenge', fetch });
        const [snapshot] = await stream.messages(1);
        await stream.close();
        expect(snapshot?.id).toBeGreaterThan(index);
        expect(snapshot?.body).toContain(name);
      }
    }
    expect(replica.replicaStatements.some((text) => text.includes('challenge_captures'))).toBe(true);
  });
});
