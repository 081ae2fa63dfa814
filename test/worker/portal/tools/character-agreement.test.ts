import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  type CharacterState,
  characterFields,
  toolRequest,
  viewCharacter,
} from '../../../../src/areas/portal/tools/character/character-tool.domain.ts';
import { CLASS_NAMES } from '../../../../src/game/classes.domain.ts';
import { pick, randomUnit, seededRandom } from '../../../../src/platform/kit/random.ts';
import { asToken } from '../../../support/calculators.ts';
import { SCOPES } from '../../../support/declarations.ts';
import { randomState } from '../../../support/random-tool-states.ts';
import { testApp } from '../../platform/test-app.ts';

const RUNS = env.FUZZ_SCALE === undefined ? 50 : 1000;

const stats = await asToken(testApp({ settings: {} }), SCOPES.bitOf('stats:read'));

describe('/tools/character', () => {
  it(`shows the coefficient that the API returns for ${RUNS} random sheets`, { timeout: 600_000 }, async () => {
    const random = seededRandom('character tool');
    const amount = (max: number, digits: number) => (max * randomUnit(random) ** 3).toFixed(digits);
    for (let run = 0; run < RUNS; run += 1) {
      const choices: Partial<Record<keyof CharacterState, readonly string[]>> = {
        physical_damage: ['', amount(1_000_000, 0), amount(1_000_000, 1)],
        magic_damage: ['', amount(1_000_000, 0)],
        critical_damage: ['', amount(5000, 1), amount(5000, 1)],
        power_rank: ['', amount(42_000, 0)],
        class: [pick(random, CLASS_NAMES)],
      };
      const state = randomState(characterFields, choices, random);
      const { path, body } = toolRequest(state);
      const response = await stats.post(path, body);
      const { coefficient } = viewCharacter(state);
      expect([response.status, response.status === 200 ? response.body : null], JSON.stringify(body)).toEqual([
        coefficient ? 200 : 400,
        coefficient,
      ]);
    }
  });
});
