import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { COORDINATOR } from '../../../../src/areas/events/event-variables.domain.ts';
import type { DesignedImages } from '../../../../src/areas/webhooks/designs/designs.service.ts';
import type { WebhookEvent } from '../../../../src/areas/webhooks/events/webhook-events.domain.ts';
import { webhookDeliveries, webhookJobs, webhookSubscriptions, webhooks } from '../../../../src/areas/webhooks/records/webhooks.tables.ts';
import { WEBHOOK_EVENTS } from '../../../support/declarations.ts';
import { eventually } from '../../../support/eventually.ts';
import { givePassword } from '../../../support/passwords.ts';
import { bearer, call, FIRST_INSTANT } from '../../../support/requests.ts';
import { signIn } from '../../../support/sessions.ts';
import { createToken } from '../../../support/tokens.ts';
import { DEFAULT_TEMPLATE } from '../../../support/webhooks/templates.ts';
import { testApp } from '../../platform/test-app.ts';
import { clearWebhooks, db, freshAddress, freshEvent, pathOf, queueEvents, senderWorld, UNUSED } from '../world.ts';

// biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
type Body = any;

beforeAll(clearWebhooks);
// The formatter would put each request on its own line.
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));
afterAll(clearWebhooks);

type SignedInClient = Awaited<ReturnType<typeof signIn>>;

async function registered({ send }: SignedInClient, input: object = {}) {
  const url = freshAddress();
  const response = await send('POST', '/v1/webhooks', { url, events: ['challenge'], ...input });
  expect(response.status, response.text).toBe(201);
  return { url, view: response.body };
}

const outcome = ({ status, body }: { status: number; body: Body }) => (body?.error ? `${status} ${body.error.code}` : String(status));

describe('POST /v1/webhooks', () => {
  it('masks the URL in responses and encrypts it in the database', async () => {
    const ana = await signIn();
    const { url, view } = await registered(ana, { label: ' news ', events: ['game_update', 'challenge', 'challenge'] });
    const [id, secret = ''] = url.split('/').slice(-2);
    expect(view).toEqual({
      id: expect.any(String),
      label: 'news',
      url: `https://discord.com/api/webhooks/${id}/${secret.slice(0, 4)}…${secret.slice(-2)}`,
      events: ['challenge', 'game_update'],
      templates: {},
      ...UNUSED,
    });
    const [row] = await db.select().from(webhooks).where(eq(webhooks.id, view.id));
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row?.addressKey).toMatch(/^[0-9a-f]{64}$/);
    const list = await ana.send('GET', '/v1/webhooks');
    expect(list.body).toEqual({ items: [view] });
    expect(list.text).not.toContain(secret);
  });

  it.each<[object, (string | number)[]]>([
    [{ url: 'https://evil.example/api/webhooks/1/abc' }, ['body', 'url']],
    [{ url: 'http://discord.com/api/webhooks/1/abc' }, ['body', 'url']],
    [{ url: `https://discord.com/api/webhooks/1/${'x'.repeat(400)}` }, ['body', 'url']],
    [{ url: 5 }, ['body', 'url']],
    [{ events: [] }, ['body', 'events']],
    [{ events: ['nope'] }, ['body', 'events', 0]],
    [{ label: 'x'.repeat(81) }, ['body', 'label']],
    [{ templates: { challenge: { title: 'x'.repeat(257) } } }, ['body', 'templates', 'challenge', 'title']],
    [{ templates: { challenge: { fields: Array.from({ length: 26 }, () => ({})) } } }, ['body', 'templates', 'challenge', 'fields']],
    [{ templates: { challenge: { image_design_id: 'nobodys' } } }, ['body', 'templates', 'challenge', 'image_design_id']],
  ])('returns 422 and stores nothing for %j', async (input, loc) => {
    const ana = await signIn();
    const response = await ana.send('POST', '/v1/webhooks', { url: freshAddress(), events: ['challenge'], ...input });
    expect(outcome(response)).toBe('422 validation_error');
    expect(response.body.error.details[0].loc).toEqual(loc);
    expect(response.text).not.toContain('evil');
    expect((await ana.send('GET', '/v1/webhooks')).body.items).toEqual([]);
  });

  it('allows fifteen webhooks per account, also for concurrent requests', async () => {
    const ana = await signIn();
    const input = () => ({ url: freshAddress(), events: ['challenge'] });
    const responses = await Promise.all(Array.from({ length: 20 }, () => ana.send('POST', '/v1/webhooks', input())));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(15).fill(201), ...Array(5).fill(400)]);
    expect(outcome(await ana.send('POST', '/v1/webhooks', input()))).toBe('400 bad_request');
    const { items } = (await ana.send('GET', '/v1/webhooks')).body;
    expect(items).toHaveLength(15);
    expect((await ana.send('DELETE', `/v1/webhooks/${items[3].id}`)).status).toBe(204);
    expect((await ana.send('POST', '/v1/webhooks', input())).status).toBe(201);
  });

  it('lists the newest first', async () => {
    const ana = await signIn();
    const labels = ['a', 'b', 'c'];
    for (const label of labels) await registered(ana, { label });
    expect((await ana.send('GET', '/v1/webhooks')).body.items.map((item: Body) => item.label)).toEqual([...labels].reverse());
  });
});

