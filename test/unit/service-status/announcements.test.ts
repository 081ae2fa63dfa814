import { describe, expect, it } from 'vitest';
import { MAX_ANNOUNCEMENT_UPDATES, MAX_ANNOUNCEMENTS } from '../../../src/areas/service-status/announcements.data.ts';
import {
  type Announcement,
  changeAnnouncements,
  copyOf,
  countsBeforeNewest,
  parseAnnouncements,
  parsePublishedCounts,
  pendingUpdates,
  shownAnnouncement,
} from '../../../src/areas/service-status/announcements.domain.ts';

const START = 1_773_156_600;
const details = (id: string, severity: Announcement['severity'] = 'degraded') => ({
  id,
  title: `Title ${id}`,
  severity,
  parts: ['stream'],
  startsAt: START,
  endsAt: null,
});
const announced = (before: readonly Announcement[], id: string, severity?: Announcement['severity']) =>
  changeAnnouncements(before, { kind: 'new', announcement: details(id, severity), text: 'first', at: START });
const updated = (before: readonly Announcement[], id: string, text: string, closes = false, at = START + 60) =>
  changeAnnouncements(before, { kind: 'update', id, text, closes, at });

describe('changeAnnouncements', () => {
  it('adds announcements and updates, newest first, until one is closed', () => {
    const first = announced([], 'a').announcements;
    const second = announced(first, 'b').announcements;
    expect(second.map(({ id }) => id)).toEqual(['b', 'a']);
    const over = updated(updated(second, 'a', 'found').announcements, 'a', 'fixed', true, START + 90).announcements;
    expect(over[1]).toMatchObject({ closedAt: START + 90, updates: [{ text: 'fixed' }, { text: 'found' }, { text: 'first' }] });
    expect(updated(over, 'a', 'more').problem).toBe('closed');
    expect(updated(over, 'c', 'more').problem).toBe('unknown');
  });

  it('applies a repeated change once', () => {
    const once = announced([], 'a').announcements;
    expect(announced(once, 'a')).toEqual({ announcements: once, problem: null });
    const closed = updated(once, 'a', 'fixed', true).announcements;
    expect(updated(closed, 'a', 'fixed', true)).toEqual({ announcements: closed, problem: null });
  });

  it('drops the oldest closed announcement at the maximum, and refuses while all are open', () => {
    let all: Announcement[] = [];
    for (let index = 0; index < MAX_ANNOUNCEMENTS; index += 1) all = announced(all, `${index}`).announcements;
    expect(announced(all, 'more').problem).toBe('full');
    const closed = updated(all, '7', 'over', true).announcements;
    const { announcements, problem } = announced(closed, 'more');
    expect(problem).toBeNull();
    expect(announcements).toHaveLength(MAX_ANNOUNCEMENTS);
    expect(announcements.some(({ id }) => id === '7')).toBe(false);
  });

  it('refuses updates beyond the maximum, except the one that closes', () => {
    let all = announced([], 'a').announcements;
    for (let index = 1; index < MAX_ANNOUNCEMENT_UPDATES; index += 1) all = updated(all, 'a', `${index}`).announcements;
    expect(updated(all, 'a', 'more').problem).toBe('full');
    expect(updated(all, 'a', 'over', true).problem).toBeNull();
  });
});

describe('shownAnnouncement', () => {
  it('is the most severe open one', () => {
    const all = announced(announced(announced([], 'a', 'info').announcements, 'b', 'outage').announcements, 'c').announcements;
    expect(shownAnnouncement(all)?.id).toBe('b');
    expect(shownAnnouncement(updated(all, 'b', 'over', true).announcements)?.id).toBe('c');
    expect(shownAnnouncement([])).toBeNull();
  });
});

describe('parseAnnouncements', () => {
  it('reads what was stored, and nothing from other texts', () => {
    const all = announced([], 'a').announcements;
    expect(parseAnnouncements(JSON.stringify(all))).toEqual(all);
    for (const text of [null, '', '{', '[1]', '{"a":1}']) expect(parseAnnouncements(text)).toEqual([]);
  });
});

describe('pendingUpdates', () => {
  const kinds = (announcements: readonly Announcement[], published: ReadonlyMap<string, number>) =>
    pendingUpdates(announcements, published).map((updates) => updates.map(({ change, index, update }) => [change, index, update.text]));
  const open = updated(announced([], 'a').announcements, 'a', 'found').announcements;
  const closed = updated(open, 'a', 'fixed', true, START + 90).announcements;

  it('returns the updates without an event, oldest first, with what happened', () => {
    const all = [
      ['posted', 0, 'first'],
      ['updated', 1, 'found'],
      ['ended', 2, 'fixed'],
    ];
    expect(kinds(closed, new Map())).toEqual([all]);
    expect(kinds(open, new Map([['a', 1]]))).toEqual([[['updated', 1, 'found']]]);
    expect(kinds(closed, countsBeforeNewest(closed, 'a'))).toEqual([all.slice(2)]);
    expect(kinds(closed, countsBeforeNewest(closed, 'b'))).toEqual([[]]);
  });

  it('follows the counts of the copy, which counts all updates of a version without events as published', () => {
    expect(kinds(closed, parsePublishedCounts(copyOf(open, new Map([['a', 1]]))))[0]).toHaveLength(2);
    expect(kinds(closed, parsePublishedCounts(JSON.stringify(open)))[0]).toHaveLength(1);
    for (const text of [null, '', '{', '[1]']) expect(parsePublishedCounts(text).size).toBe(0);
    expect(parseAnnouncements(copyOf(closed, new Map()))).toEqual(closed);
  });
});
