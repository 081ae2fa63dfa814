import { describe, expect, it } from 'vitest';
import { asToken, faultIn } from '../../support/calculators.ts';
import { SCOPES } from '../../support/declarations.ts';
import { plainGem } from '../../unit/gems/support/gems.ts';
import { testApp } from '../platform/test-app.ts';

const gems = await asToken(testApp({ settings: {} }), SCOPES.bitOf('gems:read'));

const stat = (type: number, base: unknown = 0.5) => ({ type, containers: [{ base, augments: [] }] });

/** JSON text with `"@"` replaced by a number that `JSON.stringify` cannot write. */
const raw = (value: object, text: string) => JSON.stringify(value).replace('"@"', text);

describe('validation of the gem in a body', () => {
  const faults: [object, string][] = [
    [{ tier: 5 }, 'tier'],
    [{ tier: '4' }, 'tier'],
    [{ tier: undefined }, 'tier'],
    [{ type: 3 }, 'type'],
    [{ element: 0 }, 'element'],
    [{ restriction: 3 }, 'restriction'],
    [{ ability: 12 }, 'ability'],
    [{ level: 24 }, 'level'],
    [{ level: 0 }, 'level'],
    [{ level: 4.5 }, 'level'],
    [{ stats: [stat(1), stat(3)] }, 'stats'],
    [{ stats: [stat(1), stat(3), stat(5), stat(6)] }, 'stats'],
    [{ stats: [stat(1), stat(1), stat(5)] }, 'stats.1.type'],
    [{ stats: [stat(1), stat(2), stat(5)] }, 'stats.1.type'],
    [{ stats: [stat(1), stat(8), stat(5)] }, 'stats.1.type'],
    [{ stats: [stat(1), stat(3), stat(7)] }, 'stats.2.type'],
    [{ stats: [stat(1, 1.01), stat(3), stat(5)] }, 'stats.0.containers.0.base'],
    [{ stats: [stat(1, -0.01), stat(3), stat(5)] }, 'stats.0.containers.0.base'],
    [{ stats: [stat(1), { type: 3, containers: [] }, stat(5)] }, 'stats.1.containers'],
    [{ stats: [stat(1), { type: 3, containers: Array(15).fill({ base: 0 }) }, stat(5)] }, 'stats'],
    [
      { stats: [stat(1), { type: 3, containers: [{ base: 0, augments: [{ type: 4, count: 1 }] }] }, stat(5)] },
      'stats.1.containers.0.augments.0.type',
    ],
    [
      { stats: [stat(1), { type: 3, containers: [{ base: 0, augments: [{ type: 1, count: 1001 }] }] }, stat(5)] },
      'stats.1.containers.0.augments.0.count',
    ],
    [{ karma: 126 }, 'karma'],
    [{ attempts: -1 }, 'attempts'],
    [{ spent: { Flux: -1 } }, 'spent.Flux'],
    [{ spent: [] }, 'spent'],
    [{ augmentation: 2 }, 'augmentation'],
  ];

  it.each(faults)('returns 422 for %j', async (fields, loc) => {
    const response = await gems.post('/v1/gems/level-up', { gem: plainGem(fields) });
    expect(faultIn(response)).toEqual([422, 'validation_error', `body.gem.${loc}`]);
  });

  it.each([['null'], ['[]'], ['"gem"'], ['7']])('returns 422 for a gem that is %s', async (text) => {
    expect(faultIn(await gems.post('/v1/gems/level-up', `{"gem":${text}}`))).toEqual([422, 'validation_error', 'body.gem']);
  });

  it.each(['1e999', '-1e999', '1e308'])('returns 422 for a base of %s', async (text) => {
    const response = await gems.post('/v1/gems/level-up', raw({ gem: plainGem({ stats: [stat(1, '@'), stat(3), stat(5)] }) }, text));
    expect(faultIn(response)).toEqual([422, 'validation_error', 'body.gem.stats.0.containers.0.base']);
  });

  it('accepts gems that are never rolled: extra boosts, a damage stat of the other restriction, an unlocked Light', async () => {
    const odd = plainGem({ element: 4, stats: [stat(2), stat(7), { type: 5, containers: Array(14).fill({ base: 1 }) }] });
    const response = await gems.post('/v1/gems/flare', { gem: odd, stat_position: 2 });
    expect([response.status, response.body.applied]).toEqual([200, true]);
  });
});

describe('validation of gem request fields', () => {
  const gem = plainGem({});
  const tooFar: [string, object, string][] = [
    ['augment', { gem, stat_position: 3 }, 'stat_position'],
    ['augment', { gem, stat_position: 0, augment_type: 0 }, 'augment_type'],
    ['augment', { gem, stat_position: 0, augment_type: 4 }, 'augment_type'],
    ['spark', { gem, stat_position: 99 }, 'stat_position'],
    ['generate', { tier: 5 }, 'tier'],
    ['generate', { tier: 0 }, 'tier'],
    ['generate', { type: 3 }, 'type'],
    ['generate', { element: -1 }, 'element'],
    ['generate', { type: 1, restriction: 3 }, 'restriction'],
    ['level-up', { gem, booster: 'Booster2' }, 'booster'],
  ];
  it.each(tooFar)('returns 400 for a value outside of its enumeration: %s %j', async (path, body, field) => {
    expect(faultIn(await gems.post(`/v1/gems/${path}`, body))).toEqual([400, 'bad_request', `body.${field}`]);
  });

  it('returns the nearest allowed value for an unknown value', async () => {
    const { body } = await gems.post('/v1/gems/level-up', { gem, booster: 'booster6' });
    expect(body.error.details[0]).toMatchObject({ allowed: ['booster2', 'booster4', 'booster5', 'booster5_mystic'], nearest: 'booster2' });
  });

  const wrong: [string, object | string, string][] = [
    ['augment', { gem }, 'stat_position'],
    ['augment', { gem, stat_position: -1 }, 'stat_position'],
    ['augment', { gem, stat_position: '0' }, 'stat_position'],
    ['augment', { gem, stat_position: 0.5 }, 'stat_position'],
    ['flare', { stat_position: 0 }, 'gem'],
    ['set-level', { gem, level: 0 }, 'level'],
    ['set-level', { gem }, 'level'],
    ['set-level', raw({ gem, level: '@' }, '1e999'), 'level'],
    ['set-level', raw({ gem, level: '@' }, '1e308'), 'level'],
    ['set-level', { gem, level: 2e12 }, 'level'],
    ['generate', { level: 0 }, 'level'],
    ['generate', { augmentation: 1.5 }, 'augmentation'],
    ['generate', raw({ tier: '@' }, '1e999'), 'tier'],
    ['generate', { tier: '4' }, 'tier'],
    ['generate', { tier: 4.5 }, 'tier'],
    ['level-up', { gem, booster: 2 }, 'booster'],
  ];
  it.each(wrong)('returns 422 for a missing field, wrong type or number out of range: %s %j', async (path, body, field) => {
    expect(faultIn(await gems.post(`/v1/gems/${path}`, body))).toEqual([422, 'validation_error', `body.${field}`]);
  });

  it('ignores the restriction of an Empowered gem', async () => {
    expect((await gems.post('/v1/gems/generate', { type: 2, restriction: 77 })).body.restriction).toBeNull();
  });

  it('treats null as absent', async () => {
    const response = await gems.post('/v1/gems/augment', {
      gem: plainGem({ id: null, spent: null, karma: null }),
      stat_position: 0,
      augment_type: null,
    });
    expect([response.status, response.body.gem.stats[0].containers[0].augments[0].count]).toEqual([200, 1]);
  });
});
