import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { composeApp } from '../../../src/composition.ts';
import { appFetch } from '../../support/app-fetch.ts';
import { EVENTS } from '../../support/declarations.ts';
import { eventually, withQuickTimers } from '../../support/eventually.ts';
import { bearer, call, type Fetch, FIRST_INSTANT } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { announceReleases, startClock } from '../events/objects.ts';
import { TestStream } from '../events/streams.ts';
import { testApp } from '../platform/test-app.ts';
import { clearWebhooks, eventQueue, followed, pendingDeliveries, register } from '../webhooks/world.ts';
import { INPUT } from './announcement.ts';
import { createFailingBinding } from './dead.ts';

const NOW = FIRST_INSTANT;
const COPY = 'service-announcements';
const OTHERS = EVENTS.types.filter((type) => type !== 'announcement');

let superuser: string;
const streams: TestStream[] = [];
beforeAll(async () => {
  superuser = bearer(await createSuperuserToken());
  await startClock(NOW);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(streams.splice(0).map((stream) => stream.close()));
});
afterAll(clearWebhooks);

/** An isolate with these bindings. */
function isolate(bindings: Partial<Env> = {}) {
  const composed = composeApp({ ...env, ...bindings });
  return { fetch: appFetch(createApp(composed)), check: (now: number) => composed.ports.checkService(now) };
}

async function send(path: string, body: unknown, now: number, fetch: Fetch = testApp()) {
  const { status, text } = await call(path, { method: 'POST', authorization: superuser, json: body, now }, fetch);
  return { status, id: JSON.parse(text).items?.[0].id as string, text };
}
const post = (input: object, now: number, fetch?: Fetch) => send('/admin/announcements', { ...INPUT, ...input }, now, fetch);
const update = (id: string, input: object, now: number, fetch?: Fetch) => send(`/admin/announcements/${id}/updates`, input, now, fetch);

async function listen(query: string): Promise<TestStream> {
  const stream = await TestStream.open({ query, now: NOW });
  streams.push(stream);
  return stream;
}

let markers = 0;
/** The announcements in the stream before a release that is published now. */
async function announcedUntilNow(stream: TestStream) {
  markers += 1;
  await announceReleases(1, { first: 1_000_000 + markers, now: NOW + 3000 });
  const found = [];
  for (;;) {
    const message = await stream.message();
    if (message.type === 'mod_release' && message.body.includes(`${1_000_000 + markers}`)) return found;
    if (message.type === 'announcement') found.push(JSON.parse(message.body));
  }
}

/** A binding of KV whose first writes fail. */
function failingWrites(count: number): KVNamespace {
  let left = count;
  return new Proxy(env.CACHE, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      if (name !== 'put') return method.bind(target);
      return async (...args: unknown[]) => {
        if (args[0] !== COPY || left <= 0) return method.apply(target, args);
        left -= 1;
        throw new Error('KV PUT failed: 429 Too Many Requests');
      };
    },
  });
}

