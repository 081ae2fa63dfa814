import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { call } from '../../support/requests.ts';
import { expectSafe } from '../../support/safe-responses.ts';
import { clearCatalog, publish, read } from '../mods-catalog/catalog.ts';
import { NOW, world } from '../mods-catalog/mirror/world.ts';

/** 4 rounds, and 200 in `npm run test:long`. */
const ROUNDS = 4 * Number(env.FUZZ_SCALE ?? 1);
const SEED = env.FUZZ_SEED ?? 'hostile';
const MAX_STEPS = 40;
/** A catalog of ten mods has no more entries after any response. */
const MAX_MODS = 40;
const SHOWN = ['/v1/mods?limit=100', '/v1/mods?format=csv', '/v1/mods/popular', '/v1/mods/releases.atom', '/mods'];

beforeAll(clearCatalog);

it(`keeps the mods of others, and shows texts as texts, in ${ROUNDS} rounds of a hostile catalog`, { timeout: 600_000 }, async () => {
  await publish({ handle: 'honest', title: 'Honest Wings' }, {}, NOW - 86_400);
  const honest = await read('/v1/mods/honest/honest-wings');
  const { session, run, begin, step } = world();
  await run(NOW);
  const outcomes = { whole: 0, failed: 0 };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const now = NOW + round * 86_400;
    const seed = `${SEED} mirror ${round}`;
    await session.order({ hostile: seed });
    let steps = 0;
    try {
      await begin();
      for (let pause = await step(now); pause !== null && steps < MAX_STEPS; pause = await step(now)) steps += 1;
      outcomes.whole += 1;
    } catch (error) {
      outcomes.failed += 1;
      expect(String(error).length, seed).toBeLessThan(600);
    }
    expect(steps, seed).toBeLessThan(MAX_STEPS);
    const mods = await env.DB.prepare('SELECT handle, slug, is_stray FROM mods').all<{ handle: string; slug: string; is_stray: number }>();
    expect(mods.results.length, seed).toBeLessThan(MAX_MODS * ROUNDS);
    expect(mods.results.filter(({ handle, is_stray }) => is_stray === 0 && handle !== 'honest')).toEqual([]);
    const whole = await env.DB.prepare(
      'SELECT count(*) AS n FROM mod_releases WHERE is_published = 1 AND (sha256 IS NULL OR size IS NULL OR size <= 0)',
    ).first();
    expect(whole?.n, seed).toBe(0);
    const details = mods.results.slice(0, 5).flatMap(({ handle, slug }) => [`/v1/mods/${handle}/${slug}`, `/mods/${handle}/${slug}`]);
    for (const path of [...SHOWN, ...details]) {
      const response = await call(path, { now, address: `10.5.${round % 250}.1` });
      if (response.status !== 404) expectSafe(response, `${seed} ${path}`);
    }
  }
  expect(outcomes.whole + outcomes.failed).toBe(ROUNDS);
  expect(await read('/v1/mods/honest/honest-wings')).toEqual(honest);
});
