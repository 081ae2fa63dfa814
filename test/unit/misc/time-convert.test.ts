import { describe, expect, it } from 'vitest';
import { convertTime, type TimeInput } from '../../../src/areas/misc/time.domain.ts';
import { timeZones } from '../../../src/areas/misc/time-zones.data.ts';

const SECONDS_PER_HOUR = 3600;
const SECONDS_PER_DAY = 86_400;
const YEAR_2026 = Date.UTC(2026, 0, 1) / 1000;
const YEAR_2027 = Date.UTC(2027, 0, 1) / 1000;
const IANA_ZONES = timeZones.map(({ id }) => id).filter((id) => id.includes('/'));

function convert(question: Partial<TimeInput>, zones = timeZones) {
  return convertTime({ datetime: null, timezone: 'UTC', unix: null, ...question }, zones);
}

/** Unix seconds of a conversion, or the error. */
function unixOf(question: Partial<TimeInput>): number | string {
  const response = convert(question, []);
  return response.ok ? response.time.unix : response.fault;
}

const DATE_TIME_WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

/** `Mon DD, YYYY, HH:MM:SS` in a zone by `Intl` field formatting, independent of the service. */
const formatters = new Map<string, Intl.DateTimeFormat>();
function intlText(zone: string, instant: number): string {
  const format =
    formatters.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone === 'game' ? 'Etc/GMT+11' : zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'short',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  formatters.set(zone, format);
  return format.format(instant * 1000);
}

/** Local time as `YYYY-MM-DDTHH:MM:SS` in the response for a time. */
function localTimeIn(zone: string, instant: number): string {
  const response = convert({ unix: instant }, [{ id: zone, name: zone }]);
  return response.ok ? (response.time.zones[0]?.datetime.slice(0, 19) ?? '') : response.fault;
}

/** Times at which the offset of a zone changes in 2026, found by checking every hour of the days whose ends differ. */
function transitionsOf(zone: string): number[] {
  const offsetAt = (instant: number) => Date.parse(`${localTimeIn(zone, instant)}Z`) / 1000 - instant;
  const transitions: number[] = [];
  for (let day = YEAR_2026; day < YEAR_2027; day += SECONDS_PER_DAY) {
    if (offsetAt(day - SECONDS_PER_HOUR) === offsetAt(day + SECONDS_PER_DAY - SECONDS_PER_HOUR)) continue;
    for (let hour = day; hour < day + SECONDS_PER_DAY; hour += SECONDS_PER_HOUR) {
      if (offsetAt(hour) !== offsetAt(hour - SECONDS_PER_HOUR)) transitions.push(hour);
    }
  }
  return transitions;
}

describe('zoneClocksAt', () => {
  it('agrees with Intl in every zone, every hour of 2026', () => {
    for (let instant = YEAR_2026 + 1799; instant < YEAR_2027; instant += SECONDS_PER_HOUR) {
      const response = convert({ unix: instant });
      if (!response.ok) throw new Error(response.fault);
      const clocks = response.time.zones.map(({ id, date, time }) => `${id} ${date}, ${time}`).join('\n');
      const expected = timeZones.map(({ id }) => `${id} ${intlText(id, instant)}`).join('\n');
      if (clocks !== expected) expect(clocks).toBe(expected);
    }
  });

  it('includes the UTC offset', () => {
    for (let instant = YEAR_2026; instant < YEAR_2027; instant += 5 * SECONDS_PER_HOUR + 7) {
      const response = convert({ unix: instant });
      if (!response.ok) throw new Error(response.fault);
      const texts = response.time.zones.map(({ datetime }) => datetime);
      const isRight = (text: string) => DATE_TIME_WITH_OFFSET.test(text) && Date.parse(text) / 1000 === instant;
      if (!texts.every(isRight)) expect(texts.filter((text) => !isRight(text))).toEqual([]);
    }
  });

  it('formats dates and times as documented', () => {
    const response = convert({ unix: 1_780_617_600 });
    const zones = response.ok ? response.time.zones : [];
    expect(zones.map(({ id }) => id)).toEqual(timeZones.map(({ id }) => id));
    expect(zones[0]).toEqual({
      id: 'game',
      name: 'Game Server (Reset)',
      datetime: '2026-06-04T13:00:00-11:00',
      date: 'Jun 04, 2026',
      time: '13:00:00',
    });
    expect(zones[1]).toMatchObject({ datetime: '2026-06-05T00:00:00+00:00', date: 'Jun 05, 2026', time: '00:00:00' });
  });

  it('uses historical offsets: Moscow was UTC+4 until 2014-10-26', () => {
    expect(localTimeIn('Europe/Moscow', 1_414_274_399)).toBe('2014-10-26T01:59:59');
    expect(localTimeIn('Europe/Moscow', 1_414_274_400)).toBe('2014-10-26T01:00:00');
  });
});

