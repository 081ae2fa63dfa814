import { describe, expect, it } from 'vitest';
import { stampy } from '../../../src/areas/rotations/computed/biomes.resource.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { call, type Fetch } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const fortnightly = testApp({ settings: { stampyPeriod: 'fortnightly' } });
const weekly = testApp({ settings: { stampyPeriod: 'weekly' } });
const bodyOf = async (path: string, fetch: Fetch, now?: number) =>
  JSON.parse((await call(path, now === undefined ? {} : { now }, fetch)).text);

/** [now, start of the current window, biome] by the fortnightly and by the weekly rule. */
const EXAMPLES = [
  [1_773_156_600, [1_773_054_000, 'Sundered Uplands'], [1_773_486_000, 'Jurassic Jungle']],
  [1_766_660_400, [1_767_006_000, 'Cursed Vale'], [1_766_833_200, 'Desert Frontier']],
  [1_795_400_000, [1_796_036_400, 'Permafrost'], null],
] as const;

describe('setting stampy_period', () => {
  it.each(EXAMPLES)('applies to the endpoint, with and without at: %i', async (now, expected, byWeek) => {
    for (const [fetch, window] of [
      [fortnightly, expected],
      [weekly, byWeek],
    ] as const) {
      if (window === null) continue;
      const [start, biome] = window;
      const current = { starts_at: start, ends_at: start + 172_800, biomes: [{ name: biome }] };
      expect((await bodyOf('/v1/rotations/stampy', fetch, now)).current).toMatchObject(current);
      expect((await bodyOf(`/v1/rotations/stampy?at=${now}`, fetch)).current).toMatchObject(current);
    }
  });

  it.each([
    [weekly, 604_800],
    [fortnightly, 1_209_600],
  ])('applies to upcoming windows, the calendar, its file, the snapshot and the badge (%#)', async (fetch, period) => {
    const now = 1_773_156_600;
    const stampy = await bodyOf('/v1/rotations/stampy', fetch, now);
    const starts = [stampy.current, ...stampy.upcoming].map(({ starts_at }: { starts_at: number }) => starts_at);
    expect(starts.map((start) => start - stampy.current.starts_at)).toEqual(starts.map((_, index) => index * period));
    const { events } = await bodyOf(`/v1/rotations/calendar?types=stampy&at=${now}`, fetch);
    const calendar = events.map(({ starts_at }: { starts_at: number }) => starts_at);
    expect(calendar).toEqual(expect.arrayContaining(starts));
    expect(calendar.at(-1) - calendar[0]).toBe((calendar.length - 1) * period);
    const { text: file } = await call(`/v1/rotations/calendar.ics?types=stampy&at=${now}`, {}, fetch);
    expect([...file.matchAll(/UID:stampy-(\d+)@/g)].map(([, start]) => Number(start))).toEqual(calendar);
    expect((await bodyOf('/v1/snapshot', fetch, now)).parts.stampy).toEqual(stampy);
    const badge = await call('/v1/rotations/badge/stampy.svg', { now }, fetch);
    expect(badge.text).toContain(stampy.current.biomes[0].name);
  });

  it('applies to the event stream, whose next check is at a boundary of either period', () => {
    const source = stampy.bind(null).eventSource;
    const signatureAt = async (now: number, stampyPeriod: 'weekly' | 'fortnightly') =>
      (await source?.stateAt(now, { ...DEFAULT_SETTINGS, stampyPeriod }))?.signature;
    const states = Promise.all([signatureAt(1_773_156_600, 'fortnightly'), signatureAt(1_773_156_600, 'weekly')]);
    expect(source?.nextChangeAt?.(1_773_156_600)).toBe(1_773_226_800);
    expect(source?.nextChangeAt?.(1_773_226_800)).toBe(1_773_486_000);
    return expect(states).resolves.toEqual(['1773054000:true', '1773486000:false']);
  });

  it('applies to the tools for assistants', async () => {
    const nextVisit = (fetch: Fetch) =>
      call(
        '/mcp',
        {
          method: 'POST',
          now: 1_773_156_600,
          headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'when_is_next', arguments: { what: 'stampy' } },
          }),
        },
        fetch,
      );
    expect((await nextVisit(fortnightly)).text).toContain('Sundered Uplands');
    expect((await nextVisit(fortnightly)).text).not.toContain('Jurassic Jungle');
    expect((await nextVisit(weekly)).text).toContain('Jurassic Jungle');
  });
});

describe('GET /v1/rotations/calendar', () => {
  it('returns only the requested types', async () => {
    const now = 1_773_156_600;
    const all = (await bodyOf('/v1/rotations/calendar', weekly, now)).events as { type: string }[];
    const some = await bodyOf('/v1/rotations/calendar?types=mana,corruxion', weekly, now);
    expect(some.events).toEqual(all.filter(({ type }) => type === 'mana' || type === 'corruxion'));
    expect(some.count).toBe(some.events.length);
    expect((await call('/v1/rotations/calendar?types=nothing', { now }, weekly)).status).toBe(422);
  });

  it('has an ETag for each selection of types', async () => {
    const etagOf = async (query: string) =>
      (await call(`/v1/rotations/calendar${query}`, { now: 1_773_156_600 }, weekly)).headers.get('ETag');
    const etags = [await etagOf(''), await etagOf('?types=mana'), await etagOf('?types=stampy')];
    expect(new Set(etags).size).toBe(3);
    expect(await etagOf('?types=mana')).toBe(etags[1]);
  });
});

describe('GET /v1/rotations/calendar.ics', () => {
  it('has the biomes in the description, a line each', async () => {
    const { text } = await call('/v1/rotations/calendar.ics?types=mana,stampy&at=1773156600', {}, weekly);
    const events = text.replaceAll('\r\n ', '').split('BEGIN:VEVENT').slice(1);
    expect(events.length).toBeGreaterThan(100);
    for (const event of events) {
      const [, names = ''] = /SUMMARY:[^(]*\((.*)\)/.exec(event) ?? [];
      expect(/DESCRIPTION:(.*)\r/.exec(event)?.[1]).toBe(names.replaceAll('\\, ', '\\n'));
    }
    expect((await call('/v1/rotations/calendar.ics?types=corruxion', {}, weekly)).text).not.toContain('DESCRIPTION');
  });
});
