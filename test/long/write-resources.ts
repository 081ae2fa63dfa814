import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { blankDetails } from '../../src/areas/mods-catalog/insert/insert.domain.ts';
import { EXAMPLE_ARTIFACT } from '../../src/areas/mods-catalog/insert/insert.schemas.ts';
import { createModWrites } from '../../src/areas/mods-catalog/records/mod-writes.store.ts';
import { createDesignsStore } from '../../src/areas/webhooks/designs/designs.store.ts';
import { composeApp } from '../../src/composition.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { createProject } from '../support/projects.ts';
import { bearer, call, type Fetch } from '../support/requests.ts';
import { createSession } from '../support/sessions.ts';
import { createSuperuserToken } from '../support/tokens.ts';
import { testImage } from '../worker/mods-catalog/catalog.ts';
import { registerSigned } from '../worker/webhooks/signed/signed-world.ts';

export interface Write {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the path of the resource. */
  at: string;
  body?: object;
  image?: number;
  /** Place of the account among those of the resource. */
  by?: number;
}

export interface Subject {
  path: string;
  /** Credentials of the accounts. */
  accounts: string[];
  /** Values of the placeholders in paths. */
  names?: Readonly<Record<string, string>>;
  /** What a client sees, and what is stored beside it, without ids that differ between two resources. */
  read(fetch: Fetch, now: number): Promise<unknown>;
}

export interface Resource {
  name: string;
  writes: readonly Write[];
  create(fetch: Fetch, now: number): Promise<Subject>;
}

type Body = Record<string, unknown>;

/** Sends a request with a JSON body, which must be accepted. */
async function request(fetch: Fetch, method: string, path: string, credential: string, now: number, body?: object): Promise<Body> {
  const { status, text } = await call(path, { method, authorization: bearer(credential), now, json: body }, fetch);
  expect(status, `${method} ${path}: ${text}`).toBeLessThan(300);
  return text.startsWith('{') ? (JSON.parse(text) as Body) : { list: text === '' ? [] : JSON.parse(text) };
}

const withoutId = (value: unknown, ...ids: string[]): unknown =>
  JSON.parse(ids.reduce((text, id, index) => text.replaceAll(id, `id${index}`), JSON.stringify(value)));

async function rows(sql: string, ...values: unknown[]): Promise<Body[]> {
  return (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<Body>()
  ).results;
}

/** Mails about a resource, by subject. */
async function mailsTo(userIds: readonly string[]): Promise<unknown[]> {
  const sql =
    'SELECT subject, count(*) AS n FROM mail_outbox WHERE recipient IN (SELECT email FROM users WHERE id IN (SELECT value FROM json_each(?1))) GROUP BY 1 ORDER BY 1';
  return rows(sql, JSON.stringify(userIds));
}

async function tokenSubject(fetch: Fetch, now: number): Promise<Subject> {
  const { userId, credential } = await createSession();
  const { id, token } = await request(fetch, 'POST', '/tokens', credential, now, { name: 'first', scopes: 0 });
  const secret = String(token);
  return {
    path: `/tokens/${id}`,
    accounts: [credential],
    async read(reader, at) {
      const { list } = await request(reader, 'GET', '/tokens', credential, at);
      const [{ name, allowed_ips: allowed, revoked, revoked_reason: reason } = {}] = list as Body[];
      const { status } = await call('/v1/token', { authorization: bearer(secret), now: at }, reader);
      const queued = await rows("SELECT count(*) AS n FROM outbox WHERE kind = 'token-changes' AND key LIKE ?1", `${id}:%`);
      return { name, allowed, revoked, reason, status, queued, mails: await mailsTo([userId]) };
    },
  };
}

async function keysSubject(fetch: Fetch, now: number): Promise<Subject> {
  const { userId, credential } = await createSession();
  const { handle, slug, id: projectId } = await createProject({ userId });
  const path = `/projects/${handle}/${slug}/keys`;
  const made: Body[] = [];
  for (const name of ['k0', 'k1']) made.push(await request(fetch, 'POST', path, credential, now, { name, expires_in_days: 30 }));
  return {
    path,
    accounts: [credential],
    names: Object.fromEntries(made.map(({ id }, index) => [String(index), String(id)])),
    async read(reader, at) {
      const { items } = await request(reader, 'GET', path, credential, at);
      const live = await Promise.all(
        made.map(
          async ({ key }) =>
            (await call(`/v1/publishing/${handle}/${slug}`, { authorization: bearer(String(key)), now: at }, reader)).status,
        ),
      );
      const audit = await rows('SELECT action, count(*) AS n FROM project_audit WHERE project_id = ?1 GROUP BY 1 ORDER BY 1', projectId);
      return {
        keys: (items as Body[]).map(({ name, ended_at: ended }) => [name, ended !== null && ended !== undefined]).sort(),
        live,
        audit,
      };
    },
  };
}

