import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIERS } from '../../../src/areas/gems/gem.data.ts';
import { POSITIONS } from '../../../src/areas/gems/gem.domain.ts';
import { countBoosts } from '../../../src/areas/gems/gem-figures.domain.ts';
import { seededRolls } from '../../../src/areas/gems/gem-generate.domain.ts';
import { AUGMENT_IDS, BOOSTER_IDS, TIER_IDS, TYPE_IDS } from '../../../src/areas/gems/gem-input.domain.ts';
import { timeZones } from '../../../src/areas/misc/time-zones.data.ts';
import { initialState } from '../../../src/areas/portal/tools/frame/state.domain.ts';
import { splitsOf } from '../../../src/areas/portal/tools/gems/boost-splits.domain.ts';
import {
  augmentStep,
  costToMaximum,
  evaluateBuilt,
  flareStep,
  levelStep,
  levelToStep,
  plainGem,
  sparkStep,
  viewBuilder,
  withLevel,
} from '../../../src/areas/portal/tools/gems/gem-builder.domain.ts';
import { CHECK_BY, type CheckInput, checkBody, evaluationOf } from '../../../src/areas/portal/tools/gems/gem-check.domain.ts';
import { readGem, writeGem } from '../../../src/areas/portal/tools/gems/gem-code.domain.ts';
import { AMOUNTS_OF, STAT_KEYS, type StatsState, statsFields, viewStat } from '../../../src/areas/portal/tools/stats/stats-tool.domain.ts';
import { convertedJson, viewTime } from '../../../src/areas/portal/tools/time/time-tool.domain.ts';
import { asToken } from '../../support/calculators.ts';
import { SCOPES } from '../../support/declarations.ts';
import { gems, threeStatTypes } from '../../support/gem-samples.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

/** Inputs for each property: 50, or 1,000 in `npm run test:long`. */
const RUNS = env.FUZZ_SCALE === undefined ? 50 : 1000;
/** The same inputs in every run. */
const SEED = 65;
const property = { numRuns: RUNS, seed: SEED };

const fetch = testApp();
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('/tools/gems', () => {
  const booster = fc.option(fc.constantFrom(...BOOSTER_IDS));
  const position = fc.constantFrom(...POSITIONS);

  it('shows what the endpoints return for random gems, through a link', async () => {
    const api = await asToken(fetch, SCOPES.bitOf('gems:read'));
    await fc.assert(
      fc.asyncProperty(gems, booster, async (gem, chosen) => {
        const linked = readGem(writeGem(gem));
        if (linked === undefined) throw new Error(`the link has no gem: ${writeGem(gem)}`);
        const evaluated = await api.post('/v1/gems/evaluate', { gem });
        expect([evaluated.status, evaluated.body]).toEqual([200, asJson(evaluateBuilt(linked))]);
        const { tier, type, element, level } = gem;
        const query = new URLSearchParams({ tier: `${tier}`, type: `${type}`, element: `${element}`, from_level: `${level}` });
        if (chosen !== null) query.set('booster', chosen);
        const costs = await api.get(`/v1/gems/level-costs?${query}`);
        expect([costs.status, costs.body]).toEqual([200, asJson(costToMaximum(linked, chosen))]);
      }),
      property,
    );
  });

  it('changes random gems like the endpoints with the same seed', async () => {
    const api = await asToken(fetch, SCOPES.bitOf('gems:read'));
    await fc.assert(
      fc.asyncProperty(gems, position, fc.constantFrom(...AUGMENT_IDS), booster, fc.nat(), async (gem, at, focus, chosen, seed) => {
        const rolls = () => seededRolls(seed);
        const target = Math.min(gem.level + 2, TIERS[gem.tier].maxLevel);
        const expected = [
          ['augment', { gem, stat_position: at, augment_type: focus }, augmentStep(gem, at, focus)],
          ['spark', { gem, stat_position: at, seed }, sparkStep(gem, at, rolls())],
          ['flare', { gem, stat_position: at, seed }, flareStep(gem, at, rolls())],
          ['level-up', { gem, booster: chosen, seed }, levelStep(gem, chosen, rolls())],
          ['level-up-to', { gem, level: target, booster: chosen, seed }, levelToStep(gem, target, chosen, rolls())],
          ['set-level', { gem, level: target, seed }, { gem: withLevel(gem, target, rolls()), cost: [] }],
        ] as const;
        for (const [name, body, step] of expected) {
          const { status, body: reply } = await api.post(`/v1/gems/${name}`, body);
          expect([name, status]).toEqual([name, 200]);
          expect(asJson({ gem: step.gem, cost: step.cost }), name).toEqual(asJson({ gem: plainGem(reply.gem), cost: reply.cost ?? [] }));
          expect(asJson(viewBuilder(step.gem, null).gem.power_rank), name).toBe(reply.gem.power_rank);
        }
      }),
      property,
    );
  });

  it('evaluates random values, percentages and Power Ranks like the endpoints', async () => {
    const api = await asToken(fetch, SCOPES.bitOf('gems:read'));
    const value = fc.double({ min: 0, max: 200_000, noNaN: true }).map((amount) => Math.round(amount * 100) / 100);
    const percent = fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10);
    const inputs: fc.Arbitrary<CheckInput> = fc
      .record({
        tier: fc.constantFrom(...TIER_IDS),
        type: fc.constantFrom(...TYPE_IDS),
        level: fc.integer({ min: 1, max: 35 }),
        by: fc.constantFrom(...CHECK_BY),
        types: threeStatTypes.map((types) => types as unknown as CheckInput['types']),
        values: fc.tuple(value, value, value),
        percents: fc.tuple(percent, percent, percent),
        rank: fc.integer({ min: 0, max: 5000 }),
        split: fc.nat(),
      })
      .map(({ split, ...input }) => {
        const level = Math.min(input.level, TIERS[input.tier].maxLevel);
        const splits = splitsOf(countBoosts(level));
        return { ...input, level, boosts: splits[split % splits.length] ?? [0, 0, 0] };
      });
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const { status, body } = await api.post(`/v1/gems/evaluate${input.by === 'rank' ? '-simple' : ''}`, checkBody(input));
        expect([status, body]).toEqual([200, asJson(evaluationOf(input))]);
      }),
      property,
    );
  });
});

