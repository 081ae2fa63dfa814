import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { giveaways } from '../../src/areas/giveaways/giveaways.tables.ts';
import { MAX_ACTIVE_TOKENS } from '../../src/areas/tokens/tokens.data.ts';
import { composeApp } from '../../src/composition.ts';
import { hashToken } from '../../src/platform/access/tokens/token-format.ts';
import { apiTokens } from '../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { createSealingKeyPair } from '../../src/platform/storage/sealed-box.ts';
import { validRequest } from '../contract/inputs.ts';
import { appFetch } from '../support/app-fetch.ts';
import { fixedSettings } from '../support/declarations.ts';
import { ALL_ON, ENDPOINTS } from '../support/endpoints.ts';
import { PASSWORD, PASSWORD_HASH } from '../support/passwords.ts';
import { bearer, call, type TestResponse } from '../support/requests.ts';
import { createSession } from '../support/sessions.ts';
import { createAccount, createToken, gateOf } from '../support/tokens.ts';
import { solvedCaptcha } from '../support/upstreams/captcha.ts';
import { CLOSED_VARIABLES, closeUpstreamSettings } from '../support/upstreams/closed.ts';
import { upstreamSession } from '../support/upstreams/session.ts';
import { flushUsage } from '../support/usage.ts';
import { usageRecord } from '../support/usage-record.ts';
import { portalWorld, START } from '../worker/accounts/world.ts';
import { png, send as sendFeedback } from '../worker/misc/forms.ts';
import { freshAddress } from '../worker/webhooks/world.ts';

/*
 * One account with one token and one session, and one anonymous address, use all limits fully for a simulated day.
 * - Requests that store bytes (writes with an Idempotency-Key, sign-ins, sign-ups, resets, repeated verifications, feedback) are sent
 *   at their limits in SAMPLE_HOURS hours. For the day, their growth * (24 / SAMPLE_HOURS - 1) is added.
 * - Requests that store nothing or only overwrite (reads, 404s, writes without a key, rotations) are sent in SAMPLE_MINUTES minutes.
 *   For the day, the growth of the second half / (SAMPLE_MINUTES / 2) * 1440 is added; the first half fills bounded stores.
 * - Usage of the token: a record for each of the 120 + 600 requests of USAGE_MINUTES minutes, with the longest path, is passed to the
 *   gate's writer in bundles of the gate's size. Both halves are spread over the whole day; the growth of the second half is
 *   extrapolated to the other minutes.
 * Feedback attachments have 10 KiB instead of 5 MiB: they are not counted and must only be deleted after a day.
 */
const DAY = 86_400;
const HOUR = 3600;
const MINUTES = 1440;
const LIMIT = 50 * 1_000_000;
const SAMPLE_HOURS = 2;
const SAMPLE_MINUTES = 2;
const USAGE_MINUTES = 144;
const ADDRESS = '198.51.100.77';
const PER_MINUTE = { token: 120, tokenCodexes: 600, anonymous: 30, anonymousCodexes: 150, session: 120 };
/** Number of requests that the gate stores together. */
const BUNDLE = 180;

