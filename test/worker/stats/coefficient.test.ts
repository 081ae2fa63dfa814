import { describe, expect, it } from 'vitest';
import { faultIn, withJson } from '../../support/calculators.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const fetch = testApp({ settings: {} });

/** Without a token, as anybody may. */
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
  ])('of %j is %i', async (input, coefficient, damageUsed) => {
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
  ])('of %j lacks something: 400', async (input, loc) => {
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
  ])('of %s is 422', async (input, loc) => {
    expect(faultIn(await calculate(input))).toEqual([422, 'validation_error', loc]);
  });

  it('refuses what is no JSON', async () => {
    expect(faultIn(await calculate('{"physical_damage":NaN}'))).toEqual([400, 'bad_request', undefined]);
  });
});
