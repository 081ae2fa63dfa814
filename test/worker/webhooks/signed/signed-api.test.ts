import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { COORDINATOR } from '../../../../src/areas/events/event-variables.domain.ts';
import { webhookDeliveries, webhookLog, webhooks } from '../../../../src/areas/webhooks/records/webhooks.tables.ts';
import { eventually } from '../../../support/eventually.ts';
import { givePassword } from '../../../support/passwords.ts';
import { bearer, call, FIRST_INSTANT } from '../../../support/requests.ts';
import { type createSession, signIn } from '../../../support/sessions.ts';
import { createToken } from '../../../support/tokens.ts';
import { upstreamSession } from '../../../support/upstreams/session.ts';
import { testApp } from '../../platform/test-app.ts';
import { clearWebhooks, db, freshAddress, freshEvent, senderWorld, UNUSED, vault } from '../world.ts';
import { receiver } from './signed-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
type Body = any;
const PATH = '/v1/webhooks/signed';
const HOST = 'hooks.example.com';

beforeAll(clearWebhooks);
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterAll(clearWebhooks);

/** Sender objects that do not run when woken. */
const asleep = { getByName: () => ({ wake: async () => {} }) } as unknown as Env['WEBHOOK_SENDERS'];

/** The service with a resolver stub that resolves `hooks.example.com`. */
function world() {
  const resolver = upstreamSession('name-resolver');
  const bindings = { DNS_OVER_HTTPS_URL: resolver.vars.DNS_OVER_HTTPS_URL ?? '', WEBHOOK_SENDERS: asleep };
  return { resolver, fetch: testApp({ bindings }) };
}

const person = (fetch = world().fetch, options?: Parameters<typeof createSession>[0]) => signIn(fetch, options);

type Person = Awaited<ReturnType<typeof person>>;

async function registered({ send }: Person, input: object = {}) {
  const answer = await send('POST', PATH, { url: `https://${HOST}/a/0123456789abcdef0123?token=hidden`, events: ['challenge'], ...input });
  expect(answer.status, answer.text).toBe(201);
  const { secret, ...view } = answer.body;
  return { secret: secret as string, view, path: `${PATH}/${view.id}` };
}

const outcome = ({ status, body }: { status: number; body: Body }) => (body?.error ? `${status} ${body.error.code}` : String(status));

describe('POST /v1/webhooks/signed', () => {
  it('shows the secret once, and stores URL and secret encrypted', async () => {
    const ana = await person();
    const { secret, view } = await registered(ana, { label: ' main ', events: ['mod_release', 'chaos', 'chaos'] });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(view).toEqual({
      id: expect.any(String),
      label: 'main',
      url: `https://${HOST}/a/0123…23?…`,
      events: ['chaos', 'mod_release'],
      ...UNUSED,
      previous_secret_until: null,
    });
    const [row] = await db.select().from(webhooks).where(eq(webhooks.id, view.id));
    for (const hidden of [secret, '0123456789abcdef', 'token=hidden']) expect(JSON.stringify(row)).not.toContain(hidden);
    expect(await vault.open(row?.sealedSecret ?? '', view.id)).toEqual({ fault: 'corrupted' });
    const list = await ana.send('GET', PATH);
    expect(list.body).toEqual({ items: [view] });
    expect((await ana.send('GET', '/v1/webhooks')).body).toEqual({ items: [] });
  });

  it.each([
    ['http://hooks.example.com/', 'must start with https://'],
    ['https://127.0.0.1/', 'must have a host name, not an IP address'],
    ['https://0x7f.1/', 'must have a host name, not an IP address'],
    ['https://[::1]/', 'must have a host name, not an IP address'],
    ['https://localhost/', 'must have a public host name'],
    ['https://user:evil@hooks.example.com/', 'must not contain a user name or password'],
    ['https://hooks.example.com:6379/', 'must use port 443 or 8443'],
    ['https://missing.example.com/', 'must have a host name that resolves'],
    ['https://rebound.example.com/', 'must have a host name whose addresses are all public'],
  ])('rejects %s', async (url, message) => {
    const { resolver, fetch } = world();
    await resolver.order({ state: { names: { 'rebound.example.com': { A: ['93.184.216.34', '127.0.0.1'] } } } });
    const ana = await person(fetch);
    const answer = await ana.send('POST', PATH, { url, events: ['chaos'] });
    expect(outcome(answer)).toBe('422 validation_error');
    expect(answer.body.error.details).toMatchObject([{ loc: ['body', 'url'], msg: message }]);
    expect(answer.text).not.toContain('evil');
    expect((await ana.send('GET', PATH)).body.items).toEqual([]);
  });

  it.each([{ events: [] }, { events: ['nope'] }, { events: ['test'] }, { label: 'x'.repeat(81) }, { url: 7 }])(
    'rejects %j',
    async (input) => {
      const ana = await person();
      expect(outcome(await ana.send('POST', PATH, { url: `https://${HOST}/`, events: ['chaos'], ...input }))).toBe('422 validation_error');
    },
  );

  it('returns 503 while host names cannot be looked up', async () => {
    const { resolver, fetch } = world();
    await resolver.order({ fault: 'error-500' });
    const ana = await person(fetch);
    const answer = await ana.send('POST', PATH, { url: `https://${HOST}/`, events: ['chaos'] });
    expect([outcome(answer), answer.headers.get('Retry-After')]).toEqual(['503 service_unavailable', '60']);
  });

  it('allows ten per account in addition to chat webhooks', async () => {
    const ana = await person();
    await ana.send('POST', '/v1/webhooks', { url: freshAddress(), events: ['challenge'] });
    const input = { url: `https://${HOST}/`, events: ['chaos'] };
    const answers = await Promise.all(Array.from({ length: 13 }, () => ana.send('POST', PATH, input)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(3).fill(400)]);
    expect(answers.find(({ status }) => status === 400)?.body.error.message).toBe('an account may have 10 signed webhooks');
  });

  it('requires a verified account', async () => {
    const ana = await person(world().fetch, { isVerified: false });
    const answer = await ana.send('POST', PATH, { url: `https://${HOST}/`, events: ['chaos'] });
    expect(outcome(answer)).toBe('403 email_unverified');
    expect((await ana.send('GET', PATH)).status).toBe(200);
  });

  it('is rate limited per hour', async () => {
    const ana = await person();
    const { path } = await registered(ana);
    for (let sent = 1; sent < 60; sent += 1) await ana.send('POST', `${path}/rotate`);
    expect(outcome(await ana.send('POST', `${path}/test`))).toBe('429 rate_limited');
    expect((await ana.send('GET', `${path}/deliveries`)).status).toBe(200);
  });
});

