import { describe, expect, it } from 'vitest';
import { statTable } from '../../../src/areas/stats/stats.routes.ts';
import { asToken, faultIn, withJson } from '../../support/calculators.ts';
import { SCOPES } from '../../support/declarations.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const fetch = testApp({ settings: {} });
const stats = await asToken(fetch, SCOPES.bitOf('stats:read'));
const withoutScope = await asToken(fetch, SCOPES.bitOf('gems:read'));

const { paths: OPERATIONS } = JSON.parse((await call('/openapi.json')).text);

const PATHS = ['power-rank', 'magic-find', 'light', 'classes', 'classes/knight'].map((name) => `/v1/stats/${name}`);

describe('stat table endpoints', () => {
  it.each(['power-rank', 'magic-find', 'light'] as const)('list every source of %s', async (stat) => {
    expect((await stats.get(`/v1/stats/${stat}`)).body).toEqual(statTable(stat));
  });

  it.each(['power-rank', 'magic-find', 'light'])('have an example of %s in the document', async (stat) => {
    const { example } = OPERATIONS[`/v1/stats/${stat}`].get.responses[200].content['application/json'];
    const { body } = await stats.get(`/v1/stats/${stat}`);
    expect(example).toEqual({ ...body, sources: body.sources.slice(0, 1) });
  });
});

describe('GET /v1/stats/classes', () => {
  it('returns 18 classes, sorted by display name', async () => {
    const { items, count } = (await stats.get('/v1/stats/classes')).body;
    const names = items.map(({ name }: { name: string }) => name);
    expect([count, names.length, names]).toEqual([18, 18, names.toSorted()]);
  });

  it('returns a class by technical name only', async () => {
    const { body } = await stats.get('/v1/stats/classes/icemage');
    expect([body.name, body.damage_type]).toEqual(['Ice Sage', 'Magic']);
    expect((await stats.get('/v1/stats/classes')).body.items).toContainEqual(body);
  });

  it.each(['Ice%20Sage', 'IceMage', 'ICEMAGE', 'icemage%20', '__proto__', 'constructor', 'nobody'])('returns 404 for %s', async (name) => {
    expect(faultIn(await stats.get(`/v1/stats/classes/${name}`))).toEqual([404, 'not_found', 'path.tech_name']);
  });

  it('has ascending thresholds', async () => {
    const { subclass } = (await stats.get('/v1/stats/classes/bard')).body;
    expect(Object.keys(subclass.level)).toEqual(['1', '10', '15', '20', '25', '30']);
    expect(Object.keys(subclass.power)).toEqual(['1', '5000', '10000', '15000', '20000', '25000', '30000', '35000', '40000']);
  });
});

describe.each(PATHS)('%s', (path) => {
  it('is cacheable for an hour and returns 304 when the ETag matches', async () => {
    const first = await stats.get(path);
    const etag = first.headers.get('ETag') ?? '';
    expect([etag, first.headers.get('Cache-Control')]).toEqual([expect.stringMatching(/^"[\w-]{16}"$/), 'private, max-age=3600']);
    const again = await stats.get(path, { 'If-None-Match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('requires the scope', async () => {
    expect(faultIn(await withoutScope.get(path)).slice(0, 2)).toEqual([403, 'insufficient_scope']);
  });
});

/** Sends the request without a token. */
async function calculate(body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return withJson(
    await call('/v1/stats/coefficient', { method: 'POST', body: text, headers: { 'Content-Type': 'application/json' } }, fetch),
  );
}

describe('POST /v1/stats/coefficient', () => {
  it.each([
    [{ physical_damage: 200, critical_damage: 15 }, 230, 'physical'],
    [{ physical_damage: 20_000, magic_damage: 15_000, critical_damage: 1250.5 }, 270_100, 'physical'],
    [{ physical_damage: 100, magic_damage: 100, critical_damage: 0 }, 100, 'physical'],
    [{ physical_damage: null, magic_damage: 7, critical_damage: 100 }, 14, 'magic'],
    [{ physical_damage: 0, critical_damage: 0 }, 0, 'physical'],
  ])('returns $1 for $0', async (input, coefficient, damageUsed) => {
    expect((await calculate(input)).body).toEqual({
      coefficient,
      damage_used: damageUsed,
      formula: 'floor(max(physical_damage, magic_damage) * (1 + critical_damage / 100))',
    });
  });

  it.each([
    [{ physical_damage: 200 }, 'body.critical_damage'],
    [{ physical_damage: 200, critical_damage: null }, 'body.critical_damage'],
    [{ critical_damage: 10 }, 'body.physical_damage'],
    [{ physical_damage: null, magic_damage: null, critical_damage: 10 }, 'body.physical_damage'],
    [{}, 'body.critical_damage'],
  ])('returns 400 for the incomplete body %j', async (input, loc) => {
    expect(faultIn(await calculate(input))).toEqual([400, 'bad_request', loc]);
  });

  it.each([
    ['{"physical_damage":"200","critical_damage":1}', 'body.physical_damage'],
    ['{"physical_damage":1e999,"critical_damage":1}', 'body.physical_damage'],
    ['{"physical_damage":200,"critical_damage":-1}', 'body.critical_damage'],
    ['{"physical_damage":-1,"critical_damage":1}', 'body.physical_damage'],
    ['{"physical_damage":1e308,"critical_damage":1}', 'body.critical_damage'],
    ['{"physical_damage":9007199254740993,"critical_damage":0}', 'body.critical_damage'],
    ['{"physical_damage":true,"critical_damage":1}', 'body.physical_damage'],
  ])('returns 422 for %s', async (input, loc) => {
    expect(faultIn(await calculate(input))).toEqual([422, 'validation_error', loc]);
  });

  it('rejects a body that is not JSON', async () => {
    expect(faultIn(await calculate('{"physical_damage":NaN}'))).toEqual([400, 'bad_request', undefined]);
  });
});
