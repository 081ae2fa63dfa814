import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { composeApp } from '../../src/composition.ts';
import { appFetch } from '../support/app-fetch.ts';
import { pause } from '../support/eventually.ts';
import { createProject } from '../support/projects.ts';
import { bearer, call, type Fetch, freshInstant } from '../support/requests.ts';
import { createSession } from '../support/sessions.ts';
import { createSuperuserToken } from '../support/tokens.ts';
import { testImage } from '../worker/mods-catalog/catalog.ts';
import { distinctZip, upload } from '../worker/mods-catalog/publishing/authors.ts';
import { MORE_RESOURCES, type Resource, type Subject, type Write } from './write-resources.ts';

/*
 * Sequences of two to four writes of one resource run on two isolates at once, with responses that are lost and requests that are
 * repeated with their Idempotency-Key. The state in the end must be one that the service itself reaches when it runs the accepted writes
 * after each other in some order, on a resource of its own.
 */
const SEED = Number((env as { FUZZ_SEED?: string }).FUZZ_SEED ?? 60);
/** Sequences of each resource. */
const RUNS = Math.ceil(Number((env as { FUZZ_SCALE?: string }).FUZZ_SCALE ?? 10));

/** How a write of a sequence is sent. */
interface Sending {
  write: Write;
  isolate: 0 | 1;
  /** Turns of the event loop before the request. */
  delay: number;
  /** The client repeats the request: after a lost response, or at once, on the other isolate. */
  repeat: 'never' | 'after' | 'at once';
}

const newIsolate = (): Fetch => appFetch(createApp(composeApp(env)));

function requestOf({ accounts, path, names = {} }: Subject, { method, at, body, image, by = 0 }: Write, key: string | null, now: number) {
  const bytes = image === undefined ? null : testImage(image);
  const named = (given: string) => given.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');
  const text = body === undefined ? null : named(JSON.stringify(body));
  const type = bytes ? 'image/png' : 'application/json';
  const length = bytes?.length ?? text?.length ?? 0;
  const headers = {
    ...(length > 0 ? { 'Content-Type': type, 'Content-Length': String(length) } : {}),
    ...(key === null ? {} : { 'Idempotency-Key': key }),
  };
  const options = { method, now, authorization: bearer(accounts[by] ?? ''), headers, body: bytes ?? text };
  const url = path + named(at);
  return (fetch: Fetch) => call(url, options, fetch);
}

const isAccepted = (status: number) => status >= 200 && status < 300;

/** Sends a write as its client does, and returns whether it was accepted. */
async function send(
  subject: Subject,
  { write, isolate, delay, repeat }: Sending,
  isolates: readonly Fetch[],
  now: number,
): Promise<boolean> {
  const request = requestOf(subject, write, crypto.randomUUID(), now);
  const [first, other] = isolate === 0 ? isolates : [...isolates].reverse();
  if (!first || !other) throw new Error('two isolates are needed');
  for (let turn = 0; turn < delay; turn += 1) await pause(0);
  const sent = [request(first), ...(repeat === 'at once' ? [request(other)] : [])];
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  if (repeat !== 'never') statuses.push((await request(other)).status);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  return statuses.some(isAccepted);
}

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** The state after the writes in this order. One may be refused, such as the second deletion of the same member, and changes nothing. */
async function stateInOrder(resource: Resource, writes: readonly Write[], fetch: Fetch, now: number): Promise<unknown> {
  const subject = await resource.create(fetch, now);
  for (const write of writes) await requestOf(subject, write, null, now)(fetch);
  return subject.read(fetch, now);
}

async function webhookSubject(fetch: Fetch, now: number): Promise<Subject> {
  const { credential } = await createSession();
  const authorization = bearer(credential);
  const input = { url: 'https://discord.com/api/webhooks/1/a', events: ['challenge', 'luxion'], label: 'first' };
  const created = await call('/v1/webhooks', { method: 'POST', authorization, now, json: input }, fetch);
  expect(created.status, created.text).toBe(201);
  const { id } = JSON.parse(created.text);
  return {
    path: `/v1/webhooks/${id}`,
    accounts: [credential],
    async read(reader, at) {
      const { text } = await call('/v1/webhooks', { authorization, now: at }, reader);
      const subscribed = await env.DB.prepare('SELECT event FROM webhook_subscriptions WHERE webhook_id = ? ORDER BY event').bind(id).all();
      const conditions = await env.DB.prepare('SELECT event FROM webhook_conditions WHERE webhook_id = ?').bind(id).all();
      return JSON.parse(JSON.stringify([JSON.parse(text).items, subscribed.results, conditions.results]).replaceAll(id, 'id'));
    },
  };
}

