import { describe, expect, it } from 'vitest';
import {
  type CommunityEvent,
  eventAt,
  parseCommunityEvents,
  selectEvents,
} from '../../../../src/areas/feeds/community-events/community-events.domain.ts';

const NOW = 1_773_156_600;
const unchanged = { name: 'Contest', url: 'https://c.example/101', category: 'Contest', image: 'i', icon: 'c', lookup: 'contest=5' };
const entry = { ...unchanged, id: '101', startdate: '100', enddate: '200' };
const event: CommunityEvent = { ...unchanged, eventId: '101', startsAt: 100, endsAt: 200 };

describe('parseCommunityEvents', () => {
  it('parses a list of events', () => {
    expect(parseCommunityEvents([entry])).toEqual([event]);
  });

  it.each([null, {}, { data: [entry] }, 'x', 5])('returns no events for %j', (payload) => {
    expect(parseCommunityEvents(payload)).toEqual([]);
  });

  it.each([
    ['an integer id', { id: 101 }],
    ['numbers for dates', { startdate: 100, enddate: 200 }],
    ['white space', { id: ' 101 ', name: ' Contest ', startdate: ' 100 ', enddate: '200 ' }],
  ])('accepts %s', (_case, change) => {
    expect(parseCommunityEvents([{ ...entry, ...change }])).toEqual([event]);
  });

  it.each([
    ['no id', { id: undefined }],
    ['an empty id', { id: ' ' }],
    ['an id that is a list', { id: ['101'] }],
    ['no start', { startdate: undefined }],
    ['an empty end', { enddate: '' }],
    ['a date in words', { enddate: 'tomorrow' }],
    ['half a second', { enddate: 200.5 }],
    ['half a second in digits', { startdate: '100.5' }],
  ])('skips an event with %s', (_case, change) => {
    expect(
      parseCommunityEvents([
        { ...entry, ...change },
        { ...entry, id: '102' },
      ]).map(({ eventId }) => eventId),
    ).toEqual(['102']);
  });

  it('defaults missing fields', () => {
    const [bare] = parseCommunityEvents([
      { id: '1', startdate: '1', enddate: '2', name: '', url: null, category: ' ', image: '', icon: '', lookup: 5 },
    ]);
    expect(bare).toMatchObject({ name: 'Untitled', url: '', category: 'Event', image: null, icon: null, lookup: null });
  });
});

describe('event URL', () => {
  it.each([
    ['https://c.example/1', 'https://c.example/1'],
    ['//c.example/1.png', '//c.example/1.png'],
    ['event/1?x=a:b', 'event/1?x=a:b'],
    ['javascript:alert(1)', ''],
    [' JavaScript:alert(1)', ''],
    ['data:text/html,x', ''],
  ])('is parsed from %j as %j', (url, expected) => {
    expect(parseCommunityEvents([{ ...entry, url, icon: url }])[0]).toMatchObject({ url: expected, icon: expected || null });
  });
});

describe('event status', () => {
  it.each([
    [99, 'upcoming', 1],
    [100, 'ongoing', 100],
    [199, 'ongoing', 1],
    [200, 'ended', 0],
    [10_000, 'ended', 0],
  ])('at %i is %s with %i seconds', (now, status, secondsUntil) => {
    expect(eventAt(event, now)).toEqual({ ...event, status, secondsUntil });
  });

  it('checks the start first for an event that ends before it starts', () => {
    const odd = { ...event, startsAt: 200, endsAt: 100 };
    expect([150, 200].map((now) => eventAt(odd, now).status)).toEqual(['upcoming', 'ended']);
  });
});

describe('selectEvents', () => {
  const make = (eventId: string, startsIn: number, endsIn: number, category = 'Event') => ({
    ...event,
    eventId,
    category,
    startsAt: NOW + startsIn,
    endsAt: NOW + endsIn,
  });
  const events = [
    make('a', -10, 30),
    make('b', -20, 10, 'Contest'),
    make('c', 50, 60),
    make('d', 5, 90, 'Contest'),
    make('e', -90, -80),
    make('f', -90, 0, 'Contest'),
    make('g', -95, -80),
  ];
  const ids = (status: 'ongoing' | 'upcoming' | 'ended', category: string | null = null, limit = 100) =>
    selectEvents(events, { status, category, limit }, NOW).map(({ eventId }) => eventId);

  it('returns ongoing, upcoming and ended events, each in its order', () => {
    expect([ids('ongoing'), ids('upcoming'), ids('ended')]).toEqual([
      ['b', 'a'],
      ['d', 'c'],
      ['f', 'e', 'g'],
    ]);
  });

  it('filters by exact category before it applies the limit', () => {
    expect([ids('ended', 'Contest'), ids('ended', 'contest'), ids('ended', 'Event', 1), ids('ended', '')]).toEqual([['f'], [], ['e'], []]);
  });
});
