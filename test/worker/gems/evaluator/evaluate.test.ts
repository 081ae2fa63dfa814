import { describe, expect, it } from 'vitest';
import { asToken, faultAt, faultIn } from '../../../support/calculators.ts';
import { SCOPES } from '../../../support/declarations.ts';
import { exampleEvaluation, exampleSimpleEvaluation } from '../../../unit/gems/support/gems.ts';
import { testApp } from '../../platform/test-app.ts';

const gems = await asToken(testApp({ settings: {} }), SCOPES.bitOf('gems:read'));

const entered = (type: number, value: number, extra_containers = 0) => ({ type, value, extra_containers });

const EXAMPLE = exampleEvaluation.request;

const withStats = (...stats: unknown[]) => ({ ...EXAMPLE, stats });

describe('POST /v1/gems/evaluate', () => {
  it.each([false, true])('returns the documented values, boosts derived: %s', async (auto_guess_procs) => {
    const { body } = await gems.post('/v1/gems/evaluate', { ...EXAMPLE, auto_guess_procs });
    expect(body).toMatchObject({
      ...exampleEvaluation.fields,
      focus_totals: { optimized_all: { superior: 10, precise: 1, rough: 0 }, rough_only: { rough: 52, total: 52 } },
      headline_cost: { key: 'optimized_precise_rough', precise: 26, rough: 0, total: 26 },
    });
    const figures = (row: Record<string, unknown>) => [row.progress, row.raw_progress, row.is_within_range, row.estimated_pr_contribution];
    expect(body.stats.map(figures)).toEqual(exampleEvaluation.stats);
  });

  it('accepts a generated gem as body or as gem', async () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const wish = { seed, tier: 1 + (seed % 4), type: 1 + (seed % 2), level: 1 + (seed % 20) };
      const { body: gem } = await gems.post('/v1/gems/generate', wish);
      const response = await gems.post('/v1/gems/evaluate', gem);
      expect([response.status, (await gems.post('/v1/gems/evaluate', { gem })).body]).toEqual([200, response.body]);
      expect(response.body).toMatchObject({
        tier: gem.tier,
        type: gem.type,
        element: gem.element,
        level: gem.level,
        calculated_power_rank: gem.power_rank,
        has_issues: false,
        guessed_distribution: gem.stats.map(({ containers }: { containers: unknown[] }) => containers.length - 1),
      });
      response.body.stats.forEach((stat: Record<string, number>, index: number) => {
        expect(stat.progress).toBeCloseTo(gem.stats[index].augmentation_progress, 4);
        expect(stat.entered_value).toBe(Object.values(gem.stat_values[index] as object)[0]);
      });
    }
  });

  it('returns the path of an invalid field of a gem', async () => {
    const { body: gem } = await gems.post('/v1/gems/generate', { seed: 1, tier: 1, element: 1 });
    const past = { ...gem, level: 24 };
    expect(faultIn(await gems.post('/v1/gems/evaluate', past))).toEqual([422, 'validation_error', 'body.level']);
    expect(faultIn(await gems.post('/v1/gems/evaluate', { gem: past }))).toEqual([422, 'validation_error', 'body.gem.level']);
  });

  it.each([
    [{}, 'stats'],
    [{ stats: [{ type: 1 }, entered(3, 63), entered(6, 165)] }, 'stats.0.value'],
  ])('returns 422 for %j without a required field', async (input, field) => {
    const response = await gems.post('/v1/gems/evaluate', input);
    expect(faultIn(response)).toEqual([422, 'validation_error', `body.${field}`]);
    expect(response.body.error.details[0]).toMatchObject({ msg: 'is required', type: 'missing' });
  });

  it('returns 200 with issues for impossible values', async () => {
    const { status, body } = await gems.post('/v1/gems/evaluate', withStats(entered(1, 1, 1), entered(3, 9999), entered(6, 165)));
    expect([status, body.has_issues, body.issues.length]).toEqual([200, true, 2]);
    expect(body.issues[0]).toMatch(/^Physical Damage is below the minimum/);
    expect(body.issues[1]).toMatch(/^Critical Damage is above the maximum/);
  });

  it('derives Cosmic from Light and Arcane from Magic Damage, and defaults to level 1', async () => {
    const { body } = await gems.post('/v1/gems/evaluate', { level: -3, stats: [entered(7, 300), entered(2, 9000), entered(5, 9000)] });
    expect(body).toMatchObject({ tier: 4, type: 1, level: 1, element_name: 'Cosmic', restriction_name: 'Arcane' });
  });

  const refused: [object, string][] = [
    [withStats(entered(1, 1), entered(3, 1)), 'stats'],
    [withStats(entered(1, 1), entered(3, 1), entered(4, 1), entered(5, 1)), 'stats'],
    [withStats(entered(1, 1), entered(1, 1), entered(5, 1)), 'stats'],
    [withStats(entered(1, 1), entered(2, 1), entered(5, 1)), 'stats'],
    [withStats(entered(1, 1), entered(8, 1), entered(5, 1)), 'stats.1.type'],
    [withStats(entered(1, 1), entered(11, 1), entered(5, 1)), 'stats.1.type'],
    [withStats(entered(1, 1, -1), entered(3, 1), entered(5, 1)), 'stats.0.extra_containers'],
    [{ ...EXAMPLE, level: 31 }, 'level'],
    [{ ...EXAMPLE, tier: 5 }, 'tier'],
  ];
  it.each(refused)('returns 400 for %j', async (body, loc) => {
    expect(faultIn(await gems.post('/v1/gems/evaluate', body))).toEqual([400, 'bad_request', `body.${loc}`]);
  });

  const invalid: [string, string][] = [
    ['{}', 'stats'],
    ['{"stats":null}', 'stats'],
    ['{"stats":[{"type":1},{"type":3,"value":1},{"type":5,"value":1}]}', 'stats.0.value'],
    ['{"stats":[{"type":1,"value":1e999},{"type":3,"value":1},{"type":5,"value":1}]}', 'stats.0.value'],
    ['{"stats":[{"type":1,"value":1e308},{"type":3,"value":1},{"type":5,"value":1}]}', 'stats.0.value'],
    ['{"stats":[{"type":1,"value":"1"},{"type":3,"value":1},{"type":5,"value":1}]}', 'stats.0.value'],
    ['{"stats":[{"type":1.5,"value":1},{"type":3,"value":1},{"type":5,"value":1}]}', 'stats.0.type'],
  ];
  it.each(invalid)('returns 422 for %s', async (body, loc) => {
    expect(faultIn(await gems.post('/v1/gems/evaluate', body))).toEqual([422, 'validation_error', `body.${loc}`]);
  });
});

describe('POST /v1/gems/evaluate-simple', () => {
  it('returns the documented values', async () => {
    const { body } = await gems.post('/v1/gems/evaluate-simple', exampleSimpleEvaluation.request);
    expect(body).toMatchObject(exampleSimpleEvaluation.fields);
  });

  it('treats an empty body as a Mystic gem without Power Rank', async () => {
    expect((await gems.post('/v1/gems/evaluate-simple')).body).toMatchObject({
      tier: 4,
      type: 1,
      level: 1,
      power_rank: 0,
      quality: 0,
      distance: 600,
    });
  });

  it.each([
    [{ tier: 1, level: 24 }, 400, 'level'],
    [{ tier: 9 }, 400, 'tier'],
    [{ power_rank: 1.5 }, 422, 'power_rank'],
    [{ power_rank: 2e12 }, 422, 'power_rank'],
  ])('returns $1 for $0', async (body, status, field) => {
    expect(faultIn(await gems.post('/v1/gems/evaluate-simple', body))).toEqual(faultAt(status, `body.${field}`));
  });
});
