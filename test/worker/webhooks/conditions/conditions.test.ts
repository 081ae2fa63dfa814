import { eq } from 'drizzle-orm';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Condition,
  type FactRange,
  isMet,
  type StoredCondition,
} from '../../../../src/areas/webhooks/conditions/conditions.domain.ts';
import type { WebhookEvent } from '../../../../src/areas/webhooks/events/webhook-events.domain.ts';
import {
  webhookConditions,
  webhookDeliveries,
  webhookJobs,
  webhookSubscriptions,
} from '../../../../src/areas/webhooks/records/webhooks.tables.ts';
import type { EventBodies } from '../../../../src/platform/events/event-declaration.ts';
import type { TriggeredEvent } from '../../../../src/platform/events/event-source.ts';
import { WEBHOOK_EVENTS } from '../../../support/declarations.ts';
import { FIRST_INSTANT } from '../../../support/requests.ts';
import { signIn } from '../../../support/sessions.ts';
import { createAccount } from '../../../support/tokens.ts';
import { registerSigned } from '../signed/signed-world.ts';
import {
  changes,
  clearWebhooks,
  db,
  deliveries,
  eventQueue,
  followed,
  freshAddress,
  freshEvent,
  pathOf,
  register,
  repository,
  senderWorld,
  stoppedClock,
} from '../world.ts';

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  await clearWebhooks();
});

const condition = (event: WebhookEvent, match: string, values: string[], limit: number | null = null): Condition => ({
  event,
  match,
  values,
  limit,
});
const TYPES = (...values: string[]) => condition('challenge', 'type', values);
const PRICE = (limit: number, ...items: string[]) => condition('market_price', 'item', items, limit);
const DOWN = (limit: number, ...servers: string[]) => condition('server_down', 'server', servers, limit);

/** Webhooks with a pending delivery, except the test message of signed ones. */
async function receivers(): Promise<string[]> {
  const rows = await db.select().from(webhookDeliveries);
  return rows.filter(({ jobKey }) => !jobKey.startsWith('test_')).map(({ webhookId }) => webhookId);
}

let ids = 0;
const challenge = (type: EventBodies['challenge']['type']) => {
  ids += 1;
  return followed(ids, 'challenge', { ...freshEvent('challenge').data, name: `Event ${ids}`, type } as EventBodies['challenge']);
};

function listing(item: string, each: number, id = crypto.randomUUID()): TriggeredEvent {
  const body = { item, price_each: each, stack: 1, price: each, listing_id: id, new_listings: 1 };
  return { type: 'market_price', key: `market_price:${id}`, body, at: FIRST_INSTANT };
}

function outage(minutes: number, previous: number, server: 'eu' | 'us' = 'eu'): TriggeredEvent {
  const body = { server, status: 'maintenance' as const, down_since: FIRST_INSTANT, minutes, previous_minutes: previous };
  return { type: 'server_down', key: `server_down:${server}:${FIRST_INSTANT}:${minutes}`, body, at: FIRST_INSTANT + minutes * 60 };
}

const queue = () => eventQueue(stoppedClock().nowMs);