describe('webhook template', () => {
  it('is stored for the registered events with defaults for absent fields', async () => {
    const ana = await signIn();
    const templates = { challenge: { enabled: true, title: '{name}' }, game_update: { content: 'x' } };
    const { view } = await registered(ana, { templates });
    expect(view.templates).toEqual({
      challenge: { ...DEFAULT_TEMPLATE, title: '{name}' },
    });
    const wider = await ana.send('PATCH', `/v1/webhooks/${view.id}`, { events: ['challenge', 'game_update'], templates });
    expect(Object.keys(wider.body.templates)).toEqual(['challenge', 'game_update']);
    const narrower = await ana.send('PATCH', `/v1/webhooks/${view.id}`, { events: ['game_update'] });
    expect([narrower.body.events, Object.keys(narrower.body.templates)]).toEqual([['game_update'], ['game_update']]);
    const again = await ana.send('PATCH', `/v1/webhooks/${view.id}`, { events: ['challenge', 'game_update'] });
    expect(Object.keys(again.body.templates)).toEqual(['game_update']);
    expect(await db.select().from(webhookSubscriptions).where(eq(webhookSubscriptions.webhookId, view.id))).toHaveLength(2);
  });

  it('accepts only designs of the account for the event', async () => {
    const { createWebhooksService } = await import('../../../../src/areas/webhooks/chat/webhooks.service.ts');
    const { addressOf, repository, vault } = await import('../world.ts');
    const { WebhookTemplate } = await import('../../../../src/areas/webhooks/events/template.schemas.ts');
    const { userId } = await signIn();
    const images: Pick<DesignedImages, 'owns'> = {
      owns: async (owner: string, id: string, event: WebhookEvent) => owner === userId && id === 'mine' && event === 'challenge',
    };
    const senders = { test: () => Promise.reject(new Error('not here')) };
    const composer = { draws: () => false, drawingCost: async () => 0 };
    const drawings = { require: () => Promise.reject(new Error('not here')) };
    const service = createWebhooksService({
      webhooks: repository,
      events: WEBHOOK_EVENTS,
      vault,
      images,
      senders,
      composer,
      drawings,
      newId: () => crypto.randomUUID(),
    });
    const input = (event: WebhookEvent, id: string) => {
      const template = WebhookTemplate.parse({ image_design_id: id });
      return { address: addressOf(freshAddress()), events: [event], label: '', templates: { [event]: template }, conditions: [] };
    };
    await expect(service.register(userId, input('challenge', 'mine'), FIRST_INSTANT)).resolves.toMatchObject({ userId });
    for (const [event, id] of [
      ['challenge', 'other'],
      ['game_update', 'mine'],
    ] as const) {
      await expect(service.register(userId, input(event, id), FIRST_INSTANT)).rejects.toMatchObject({ code: 'validation_error' });
    }
  });

  it('is previewed with sample values exactly as it is posted', async () => {
    const ana = await signIn();
    const template = { enabled: true, content: 'Ends {ends_at:R}', title: '{name}', show_image: true };
    const preview = await ana.send('POST', '/v1/webhooks/preview', { event: 'challenge', template });
    expect(preview.body).toEqual({ content: 'Ends <t:1773156000:R>', embeds: [{ title: 'RAMPAGE ALERT!' }] });
    const plain = await ana.send('POST', '/v1/webhooks/preview', { event: 'game_update', template: {} });
    expect(plain.body).toMatchObject({
      content: null,
      embeds: [{ title: 'LIVE-103-3325-A-336166', image: { url: 'attachment://embed-image.png' } }],
    });
    expect(outcome(await ana.send('POST', '/v1/webhooks/preview', { event: 'nope', template: {} }))).toBe('422 validation_error');
  });

  it('has placeholders, samples and a default in GET /v1/webhooks/events', async () => {
    const ana = await signIn();
    const { body } = await ana.send('GET', '/v1/webhooks/events');
    expect(body.events.slice(0, 4)).toEqual(['challenge', 'mod_release', 'game_update', 'chaos']);
    expect([...body.events].sort()).toEqual([...WEBHOOK_EVENTS.signed].sort());
    for (const { key, variables, default_template: template, sample } of body.meta) {
      expect(Object.keys(sample).sort()).toEqual([...variables].sort());
      const shown = (enabled: boolean) => ana.send('POST', '/v1/webhooks/preview', { event: key, template: { ...template, enabled } });
      expect((await shown(true)).body).toEqual((await shown(false)).body);
    }
  });
});

