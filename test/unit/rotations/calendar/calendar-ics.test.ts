import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { type CalendarEvent, calendarAt, calendarRules } from '../../../../src/areas/rotations/calendar/calendar.domain.ts';
import { calendarIcs, escapeIcsText, foldIcsLine } from '../../../../src/areas/rotations/calendar/calendar-ics.domain.ts';
import { anyCodePoint } from '../../../support/code-points.ts';

const options = { host: 'api.example.com', name: 'Game rotations' };
const octets = (text: string) => new TextEncoder().encode(text).length;
const startsAt = 1_773_140_400;
const event: CalendarEvent = { type: 'mana', name: 'Wild Mana', starts_at: startsAt, ends_at: startsAt + 604_800 };

function parsed(text: string) {
  const root = new ICAL.Component(ICAL.parse(text));
  return { root, events: root.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component)) };
}

describe('escapeIcsText', () => {
  it('escapes backslash, comma, semicolon and line breaks', () => {
    expect(escapeIcsText('a\\b;c,d\r\ne\nf\rg:h"')).toBe('a\\\\b\\;c\\,d\\ne\\nf\\ng:h"');
  });

  it('removes control characters', () => {
    expect(escapeIcsText('a\u0000b\u001bc\u007fd\te')).toBe('abcd\te');
  });
});

describe('foldIcsLine', () => {
  it.each([
    ['does not fold 75 octets', 'x'.repeat(75), ['x'.repeat(75)]],
    ['the 76th goes to the next line', 'x'.repeat(76), ['x'.repeat(75), ' x']],
    ['continuations count their space', 'x'.repeat(75 + 75), ['x'.repeat(75), ` ${'x'.repeat(74)}`, ' x']],
    ['a two-octet character is not torn', `${'x'.repeat(74)}é`, ['x'.repeat(74), ' é']],
    ['a four-octet character is not torn', `${'x'.repeat(72)}🐉`, ['x'.repeat(72), ' 🐉']],
    ['a four-octet character that just fits stays', `${'x'.repeat(71)}🐉`, [`${'x'.repeat(71)}🐉`]],
  ])('%s', (_case, line, expected) => {
    expect(foldIcsLine(line).split('\r\n')).toEqual(expected);
  });

  it('keeps every line within 75 octets without loss', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, maxLength: 400 }), (raw) => {
        const line = raw.replace(/[\r\n]/g, '');
        const folded = foldIcsLine(line);
        for (const part of folded.split('\r\n')) expect(octets(part)).toBeLessThanOrEqual(75);
        expect(folded.replaceAll('\r\n ', '')).toBe(line);
      }),
    );
  });
});

describe('calendarIcs', () => {
  it('returns the exact lines for one event', () => {
    const withBiomes = {
      ...event,
      biomes: [
        { name: 'Neon City', icon: 'neon' },
        { name: 'Candoria', icon: 'candy' },
      ],
    };
    expect(calendarIcs([withBiomes], options).split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Game Data API//Rotations//EN',
      'CALSCALE:GREGORIAN',
      'X-WR-CALNAME:Game rotations',
      'REFRESH-INTERVAL;VALUE=DURATION:P1D',
      'X-PUBLISHED-TTL:P1D',
      'BEGIN:VEVENT',
      'UID:mana-1773140400@api.example.com',
      'DTSTAMP:20260310T110000Z',
      'DTSTART:20260310T110000Z',
      'DTEND:20260317T110000Z',
      'SUMMARY:Wild Mana (Neon City\\, Candoria)',
      'DESCRIPTION:Neon City\\nCandoria',
      'CATEGORIES:mana',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('uses the plain name as title without biomes', () => {
    for (const plain of [event, { ...event, biomes: [] }]) expect(calendarIcs([plain], options)).toContain(`SUMMARY:${event.name}\r\n`);
  });

  it('returns a valid file without events', () => {
    expect(parsed(calendarIcs([], options)).events).toEqual([]);
  });

  it('returns a file that parses to the same events', () => {
    const { events } = calendarAt(startsAt + 1, calendarRules);
    const text = calendarIcs(events, options);
    const { root, events: read } = parsed(text);
    expect(root.getFirstPropertyValue('version')).toBe('2.0');
    expect(root.getFirstPropertyValue('x-wr-calname')).toBe('Game rotations');
    expect(String(root.getFirstPropertyValue('refresh-interval'))).toBe('P1D');
    expect(root.getFirstPropertyValue('x-published-ttl')).toBe('P1D');
    expect(read).toHaveLength(events.length);
    expect(new Set(read.map((one) => one.uid)).size).toBe(events.length);
    read.forEach((one, position) => {
      const original = events[position];
      expect({
        uid: one.uid,
        summary: one.summary,
        startsAt: one.startDate.toUnixTime(),
        endsAt: one.endDate.toUnixTime(),
        category: one.component.getFirstPropertyValue('categories'),
        stamp: String(one.component.getFirstPropertyValue('dtstamp')),
        transparency: one.component.getFirstPropertyValue('transp'),
      }).toEqual({
        uid: `${original?.type}-${original?.starts_at}@api.example.com`,
        summary: original?.biomes ? `${original.name} (${original.biomes.map(({ name }) => name).join(', ')})` : original?.name,
        startsAt: original?.starts_at,
        endsAt: original?.ends_at,
        category: original?.type,
        stamp: one.startDate.toString(),
        transparency: 'TRANSPARENT',
      });
    });
  });

  it('returns the same file within a game day', () => {
    const at = (now: number) => calendarIcs(calendarAt(now, calendarRules).events, options);
    expect(at(startsAt + 86_399)).toBe(at(startsAt + 1));
  });

  it('preserves unusual names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (raw) => {
        const name = raw.replace(/\p{Cc}/gu, '');
        const text = calendarIcs([{ ...event, name }], options);
        for (const line of text.split('\r\n')) expect(octets(line)).toBeLessThanOrEqual(75);
        expect(parsed(text).events[0]?.summary).toBe(name);
      }),
    );
  });
});