describe('local time conversion', () => {
  it('round-trips every unambiguous local time', () => {
    for (const zone of timeZones.map(({ id }) => id)) {
      for (let instant = YEAR_2026 + 1234; instant < YEAR_2027; instant += 11 * SECONDS_PER_HOUR) {
        const local = localTimeIn(zone, instant);
        const found = unixOf({ datetime: local, timezone: zone });
        if (found === instant) continue;
        expect(found, `${zone} ${local}`).toBe(instant - SECONDS_PER_HOUR);
        expect(localTimeIn(zone, Number(found))).toBe(local);
      }
    }
  });

  it.each(IANA_ZONES)(
    'in %s uses the first of two occurrences and shifts skipped times, every minute around each change of 2026',
    (zone) => {
      for (const change of transitionsOf(zone)) {
        for (let instant = change - 3 * SECONDS_PER_HOUR; instant < change + 3 * SECONDS_PER_HOUR; instant += 60) {
          const local = localTimeIn(zone, instant);
          const earlier = localTimeIn(zone, instant - SECONDS_PER_HOUR) === local ? instant - SECONDS_PER_HOUR : instant;
          const found = unixOf({ datetime: local, timezone: zone });
          if (found !== earlier) expect(found, `${zone} ${local}`).toBe(earlier);
        }
        const [before, after] = [localTimeIn(zone, change - 1), localTimeIn(zone, change)].map((text) => Date.parse(`${text}Z`) / 1000);
        const gap = Number(after) - Number(before) - 1;
        for (let second = 0; second < gap; second += 60) {
          const missing = new Date((Number(before) + 1 + second) * 1000).toISOString().slice(0, 19);
          expect(unixOf({ datetime: missing, timezone: zone })).toBe(change + second);
        }
      }
    },
  );

  it('matches the documented examples', () => {
    expect(unixOf({ datetime: '2025-03-30T02:30', timezone: 'Europe/Paris' })).toBe(1_743_298_200);
    expect(localTimeIn('Europe/Paris', 1_743_298_200)).toBe('2025-03-30T03:30:00');
    expect(unixOf({ datetime: '2025-10-26T02:30', timezone: 'Europe/Paris' })).toBe(1_761_438_600);
  });

  it('accepts any IANA time zone', () => {
    expect(unixOf({ datetime: '2026-01-01T00:00', timezone: 'Asia/Kathmandu' })).toBe(YEAR_2026 - 5 * 3600 - 2700);
    expect(unixOf({ datetime: '2026-01-01T00:00', timezone: 'america/new_york' })).toBe(YEAR_2026 + 5 * 3600);
    // Samoa skipped this day when it moved across the date line.
    expect(unixOf({ datetime: '2011-12-30T12:00', timezone: 'Pacific/Apia' })).toBe(Date.UTC(2011, 11, 30, 22) / 1000);
    expect(unixOf({ datetime: '2026-01-01T00:00', timezone: 'game' })).toBe(YEAR_2026 + 11 * 3600);
  });

  it.each(['', 'Nowhere/City', 'local', '+05:30', '-08:00', 'Europe/Paris ', 'GAME', 'x'.repeat(70)])('rejects the zone "%s"', (zone) => {
    expect(unixOf({ datetime: '2026-01-01T00:00', timezone: zone })).toBe('unknown_zone');
  });
});

