import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createDrawing } from '../../src/areas/webhooks/designs/design.domain.ts';
import { createImageRenderer } from '../../src/areas/webhooks/designs/index.ts';
import { happens, seededRandom } from '../../src/platform/kit/random.ts';
import { exampleDrawing, mutateDrawing } from '../support/webhooks/drawings.ts';

const RUNS = 20_000;
const VARIABLES = { name: 'RAMPAGE <ALERT>', ends_at: 1_773_154_800, changelog: 'x'.repeat(1000) };

it('draws every accepted design and rejects the others with a message', async () => {
  const draw = createImageRenderer(env.ASSETS);
  const random = seededRandom(env.FUZZ_SEED ?? 'designs');
  const counts = { refused: 0, drawn: 0, broken: 0 };
  const broken: string[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const valid = exampleDrawing(random);
    const drawing = happens(random, 0.4) ? mutateDrawing(random, valid) : valid;
    try {
      const png = await draw(createDrawing(drawing, VARIABLES));
      counts[png ? 'drawn' : 'broken'] += 1;
      if (!png) broken.push(drawing);
    } catch (error) {
      expect((error as Error).name, drawing).toBe('InputError');
      counts.refused += 1;
    }
  }
  console.log(counts, broken.slice(0, 5));
  expect(counts.drawn).toBeGreaterThan(RUNS / 10);
  expect(broken.length).toBeLessThan(RUNS / 100);
});
