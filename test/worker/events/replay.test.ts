import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { EventLog } from '../../../src/areas/events/event-log.store.ts';
import { GAP_COMMENT } from '../../../src/areas/events/events.data.ts';
import { messageText } from '../../../src/areas/events/framing.domain.ts';
import { EVENTS as EVENT_TYPES } from '../../support/declarations.ts';
import { call } from '../../support/requests.ts';
import { coordinator, startClock } from './objects.ts';
import { type Frame, TestStream } from './streams.ts';

const DAY = 86_400;
/** 2026-03-18 09:05 UTC, a Wednesday. */
const NOW = 1_773_824_700;
const OLD_EVENTS = 30;
const EVENTS = 120;
const GAP = `: ${GAP_COMMENT}\n\n`;

/** Type of each event of the log, by id. */
const TYPES: readonly string[] = ['mod_release', 'challenge', 'mod_release', 'stampy', 'mod_release', 'game_update'];
const ORDER: readonly string[] = EVENT_TYPES.all.filter(({ isDiscrete }) => !isDiscrete).map(({ type }) => type);
const typeOf = (id: number) => TYPES[id % TYPES.length] ?? '';

/** Adds events to the log without sending them to shards and webhooks. */
async function fillLog(count: number, atOf: (index: number) => number): Promise<void> {
  await runInDurableObject(coordinator(), (_, state) => {
    const log = new EventLog(state.storage.sql);
    for (let index = 0; index < count; index += 1) {
      const { id } = log.newest();
      log.append(typeOf(id + 1), messageText(typeOf(id + 1), `{"n":${id + 1}}`, atOf(index)), atOf(index));
    }
    log.setFollowedUpTo(log.newest().id);
  });
}

let newest = 0;

beforeAll(async () => {
  // As work of the file before may do.
  await coordinator().wake();
  await startClock(NOW);
  await fillLog(OLD_EVENTS, (index) => NOW - 8 * DAY + index);
  await fillLog(EVENTS - 1, (index) => NOW - DAY + index * 60);
  // Deletes expired events, then publishes one, so the shards have the newest id.
  await runDurableObjectAlarm(coordinator());
  await coordinator().announce('mod_release', 'last', '{"n":150}', NOW);
  newest = (await coordinator().join()).id;
});

interface Received {
  frames: Frame[];
  /** Ids before the snapshot, in order. */
  replayed: number[];
  hasGap: boolean;
}

/** Connects and reads to the end of the snapshot, whose last type is `last`. */
async function connect(options: {
  query?: string;
  lastEventId?: string;
  last?: string;
  headers?: Record<string, string>;
}): Promise<Received> {
  const { query = '', lastEventId, last = 'daily_bonuses', headers = {} } = options;
  const sent = lastEventId === undefined ? headers : { ...headers, 'Last-Event-ID': lastEventId };
  const stream = await TestStream.open({ now: NOW, query, headers: sent });
  const frames = await stream.until(({ event, id, ts }) => event === last && id === newest && ts >= NOW);
  await stream.close();
  const messages = frames.flatMap(({ message }) => message ?? []);
  // Only the last replayed event has the newest id, and its type is not in the snapshot.
  const replayed = messages.filter(({ event, id }) => id < newest || event === 'mod_release').map(({ id }) => id);
  return { frames, replayed, hasGap: frames[1]?.text === GAP };
}

const idsAfter = (id: number) => Array.from({ length: Math.max(0, newest - id) }, (_, index) => id + 1 + index);

