import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { createConditions } from '../../src/areas/webhooks/conditions/conditions.domain.ts';
import { createDeliveriesStore } from '../../src/areas/webhooks/delivery/deliveries.store.ts';
import { createEventQueue } from '../../src/areas/webhooks/delivery/event-queue.service.ts';
import { createLastFactsStore } from '../../src/areas/webhooks/records/last-facts.store.ts';
import type { EventBodies } from '../../src/platform/events/event-declaration.ts';
import type { TriggeredEvent } from '../../src/platform/events/event-source.ts';
import { randomBelow, seededRandom } from '../../src/platform/kit/random.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { EVENTS, fixedSettings, WEBHOOK_EVENTS } from '../support/declarations.ts';
import { costOf } from '../support/request-cost.ts';
import { createAccount } from '../support/tokens.ts';
import { followed, freshEvent } from '../worker/webhooks/world.ts';

/** A webhook has the largest number of conditions; half of them are for chats. */
const WEBHOOKS = 10_000;
const ITEMS = 250;
const TYPES = ['collection', 'rampage', 'racing', 'target', 'dungeon'] as const;
const SEED = (env as { FUZZ_SEED?: string }).FUZZ_SEED ?? 'webhook-conditions';
const TIMEOUT = { timeout: 600_000 };
/** Webhooks per statement of the seed. */
const PAGE = 500;

const { toStored } = createConditions(EVENTS);
const random = seededRandom(SEED);
const draw = (limit: number) => randomBelow(random, limit);

/** Rows that the statements of D1 read and wrote. */
const rows = { read: 0, written: 0 };

/** The database, with a count of the rows of its batches. */
const metered = new Proxy(env.DB, {
  get(target, property) {
    if (property === 'withSession') return undefined;
    const value: unknown = Reflect.get(target, property);
    if (property !== 'batch') return typeof value === 'function' ? value.bind(target) : value;
    return async (statements: D1PreparedStatement[]) => {
      const results = await target.batch(statements);
      for (const { meta } of results) {
        rows.read += meta.rows_read;
        rows.written += meta.rows_written;
      }
      return results;
    };
  },
});

const database = createDatabase(metered);
const queue = createEventQueue({
  events: WEBHOOK_EVENTS,
  deliveries: createDeliveriesStore(database),
  lastFacts: createLastFactsStore(database),
  moreFacts: () => ({}),
  senders: { wake: async () => {} },
  settings: fixedSettings(),
  nowMs: () => 1_773_156_630_000,
  newId: () => crypto.randomUUID(),
});

/** Ten conditions: types of a challenge, and prices of items between 1 and 1000. */
const conditionsOf = (types: readonly string[]) => [
  toStored({ event: 'challenge', match: 'type', values: [...types], limit: null }),
  ...Array.from({ length: 9 }, () =>
    toStored({ event: 'market_price', match: 'item', values: [`Item ${draw(ITEMS)}`], limit: 1 + draw(1000) }),
  ),
];

const typeOf = new Map<string, (typeof TYPES)[number]>();