const print = console.log.bind(console);
const db = createDatabase(env.DB);
const NAMESPACES: Record<string, DurableObjectNamespace> = {
  RATE_LIMITS: env.RATE_LIMITS,
  TOKEN_GATES: env.TOKEN_GATES,
  IDEMPOTENCY: env.IDEMPOTENCY,
  EVENT_COORDINATOR: env.EVENT_COORDINATOR,
  EVENT_SHARDS: env.EVENT_SHARDS,
  BOARDS_INGEST: env.BOARDS_INGEST,
  MOD_DOWNLOADS: env.MOD_DOWNLOADS,
  MODS_MIRROR: env.MODS_MIRROR,
  ARCHIVE_SYNC: env.ARCHIVE_SYNC,
  CODEX_INDEX: env.CODEX_INDEX,
  WEBHOOK_SENDERS: env.WEBHOOK_SENDERS,
} as unknown as Record<string, DurableObjectNamespace>;
const BUCKETS = { OUTBOX: env.OUTBOX, BOARDS: env.BOARDS, ARCHIVE: env.ARCHIVE, BACKUPS: env.BACKUPS };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Bytes of every store by name. Empty objects count as 0, because the platform deletes them. */
async function measure(): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  const { meta } = await env.DB.prepare('select 1').run();
  sizes.D1 = meta.size_after ?? 0;
  for (const [name, namespace] of Object.entries(NAMESPACES)) {
    let sum = 0;
    for (const id of await listDurableObjectIds(namespace)) {
      sum += await runInDurableObject(namespace.get(id), async (_, state) => {
        const hasEntries = (await state.storage.list({ limit: 1 })).size > 0;
        const tables = state.storage.sql.exec("select count(*) as n from sqlite_master where name not glob '_cf_*'").one().n as number;
        return hasEntries || tables > 0 ? state.storage.sql.databaseSize : 0;
      });
    }
    sizes[`objects ${name}`] = sum;
  }
  for (const [name, bucket] of Object.entries(BUCKETS)) {
    let cursor: string | undefined;
    let attachments = 0;
    let otherBytes = 0;
    do {
      const page = await bucket.list(cursor === undefined ? {} : { cursor });
      for (const { key, size } of page.objects) {
        if (name === 'OUTBOX' && key.startsWith('feedback/')) attachments += size;
        else otherBytes += size;
      }
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
    sizes[`R2 ${name}`] = otherBytes;
    if (name === 'OUTBOX') sizes.attachments = attachments;
  }
  let values = 0;
  let cursor: string | undefined;
  do {
    const page = await env.CACHE.list(cursor === undefined ? {} : { cursor });
    for (const { name } of page.keys) values += ((await env.CACHE.get(name, 'arrayBuffer'))?.byteLength ?? 0) + name.length;
    cursor = page.list_complete ? undefined : page.cursor;
  } while (cursor !== undefined);
  sizes.KV = values;
  return sizes;
}

const totalOf = ({ attachments: _, ...sizes }: Record<string, number>) => Object.values(sizes).reduce((sum, size) => sum + size, 0);

/** Number of rows of all tables except usage, which is measured separately. */
async function rowsOutsideUsage(): Promise<number> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not glob 'usage_*' and name not glob 'sqlite_*' and name not glob '_cf_*' and name not glob 'd1_*' and name not glob '*_search*'",
  ).all<{ name: string }>();
  const counts = await env.DB.batch<{ n: number }>(results.map(({ name }) => env.DB.prepare(`select count(*) as n from "${name}"`)));
  return counts.reduce((sum, { results: [row] }) => sum + (row?.n ?? 0), 0);
}

/** Sends `count` requests, ten in parallel. */
async function times(count: number, make: (index: number) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < count; first += 10) {
    await Promise.all(Array.from({ length: Math.min(10, count - first) }, (_, index) => make(first + index)));
  }
}

/** Runs the alarms of all objects, repeatedly for objects with several due tasks. */
async function runAlarms(): Promise<void> {
  for (const [, namespace] of Object.entries(NAMESPACES)) {
    for (const id of await listDurableObjectIds(namespace)) {
      const stub = namespace.get(id);
      for (let runs = 0; runs < 2 && (await runDurableObjectAlarm(stub)); runs += 1);
    }
  }
}

/** A template of an event with a number of characters. */
const template = (length: number) => ({
  enabled: true,
  description: '€'.repeat(Math.min(4096, length)),
  fields: Array.from({ length: Math.min(25, Math.max(0, Math.floor((length - 4096) / 1024))) }, () => ({
    name: 'n',
    value: 'v'.repeat(1024),
  })),
});