async function draftSubject(_fetch: Fetch, now: number): Promise<Subject> {
  const { userId, credential } = await createSession();
  const project = await createProject({ userId, visibility: 'public' });
  const draft = await upload(`${project.path}/releases`, { authorization: bearer(credential) }, { tag: '1' }, distinctZip(), { now });
  expect(draft.status, draft.text).toBe(201);
  const id = String(draft.json.id);
  const path = `${project.path}/releases/${id}`;
  return {
    path,
    accounts: [credential],
    async read(reader, at) {
      const authorization = bearer(credential);
      const listed = await call(`${project.path}/releases`, { authorization, now: at }, reader);
      const [release] = JSON.parse(listed.text).items as Record<string, unknown>[];
      const audit = JSON.parse((await call(`${project.path}/audit`, { authorization, now: at }, reader)).text);
      await (await composeApp(env).scheduler.start('mods-publish', at + 7200))?.work;
      const { objects } = await env.ARCHIVE.list({ prefix: `drafts/${id}/` });
      const queued = await env.DB.prepare("SELECT kind FROM outbox WHERE key LIKE ? || '%' ORDER BY kind").bind(id).all<{ kind: string }>();
      const { tag, title, changelog, state, silent, image_url: image, publish_at: publishAt } = release ?? {};
      return {
        release: { tag, title, changelog, state, silent, publishAt, image: typeof image === 'string' ? image.split('/').at(-1) : image },
        files: objects.length,
        queued: queued.results.map(({ kind }) => kind),
        audit: (audit.items as { action: string }[]).map(({ action }) => action).sort(),
      };
    },
  };
}

async function membersSubject(fetch: Fetch, now: number): Promise<Subject> {
  const sessions = [await createSession(), await createSession(), await createSession()];
  const projects = await Promise.all(sessions.map(({ userId }) => createProject({ userId })));
  const [project] = projects;
  if (!project) throw new Error('no project');
  const path = `/projects/${project.handle}/${project.slug}/members`;
  const accounts = sessions.map(({ credential }) => credential);
  const named = (text: string) => projects.reduce((named, { handle }, index) => named.replaceAll(handle, `h${index}`), text);
  for (const { handle } of projects.slice(1)) {
    const json = { handle, role: 'owner' };
    await call(path, { method: 'POST', authorization: bearer(accounts[0] ?? ''), now, json }, fetch);
  }
  return {
    path,
    accounts,
    names: Object.fromEntries(projects.map(({ handle }, index) => [String(index), handle])),
    async read(reader, at) {
      const seen = await Promise.all(
        accounts.map((credential) => call(path, { authorization: bearer(credential), now: at }, reader).then(({ status }) => status)),
      );
      const { results } = await env.DB.prepare('SELECT handle, role FROM project_members WHERE project_id = ? ORDER BY handle')
        .bind(project.id)
        .all<{ handle: string; role: string }>();
      const audit = await env.DB.prepare('SELECT action, detail FROM project_audit WHERE project_id = ? ORDER BY 1, 2')
        .bind(project.id)
        .all<{ action: string; detail: string }>();
      // A member who removes itself differs from one that is removed, so that only what happened counts.
      const entries = audit.results.map(({ action, detail }) => `${action} ${named(detail)}`);
      return { seen, entries, members: results.map(({ handle, role }) => `${named(handle)} ${role}`).sort() };
    },
  };
}

async function giveawaySubject(fetch: Fetch, now: number): Promise<Subject> {
  const sessions = [await createSession(), await createSession()];
  const master = await createSuperuserToken();
  const terms = { title: 'A', prize_name: 'B', prize_code: 'C', starts_at: now, ends_at: now + 3600 };
  const created = await call('/admin/giveaways', { method: 'POST', authorization: bearer(master), now, json: terms }, fetch);
  const { id } = JSON.parse(created.text);
  const accounts = sessions.map(({ credential }) => credential);
  return {
    path: '',
    accounts: [...accounts, master],
    names: { id },
    async read(_reader, _at) {
      const row = await env.DB.prepare('SELECT status FROM giveaways WHERE id = ?').bind(id).first<{ status: string }>();
      const entries = await env.DB.prepare('SELECT user_id FROM giveaway_entries WHERE giveaway_id = ?')
        .bind(id)
        .all<{ user_id: string }>();
      return {
        status: row?.status,
        entered: entries.results.map(({ user_id }) => sessions.findIndex(({ userId }) => userId === user_id)).sort(),
      };
    },
  };
}

