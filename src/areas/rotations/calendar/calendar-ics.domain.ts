import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { CalendarEvent } from './calendar.domain.ts';

/** `host`: host name of the API, which makes event ids globally unique. `name`: calendar name shown by calendar apps. */
type IcsOptions = { host: string; name: string };

/** Maximum length of a content line in octets of UTF-8, without the line break (RFC 5545, 3.1). */
const MAX_LINE_OCTETS = 75;
const CRLF = '\r\n';

/** iCalendar file (RFC 5545) of the events in their order. Deterministic: the same events produce the same bytes. */
export function calendarIcs(events: readonly CalendarEvent[], options: IcsOptions): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Game Data API//Rotations//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapeIcsText(options.name)}`,
    // The file gets new occurrences once per game day.
    'REFRESH-INTERVAL;VALUE=DURATION:P1D',
    'X-PUBLISHED-TTL:P1D',
    ...events.flatMap((event) => eventLines(event, options.host)),
    'END:VCALENDAR',
  ];
  return `${lines.map(foldIcsLine).join(CRLF)}${CRLF}`;
}

/** TEXT value (RFC 5545, 3.3.11): escapes backslashes, commas, semicolons and line breaks, and removes other control characters. */
export function escapeIcsText(text: string): string {
  if (!/[\\;,\p{Cc}]/u.test(text)) return text;
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/(?!\t)\p{Cc}/gu, '');
}

/** Splits a content line into lines of at most 75 octets without splitting a character. Continuation lines start with a space. */
export function foldIcsLine(line: string): string {
  // Most lines are short ASCII: one octet per character.
  if (line.length <= MAX_LINE_OCTETS && !/[^ -~]/.test(line)) return line;
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = utf8Size(character);
    if (octets + size > MAX_LINE_OCTETS) {
      folded += `${CRLF} `;
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

function eventLines(event: CalendarEvent, host: string): string[] {
  const startsAt = icsInstant(event.starts_at);
  return [
    'BEGIN:VEVENT',
    `UID:${escapeIcsText(`${event.type}-${event.starts_at}@${host}`)}`,
    // The start instead of the creation time: the file is the same for every request.
    `DTSTAMP:${startsAt}`,
    `DTSTART:${startsAt}`,
    `DTEND:${icsInstant(event.ends_at)}`,
    `SUMMARY:${escapeIcsText(titleOf(event))}`,
    ...descriptionLines(event),
    `CATEGORIES:${escapeIcsText(event.type)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** Name with the biomes, because phones list only the title. */
function titleOf({ name, biomes = [] }: CalendarEvent): string {
  return biomes.length === 0 ? name : `${name} (${biomes.map((biome) => biome.name).join(', ')})`;
}

/** The biomes with a line each, for apps that show a shortened title. */
function descriptionLines({ biomes = [] }: CalendarEvent): string[] {
  return biomes.length === 0 ? [] : [`DESCRIPTION:${escapeIcsText(biomes.map((biome) => biome.name).join('\n'))}`];
}

/** UTC date-time such as `20260310T110000Z`. Formatted from numbers, because slicing ISO text takes half of the time of the whole file. */
function icsInstant(instant: UnixSeconds): string {
  const utc = new Date(instant * 1000);
  const date = utc.getUTCFullYear() * 10_000 + (utc.getUTCMonth() + 1) * 100 + utc.getUTCDate();
  const time = utc.getUTCHours() * 10_000 + utc.getUTCMinutes() * 100 + utc.getUTCSeconds();
  return `${digits(date, 8)}T${digits(time, 6)}Z`;
}

function digits(value: number, length: number): string {
  return `${value}`.padStart(length, '0');
}

function utf8Size(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