it('stores less than 50 MB after a day of abuse at every rate limit by one account and one IP address', { timeout: 900_000 }, async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const world = portalWorld();
  const chat = upstreamSession('chat-webhook');
  // Deliveries fail, so attachments are stored for the maximum time.
  await chat.order({ state: { answers: Array(1000).fill(500) } });
  const settings = { ...ALL_ON, feedbackChatWebhook: `${chat.url}/api/webhooks/1/x` };
  // With a key, changed tokens are written to the change journal.
  const { publicKey } = await createSealingKeyPair();
  const vars = { ...CLOSED_VARIABLES, ...world.vars, USAGE_DELAY_SECONDS: '', BACKUP_PUBLIC_KEY: publicKey };
  const composed = composeApp({ ...env, ...vars } as Env);
  const fetch = appFetch(createApp({ ...composed, settings: fixedSettings(settings) }));
  // The jobs read stored settings.
  await closeUpstreamSettings(START);
  const userId = await createAccount({ row: { passwordHash: PASSWORD_HASH } });
  const email = `${userId}@example.com`;
  const secret = await createToken({ userId });
  const { credential } = await createSession({ userId });
  for (let count = 0; count < 20; count += 1) {
    await db.insert(giveaways).values({
      id: `giveaway-${count}`,
      title: 'Title',
      prizeName: 'Prize',
      prizeCode: 'CODE',
      startsAt: START - 1,
      endsAt: START + 30 * DAY,
      status: 'open',
      seed: '00',
      seedHash: '00',
      createdAt: START - 1,
    });
  }
  const statuses: Record<string, Record<number, number>> = {};
  const note = (kind: string, response: TestResponse) => {
    statuses[kind] ??= {};
    statuses[kind][response.status] = (statuses[kind][response.status] ?? 0) + 1;
    return response;
  };
  const request = async (kind: string, method: string, path: string, now: number, who: string | null, body?: unknown, key?: string) => {
    const text = body === undefined ? null : JSON.stringify(body);
    const headers: Record<string, string> = { 'User-Agent': `Mozilla/5.0 ${'x'.repeat(400)}` };
    if (text !== null) headers['Content-Type'] = 'application/json';
    if (text !== null) headers['Content-Length'] = String(new TextEncoder().encode(text).length);
    if (key !== undefined) headers['Idempotency-Key'] = key.padEnd(200, 'k');
    return note(kind, await call(path, { method, now, address: ADDRESS, authorization: who, headers, body: text }, fetch));
  };
  const token = bearer(secret);
  const session = bearer(credential);
  const start = await measure();
  const table: [string, Record<string, number>][] = [];
  const kilobytes = (size = 0) => Math.round(size / 1000);
  const enter = (name: string, sizes: Record<string, number>) => {
    table.push([name, sizes]);
    const parts = Object.entries(sizes).filter(([, size]) => size > 0);
    print(
      `${name}: ${kilobytes(totalOf(sizes))} kB without attachments; ${parts.map(([part, size]) => `${part} ${kilobytes(size)}`).join(', ')}`,
    );
  };
  enter('start', start);

  // The maximum that an account may store: 15 webhooks and 10 designs of maximum size.
  const events = ['challenge', 'mod_release', 'game_update'];
  const full = Object.fromEntries(events.map((event) => [event, template(30_000)]));
  const hooks: string[] = [];
  for (let count = 0; count < 16; count += 1) {
    const made = await request('webhooks', 'POST', '/v1/webhooks', START + count, session, {
      url: freshAddress(),
      events,
      label: 'l'.repeat(80),
      templates: full,
    });
    if (made.status === 201) hooks.push(JSON.parse(made.text).id);
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><!--${'x'.repeat(64_000)}--></svg>`;
  for (let count = 0; count < 11; count += 1) {
    await request('designs', 'POST', '/v1/webhooks/designs', START + count, session, { name: 'n'.repeat(80), event: 'challenge', svg });
  }
  expect(hooks).toHaveLength(15);
  enter('webhooks and designs', await measure());

  // Requests that store bytes.
  const medium = { challenge: template(2400) };
  // The keyed writes shrink webhooks, so shrink them first to measure other growth.
  for (const hook of hooks) await request('webhooks', 'PATCH', `/v1/webhooks/${hook}`, START + 60, session, { templates: medium });
  const beforeStoring = await measure();
  for (let hour = 0; hour < SAMPLE_HOURS; hour += 1) {
    const at = START + hour * HOUR;
    // The largest stored responses: slightly below 8 KiB.
    await times(60, (key) => {
      const hook = hooks[key % hooks.length];
      return request('keyed writes', 'PATCH', `/v1/webhooks/${hook}`, at + key * 60, session, { templates: medium }, `${hour} ${key}`);
    });
    // Ten sign-ins in five minutes: nine create a session, one fails with a unique address.
    for (let slot = 0; slot < 12; slot += 1) {
      await times(10, (count) => {
        const fails = count === 9;
        const body = fails ? { email: `${hour}-${slot}-${'x'.repeat(40)}@mail.example`, password: 'wrong' } : { email, password: PASSWORD };
        const captcha = { captcha_token: solvedCaptcha('login') };
        return request(fails ? 'failed sign-ins' : 'sign-ins', 'POST', '/auth/login', at + slot * 300, null, { ...body, ...captcha });
      });
    }
    for (let count = 0; count < 5; count += 1) {
      const own = `${hour}-${count}-${'y'.repeat(40)}@mail.example`;
      const with_ = (action: string) => ({ email: own, captcha_token: solvedCaptcha(action) });
      await request('sign-ups', 'POST', '/auth/signup', at, null, { ...with_('signup'), password: PASSWORD, display_name: 'd'.repeat(80) });
      await request('resets', 'POST', '/auth/forgot-password', at, null, with_('forgot-password'));
      await request('verifications', 'POST', '/auth/resend-verification', at, null, with_('resend-verification'));
      await request('exports', 'GET', '/auth/me/export', at, session);
    }
    for (let count = 0; count < 3; count += 1) {
      const fields = { message: '€'.repeat(2000), contact: '€'.repeat(200), category: 'bug' };
      const files = Array.from({ length: 4 }, (_, index) => ({ name: `${'n'.repeat(70)}${index}.png`, bytes: png(10 * 1024, index) }));
      note('feedback', await sendFeedback({ fields, files, now: at, address: ADDRESS }, fetch));
    }
  }
  for (let count = 0; count < 20; count += 1) {
    await request('giveaways', 'POST', `/giveaways/giveaway-${count}/entries`, START, session);
    const reason = 'r'.repeat(200);
    const made = await request('tokens', 'POST', '/tokens', START + count * HOUR, session, { name: 'n'.repeat(80), allowed_ips: [] });
    if (made.status === 201) await request('revocations', 'POST', `/tokens/${JSON.parse(made.text).id}/revoke`, START, session, { reason });
  }
  const storing = await measure();
  enter('requests that store', storing);

  // A sample of minutes at the limits, extrapolated to a day.
  const reads = ENDPOINTS.filter(
    ({ spec }) => spec.method === 'get' && ['public', 'tokenless', 'optional-token', 'token'].includes(spec.access.kind),
  );
  const paths: { path: string; isCodexes: boolean }[] = [];
  for (const endpoint of reads) {
    if (endpoint.spec.streams) continue;
    paths.push({ path: (await validRequest(endpoint)).path, isCodexes: endpoint.spec.path.startsWith('/v1/codexes') });
  }
  const standard = paths.filter(({ isCodexes }) => !isCodexes);
  const codexes = paths.filter(({ isCodexes }) => isCodexes);
  const rotated = await createToken({ userId });
  const [row] = await db
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(eq(apiTokens.hashedToken, hashToken(rotated)));
  let serial = 0;
  const distinct = (list: typeof paths) => {
    serial += 1;
    const { path = '/' } = list[serial % list.length] ?? {};
    return `${path}${path.includes('?') ? '&' : '?'}abuse=${serial}`;
  };
  async function minute(now: number): Promise<void> {
    await times(PER_MINUTE.token, () => request('reads, token', 'GET', distinct(standard), now, token));
    await times(PER_MINUTE.anonymous, () => request('reads', 'GET', distinct(standard), now, null));
    await times(PER_MINUTE.tokenCodexes / 5, () => request('codexes, token', 'GET', distinct(codexes), now, token));
    await times(PER_MINUTE.anonymousCodexes / 5, () => request('codexes', 'GET', distinct(codexes), now, null));
    await times(10, (count) => request('404', 'GET', `/v1/nowhere/${now}/${count}`, now, token));
    await times(10, () => request('unknown tokens', 'GET', distinct(standard), now, bearer(secret.slice(0, -1))));
    for (let count = 0; count < 3; count += 1) await request('streams', 'GET', '/v1/events/stream', now, token);
    for (let count = 0; count < 3; count += 1) await request('streams', 'GET', '/v1/events/stream', now, null);
    for (let count = 0; count < PER_MINUTE.session / 6; count += 1) {
      await request('rotations', 'POST', `/tokens/${row?.id}/rotate`, now, session);
      await request('profile', 'PATCH', '/auth/me', now, session, { display_name: `name ${now} ${count}` });
      await request('entries', count % 2 === 0 ? 'DELETE' : 'POST', `/giveaways/giveaway-${count % 20}/entries`, now, session);
      await request('edits', 'PATCH', `/v1/webhooks/${hooks[count % 15]}`, now, session, { templates: full });
      await request('allowlists', 'PATCH', `/tokens/${row?.id}`, now, session, {
        allowed_ips: Array.from({ length: 64 }, (_, n) => `10.${n}.0.0/16`),
      });
    }
  }
  const half = SAMPLE_MINUTES / 2;
  for (let sample = 0; sample < half; sample += 1) await minute(START + sample * 4 * HOUR);
  const middle = await measure();
  const middleRows = await rowsOutsideUsage();
  for (let sample = half; sample < SAMPLE_MINUTES; sample += 1) await minute(START + sample * 4 * HOUR);
  const after = await measure();
  const addedRows = (await rowsOutsideUsage()) - middleRows;
  enter('sample, first half', middle);
  enter('sample, second half', after);

  // Usage of the token in minutes spread over the day.
  const id =
    (
      await db
        .select({ id: apiTokens.id })
        .from(apiTokens)
        .where(eq(apiTokens.hashedToken, hashToken(secret)))
    )[0]?.id ?? '';
  const routes = reads.map(({ spec }) => spec.path);
  const usage: Record<string, number>[] = [after];
  for (let sample = 0; sample < USAGE_MINUTES; sample += 1) {
    // Twice over the day, in different minutes of the same hours.
    const at = ((sample * 2 * MINUTES) / USAGE_MINUTES) % (MINUTES - 1);
    const records = Array.from({ length: PER_MINUTE.token + PER_MINUTE.tokenCodexes }, (_, index) =>
      usageRecord({
        route: routes[(at + index) % routes.length] ?? '',
        path: `/v1/${'p'.repeat(196)}`,
        status: 404,
        at: START + at * 60,
      }),
    );
    for (let first = 0; first < records.length; first += BUNDLE) {
      await env.TOKEN_GATES.getByName(id).recordUsage(records.slice(first, first + BUNDLE));
    }
    if (sample === USAGE_MINUTES / 2 - 1) usage.push(await measure());
  }
  const requests = await gateOf(secret).listRequests({ belowId: null }, 20_000);
  // Rows of at most 100 requests are deleted as a whole.
  expect(requests.length).toBeGreaterThan(9_900);
  expect(requests.length).toBeLessThanOrEqual(10_000);
  await flushUsage(id);
  const day = await measure();
  enter('half of the usage', usage[1] ?? {});
  enter('usage', day);

  // Growth of the sampled minutes, extrapolated to the day.
  const rest = (name: string) => Math.max(0, (storing[name] ?? 0) - (beforeStoring[name] ?? 0)) * (24 / SAMPLE_HOURS - 1);
  const extrapolated = Object.fromEntries(
    Object.entries(day).map(([name, size]) => {
      // The number of shards does not depend on the minutes.
      if (name.includes('EVENT_')) return [name, 8 * size];
      // A rate limit object stores one number per window, and the same clients use the same objects in every minute.
      if (name === 'objects RATE_LIMITS') return [name, size];
      // A token's object stores a sum per hour and route and its newest requests. The usage above covers all hours and routes of the day.
      if (name === 'objects TOKEN_GATES') return [name, size];
      // The change journal has one object per token and real hour. The sample changes one token with the largest allowlist.
      if (name === 'R2 BACKUPS') return [name, size + ((after[name] ?? 0) - (storing[name] ?? 0)) * MAX_ACTIVE_TOKENS * 24];
      const growth = name === 'D1' ? addedRows * 4096 : Math.max(0, (after[name] ?? 0) - (middle[name] ?? 0));
      const usageGrowth = (Math.max(0, size - (usage[1]?.[name] ?? 0)) / (USAGE_MINUTES / 2)) * (MINUTES - USAGE_MINUTES);
      return [name, size + Math.round((growth / half) * MINUTES + usageGrowth) + rest(name)];
    }),
  );
  enter('extrapolated', extrapolated);

  // After a minute objects have flushed their data and deleted closed windows; after a day only rows remain.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
  await runAlarms();
  enter('alarms of a minute later', await measure());
  vi.setSystemTime(Date.now() + (DAY + HOUR) * 1000);
  await runAlarms();
  for (const hours of [24, 25, 26, 49]) await composed.scheduler.tick(START + hours * HOUR);
  const end = await measure();
  enter('a day later', end);

  print(JSON.stringify(statuses));
  for (const [kind, counts] of Object.entries(statuses)) {
    if (!['404', 'unknown tokens', 'failed sign-ins'].includes(kind)) expect(Object.keys(counts)[0], kind).toMatch(/^2/);
  }
  for (const [name, sizes] of table) expect(totalOf(sizes), name).toBeLessThan(LIMIT);
  expect(totalOf(end) + rest('D1')).toBeLessThan(LIMIT);
  expect(day.attachments).toBeGreaterThan(0);
  expect(end.attachments).toBe(0);
});
