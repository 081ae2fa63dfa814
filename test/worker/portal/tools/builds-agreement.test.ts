import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { ALLIES, FOODS } from '../../../../src/areas/gems/builds/builds.data.ts';
import { viewStarChart } from '../../../../src/areas/gems/builds/star-chart.domain.ts';
import {
  type BuildsState,
  buildsFields,
  computeBuilds,
  toolRequest,
  workOf,
} from '../../../../src/areas/portal/tools/builds/builds-tool.domain.ts';
import { CLASS_NAMES } from '../../../../src/game/classes.domain.ts';
import { seededRandom } from '../../../../src/platform/kit/random.ts';
import { asToken } from '../../../support/calculators.ts';
import { SCOPES } from '../../../support/declarations.ts';
import { flags, randomState } from '../../../support/random-tool-states.ts';
import { testApp } from '../../platform/test-app.ts';

const RUNS = env.FUZZ_SCALE === undefined ? 50 : 1000;

const gems = await asToken(testApp({ settings: {} }), SCOPES.bitOf('gems:read'));

const CHOICES: Partial<Record<keyof BuildsState, readonly string[]>> = {
  mode: ['layouts', 'layouts', 'health'],
  type: ['Light', 'Farm', 'Health'],
  class: CLASS_NAMES,
  sub: CLASS_NAMES,
  ally: ALLIES.map(({ key }) => key),
  food: ['', ...FOODS.map(({ key }) => key)],
  crit: ['0', '1', '2', '3'],
  light: ['0', '0', '9000', '12500'],
  chart: ['', 'SC:Jnc', 'SC:cb1a1|pb0b1a1', 'v2:JnfI_w', 'nonsense', 'SC:AAECAwQFBgcICQ'],
  ...flags('face', 'active', 'litany', 'battler', 'buff', 'hunt', 'precise', 'wch', 'rch', 'hh', 'fh'),
};

describe('/tools/builds', () => {
  it(`shows what the API returns for ${RUNS} random states`, { timeout: 600_000 }, async () => {
    const random = seededRandom('builds tool');
    for (let run = 0; run < RUNS; run += 1) {
      const state = randomState(buildsFields, CHOICES, random);
      const { path, body } = toolRequest(state);
      const { layouts, health } = computeBuilds({ ...workOf(state), other: null });
      const response = await gems.post(path, body);
      expect(response.status).toBe(200);
      expect(health ?? layouts, JSON.stringify(body)).toEqual(response.body);
      if (run % 10 > 0) continue;
      const chart = await gems.post('/v1/gems/builds/parse-star-chart', { star_chart: state.chart });
      expect(viewStarChart(state.chart)).toEqual(chart.body);
    }
  });
});