/** A public mod without an owner. */
async function storeMod(slug: string, now: number): Promise<number> {
  const address = { handle: 'ana', slug };
  const details = { ...blankDetails('Wings', 'Ana'), tags: ['Wings'] };
  const at = { createdAt: now, updatedAt: now };
  const write = { address, details, ...at, before: null, isApproved: true, release: null, announcement: null };
  expect(await createModWrites(createDatabase(env.DB)).save(write)).toBe(true);
  const [row] = await rows('SELECT id FROM mods WHERE handle = ?1 AND slug = ?2', 'ana', slug);
  return Number(row?.id);
}

async function claimsSubject(fetch: Fetch, now: number): Promise<Subject> {
  const sessions = [await createSession(), await createSession()];
  const slug = `claimed-${crypto.randomUUID().slice(0, 8)}`;
  const handle = `owner-${crypto.randomUUID().slice(0, 8)}`;
  const modId = await storeMod(slug, now);
  await env.DB.prepare("UPDATE mods SET handle = 'stray', is_stray = 1 WHERE id = ?1").bind(modId).run();
  const claims: Body[] = [];
  for (const [index, { credential }] of sessions.entries()) {
    claims.push(await request(fetch, 'POST', '/mod-claims', credential, now, { mod: `stray/${slug}`, handle: `${handle}-${index}` }));
  }
  const master = await createSuperuserToken();
  return {
    path: '/admin/mod-claims',
    accounts: [master],
    names: Object.fromEntries(claims.map(({ id }, index) => [String(index), String(id)])),
    async read() {
      const states = await rows('SELECT state, reason FROM project_claims WHERE project_id = ?1 ORDER BY handle', modId);
      const members = await rows('SELECT handle, role FROM project_members WHERE project_id = ?1', modId);
      const audit = await rows('SELECT action, count(*) AS n FROM project_audit WHERE project_id = ?1 GROUP BY 1 ORDER BY 1', modId);
      const mails = await Promise.all(sessions.map(({ userId }) => mailsTo([userId])));
      return withoutId({ states, members, audit, mails }, slug, handle);
    },
  };
}

async function moderationSubject(_fetch: Fetch, _now: number): Promise<Subject> {
  const { userId } = await createSession();
  const project = await createProject({ userId, visibility: 'public' });
  const master = await createSuperuserToken();
  return {
    path: `/admin/mods/${project.handle}/${project.slug}`,
    accounts: [master],
    async read() {
      const [mod] = await rows('SELECT taken_down_at IS NOT NULL AS down, is_approved FROM mods WHERE id = ?1', project.id);
      const audit = await rows('SELECT action, count(*) AS n FROM project_audit WHERE project_id = ?1 GROUP BY 1 ORDER BY 1', project.id);
      return withoutId({ mod, audit, mails: await mailsTo([userId]) }, project.handle, project.slug);
    },
  };
}

async function imagesSubject(_fetch: Fetch, _now: number): Promise<Subject> {
  const { userId, credential } = await createSession();
  const project = await createProject({ userId, visibility: 'public' });
  const hashes = await Promise.all(
    [80, 81].map(async (number) => Buffer.from(await crypto.subtle.digest('SHA-256', testImage(number))).toString('hex')),
  );
  return {
    path: project.path,
    accounts: [credential],
    names: Object.fromEntries(hashes.map((hash, index) => [String(index), hash])),
    async read(_reader, at) {
      const [mod] = await rows('SELECT title, summary, banner, previews, tags FROM mods WHERE id = ?1', project.id);
      await (await composeApp(env).scheduler.start('mods-publish', at + 7200))?.work;
      const images = await rows('SELECT sha256 FROM mod_images WHERE mod_id = ?1 ORDER BY sha256', project.id);
      const audit = await rows('SELECT action, count(*) AS n FROM project_audit WHERE project_id = ?1 GROUP BY 1 ORDER BY 1', project.id);
      return { mod, images, audit };
    },
  };
}

async function signedSubject(): Promise<Subject> {
  const { userId, credential } = await createSession();
  const { id } = await registerSigned({ userId, url: 'https://hooks.example.com/first' });
  return {
    path: `/v1/webhooks/signed/${id}`,
    accounts: [credential],
    async read(reader, at) {
      const { items } = await request(reader, 'GET', '/v1/webhooks/signed', credential, at);
      const subscribed = await rows('SELECT event FROM webhook_subscriptions WHERE webhook_id = ? ORDER BY event', id);
      return withoutId([items, subscribed], String(id));
    },
  };
}