describe('event announcement', () => {
  it('reaches streams that name it, once for each change', async () => {
    const asked = await listen('types=announcement,mod_release');
    const { id } = await post({ starts_at: NOW, ends_at: NOW + 600 }, NOW);
    await update(id, { text: 'Found it.' }, NOW + 60);
    await update(id, { text: 'Found it.' }, NOW + 60);
    await update(id, { text: 'Over.', closes: true }, NOW + 120);
    await isolate().check(NOW + 180);
    const event = {
      id,
      title: INPUT.title,
      severity: 'degraded',
      parts: ['stream'],
      starts_at: NOW,
      ends_at: NOW + 600,
      url: 'https://api.test/status#announcements',
    };
    expect(await announcedUntilNow(asked)).toEqual([
      { ...event, change: 'posted', text: INPUT.text, changed_at: NOW },
      { ...event, change: 'updated', text: 'Found it.', changed_at: NOW + 60 },
      { ...event, change: 'ended', text: 'Over.', changed_at: NOW + 120 },
    ]);
  });

  it('does not reach streams without types, and is in no snapshot', async () => {
    const all = await listen('');
    await post({}, NOW + 200);
    expect(await announcedUntilNow(all)).toEqual([]);
    expect(await announcedUntilNow(await listen('types=announcement,mod_release'))).toEqual([]);
  });

  it('is published by the next check after the stream failed, and while KV fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const asked = await listen('types=announcement,mod_release');
    const { fetch } = isolate({ EVENT_COORDINATOR: createFailingBinding('throws') });
    const late = await post({ title: 'Late' }, NOW + 300, fetch);
    expect(late.status).toBe(200);
    expect(await env.CACHE.get(COPY)).toContain('Late');
    expect(await announcedUntilNow(asked)).toEqual([]);
    await isolate().check(NOW + 360);
    await isolate().check(NOW + 420);
    expect(await announcedUntilNow(asked)).toMatchObject([{ title: 'Late', change: 'posted' }]);

    const { fetch: withoutKv } = isolate({ CACHE: createFailingBinding('throws') });
    await withQuickTimers(() => post({ title: 'No KV' }, NOW + 500, withoutKv));
    await isolate().check(NOW + 560);
    expect(await announcedUntilNow(asked)).toMatchObject([{ title: 'No KV', change: 'posted' }]);
  });

  it('is not published for changes that a version without the event copied', async () => {
    const { id } = await post({ title: 'Old' }, NOW + 600);
    const copy = JSON.parse((await env.CACHE.get(COPY)) ?? '') as { publishedUpdates?: number }[];
    await env.CACHE.put(COPY, JSON.stringify(copy.map(({ publishedUpdates: _, ...announcement }) => announcement)));
    const asked = await listen('types=announcement,mod_release');
    await update(id, { text: 'New.' }, NOW + 660);
    expect(await announcedUntilNow(asked)).toMatchObject([{ id, change: 'updated', text: 'New.' }]);
  });
});

describe('the copy of the announcements', () => {
  it('is written again when KV refuses a second write within a second', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { fetch } = isolate({ CACHE: failingWrites(1) });
    expect((await withQuickTimers(() => post({ title: 'Second' }, NOW + 700, fetch))).status).toBe(200);
    expect(await env.CACHE.get(COPY)).toContain('Second');
  });

  it('is written by the next check when both writes fail', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { fetch, check } = isolate({ CACHE: failingWrites(2) });
    const failed = await withQuickTimers(() => post({ title: 'Hidden' }, NOW + 800, fetch));
    expect([failed.status, failed.text]).toEqual([503, expect.stringContaining('within a minute')]);
    expect(await env.CACHE.get(COPY)).not.toContain('Hidden');
    await check(NOW + 860);
    expect(await env.CACHE.get(COPY)).toContain('Hidden');
  });
});

describe('webhooks of the event announcement', () => {
  it('are signed webhooks that name it, and no others', async () => {
    const { vars } = upstreamSession('name-resolver');
    const fetch = testApp({ bindings: { DNS_OVER_HTTPS_URL: vars.DNS_OVER_HTTPS_URL ?? '' } });
    const authorization = bearer((await createSession()).credential);
    const signed = async (events: readonly string[]) => {
      const json = { url: 'https://hooks.example.com/', events };
      const { text } = await call('/v1/webhooks/signed', { method: 'POST', authorization, json, now: NOW }, fetch);
      return JSON.parse(text).id as string;
    };
    const deliveriesOf = async (id: string) =>
      JSON.parse((await call(`/v1/webhooks/signed/${id}/deliveries`, { authorization, now: NOW }, fetch)).text).items as object[];
    const [chosen, others] = [await signed(['announcement']), await signed(OTHERS)];
    const { id } = await post({ title: 'To webhooks' }, NOW + 900);
    await update(id, { text: 'Over.', closes: true }, NOW + 960);
    await isolate().check(NOW + 1020);
    await eventually(async () => expect(await deliveriesOf(chosen)).toHaveLength(2));
    expect(await deliveriesOf(chosen)).toMatchObject([{ type: 'announcement' }, { type: 'announcement' }]);
    expect(await deliveriesOf(others)).toEqual([]);
  });

  it('are chat webhooks that name it, once for each event', async () => {
    await clearWebhooks();
    const chosen = await register({ events: ['announcement'] });
    await register({ events: OTHERS });
    const message = followed(1, 'announcement', EVENTS.of('announcement').sample(NOW));
    const queue = eventQueue(() => NOW * 1000);
    await queue.receive([message]);
    await queue.receive([message]);
    expect(await pendingDeliveries()).toMatchObject([{ webhookId: chosen.id }]);
  });
});