describe('PATCH and DELETE /v1/webhooks/{id}', () => {
  it('changes only the given fields', async () => {
    const ana = await signIn();
    const { view } = await registered(ana, { label: 'a' });
    const path = `/v1/webhooks/${view.id}`;
    expect((await ana.send('PATCH', path, {})).body).toEqual(view);
    expect((await ana.send('PATCH', path)).body).toEqual(view);
    expect((await ana.send('PATCH', path, { label: 'b' })).body).toEqual({ ...view, label: 'b' });
    expect((await ana.send('PATCH', path, { active: false })).body).toEqual({ ...view, label: 'b', active: false });
    await db.update(webhooks).set({ failures: 12, disabledReason: 'because' }).where(eq(webhooks.id, view.id));
    expect((await ana.send('PATCH', path, { label: 'a' })).body.disabled_reason).toBe('because');
    expect((await ana.send('PATCH', path, { active: true })).body).toEqual(view);
    const [row] = await db.select().from(webhooks).where(eq(webhooks.id, view.id));
    expect(row?.failures).toBe(0);
    const url = freshAddress();
    const moved = await ana.send('PATCH', path, { url });
    expect(moved.body.url.startsWith(url.slice(0, url.lastIndexOf('/') + 5))).toBe(true);
    expect(outcome(await ana.send('PATCH', path, { url: 'https://discord.com/' }))).toBe('422 validation_error');
    expect(outcome(await ana.send('PATCH', path, { events: [] }))).toBe('422 validation_error');
  });

  it('returns 404 for a webhook of another account, which the list does not contain either', async () => {
    const [ana, bob] = [await signIn(), await signIn()];
    const { view } = await registered(ana);
    const path = `/v1/webhooks/${view.id}`;
    expect(outcome(await bob.send('PATCH', path, { label: 'bob', active: false }))).toBe('404 not_found');
    expect(outcome(await bob.send('DELETE', path))).toBe('404 not_found');
    expect(outcome(await bob.send('POST', `${path}/test`))).toBe('404 not_found');
    expect((await bob.send('GET', '/v1/webhooks')).body.items).toEqual([]);
    expect((await ana.send('GET', '/v1/webhooks')).body.items).toEqual([view]);
    expect(await db.select().from(webhookSubscriptions).where(eq(webhookSubscriptions.webhookId, view.id))).toHaveLength(1);
    expect((await ana.send('DELETE', path)).status).toBe(204);
    expect(outcome(await ana.send('DELETE', path))).toBe('404 not_found');
    expect(outcome(await ana.send('PATCH', path, { active: true }))).toBe('404 not_found');
    expect(await db.select().from(webhookSubscriptions).where(eq(webhookSubscriptions.webhookId, view.id))).toEqual([]);
  });

  it('requires a session and rejects tokens', async () => {
    const token = await createToken();
    for (const authorization of [null, bearer(token)]) {
      for (const [method, path] of [
        ['GET', '/v1/webhooks'],
        ['GET', '/v1/webhooks/events'],
        ['POST', '/v1/webhooks'],
        ['DELETE', '/v1/webhooks/x'],
      ] as const) {
        expect((await call(path, { method, authorization })).status).toBe(401);
      }
    }
    const response = await call('/openapi.json');
    expect(response.text).not.toContain('/v1/webhooks');
  });

  it('is reflected in the account export, without secrets', async () => {
    const ana = await signIn();
    const { url, view } = await registered(ana);
    const file = await ana.send('GET', '/auth/me/export');
    expect(file.body.webhooks).toEqual([view]);
    expect(file.text).not.toContain(url.split('/').at(-1));
  });

  it('leaves no webhook after the account is deleted', async () => {
    const ana = await signIn();
    const { view } = await registered(ana);
    await queueEvents(senderWorld().time, freshEvent());
    const gone = await ana.send('POST', '/auth/delete-account', {
      confirm_email: `${ana.userId}@example.com`,
      password: await givePassword(ana.userId),
    });
    expect(gone.status).toBe(204);
    expect(await db.select().from(webhooks).where(eq(webhooks.userId, ana.userId))).toEqual([]);
    expect(await db.select().from(webhookSubscriptions).where(eq(webhookSubscriptions.webhookId, view.id))).toEqual([]);
    expect(await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, view.id))).toEqual([]);
  });
});