describe('GET /v1/events/stream after a reconnect', () => {
  it('replays exactly the missed events of the requested types in order, then sends the snapshot', async () => {
    const someTypes = fc.uniqueArray(fc.constantFrom('mod_release', 'challenge', 'stampy', 'game_update'), { maxLength: 3 });
    const cuts = fc.integer({ min: OLD_EVENTS, max: EVENTS + OLD_EVENTS });
    await fc.assert(
      fc.asyncProperty(cuts, someTypes, fc.boolean(), async (cut, types, useHeader) => {
        const filter = types.length > 0 ? `types=${[...types, 'daily_bonuses'].join()}` : '';
        const received = await connect(
          useHeader ? { query: filter, lastEventId: String(cut) } : { query: [filter, `since=${cut}`].filter(Boolean).join('&') },
        );
        const expected = idsAfter(cut).filter((id) => types.length === 0 || types.some((type) => type === typeOf(id)));
        expect(received.replayed).toEqual(expected);
        expect(received.hasGap).toBe(false);
        const shown = received.frames.slice(1 + expected.length).map(({ message }) => message);
        expect(shown.map((message) => message?.id)).toEqual(shown.map(() => newest));
        const order = shown.map((message) => ORDER.indexOf(message?.event ?? ''));
        expect(order).toEqual(order.toSorted((one, other) => one - other));
        expect(shown).toHaveLength(types.length === 0 ? 8 : 1 + types.filter((type) => ['challenge', 'stampy'].includes(type)).length);
      }),
      { numRuns: 40 },
    );
  });

  it('replays each message with identical bytes', async () => {
    const { frames } = await connect({ lastEventId: '100' });
    const text = messageText(typeOf(101), '{"n":101}', NOW - DAY + 70 * 60);
    expect(frames[1]?.text).toBe(`event: ${typeOf(101)}\nid: 101\ndata: ${text}\n\n`);
  });

  it('accepts unix seconds instead of an id', async () => {
    const { replayed, hasGap } = await connect({ query: `since=${NOW - DAY + 50 * 60}` });
    expect(replayed).toEqual(idsAfter(OLD_EVENTS + 50));
    expect(hasGap).toBe(false);
    expect((await connect({ query: `since=${NOW + 60}` })).replayed).toEqual([]);
  });

  it.each([
    ['an id before the log', { lastEventId: '0' }, OLD_EVENTS, true],
    ['the last deleted id', { lastEventId: String(OLD_EVENTS - 1) }, OLD_EVENTS, true],
    ['the id before the oldest stored one', { lastEventId: String(OLD_EVENTS) }, OLD_EVENTS, false],
    ['an instant before the log', { query: `since=${NOW - 9 * DAY}` }, OLD_EVENTS, true],
    ['an instant after all deleted events', { query: `since=${NOW - 2 * DAY}` }, OLD_EVENTS, false],
  ])('reports whether events are no longer in the log for %s', async (_, options, from, isLost) => {
    const { replayed, hasGap } = await connect(options);
    expect(hasGap).toBe(isLost);
    expect(replayed).toEqual(idsAfter(from));
  });

  it('names the comment in the OpenAPI document', async () => {
    const { text } = await call('/openapi.json');
    expect(JSON.parse(text).paths['/v1/events/stream'].get.description).toContain(`\`: ${GAP_COMMENT}\``);
  });

  it.each([
    ['the newest id', { lastEventId: '150' }],
    ['an id from the future', { lastEventId: '151' }],
    ['an id from the far future', { query: 'since=999999999' }],
    ['a header that is an instant', { lastEventId: String(NOW - DAY) }],
    ['a header that is not a number', { lastEventId: 'abc' }],
    ['a header that is not a number and `since`', { lastEventId: 'abc', query: 'since=100' }],
    ['a request without header and `since`', {}],
  ])('sends only the snapshot for %s', async (_, options) => {
    const { replayed, hasGap, frames } = await connect(options);
    expect([replayed, hasGap, frames.length]).toEqual([[], false, 9]);
  });

  it('prefers the header over `since`, and uses `since` when the header is empty', async () => {
    expect((await connect({ lastEventId: '148', query: 'since=100' })).replayed).toEqual([149, 150]);
    expect((await connect({ lastEventId: ' ', query: 'since=149' })).replayed).toEqual([150]);
  });

  it('resumes by lastEventId in the query as by `since`, which it precedes', async () => {
    expect((await connect({ query: 'lastEventId=148' })).replayed).toEqual([149, 150]);
    expect((await connect({ query: 'lastEventId=148&since=100' })).replayed).toEqual([149, 150]);
    expect((await connect({ lastEventId: '149', query: 'lastEventId=100&since=100' })).replayed).toEqual([150]);
    expect((await connect({ query: 'lastEventId=&since=149' })).replayed).toEqual([150]);
    const malformed = await call('/v1/events/stream?lastEventId=abc');
    expect([malformed.status, JSON.parse(malformed.text).error.details[0].loc]).toEqual([422, ['query', 'lastEventId']]);
  });

  it('resumes a client that names media types of streams or any, and returns 406 to others', async () => {
    for (const Accept of ['text/event-stream', 'application/json, text/plain, */*', 'text/*;q=0.1', '*/*']) {
      expect((await connect({ lastEventId: '149', headers: { Accept } })).replayed, Accept).toEqual([150]);
    }
    for (const Accept of ['application/json', 'text/html', 'text/event-stream;q=0', '*/*;q=0']) {
      const { status, text } = await call('/v1/events/stream', { headers: { Accept } });
      expect([Accept, status, status === 406 ? text : '']).toEqual([
        Accept,
        406,
        expect.stringMatching(/Accept must admit text\/event-stream|<!doctype html>/),
      ]);
    }
  });

  it('replays 1,000 events of a day', async () => {
    await fillLog(999, (index) => NOW + index * 86);
    await coordinator().announce('mod_release', 'after a day', '{"n":0}', NOW + DAY);
    const before = newest;
    newest = (await coordinator().join()).id;
    const { replayed } = await connect({ lastEventId: String(before) });
    expect(replayed).toEqual(idsAfter(before));
    expect(replayed).toHaveLength(1000);
  });
});