describe('datetime parsing', () => {
  it.each([
    ['2026-01-01T00:00', 0],
    ['2026-01-01 00:00', 0],
    ['2026-01-01', 0],
    ['2026-01-01T00:00:09', 9],
    ['2026-01-01T00:00:09.999999', 9],
    ['2026-01-01T00:00Z', 0],
    ['2026-01-01T00:00:00Z', 0],
    ['2026-01-01T00:00:00.5+01:00', -3600],
    ['2026-01-01 00:00-05:30', 19_800],
  ])('accepts %s', (datetime, seconds) => {
    expect(unixOf({ datetime })).toBe(YEAR_2026 + seconds);
  });

  it('ignores the zone for a datetime with an offset', () => {
    expect(unixOf({ datetime: '2026-01-01T00:00:00+00:00', timezone: 'Nowhere/City' })).toBe(YEAR_2026);
  });

  it('truncates fractions towards zero, also before 1970', () => {
    expect(unixOf({ datetime: '1970-01-01T00:00:00.9Z' })).toBe(0);
    expect(unixOf({ datetime: '1969-12-31T23:59:58.5Z' })).toBe(-1);
    expect(unixOf({ datetime: '1969-12-31T23:59:58.0Z' })).toBe(-2);
  });

  it.each([
    'now',
    '2026',
    '2026-1-1',
    '2026-13-01',
    '2026-02-29',
    '2026-04-31T00:00',
    '2026-01-00',
    '0000-01-01',
    '2026-01-01T24:00',
    '2026-01-01T00:60',
    '2026-01-01T00:00:60',
    '2026-01-01T00',
    '2026-01-01t00:00',
    '2026-01-01T00:00:00,5',
    '2026-01-01Z',
    '2026-01-01T00:00+0100',
    '2026-01-01T00:00+24:00',
    '2026-01-01T00:00 ',
    '２０２６-01-01',
    `2026-01-01T00:00:00.${'1'.repeat(60)}`,
  ])('rejects %s', (datetime) => {
    expect(unixOf({ datetime })).toBe('bad_datetime');
  });

  it('validates leap days', () => {
    expect(unixOf({ datetime: '2024-02-29' })).toBe(Date.UTC(2024, 1, 29) / 1000);
    expect(unixOf({ datetime: '2000-02-29' })).toBe(Date.UTC(2000, 1, 29) / 1000);
    expect(unixOf({ datetime: '1900-02-29' })).toBe('bad_datetime');
  });

  it('requires datetime without unix', () => {
    expect(unixOf({})).toBe('no_datetime');
    expect(unixOf({ datetime: '' })).toBe('no_datetime');
  });
});

describe('unix conversion', () => {
  it('ignores an invalid datetime and zone', () => {
    expect(unixOf({ unix: 0, datetime: 'nonsense', timezone: 'nowhere' })).toBe(0);
  });

  it('accepts only the years 1 to 9999', () => {
    expect(unixOf({ unix: -62_135_596_800 })).toBe(-62_135_596_800);
    expect(unixOf({ unix: 253_402_300_799 })).toBe(253_402_300_799);
    expect(unixOf({ unix: -62_135_596_801 })).toBe('out_of_range');
    expect(unixOf({ unix: 253_402_300_800 })).toBe('out_of_range');
    expect(unixOf({ datetime: '0001-01-01T00:00+01:00' })).toBe('out_of_range');
    const first = convert({ unix: -62_135_596_800 });
    expect(first.ok && first.time.isoUtc).toBe('0001-01-01T00:00:00+00:00');
  });

  it('returns the seven chat timestamp codes', () => {
    const response = convert({ unix: 1_743_298_200 });
    expect(response.ok && response.time.chatTimestampCodes.map(({ code }) => code)).toEqual(
      ['t', 'T', 'd', 'D', 'f', 'F', 'R'].map((style) => `<t:1743298200:${style}>`),
    );
    expect(response.ok && response.time.isoUtc).toBe('2025-03-30T01:30:00+00:00');
  });
});
