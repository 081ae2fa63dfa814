import { describe, expect, it } from 'vitest';
import { asToken, faultIn } from '../../support/calculators.ts';
import { SCOPES } from '../../support/declarations.ts';
import { container, exampleGem } from '../../unit/gems/support/gems.ts';
import { testApp } from '../platform/test-app.ts';

const gems = await asToken(testApp({ settings: {} }), SCOPES.bitOf('gems:read'));
const strangers = await asToken(testApp({ settings: {} }), SCOPES.bitOf('stats:read'));

/** A Lesser Radiant gem one level below the maximum; its next level has a chance below 1. */
const NEARLY_DONE = {
  id: 1,
  tier: 1,
  type: 1,
  element: 3,
  restriction: 1,
  level: 22,
  stats: [1, 3, 5].map((type) => ({ type, containers: [container(0.5), container(0.5)] })),
};

const TOOLS: [path: string, body: object][] = [
  ['generate', { tier: 4 }],
  ['spark', { gem: exampleGem, stat_position: 1 }],
  ['flare', { gem: exampleGem, stat_position: 1 }],
  ['level-up', { gem: { ...NEARLY_DONE, level: 9 } }],
  ['level-up-to', { gem: NEARLY_DONE, level: 23 }],
  ['set-level', { gem: exampleGem, level: 35 }],
];

describe('gem in a request', () => {
  it('is returned with derived fields', async () => {
    const { body } = await gems.post('/v1/gems/set-level', { gem: exampleGem, level: 6 });
    expect(body).toMatchObject({
      applied: false,
      gem: {
        id: exampleGem.id,
        restriction: null,
        quality: 0.562,
        power_rank: 1304,
        gem_name: 'Vampirian Vanquisher',
        ability_name: 'Vampirian Vanquisher',
        is_max_level: false,
        augmentation: null,
        attempts: 0,
        karma: 0,
        spent: {},
      },
    });
    const [, physical] = body.gem.stats;
    expect(physical.augmentation_progress).toBeCloseTo(0.6375, 12);
    expect(physical.containers[0]).toMatchObject({ increase: 0.125, real_value: 1.025, value: 1 });
    const values = body.gem.stat_values.map((entry: object) => Object.entries(entry)[0]);
    expect(values.map(([name, value]: [string, number]) => [name, Math.round(value * 1e6) / 1e6])).toEqual([
      ['Light', 325],
      ['Physical Damage', 15_981],
      ['Critical Damage', 95],
    ]);
  });

  it('has its derived fields ignored and recalculated', async () => {
    const lying = { ...exampleGem, power_rank: 9999, quality: 1, stat_values: 'none', unknown: {} };
    const { body } = await gems.post('/v1/gems/set-level', { gem: lying, level: 6 });
    expect([body.gem.power_rank, body.gem.quality, body.gem.unknown]).toEqual([1304, 0.562, undefined]);
  });

  it('gets an id if it has none', async () => {
    const { id: _, ...nameless } = exampleGem;
    const ids = [nameless, { ...nameless, id: null }].map(
      async (gem) => (await gems.post('/v1/gems/set-level', { gem, level: 6 })).body.gem.id,
    );
    for (const id of await Promise.all(ids)) expect(Number.isSafeInteger(id) && id > 1e14).toBe(true);
  });

  it('is unchanged after a round trip', async () => {
    const { body: gem } = await gems.post('/v1/gems/generate', { level: 20, seed: 'round trip' });
    expect((await gems.post('/v1/gems/set-level', { gem, level: 20 })).body.gem).toEqual(gem);
  });
});

describe('POST /v1/gems/generate', () => {
  it('returns the requested gem as the body', async () => {
    const { body } = await gems.post('/v1/gems/generate', { tier: 3, type: 1, element: 4, restriction: 2, level: 99, augmentation: 0.5 });
    expect(body).toMatchObject({
      tier: 3,
      type: 1,
      element: 4,
      restriction: 2,
      level: 30,
      is_max_level: true,
      quality: 0.5,
      ability: null,
    });
    expect(body.stats.filter(({ locked }: { locked: boolean }) => locked)).toMatchObject([{ type: 7 }]);
  });

  it.each([[undefined], [''], ['{}'], ['null'], ['{"tier":null,"seed":null}']])('accepts the body %j', async (body) => {
    expect((await gems.post('/v1/gems/generate', body)).status).toBe(200);
  });

  it('requires a content type for a body', async () => {
    const app = testApp({ settings: {} });
    const typed = await asToken((request) => {
      request.headers.set('Content-Type', 'text/plain');
      return app(request);
    }, 0);
    expect(faultIn(await typed.post('/v1/gems/generate', '{}'))).toEqual([400, 'bad_request', undefined]);
    expect((await typed.post('/v1/gems/generate')).status).toBe(200);
  });
});

describe.each(TOOLS)('%s', (name, body) => {
  const path = `/v1/gems/${name}`;

  it('is repeatable for the same seed, as number or text', async () => {
    const seeded = async (seed: unknown) => (await gems.post(path, { ...body, seed })).text;
    const first = await seeded('one');
    expect(await seeded('one')).toBe(first);
    expect(await seeded('7')).toBe(await seeded(7));
    const others = new Set(await Promise.all(Array.from({ length: 12 }, (_, seed) => seeded(seed))));
    expect(others.size).toBeGreaterThan(1);
  });

  it.each(['', 'x'.repeat(65), 1.5, true, [], {}, 2 ** 53])('rejects the seed %j', async (seed) => {
    expect(faultIn(await gems.post(path, { ...body, seed }))).toEqual([422, 'validation_error', 'body.seed']);
  });

  it('requires the scope', async () => {
    expect(faultIn(await strangers.post(path, body)).slice(0, 2)).toEqual([403, 'insufficient_scope']);
  });

  it('is not cacheable', async () => {
    const { headers } = await gems.post(path, body);
    expect([headers.get('Cache-Control'), headers.get('ETag')]).toEqual(['no-store', null]);
  });
});