describe('POST /v1/webhooks/{id}/test', () => {
  /** The service with a sender object that posts to a chat service stub. */
  function world() {
    const sending = senderWorld();
    const object = {
      wake: async () => {},
      postTest: (...call: Parameters<typeof sending.sender.test>) => sending.sender.test(...call),
    };
    const objects = { getByName: () => object } as unknown as Env['WEBHOOK_SENDERS'];
    return { ...sending, fetch: testApp({ bindings: { WEBHOOK_SENDERS: objects } }) };
  }

  it('posts immediately to an active or inactive webhook and returns the result', async () => {
    const { fetch, chat } = world();
    const ana = await signIn(fetch);
    const { url, view } = await registered(ana, { templates: { challenge: { enabled: true, title: 'Now: {name}' } } });
    const path = `/v1/webhooks/${view.id}/test`;
    expect((await ana.send('POST', path)).body).toEqual({ ok: true, status: 204, error: null });
    await ana.send('PATCH', `/v1/webhooks/${view.id}`, { active: false });
    expect((await ana.send('POST', `${path}?event=challenge`)).body.ok).toBe(true);
    expect((await ana.send('POST', `${path}?event=mod_release`)).body.ok).toBe(true);
    const posts = await chat.posted();
    expect(posts.map((post) => post.path)).toEqual([pathOf(url), pathOf(url), pathOf(url)]);
    expect(posts.map(({ message }) => (message as Body).embeds[0].title)).toEqual([
      'Connected',
      'Now: RAMPAGE ALERT!',
      'Tiny Wings: Feathers and fixes',
    ]);
    const [seen] = (await ana.send('GET', '/v1/webhooks')).body.items;
    expect(seen).toMatchObject({ last_status: 204, last_error: null, last_delivered_at: new Date(FIRST_INSTANT * 1000).toISOString() });
    expect(outcome(await ana.send('POST', `${path}?event=nope`))).toBe('422 validation_error');
  });

  it('does not count a failed test as a failed delivery', async () => {
    const { fetch, chat } = world();
    const ana = await signIn(fetch);
    const { view } = await registered(ana);
    await chat.answers(404, 500, 'reset', 302);
    const results = [];
    for (let index = 0; index < 4; index += 1) results.push((await ana.send('POST', `/v1/webhooks/${view.id}/test`)).body);
    expect(results).toEqual([
      { ok: false, status: 404, error: 'HTTP 404: Unknown Webhook' },
      { ok: false, status: 500, error: 'HTTP 500: Invalid message' },
      { ok: false, status: null, error: 'network' },
      { ok: false, status: 302, error: 'HTTP 302: Invalid message' },
    ]);
    const [seen] = (await ana.send('GET', '/v1/webhooks')).body.items;
    expect(seen).toMatchObject({ active: true, last_status: 302, last_error: 'HTTP 302: Invalid message', disabled_reason: null });
  });

  it('keeps the rate limit of the chat service and rejects tests that would wait too long', async () => {
    const { fetch, chat } = world();
    const ana = await signIn(fetch);
    const { view } = await registered(ana);
    const tries = await Promise.all(Array.from({ length: 25 }, () => ana.send('POST', `/v1/webhooks/${view.id}/test`)));
    const sent = tries.filter(({ body }) => body.ok);
    expect(sent.length).toBeGreaterThanOrEqual(5);
    for (const { body } of tries.filter((one) => !one.body.ok)) expect(body.error).toContain('too many concurrent posts');
    expect(await chat.posted()).toHaveLength(sent.length);
  });
});

describe('webhook sender objects', () => {
  it('delivers an event of the stream to chat webhooks', async () => {
    await clearWebhooks();
    const ana = await signIn();
    const { view } = await registered(ana, { events: ['mod_release'] });
    const { data } = freshEvent('mod_release');
    const coordinator = env.EVENT_COORDINATOR.getByName(COORDINATOR);
    const key = crypto.randomUUID();
    await coordinator.announce('mod_release', key, JSON.stringify(data), FIRST_INSTANT);
    await coordinator.announce('mod_release', key, JSON.stringify(data), FIRST_INSTANT);
    expect(await db.select().from(webhookJobs)).toHaveLength(1);
    // No server listens at the URL: the attempt fails, the error is stored, and the message is retried.
    await eventually(async () => {
      const [seen] = (await ana.send('GET', '/v1/webhooks')).body.items;
      expect(seen).toMatchObject({ id: view.id, active: true, last_status: null, last_error: 'network' });
    });
    const [pending] = await db.select().from(webhookDeliveries);
    expect([pending?.tries, pending?.results]).toEqual([1, 1]);
    const [row] = await db.select().from(webhooks).where(eq(webhooks.id, view.id));
    expect(row?.failures).toBe(0);
    expect((await ana.send('POST', `/v1/webhooks/${view.id}/test`)).body).toEqual({ ok: false, status: null, error: 'network' });
    await clearWebhooks();
  });
});