describe('event of the stream', () => {
  it('is queued for webhooks without conditions, and for those of which it meets any condition', async () => {
    const all = await register();
    const racing = await register({ conditions: [TYPES('racing'), TYPES('target', 'racing')] });
    const rampage = await register({ conditions: [TYPES('rampage')] });
    const signed = await registerSigned({ conditions: [TYPES('racing')] });
    const other = await registerSigned({ conditions: [TYPES('dungeon')] });
    await queue().receive([challenge('racing')]);
    expect((await receivers()).sort()).toEqual([all.id, racing.id, signed.id].sort());
    await queue().receive([challenge('dungeon')]);
    expect((await receivers()).filter((id) => id === other.id)).toHaveLength(1);
    expect(await receivers()).not.toContain(rampage.id);
  });

  it('is queued for a webhook whose conditions are for another event', async () => {
    const webhook = await register({ events: ['challenge', 'corruxion'], conditions: [condition('corruxion', 'change', ['leaves'])] });
    await queue().receive([challenge('racing'), freshEvent('corruxion')]);
    expect(await receivers()).toEqual([webhook.id]);
    const left = { ...freshEvent('corruxion').data, active: false } as EventBodies['corruxion'];
    await queue().receive([followed(900, 'corruxion', left)]);
    expect(await receivers()).toEqual([webhook.id, webhook.id]);
  });

  it('is compared with facts that its body lacks', async () => {
    const wanted = await register({ events: ['mod_release'], conditions: [condition('mod_release', 'tag', ['Mount'])] });
    await register({ events: ['mod_release'], conditions: [condition('mod_release', 'author', ['bob'])] });
    const moreFacts = {
      mod_release: async () => [
        { name: 'tag', value: 'mount' },
        { name: 'author', value: 'ana' },
      ],
    };
    await eventQueue(stoppedClock().nowMs, {}, [], moreFacts).receive([freshEvent('mod_release')]);
    expect(await receivers()).toEqual([wanted.id]);
  });

  it('is queued once when it is received again', async () => {
    const webhook = await register({ conditions: [TYPES('racing')] });
    await registerSigned({ conditions: [TYPES('racing')] });
    const event = challenge('racing');
    await queue().receive([event]);
    await queue().receive([event, event]);
    expect(await receivers()).toHaveLength(2);
    await changes.edit(webhook.userId, webhook.id, { conditions: [TYPES('racing', 'target')] });
    await queue().receive([event]);
    expect(await receivers()).toHaveLength(2);
  });
});

describe('event outside the stream', () => {
  it('is queued for webhooks with a price that it meets, and posted', async () => {
    const world = senderWorld();
    const sap = await register({ events: ['market_price'], conditions: [PRICE(150, 'Sun Sap')] });
    const low = await register({ events: ['market_price'], conditions: [PRICE(100, 'Sun Sap'), PRICE(5, 'Flux')] });
    const signed = await registerSigned({ events: ['market_price'], conditions: [PRICE(150, 'sun sap', 'other')] });
    await eventQueue(world.time.nowMs).trigger([listing('Sun Sap', 142.5), listing('Flux', 6), listing('Unwatched', 1)]);
    expect((await receivers()).sort()).toEqual([sap.id, signed.id].sort());
    expect(await receivers()).not.toContain(low.id);
    await world.drain(sap.sender);
    expect(await world.chat.posted()).toMatchObject([{ path: pathOf(sap.url), message: { embeds: [{ title: 'Sun Sap: 142.5 each' }] } }]);
    const logged = await signed.service.deliveries(signed.userId, signed.id, 5);
    const messageId = logged.find(({ event }) => event === 'market_price')?.messageId ?? '';
    const { body } = await signed.service.delivery(signed.userId, signed.id, messageId);
    expect(JSON.parse(body)).toMatchObject({ type: 'market_price', data: { item: 'Sun Sap', price_each: 142.5 } });
  });

  it('stores nothing that no webhook waits for', async () => {
    await register({ events: ['market_price'], conditions: [PRICE(10, 'Sun Sap')] });
    await queue().trigger([listing('Sun Sap', 11), listing('Flux', 1)]);
    expect(await db.select().from(webhookJobs)).toEqual([]);
  });

  it('is queued once per listing, also after a repeated trigger', async () => {
    await register({ events: ['market_price'], conditions: [PRICE(150, 'Sun Sap')] });
    const first = listing('Sun Sap', 100);
    await queue().trigger([first]);
    await queue().trigger([first, listing('Sun Sap', 90)]);
    expect(await receivers()).toHaveLength(2);
  });

  it('is queued once per outage and condition, when the outage passes its minutes', async () => {
    const five = await register({ events: ['server_down'], conditions: [DOWN(5, 'eu', 'us')] });
    const both = await register({ events: ['server_down'], conditions: [DOWN(5, 'eu'), DOWN(7, 'eu')] });
    const counts: number[] = [];
    for (const [minutes, previous] of [
      [4, 0],
      [6, 4],
      [7, 6],
      [8, 7],
    ] as const) {
      await queue().trigger([outage(minutes, previous)]);
      counts.push((await receivers()).length);
    }
    expect(counts).toEqual([0, 2, 3, 3]);
    expect((await receivers()).filter((id) => id === both.id)).toHaveLength(2);
    expect((await receivers()).filter((id) => id === five.id)).toHaveLength(1);
  });

  it('is not queued while webhooks are disabled', async () => {
    await register({ events: ['market_price'], conditions: [PRICE(150, 'Sun Sap')] });
    await eventQueue(stoppedClock().nowMs, { featureWebhooksEnabled: false }).trigger([listing('Sun Sap', 1)]);
    expect(await receivers()).toEqual([]);
  });
});

