import { describe, expect, it } from 'vitest';
import {
  activeUntil,
  EMPTY_MARKET,
  isExpired,
  type ListingFilter,
  type ListingPageRequest,
  liveMarks,
  needsMatches,
  planPage,
} from '../../../src/areas/market/listings.domain.ts';

const NOW = 1_773_156_630;

describe('isExpired and activeUntil', () => {
  it.each([
    ['in the last second of its life', NOW - 604_800, NOW, false],
    ['a second after its life', NOW - 604_801, NOW, true],
    ['seen three hours ago', NOW - 20_000, NOW - 10_800, false],
    ['not seen for longer', NOW - 20_000, NOW - 10_801, true],
  ])('agree on a listing %s', (_, createdAt, lastSeen, expected) => {
    expect(isExpired({ createdAt, lastSeen }, NOW)).toBe(expected);
    expect(activeUntil({ createdAt, lastSeen }) < NOW).toBe(expected);
  });
});

describe('planPage', () => {
  const state = { ...EMPTY_MARKET, revision: 5, newestSeen: NOW, listings: 1000, live: 500 };
  const request = (revision: number): ListingPageRequest => ({
    filter: { activeAt: null },
    sort: { field: 'last_seen', descending: true },
    limit: 50,
    start: { after: { revision, value: NOW, id: 'a' } },
  });

  it('continues a page for one insert, not for two', () => {
    expect(planPage(request(5), state, 0)?.every(({ moved }) => moved === null)).toBe(true);
    expect(planPage(request(4), state, 0)?.map(({ moved }) => moved)).toContain('only');
    expect(planPage(request(3), state, 0)).toBeNull();
  });

  it('returns null for a cursor that is newer than the state', () => {
    expect(planPage(request(6), state, 0)).toBeNull();
  });

  const indexOf = (filter: Partial<ListingFilter>, field: 'stack' | 'created_at', live: number, matches: number) => {
    const page: ListingPageRequest = {
      filter: { activeAt: NOW, ...filter },
      sort: { field, descending: true },
      limit: 50,
      start: { offset: 0 },
    };
    return planPage(page, { ...state, live }, matches)?.[0]?.index;
  };

  it('reads the matches of a price while their square is at most the page times the live listings', () => {
    // 561 * 561 = 51 * 6171, and more than ten matches per row of the page.
    expect(indexOf({ milliMax: 1000 }, 'stack', 6171, 561)).toBe('market_live_price_each');
    expect(indexOf({ milliMax: 1000 }, 'stack', 6170, 561)).toBe('market_live_stack_down');
  });

  it('reads an item by age only if expired listings are included', () => {
    expect(indexOf({ name: 'Sun Sap', activeAt: null }, 'created_at', 500, 0)).toBe('market_name_created_at');
    expect(indexOf({ name: 'Sun Sap' }, 'created_at', 500, 0)).toBe('market_name_last_seen');
  });

  it('needs the number of matches for either bound of a price, unless it sorts by price', () => {
    const needs = (filter: Partial<ListingFilter>, field: 'stack' | 'price_each') =>
      needsMatches({ activeAt: NOW, ...filter }, { field, descending: true });
    expect([needs({ milliMin: 1 }, 'stack'), needs({ milliMax: 1 }, 'stack'), needs({}, 'stack')]).toEqual([true, true, false]);
    expect([needs({ milliMin: 1 }, 'price_each'), needs({ milliMax: 1 }, 'price_each')]).toEqual([false, false]);
  });

  it('reads live rows only from the newest insert on', () => {
    const marks = (activeAt: number | null) => liveMarks({ activeAt }, state);
    expect([marks(NOW), marks(NOW - 1), marks(null)]).toEqual([[true], [true, false], [true, false]]);
  });
});