async function designSubject(_fetch: Fetch, now: number): Promise<Subject> {
  const { userId, credential } = await createSession();
  const id = crypto.randomUUID();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"/>';
  const row = { id, userId, name: 'first', event: 'challenge', svg, width: 50, height: 50, createdAt: now, updatedAt: now } as const;
  await createDesignsStore(createDatabase(env.DB)).add(row, 1_000_000);
  return {
    path: `/v1/webhooks/designs/${id}`,
    accounts: [credential],
    read: async () => rows('SELECT name, event, svg, width, height FROM webhook_designs WHERE user_id = ?1', userId),
  };
}

async function settingSubject(): Promise<Subject> {
  const { credential } = await createSession({ isSuperuser: true });
  await env.DB.batch([env.DB.prepare('DELETE FROM setting_overrides'), env.DB.prepare('DELETE FROM setting_changes')]);
  return {
    path: '/admin/config/rate_limit_alert_threshold',
    accounts: [credential],
    async read() {
      const stored = await rows('SELECT key, value FROM setting_overrides');
      return [stored, await rows('SELECT count(*) AS n FROM setting_changes')];
    },
  };
}

async function nameListSubject(fetch: Fetch, now: number): Promise<Subject> {
  const { credential } = await createSession({ isSuperuser: true });
  await request(fetch, 'PUT', '/admin/supporters', credential, now, { names: ['First', 'Second'] });
  return {
    path: '/admin/supporters',
    accounts: [credential],
    read: async () => rows('SELECT name FROM supporters ORDER BY name'),
  };
}

async function accountSubject(): Promise<Subject> {
  const first = await createSession();
  const others = [await createSession({ userId: first.userId }), await createSession({ userId: first.userId })];
  const sessions = [first, ...others];
  return {
    path: '/auth',
    accounts: sessions.map(({ credential }) => credential),
    names: Object.fromEntries(sessions.map(({ sessionId }, index) => [String(index), sessionId])),
    async read(reader, at) {
      const seen = await Promise.all(
        sessions.map(async ({ credential }) => (await call('/auth/me', { authorization: bearer(credential), now: at }, reader)).status),
      );
      const [user] = await rows('SELECT display_name FROM users WHERE id = ?1', first.userId);
      return { seen, user, stored: await rows('SELECT count(*) AS n FROM sessions WHERE user_id = ?1', first.userId) };
    },
  };
}

async function insertedModSubject(): Promise<Subject> {
  const tokens = [await createSuperuserToken(), await createSuperuserToken(), await createSuperuserToken(), await createSuperuserToken()];
  const handle = `maker-${crypto.randomUUID().slice(0, 8)}`;
  // Each artifact belongs to the handle that publishes it first.
  await env.DB.prepare('DELETE FROM mod_artifact_owners').run();
  return {
    path: '',
    accounts: tokens,
    names: { handle },
    async read() {
      const mods = await rows('SELECT id, title, summary, tags FROM mods WHERE handle = ?1', handle);
      const releases = await rows(
        'SELECT tag, title, changelog, is_published FROM mod_releases WHERE mod_id IN (SELECT id FROM mods WHERE handle = ?1) ORDER BY tag',
        handle,
      );
      const packs = await rows('SELECT title, summary, variants FROM mod_packs WHERE handle = ?1', handle);
      return withoutId({ mods: mods.map(({ id: _, ...mod }) => mod), releases, packs }, handle);
    },
  };
}

const release = (tag: string, title: string) => ({ tag, title, artifact_base64: EXAMPLE_ARTIFACT });