describe('query of the conditions', () => {
  it('decides as the rule does', async () => {
    const webhook = await register();
    const keys = ['item:a', 'item:b', 'item:c'];
    const range = fc.tuple(fc.constantFrom(...keys), fc.nat(5), fc.nat(5)) as fc.Arbitrary<FactRange>;
    const stored = fc.record({ keys: fc.uniqueArray(fc.constantFrom(...keys), { minLength: 1 }), threshold: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(stored, { maxLength: 3 }), fc.array(range, { maxLength: 4 }), async (conditions, facts) => {
        const whole = conditions.map((one): StoredCondition => ({ ...one, event: 'market_price', match: 'item', values: [], limit: 0 }));
        await repository.change(webhook, { events: ['market_price'], conditions: whole });
        const key = crypto.randomUUID();
        const job = { key, event: 'market_price', content: '{}', facts, needsCondition: true } as const;
        await deliveries.enqueue('chat', [job], key, { now: 1, expiresAt: 2 });
        const queued = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.jobKey, key));
        const expected = whole.some((one) => isMet(one, facts));
        expect(queued).toHaveLength(expected ? 1 : 0);
        expect((await deliveries.listWanted('market_price', facts)).length > 0).toBe(expected);
      }),
      { seed: 45, numRuns: 60 },
    );
  });
});

describe('stored conditions', () => {
  const stored = async (id: string) => ({
    subscriptions: (await db.select().from(webhookSubscriptions).where(eq(webhookSubscriptions.webhookId, id))).map(
      ({ event, isConditional }) => [event, isConditional],
    ),
    conditions: (await db.select().from(webhookConditions).where(eq(webhookConditions.webhookId, id))).map(({ key, threshold }) => [
      key,
      threshold,
    ]),
  });

  it('follow edits, removed events and the deletion of the webhook', async () => {
    const { id, userId } = await register({ events: ['challenge', 'market_price'], conditions: [TYPES('racing'), PRICE(0.5, 'Sun Sap')] });
    expect(await stored(id)).toEqual({
      subscriptions: [
        ['challenge', true],
        ['market_price', true],
      ],
      conditions: [
        ['type:racing', 0],
        ['item:sun sap', 500],
      ],
    });
    await changes.edit(userId, id, { events: ['challenge'] });
    expect(await stored(id)).toEqual({ subscriptions: [['challenge', true]], conditions: [['type:racing', 0]] });
    await changes.edit(userId, id, { conditions: [] });
    expect(await stored(id)).toEqual({ subscriptions: [['challenge', false]], conditions: [] });
    await changes.edit(userId, id, { conditions: [TYPES('racing')] });
    await changes.remove(userId, id);
    expect(await stored(id)).toEqual({ subscriptions: [], conditions: [] });
  });

  it('are deleted with the account', async () => {
    const userId = await createAccount();
    const one = await register({ userId, conditions: [TYPES('racing')] });
    const two = await registerSigned({ userId, conditions: [TYPES('racing')] });
    await repository.deleteByAccount(userId);
    expect([await stored(one.id), await stored(two.id)]).toEqual([
      { subscriptions: [], conditions: [] },
      { subscriptions: [], conditions: [] },
    ]);
  });

  it('agree with the events after concurrent edits', async () => {
    const { id, userId } = await register({ events: ['challenge', 'corruxion'] });
    await Promise.all([
      changes.edit(userId, id, { conditions: [condition('corruxion', 'change', ['arrives'])] }),
      changes.edit(userId, id, { events: ['challenge'] }).catch(() => {}),
    ]);
    const webhook = await repository.byId(id);
    const kept = webhook?.events.includes('corruxion') ? 1 : 0;
    expect([webhook?.conditions.length, (await stored(id)).conditions.length]).toEqual([kept, kept]);
  });
});