describe('/tools/time', () => {
  const instant = fc.oneof(
    fc.integer({ min: 1_500_000_000, max: 2_500_000_000 }),
    fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
  );

  it('shows what the endpoint returns for random times', async () => {
    await fc.assert(
      fc.asyncProperty(instant, fc.constantFrom(...timeZones), async (at, zone) => {
        const options = { method: 'POST', json: { unix: at } };
        const { status, text } = await call('/v1/misc/time/convert', options, fetch);
        expect([status, JSON.parse(text)]).toEqual([200, asJson(convertedJson(viewTime(at, zone, 'weekly')))]);
      }),
      property,
    );
  });

  it('shows the resets and visits that the endpoints return at the same time', async () => {
    const computable = fc.integer({ min: 1_500_000_000, max: 4_000_000_000 });
    await fc.assert(
      fc.asyncProperty(computable, async (at) => {
        const get = async (name: string) => JSON.parse((await call(`/v1/rotations/${name}?at=${at}`, {}, fetch)).text);
        const { resets, gameDay, upcoming } = viewTime(at, { id: 'UTC', name: 'UTC' }, 'weekly');
        const windowOf = (name: string) => upcoming.find((entry) => entry.name === name)?.window;
        const server = await get('server-time');
        expect([gameDay, ...resets.map((reset) => reset.at)]).toEqual([server.game_day, server.daily_reset_at, server.weekly_reset_at]);
        for (const name of ['Corruxion', 'Fluxion']) {
          const { starts_at, ends_at } = await get(name.toLowerCase());
          expect(windowOf(name), name).toEqual({ starts_at, ends_at });
        }
        for (const [name, path] of [
          ['Biomes', 'biomes'],
          ['Stampy', 'stampy'],
          ['Wild mana', 'wild-mana'],
        ] as const) {
          const { starts_at, ends_at } = (await get(path)).current;
          expect(windowOf(name), name).toEqual({ starts_at, ends_at });
        }
      }),
      property,
    );
  });
});

describe('/tools/stats', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  it('adds up the sources that the endpoints list', async () => {
    const api = await asToken(fetch, SCOPES.bitOf('stats:read'));
    const tables = await Promise.all(STAT_KEYS.map(async (key) => [key, (await api.get(`/v1/stats/${key}`)).body] as const));
    for (const [stat, table] of tables) {
      fc.assert(
        fc.property(fc.array(share, { minLength: table.count, maxLength: table.count }), (shares) => {
          const amounts = Object.fromEntries(
            table.sources.map(({ type, value }: { type: string; value: number }, position: number) => {
              const part = shares[position] ?? 0;
              return [position, type === 'switch' ? (part < 0.5 ? 0 : value) : Math.floor(part * value)];
            }),
          );
          const state: StatsState = { ...initialState(statsFields), stat, [AMOUNTS_OF[stat]]: amounts };
          let sum = 0;
          let factor = 1;
          for (const [position, { name, percentage }] of table.sources.entries()) {
            if (percentage) factor += amounts[position] / 100;
            else if (name === 'Enlightened Buff') factor += amounts[position];
            else sum += amounts[position];
          }
          expect(viewStat(state).total).toBeCloseTo(sum * factor, 1);
        }),
        property,
      );
    }
  });
});