/** Resources with their writes. */
export const MORE_RESOURCES: readonly Resource[] = [
  {
    name: 'a token',
    create: tokenSubject,
    writes: [
      { method: 'PATCH', at: '', body: { name: 'second' } },
      { method: 'PATCH', at: '', body: { name: 'third', allowed_ips: ['10.20.30.40'] } },
      { method: 'PATCH', at: '', body: { allowed_ips: ['10.9.9.9'] } },
      { method: 'PATCH', at: '', body: { allowed_ips: [] } },
      { method: 'POST', at: '/rotate', body: {} },
      { method: 'POST', at: '/rotate', body: { overlap_seconds: 3600 } },
      { method: 'POST', at: '/revoke', body: { reason: 'one' } },
      { method: 'POST', at: '/revoke', body: { reason: 'two' } },
    ],
  },
  {
    name: 'the keys of a project',
    create: keysSubject,
    writes: [
      { method: 'POST', at: '', body: { name: 'a', expires_in_days: 30 } },
      { method: 'POST', at: '', body: { name: 'b', expires_in_days: 30 } },
      { method: 'DELETE', at: '/{0}' },
      { method: 'DELETE', at: '/{1}' },
    ],
  },
  {
    name: 'the claims of a mod',
    create: claimsSubject,
    writes: [0, 1].flatMap((claim): Write[] => [
      { method: 'POST', at: `/{${claim}}/confirm` },
      { method: 'POST', at: `/{${claim}}/reject`, body: { reason: 'No' } },
    ]),
  },
  {
    name: 'a mod under moderation',
    create: moderationSubject,
    writes: [
      { method: 'POST', at: '/take-down', body: { reason: 'One' } },
      { method: 'POST', at: '/take-down', body: { reason: 'Two' } },
      { method: 'POST', at: '/approve' },
    ],
  },
  {
    name: 'the page of a project',
    create: imagesSubject,
    writes: [
      { method: 'PATCH', at: '', body: { title: 'A' } },
      { method: 'PATCH', at: '', body: { summary: 'B', tags: ['ui'] } },
      { method: 'PUT', at: '/banner', image: 80 },
      { method: 'PUT', at: '/banner', image: 81 },
      { method: 'DELETE', at: '/banner' },
      { method: 'POST', at: '/previews', image: 80 },
      { method: 'POST', at: '/previews', image: 81 },
      { method: 'DELETE', at: '/previews/{0}' },
    ],
  },
  {
    name: 'a signed webhook',
    create: signedSubject,
    writes: [
      { method: 'PATCH', at: '', body: { label: 'second' } },
      { method: 'PATCH', at: '', body: { events: ['luxion'] } },
      { method: 'PATCH', at: '', body: { events: ['challenge', 'corruxion'], active: false } },
      { method: 'PATCH', at: '', body: { active: true } },
      { method: 'DELETE', at: '' },
    ],
  },
  {
    name: 'a design',
    create: designSubject,
    writes: [
      { method: 'PATCH', at: '', body: { name: 'second' } },
      { method: 'PATCH', at: '', body: { event: 'luxion' } },
      { method: 'PATCH', at: '', body: { svg: '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"/>' } },
      { method: 'DELETE', at: '' },
    ],
  },
  {
    name: 'a setting',
    create: settingSubject,
    writes: [
      { method: 'PUT', at: '', body: { value: 30 } },
      { method: 'PUT', at: '', body: { value: 40 } },
      { method: 'DELETE', at: '' },
    ],
  },
  {
    name: 'a list of names',
    create: nameListSubject,
    writes: [
      { method: 'POST', at: '', body: { name: 'Third' } },
      { method: 'POST', at: '', body: { name: 'Fourth' } },
      { method: 'PUT', at: '', body: { names: ['Fifth'] } },
      { method: 'DELETE', at: '/First' },
      { method: 'DELETE', at: '/Second' },
    ],
  },
  {
    name: 'an account',
    create: accountSubject,
    writes: [
      { method: 'PATCH', at: '/me', body: { display_name: 'A' } },
      { method: 'PATCH', at: '/me', body: { display_name: 'B' }, by: 1 },
      { method: 'DELETE', at: '/sessions/{1}' },
      { method: 'DELETE', at: '/sessions/{2}', by: 1 },
      { method: 'DELETE', at: '/sessions/{0}', by: 2 },
      { method: 'POST', at: '/logout-all', by: 1 },
    ],
  },
  {
    name: 'a mod and a pack of a handle',
    create: insertedModSubject,
    writes: [
      { method: 'POST', at: '/v1/mods/insert', by: 0, body: { handle: '{handle}', title: 'Wings', release: release('1', 'A') } },
      {
        method: 'POST',
        at: '/v1/mods/insert',
        by: 1,
        body: { handle: '{handle}', title: 'Wings', summary: 'B', release: release('1', 'B') },
      },
      { method: 'POST', at: '/v1/mods/insert', by: 2, body: { handle: '{handle}', title: 'Wings', release: release('2', 'C') } },
      {
        method: 'POST',
        at: '/v1/modpacks/insert',
        by: 3,
        body: {
          handle: '{handle}',
          title: 'Set',
          variants: [{ name: 'default', label: 'All', entries: [{ handle: '{handle}', slug: 'wings' }] }],
        },
      },
    ],
  },
];
