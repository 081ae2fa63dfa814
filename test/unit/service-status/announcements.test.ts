import { describe, expect, it } from 'vitest';
import { MAX_ANNOUNCEMENT_UPDATES, MAX_ANNOUNCEMENTS } from '../../../src/areas/service-status/announcements.data.ts';
import {
  type Announcement,
  changeAnnouncements,
  parseAnnouncements,
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