const RESOURCES: readonly Resource[] = [
  ...MORE_RESOURCES,
  {
    name: 'a chat webhook',
    create: webhookSubject,
    writes: [
      { method: 'PATCH', at: '', body: { label: 'second' } },
      { method: 'PATCH', at: '', body: { label: 'third', active: false } },
      { method: 'PATCH', at: '', body: { events: ['luxion'] } },
      { method: 'PATCH', at: '', body: { events: ['challenge', 'corruxion'], active: true } },
      { method: 'PATCH', at: '', body: { templates: { challenge: { enabled: true, title: 'A' } } } },
      { method: 'PATCH', at: '', body: { templates: { luxion: { enabled: true, title: 'B' } } } },
      { method: 'DELETE', at: '' },
    ],
  },
  {
    name: 'a draft of a release',
    create: draftSubject,
    writes: [
      { method: 'PATCH', at: '', body: { title: 'A' } },
      { method: 'PATCH', at: '', body: { tag: '2', changelog: 'B' } },
      { method: 'PATCH', at: '', body: { silent: true } },
      { method: 'PATCH', at: '', body: { silent: false, title: 'C' } },
      { method: 'PUT', at: '/image', image: 70 },
      { method: 'PUT', at: '/image', image: 71 },
      { method: 'DELETE', at: '/image' },
      { method: 'POST', at: '/publish', body: { at: new Date(4_102_444_800_000).toISOString() } },
      { method: 'POST', at: '/withdraw', body: { reason: 'No' } },
      { method: 'DELETE', at: '' },
    ],
  },
  {
    name: 'the members of a project',
    create: membersSubject,
    writes: [0, 1, 2].flatMap((by) =>
      [0, 1, 2].flatMap((member): Write[] => [
        { method: 'DELETE', at: `/{${member}}`, by },
        { method: 'POST', at: '', by, body: { handle: `{${member}}`, role: member === 2 ? 'author' : 'owner' } },
      ]),
    ),
  },
  {
    name: 'a giveaway',
    create: giveawaySubject,
    writes: [
      { method: 'POST', at: '/giveaways/{id}/entries', by: 0 },
      { method: 'POST', at: '/giveaways/{id}/entries', by: 1 },
      { method: 'DELETE', at: '/giveaways/{id}/entries', by: 0 },
      { method: 'DELETE', at: '/giveaways/{id}/entries', by: 1 },
      { method: 'POST', at: '/admin/giveaways/{id}/cancel', by: 2 },
    ],
  },
];

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

describe('writes at once on two isolates, with lost responses and repeated requests', () => {
  it.each(RESOURCES)('end in a state of $name that an order of the accepted ones reaches', async (resource) => {
    const isolates = [newIsolate(), newIsolate()];
    const [oracle] = isolates;
    if (!oracle) throw new Error('no isolate');
    const sendingOf = (writes: readonly Write[]): fc.Arbitrary<Sending> =>
      fc.record({
        write: fc.constantFrom(...writes),
        isolate: fc.constantFrom(0, 1),
        delay: fc.constantFrom(0, 0, 0, 1, 3),
        repeat: fc.constantFrom('never', 'never', 'after', 'at once'),
      });
    // Few different writes in a sequence: two that meet are found sooner.
    const sequence = fc
      .subarray([...resource.writes], { minLength: 2, maxLength: 3 })
      .chain((writes) => fc.array(sendingOf(writes), { minLength: 2, maxLength: 4 }));
    let total = 0;
    await fc.assert(
      fc.asyncProperty(sequence, async (sendings) => {
        const now = freshInstant();
        const subject = await resource.create(oracle, now);
        const accepted = await Promise.all(sendings.map((given) => send(subject, given, isolates, now)));
        const state = await subject.read(oracle, now);
        total += accepted.filter(Boolean).length;
        const writes = sendings.filter((_, index) => accepted[index]).map(({ write }) => write);
        const reached: unknown[] = [];
        for (const order of ordersOf(writes)) {
          const expected = await stateInOrder(resource, order, oracle, now);
          reached.push(expected);
          if (JSON.stringify(expected) === JSON.stringify(state)) return;
        }
        expect(reached).toContainEqual(state);
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
    // Without accepted writes nothing was tried.
    expect(total).toBeGreaterThan(RUNS);
  });
});