describe('PATCH, POST rotate and DELETE /v1/webhooks/signed/{id}', () => {
  it('changes only the given fields', async () => {
    const ana = await person();
    const { view, path } = await registered(ana);
    expect((await ana.send('PATCH', path)).body).toEqual(view);
    expect((await ana.send('PATCH', path, { label: 'b', events: ['stampy'] })).body).toEqual({ ...view, label: 'b', events: ['stampy'] });
    expect((await ana.send('PATCH', path, { active: false })).body.active).toBe(false);
    await db.update(webhooks).set({ failures: 12, disabledReason: 'because' }).where(eq(webhooks.id, view.id));
    expect((await ana.send('PATCH', path, { active: true })).body).toMatchObject({ active: true, disabled_reason: null });
    expect((await ana.send('PATCH', path, { url: `https://${HOST}:8443/b` })).body.url).toBe(`https://${HOST}:8443/b`);
    expect(outcome(await ana.send('PATCH', path, { url: 'https://missing.example.com/' }))).toBe('422 validation_error');
  });

  it('rotates the secret with a default overlap of a day', async () => {
    const ana = await person();
    const { secret, path } = await registered(ana);
    const first = await ana.send('POST', `${path}/rotate`);
    expect(first.status).toBe(200);
    expect(first.body.secret).not.toBe(secret);
    const [row] = await db.select().from(webhooks).where(eq(webhooks.id, first.body.id));
    expect((row?.previousUntil ?? 0) - Date.now() / 1000).toBeGreaterThan(86_300);
    expect(first.body.previous_secret_until).not.toBeNull();
    expect((await ana.send('POST', `${path}/rotate`, { overlap_seconds: 0 })).body.previous_secret_until).toBeNull();
    expect(outcome(await ana.send('POST', `${path}/rotate`, { overlap_seconds: 604_801 }))).toBe('422 validation_error');
  });

  it('returns 404 for a webhook of another account, as do all other endpoints', async () => {
    const { fetch } = world();
    const [ana, bob] = [await person(fetch), await person(fetch)];
    const { view, path } = await registered(ana);
    const { body: delivery } = await ana.send('POST', `${path}/test`);
    const of = (end: string) => `${path}${end}`;
    for (const [method, target] of [
      ['PATCH', path],
      ['DELETE', path],
      ['POST', of('/rotate')],
      ['POST', of('/test')],
      ['GET', of('/deliveries')],
      ['GET', of(`/deliveries/${delivery.message_id}`)],
      ['POST', of(`/deliveries/${delivery.message_id}/replay`)],
      // The endpoints of chat webhooks do not return signed webhooks.
      ['PATCH', `/v1/webhooks/${view.id}`],
      ['DELETE', `/v1/webhooks/${view.id}`],
      ['POST', `/v1/webhooks/${view.id}/test`],
    ] as const) {
      expect(outcome(await bob.send(method, target)), `${method} ${target}`).toBe('404 not_found');
      if (target.startsWith(`/v1/webhooks/${view.id}`)) expect(outcome(await ana.send(method, target))).toBe('404 not_found');
      const token = bearer(await createToken({ userId: ana.userId }));
      expect((await call(target, { method, authorization: token }, fetch)).status).toBe(401);
    }
    expect((await ana.send('GET', PATH)).body.items).toMatchObject([{ id: view.id, active: true }]);
    expect((await ana.send('DELETE', path)).status).toBe(204);
    expect(outcome(await ana.send('DELETE', path))).toBe('404 not_found');
  });
});

