import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inRoot } from '../../scripts/lib/paths.ts';
import type { Story } from './user.ts';

export const buildStories: readonly Story[] = [
  {
    title: 'find the best build of a class',
    async run(user) {
      const options = await user.readWithToken<{ character: string[]; build_type: string[] }>('/v1/gems/builds/options');
      assert.ok(options.character.includes('Lunar Lancer') && options.build_type.includes('Light'));
      const { results } = await user.readWithToken<{ results: Record<string, unknown>[] }>('/v1/gems/builds/calculate', {
        body: { build_type: 'Light', character: 'Lunar Lancer', light: 12_000 },
      });
      const [best, second] = results.map((build) => Number(build.coefficient));
      assert.ok(best !== undefined && second !== undefined && best >= second && best > 0, 'results are sorted, best first');
    },
  },
  {
    title: 'rate a gem and calculate the cost of leveling it',
    async run(user) {
      const gem = await user.readWithToken<object>('/v1/gems/generate', {
        body: { tier: 4, type: 1, element: 2, level: 10, seed: 'story' },
      });
      const judged = await user.readWithToken<{ quality_percent: number; calculated_power_rank: number }>('/v1/gems/evaluate', {
        body: { gem },
      });
      assert.ok(judged.calculated_power_rank > 0 && judged.quality_percent >= 0 && judged.quality_percent <= 100);
      const raised = await user.readWithToken<{ reached: boolean; attempts: number; cost: object[]; gem: { level: number } }>(
        '/v1/gems/level-up-to',
        { body: { gem, level: 15, seed: 'story' } },
      );
      assert.equal(raised.gem.level, 15);
      assert.ok(raised.reached && raised.attempts >= 5 && raised.cost.length > 0);
    },
  },
  {
    title: 'read stats from a screenshot',
    async run(user) {
      const form = new FormData();
      form.set('file', new Blob([readFileSync(inRoot('test', 'fixtures', 'ocr', 'sheet.png'))], { type: 'image/png' }), 'sheet.png');
      const { stats } = await user.readWithToken<{ stats: Record<string, { value: number }> }>('/v1/ocr/character', { body: form });
      assert.equal(stats.magic_damage?.value, 702_115);
    },
  },
];