describe('POST /v1/gems/augment', () => {
  it('applies a focus and returns its cost', async () => {
    const { body } = await gems.post('/v1/gems/augment', { gem: exampleGem, stat_position: 2, augment_type: 2 });
    expect(body).toMatchObject({ applied: true, cost: [{ name: "Builder's Precise Focus", count: 1 }] });
    expect(body.gem.stats[2].containers[0].augments).toEqual([
      { type: 1, count: 0 },
      { type: 2, count: 1 },
      { type: 3, count: 0 },
    ]);
  });

  it('does not change a full stat', async () => {
    const full = { ...exampleGem, stats: [{ type: 7, containers: [container(1)] }, ...exampleGem.stats.slice(1)] };
    expect((await gems.post('/v1/gems/augment', { gem: full, stat_position: 0 })).body).toMatchObject({ applied: false, cost: [] });
  });
});

describe('POST /v1/gems/spark', () => {
  it('costs Glim and a Chaos Spark, and does not change locked stats', async () => {
    const sparked = (await gems.post('/v1/gems/spark', { gem: exampleGem, stat_position: 1 })).body;
    expect([sparked.applied, sparked.cost.map(({ name, count }: { name: string; count: number }) => [name, count])]).toEqual([
      true,
      [
        ['Glim', 75],
        ['Contained Chaos Spark', 1],
      ],
    ]);
    expect((await gems.post('/v1/gems/spark', { gem: exampleGem, stat_position: 0 })).body).toMatchObject({ applied: false, cost: [] });
  });
});

describe('POST /v1/gems/flare', () => {
  it('moves the last boost of a stat, and changes nothing without a boost', async () => {
    const { body } = await gems.post('/v1/gems/flare', { gem: exampleGem, stat_position: 1 });
    expect(body.gem.stats.map(({ containers }: { containers: unknown[] }) => containers.length).toSorted()).toEqual([1, 1, 2]);
    expect((await gems.post('/v1/gems/flare', { gem: exampleGem, stat_position: 0 })).body.applied).toBe(false);
  });
});

describe('POST /v1/gems/level-up and /v1/gems/level-up-to', () => {
  it('returns outcome and cost, which are added to the gem', async () => {
    const { body } = await gems.post('/v1/gems/level-up', { gem: NEARLY_DONE, booster: 'booster2', seed: 3 });
    expect(body).toMatchObject({ applied: expect.any(Boolean), outcome: expect.stringMatching(/^(?:success|failed)$/), guaranteed: false });
    expect(body.gem.attempts).toBe(1);
    expect(body.gem.spent).toEqual(Object.fromEntries(body.cost.map(({ name, count }: { name: string; count: number }) => [name, count])));
    expect(body.gem.spent['Glittering Horseshoe']).toBe(1);
  });

  it('gains a level with the failure that fills the karma bar', async () => {
    const failing = async (seed: number) => (await gems.post('/v1/gems/level-up', { gem: { ...NEARLY_DONE, karma: 124 }, seed })).body;
    const forced = (await Promise.all([1, 2, 3, 4].map(failing))).find(({ guaranteed }) => guaranteed);
    expect(forced).toMatchObject({ applied: true, outcome: 'success', guaranteed: true, karma_gained: 4, gem: { level: 23, karma: 0 } });
  });

  it('changes nothing at the maximum level', async () => {
    const gem = { ...NEARLY_DONE, level: 23 };
    expect((await gems.post('/v1/gems/level-up', { gem })).body).toMatchObject({
      applied: false,
      outcome: 'max_level',
      cost: [],
      chance: 0,
    });
    expect(faultIn(await gems.post('/v1/gems/level-up', { gem, booster: 'booster3' }))).toEqual([400, 'bad_request', 'body.booster']);
  });

  it('returns the totals of many attempts', async () => {
    const { body } = await gems.post('/v1/gems/level-up-to', { gem: NEARLY_DONE, level: 23, seed: 'sum' });
    const { success, double, failed } = body.outcomes;
    expect([body.reached, success + double + failed, body.gem.attempts, body.gem.level]).toEqual([true, body.attempts, body.attempts, 23]);
    const short = (await gems.post('/v1/gems/level-up-to', { gem: { ...NEARLY_DONE, level: 1 }, level: 23, max_attempts: 3 })).body;
    expect([short.reached, short.attempts]).toEqual([false, 3]);
  });

  it('changes nothing for a lower target level and returns 400 for one above the maximum', async () => {
    const below = await gems.post('/v1/gems/level-up-to', { gem: NEARLY_DONE, level: 10 });
    expect(below.body).toMatchObject({ applied: false, attempts: 0, outcomes: { success: 0, double: 0, failed: 0 }, cost: [] });
    expect(faultIn(await gems.post('/v1/gems/level-up-to', { gem: NEARLY_DONE, level: 24 }))).toEqual([400, 'bad_request', 'body.level']);
    for (const [field, value] of [
      ['level', 0],
      ['max_attempts', 0],
      ['max_attempts', 5001],
    ] as const) {
      const response = await gems.post('/v1/gems/level-up-to', { gem: NEARLY_DONE, level: 23, [field]: value });
      expect(faultIn(response)).toEqual([422, 'validation_error', `body.${field}`]);
    }
  });
});