describe('conditions in requests', () => {
  it('are returned with a sentence, and are part of the export', async () => {
    const { send } = await signIn();
    const input = {
      url: freshAddress(),
      events: ['market_price'],
      conditions: [{ event: 'market_price', match: 'item', values: [' Sun Sap '], limit: 150 }],
    };
    const { status, body } = await send('POST', '/v1/webhooks', input);
    const view = {
      event: 'market_price',
      match: 'item',
      values: ['Sun Sap'],
      limit: 150,
      sentence: 'Post when Sun Sap is at most 150 each',
    };
    expect([status, body.conditions]).toEqual([201, [view]]);
    const back = await send('PATCH', `/v1/webhooks/${body.id}`, { conditions: body.conditions });
    expect([back.status, back.body.conditions]).toEqual([200, [view]]);
    const { body: file } = await send('GET', '/auth/me/export');
    expect(file.webhooks[0].conditions).toEqual([view]);
  });

  it.each<[object, (string | number)[]]>([
    [{ conditions: [{ event: 'challenge', match: 'type', values: ['sleep'] }] }, ['body', 'conditions', 0, 'values', 0]],
    [{ conditions: [{ event: 'challenge', match: 'item', values: ['x'] }] }, ['body', 'conditions', 0, 'match']],
    [{ conditions: [{ event: 'challenge', match: 'type', values: [] }] }, ['body', 'conditions', 0, 'values']],
    [{ conditions: [{ event: 'activity', match: 'type', values: ['x'] }] }, ['body', 'conditions', 0, 'event']],
    [{ conditions: [{ event: 'server_down', match: 'server', values: ['eu'] }] }, ['body', 'conditions', 0, 'limit']],
    [{ conditions: [{ event: 'server_down', match: 'server', values: ['eu'], limit: 5 }] }, ['body', 'conditions', 0, 'event']],
    [{ events: ['challenge', 'market_price'] }, ['body', 'conditions']],
    [{ conditions: Array.from({ length: 11 }, () => ({ event: 'challenge', match: 'type', values: ['racing'] })) }, ['body', 'conditions']],
    [
      { conditions: [{ event: 'challenge', match: 'type', values: Array.from({ length: 21 }, () => 'racing') }] },
      ['body', 'conditions', 0, 'values'],
    ],
  ])('return 422 that names the field for %j', async (input, loc) => {
    const { send } = await signIn();
    for (const [path, url] of [
      ['/v1/webhooks', freshAddress()],
      ['/v1/webhooks/signed', 'https://hooks.example.com/conditions'],
    ]) {
      const { status, body } = await send('POST', path ?? '', { url, events: ['challenge'], ...input });
      expect([status, body.error.details[0].loc]).toEqual([422, loc]);
    }
  });

  it('are tried against the last event', async () => {
    const { send } = await signIn();
    const tries = async () =>
      (
        await send('POST', '/v1/webhooks/conditions/try', {
          conditions: [TYPES('racing'), TYPES('rampage'), PRICE(150, 'Sun Sap'), DOWN(5, 'eu')],
        })
      ).body.items.map((item: Record<string, unknown>) => [item.would_post, item.reason]);
    const none = [null, 'no event to compare with yet'];
    expect(await tries()).toEqual([none, none, none, none]);
    await queue().receive([challenge('racing')]);
    await queue().trigger([listing('Sun Sap', 160), outage(6, 5)]);
    await queue().trigger([listing('Flux', 1), outage(3, 2, 'us')]);
    expect(await tries()).toEqual([
      [true, 'the last challenge was Racing'],
      [false, 'the last challenge was Racing'],
      [false, 'the cheapest new listing of Sun Sap was 160 each'],
      [true, 'the last outage of Europe took at least 6 minutes'],
    ]);
  });

  it('are listed with the events', async () => {
    const { send } = await signIn();
    const { meta } = (await send('GET', '/v1/webhooks/events')).body;
    const of = (key: string) => meta.find((event: { key: string }) => event.key === key);
    expect([of('challenge').needs_condition, of('market_price').needs_condition]).toEqual([false, true]);
    expect(of('market_price').conditions).toEqual([
      {
        name: 'item',
        label: 'Market item is cheap',
        choices: null,
        limit: { label: 'At most, each', min: 0.001, max: 1_000_000_000, decimals: 3 },
      },
    ]);
    expect(
      meta
        .filter(({ conditions }: { conditions: unknown[] }) => conditions.length > 0)
        .map(({ key }: { key: string }) => key)
        .sort(),
    ).toEqual([...WEBHOOK_EVENTS.conditions.events].sort());
  });
});