describe('delivery endpoints of a signed webhook', () => {
  it('lists, returns and replays deliveries', async () => {
    const endpoint = receiver();
    const ana = await person();
    const { secret, view, path } = await registered(ana);
    const sent = await ana.send('POST', `${path}/test`);
    expect(sent.status).toBe(202);
    expect(sent.body).toMatchObject({ type: 'test', state: 'pending', attempt_count: 0, last_attempt: null, delivered_at: null });
    await endpoint.respond({ status: 200, body: '<script>alert(1)</script>' });
    const [row] = await db.select().from(webhooks).where(eq(webhooks.id, view.id));
    const { sender } = senderWorld({ receiverUrl: endpoint.url, time: { ...clockNow() } });
    await sender.round(row?.sender ?? 0);
    const list = await ana.send('GET', `${path}/deliveries?limit=10`);
    expect(list.body.items).toMatchObject([
      { message_id: sent.body.message_id, state: 'delivered', attempt_count: 1, last_attempt: { status: 200, error: null } },
    ]);
    const one = `${path}/deliveries/${sent.body.message_id}`;
    const [request] = await endpoint.calls();
    expect((await ana.send('GET', one)).body).toMatchObject({ body: request?.body, attempts: [{ response: '<script>alert(1)</script>' }] });
    expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({ type: 'test' });
    const replay = await ana.send('POST', `${one}/replay`);
    expect([replay.status, replay.body.state]).toEqual([202, 'pending']);
    await sender.round(row?.sender ?? 0);
    expect((await endpoint.calls()).map(({ headers }) => headers['webhook-id'])).toEqual(Array(2).fill(sent.body.message_id));
    expect(outcome(await ana.send('GET', `${path}/deliveries/nope`))).toBe('404 not_found');
    expect(outcome(await ana.send('POST', `${path}/deliveries/nope/replay`))).toBe('404 not_found');
    expect(outcome(await ana.send('GET', `${path}/deliveries?limit=501`))).toBe('422 validation_error');
  });

  it('rejects tests and replays for a disabled webhook', async () => {
    const ana = await person();
    const { path } = await registered(ana);
    const { body } = await ana.send('POST', `${path}/test`);
    await ana.send('PATCH', path, { active: false });
    expect(outcome(await ana.send('POST', `${path}/test`))).toBe('400 bad_request');
    expect(outcome(await ana.send('POST', `${path}/deliveries/${body.message_id}/replay`))).toBe('400 bad_request');
    expect((await ana.send('GET', `${path}/deliveries/${body.message_id}`)).body.state).toBe('failed');
  });
});

describe('account with signed webhooks', () => {
  it('exports its webhooks without URL and secret, and deletes them', async () => {
    const ana = await person();
    const { secret, view, path } = await registered(ana);
    await ana.send('POST', `${path}/test`);
    const file = await ana.send('GET', '/auth/me/export');
    expect(file.body.signed_webhooks).toEqual([view]);
    for (const hidden of [secret, 'token=hidden']) expect(file.text).not.toContain(hidden);
    const password = await givePassword(ana.userId);
    const gone = await ana.send('POST', '/auth/delete-account', { confirm_email: `${ana.userId}@example.com`, password });
    expect(gone.status).toBe(204);
    for (const [table, column] of [
      [webhooks, webhooks.id],
      [webhookLog, webhookLog.webhookId],
      [webhookDeliveries, webhookDeliveries.webhookId],
    ] as const) {
      expect(await db.select().from(table).where(eq(column, view.id))).toEqual([]);
    }
  });
});

describe('signed webhook sender objects', () => {
  it('delivers an event of the stream to signed webhooks', async () => {
    await clearWebhooks();
    const ana = await person();
    const { path } = await registered(ana, { events: ['mod_release'] });
    const coordinator = env.EVENT_COORDINATOR.getByName(COORDINATOR);
    await coordinator.announce('mod_release', crypto.randomUUID(), JSON.stringify(freshEvent('mod_release').data), FIRST_INSTANT);
    // The tests have no resolver: the attempt is logged, and a retry is scheduled.
    await eventually(async () => {
      const { items } = (await ana.send('GET', `${path}/deliveries`)).body;
      expect(items).toMatchObject([
        { type: 'mod_release', state: 'pending', last_attempt: { error: 'not sent: the host name could not be looked up' } },
      ]);
    });
  });
});

/** Current time of the machine, which delivery times are based on. */
function clockNow() {
  const clock = {
    get now() {
      return Date.now();
    },
    set now(_value: number) {},
  };
  return { clock, nowMs: () => Date.now(), pause: async () => {} };
}
