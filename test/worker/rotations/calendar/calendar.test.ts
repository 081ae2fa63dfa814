import { describe, expect, it } from 'vitest';
import { call } from '../../../support/requests.ts';
import { testApp } from '../../platform/test-app.ts';

const fetch = testApp({ settings: { publicAnonRateLimitMax: 10_000 } });
const get = (query: string, now: number, headers: Record<string, string> = {}) =>
  call(`/v1/rotations/calendar${query}`, { now, headers }, fetch);

const DAY = 86_400;
const YEAR = 365 * DAY;
/** Tuesday 2026-03-10 15:30:00 UTC. */
const NOW = 1_773_156_600;
/** 11:00:00 UTC of that day. */
const START = 1_773_140_400;
const TYPES = ['corruxion', 'fluxion', 'gardening_2', 'gardening_3', 'mana', 'stampy', 'weekly_buff'];

interface Event {
  type: string;
  name: string;
  starts_at: number;
  ends_at: number;
}

describe('GET /v1/rotations/calendar', () => {
  it('covers 365 days before and after, with the window first', async () => {
    const { text, bytes } = await get('', NOW);
    const body = JSON.parse(text);
    expect(
      text.startsWith(`{"starts_at":${NOW - YEAR},"ends_at":${NOW + YEAR},"generated_at":${NOW},"count":1080,"events":[{"type":`),
    ).toBe(true);
    expect(body.events).toHaveLength(1080);
    expect(bytes.byteLength).toBeGreaterThan(100_000);
    expect(bytes.byteLength).toBeLessThan(160_000);
  });

  it('returns every overlapping event unclipped, by start, then type', async () => {
    const { events }: { events: Event[] } = JSON.parse((await get('', NOW)).text);
    for (const event of events) {
      expect(event.ends_at > NOW - YEAR && event.starts_at < NOW + YEAR).toBe(true);
      expect([event.starts_at % DAY, event.ends_at % DAY]).toEqual([39_600, 39_600]);
    }
    const sorted = events.toSorted((a, b) => a.starts_at - b.starts_at || (a.type < b.type ? -1 : 1));
    expect(events).toEqual(sorted);
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual(TYPES);
  });

  it('returns only applicable keys', async () => {
    const { events }: { events: Event[] } = JSON.parse((await get('', NOW)).text);
    const keys = new Map(events.map((event) => [event.type, Object.keys(event).slice(4).join()]));
    expect(Object.fromEntries(keys)).toEqual({
      corruxion: '',
      fluxion: 'color,state',
      gardening_2: 'color',
      gardening_3: 'color',
      mana: 'biomes',
      stampy: 'biomes',
      weekly_buff: 'color',
    });
  });

  it('excludes events that only touch the window', async () => {
    const counts: number[] = [];
    for (const now of [START - 1, START, START + 1]) counts.push(JSON.parse((await get('', now)).text).count);
    expect(counts).toEqual([1084, 1079, 1080]);
  });
});

describe('GET /v1/rotations/calendar.ics', () => {
  const eventsOf = (text: string) => text.split('BEGIN:VEVENT').slice(1);
  const isPlants = ({ type }: Event) => type.startsWith('gardening_');

  it('returns an iCalendar file with one event per occurrence', async () => {
    const { status, headers, text } = await get('.ics', NOW);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('Content-Disposition')).toBe('inline; filename="calendar.ics"');
    expect(headers.get('ETag')).toMatch(/^"/);
    expect(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n')).toBe(true);
    expect(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true);
    expect(eventsOf(text)).toHaveLength(471);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const longest = Math.max(...text.split('\r\n').map((line) => new TextEncoder().encode(line).byteLength));
    expect(longest).toBeLessThanOrEqual(75);
  });

  it('contains the JSON events except plants, with stable ids', async () => {
    const { events }: { events: Event[] } = JSON.parse((await get('', NOW)).text);
    const ids = [...(await get('.ics', NOW)).text.matchAll(/^UID:(.+)\r$/gm)].map(([, id]) => id);
    expect(ids).toEqual(events.filter((event) => !isPlants(event)).map(({ type, starts_at }) => `${type}-${starts_at}@api.test`));
    expect(new Set(ids).size).toBe(471);
  });

  it('contains plants on request', async () => {
    const { text } = await get('.ics?types=gardening_2,gardening_3', NOW);
    expect(eventsOf(text)).toHaveLength(1080 - 471);
  });

  it('contains only the requested types', async () => {
    const { status, text } = await get('.ics?types=corruxion,stampy', NOW);
    const types = new Set([...text.matchAll(/^CATEGORIES:(.+)\r$/gm)].map(([, type]) => type));
    expect([status, [...types].sort()]).toEqual([200, ['corruxion', 'stampy']]);
    expect(text).toMatch(/^SUMMARY:.+ \(.+\)\r$/m);
  });

  it('returns 422 with the allowed types for an unknown type', async () => {
    const { status, text } = await get('.ics?types=corruxion,fluxoin', NOW);
    expect([status, JSON.parse(text).error.details]).toEqual([
      422,
      [
        {
          loc: ['query', 'types'],
          msg: `must be one of ${TYPES.join(', ')}, luxion, not "fluxoin"`,
          type: 'invalid_value',
          allowed: [...TYPES, 'luxion'],
          nearest: 'fluxion',
        },
      ],
    ]);
    for (const types of [',', 'all', 'Corruxion', 'mana,']) expect((await get(`.ics?types=${types}`, NOW)).status).toBe(422);
  });

  it('is cacheable until the game day ends, at most an hour, and constant until then', async () => {
    const first = await get('.ics', START - DAY + 1);
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=3600');
    expect((await get('.ics', START - 600)).headers.get('Cache-Control')).toBe('public, max-age=600');
    const etag = first.headers.get('ETag') ?? '';
    expect((await get('.ics', START - 1, { 'If-None-Match': etag })).status).toBe(304);
    expect((await get('.ics', START, { 'If-None-Match': etag })).status).toBe(200);
    expect((await get('.ics?types=mana', START - 1, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('supports ?at=', async () => {
    const requested = await get('.ics?at=1766660400', NOW);
    expect(requested.text === (await get('.ics', 1_766_660_400)).text).toBe(true);
    expect(eventsOf(requested.text)).toHaveLength(471);
    expect((await get('.ics?at=12', NOW)).status).toBe(422);
  });
});
