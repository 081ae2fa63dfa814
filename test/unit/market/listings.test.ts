import { describe, expect, it } from 'vitest';
import {
  activeUntil,
  EMPTY_MARKET,
  isExpired,
  type ListingPageRequest,
  liveMarks,
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

  it('reads live rows only from the newest insert on', () => {
    const marks = (activeAt: number | null) => liveMarks({ activeAt }, state);
    expect([marks(NOW), marks(NOW - 1), marks(null)]).toEqual([[true], [true, false], [true, false]]);
  });
});
