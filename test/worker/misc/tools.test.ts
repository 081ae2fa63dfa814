import { describe, expect, it } from 'vitest';
import { timeZones } from '../../../src/areas/misc/time-zones.data.ts';
import { TimeConvertBody, TimeNowBody } from '../../../src/areas/misc/tools.routes.ts';
import { call, FIRST_INSTANT } from '../../support/requests.ts';

const get = async (path: string, now?: number) => call(path, now === undefined ? {} : { now });

async function convert(body: unknown) {
  const response = await call('/v1/misc/time/convert', {
    method: 'POST',
    json: body,
  });
  return { ...response, body: JSON.parse(response.text) };
}

describe('GET /v1/misc/software', () => {
  it('lists software by category, in order', async () => {
    const { headers, text } = await get('/v1/misc/software');
    const { categories, count } = JSON.parse(text);
    expect(count).toBe(5);
    expect(categories.map(({ key }: { key: string }) => key)).toEqual(['blueprints', 'vfx', 'ui', 'sound', 'textures']);
    expect(categories[0].software[1]).toEqual({
      name: 'MagicaVoxel',
      free: true,
      url: 'https://ephtracy.github.io/',
      description: 'Lightweight 8-bit voxel editor with a path-tracing renderer.',
    });
    expect(headers.get('Cache-Control')).toBe('public, max-age=86400');
  });
});

describe('time tool endpoints', () => {
  it('list eleven zones, game first', async () => {
    const { items, count } = JSON.parse((await get('/v1/misc/timezones')).text);
    expect(count).toBe(11);
    expect(items).toEqual(timeZones);
    expect(items[0]).toEqual({ id: 'game', name: 'Game Server (Reset)' });
  });

  it('return the current time in every zone', async () => {
    const body = TimeNowBody.parse(JSON.parse((await get('/v1/misc/time/now', FIRST_INSTANT)).text));
    expect(body.unix).toBe(FIRST_INSTANT);
    expect(body.zones.map(({ id }) => id)).toEqual(timeZones.map(({ id }) => id));
    expect(body.zones[0]?.datetime).toBe('2026-03-10T04:30:30-11:00');
    expect(body.zones.find(({ id }) => id === 'Europe/Paris')).toMatchObject({
      datetime: '2026-03-10T16:30:30+01:00',
      date: 'Mar 10, 2026',
    });
  });

  it('convert times across daylight saving changes', async () => {
    const { status, body } = await convert({ datetime: '2025-03-30T02:30', timezone: 'Europe/Paris' });
    expect(status).toBe(200);
    expect(TimeConvertBody.parse(body)).toMatchObject({ unix: 1_743_298_200, iso_utc: '2025-03-30T01:30:00+00:00' });
    expect(body.chat_timestamp_codes).toHaveLength(7);
    expect(body.chat_timestamp_codes[6]).toEqual({ style: 'R', label: 'Relative (in 2 months)', code: '<t:1743298200:R>' });
    expect((await convert({ datetime: '2025-10-26T02:30', timezone: 'Europe/Paris' })).body.unix).toBe(1_761_438_600);
  });

  it.each([
    [{ unix: 0 }, 0],
    [{ unix: -1, datetime: 'x', timezone: 'x' }, -1],
    [{ unix: null, datetime: '1970-01-01' }, 0],
    [{ datetime: '1970-01-01T00:00', timezone: 'game' }, 39_600],
  ])('accept %o', async (body, unix) => {
    expect((await convert(body)).body.unix).toBe(unix);
  });

  it.each([
    [{}, 400, 'bad_request'],
    [{ datetime: null, timezone: 'UTC' }, 400, 'bad_request'],
    [{ datetime: '', unix: null }, 400, 'bad_request'],
    [{ datetime: 'tomorrow' }, 400, 'bad_request'],
    [{ datetime: '2026-01-01', timezone: 'Mars/Base' }, 400, 'bad_request'],
    [{ datetime: '2026-01-01', timezone: '+05:30' }, 400, 'bad_request'],
    [{ unix: 253_402_300_800 }, 400, 'bad_request'],
    [{ unix: 1.5 }, 422, 'validation_error'],
    [{ unix: '0' }, 422, 'validation_error'],
    [{ unix: 1e300 }, 422, 'validation_error'],
    [{ datetime: 5 }, 422, 'validation_error'],
    [{ datetime: '2026-01-01', timezone: 5 }, 422, 'validation_error'],
  ])('reject %o', async (given, status, code) => {
    const response = await convert(given);
    expect([response.status, response.body.error.code]).toEqual([status, code]);
  });
});