beforeAll(async () => {
  const userId = await createAccount();
  for (let start = 0; start < WEBHOOKS; start += PAGE) {
    const page = Array.from({ length: PAGE }, (_, offset) => {
      const id = `${start + offset}`;
      const type = TYPES[draw(TYPES.length)] ?? 'rampage';
      typeOf.set(id, type);
      return { id, format: offset % 2 === 0 ? 'chat' : 'signed', sender: offset % 16, conditions: conditionsOf([type]) };
    });
    const given = JSON.stringify(page);
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO webhooks (id, user_id, format, label, sealed_address, masked_address, address_key, sender, events, templates, conditions, created_at)
          SELECT value->>'id', ?2, value->>'format', '', '', '', '', value->>'sender', '["challenge","market_price"]', '{}', value->'conditions', 0
          FROM json_each(?1)`,
      ).bind(given, userId),
      env.DB.prepare(
        `INSERT INTO webhook_subscriptions (event, webhook_id, is_conditional)
          SELECT e.value, w.value->>'id', 1 FROM json_each(?1) w, json_each('["challenge","market_price"]') e`,
      ).bind(given),
      env.DB.prepare(
        `INSERT OR IGNORE INTO webhook_conditions (event, key, threshold, webhook_id)
          SELECT c.value->>'event', k.value, c.value->>'threshold', w.value->>'id'
          FROM json_each(?1) w, json_each(w.value, '$.conditions') c, json_each(c.value, '$.keys') k`,
      ).bind(given),
    ]);
  }
}, 600_000);

/** Runs work, and prints its processor time and the rows of the database. */
async function measured(name: string, work: () => Promise<void>) {
  Object.assign(rows, { read: 0, written: 0 });
  const startedAt = performance.now();
  const { workMs } = await costOf(async () => {
    await work();
    return { status: 200, requestBytes: 0, responseBytes: 0 };
  });
  const elapsed = Math.round(performance.now() - startedAt);
  const line = `${name}: ${Math.round(workMs)} ms of the runtime (${elapsed} ms elapsed), ${rows.read} rows read, ${rows.written} rows written`;
  await fetch(inject('processorTime'), { method: 'POST', body: `${line}\n` });
  return { ...rows, workMs };
}

const pendingOf = async (key: string) => {
  const { results } = await env.DB.prepare("SELECT webhook_id FROM webhook_deliveries WHERE job_key LIKE ? || '%'")
    .bind(key)
    .all<{ webhook_id: string }>();
  return results.map(({ webhook_id: id }) => id).sort();
};

const challenge = (id: number, type: EventBodies['challenge']['type']) =>
  followed(id, 'challenge', { ...freshEvent('challenge').data, name: `Event ${id}`, type } as EventBodies['challenge']);

const price = (at: number, each: number): TriggeredEvent => {
  const body = { item: `Item ${at}`, price_each: each, stack: 1, price: each, listing_id: `listing-${at}-${each}`, new_listings: 1 };
  return { type: 'market_price', key: `market_price:listing-${at}-${each}`, body, at: 1_773_156_630 };
};

describe(`${WEBHOOKS} webhooks with ten conditions each`, () => {
  it('cost rows in proportion to those that receive an event', TIMEOUT, async () => {
    const event = challenge(1, 'racing');
    const expected = [...typeOf].filter(([, type]) => type === 'racing').map(([id]) => id);
    const all = await measured('a challenge that a fifth receives', () => queue.receive([event]));
    const { results } = await env.DB.prepare('SELECT webhook_id FROM webhook_deliveries').all<{ webhook_id: string }>();
    expect(results.map(({ webhook_id: id }) => id).sort()).toEqual(expected.sort());
    expect(all.read).toBeLessThan(60 * expected.length);
    const again = await measured('the same event again', () => queue.receive([event]));
    expect(again.written).toBeLessThan(10);
    const none = await measured('prices without a condition', () =>
      queue.trigger(Array.from({ length: ITEMS }, (_, at) => price(at, 100_000))),
    );
    expect(none.read).toBeLessThan(20 * ITEMS);
  });

  it('receive the prices that they wait for, one each', TIMEOUT, async () => {
    await measured('one price that a few wait for', () => queue.trigger([price(7, 900)]));
    const { results } = await env.DB.prepare(
      "SELECT DISTINCT webhook_id FROM webhook_conditions WHERE event = 'market_price' AND key = 'item:item 7' AND threshold >= 900000",
    ).all<{ webhook_id: string }>();
    const wanted = results.map(({ webhook_id: id }) => id).sort();
    expect(wanted.length).toBeGreaterThan(5);
    const [chat, signed] = [await pendingOf('market_price:listing-7-900'), await pendingOf('evt_market_price_listing-7-900')];
    expect([...chat, ...signed].sort()).toEqual(wanted);
  });

  it('receive the prices of all items in one pass', TIMEOUT, async () => {
    const events = Array.from({ length: ITEMS }, (_, at) => price(at, 500));
    await measured(`prices of ${ITEMS} items at once`, () => queue.trigger(events));
    const { results } = await env.DB.prepare("SELECT count(*) AS n FROM webhook_deliveries WHERE job_key LIKE '%market_price%-500'").all<{
      n: number;
    }>();
    const wanted = await env.DB.prepare(
      "SELECT count(*) AS n FROM (SELECT DISTINCT webhook_id, key FROM webhook_conditions WHERE event = 'market_price' AND threshold >= 500000)",
    ).all<{ n: number }>();
    expect(results[0]?.n).toBe(wanted.results[0]?.n);
  });
});
