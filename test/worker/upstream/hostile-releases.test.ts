import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { expectSafe } from '../../support/safe-responses.ts';
import { clearClientapp, clientappWorld, NOW } from '../clientapp/world.ts';

/** 8 rounds, and 400 in `npm run test:long`. */
const ROUNDS = 8 * Number(env.FUZZ_SCALE ?? 1);
const SEED = env.FUZZ_SEED ?? 'hostile';
const PATHS = ['releases', 'latest', 'changelog', 'check?installed=1.0.0&platform=windows'];

beforeAll(clearClientapp);

it(`keeps the last good releases of a hostile source, in ${ROUNDS} rounds`, { timeout: 600_000 }, async () => {
  const world = clientappWorld();
  expect(await world.refresh(NOW)).toBeNull();
  const before = await world.get('releases', { now: NOW });
  expect(before.body.items.length).toBeGreaterThan(0);
  let last = before.text;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const now = NOW + round * 7200;
    const seed = `${SEED} releases ${round}`;
    await env.DB.exec('UPDATE upstream_sources SET failures = 0, paused_until = NULL');
    await world.order({ hostile: seed, state: { remaining: 60 } });
    const error = await world.refresh(now);
    const listed = await world.get('releases', { now });
    // A refresh that failed in the list of releases stored none; one that failed later has stored a whole list.
    if (error?.includes('releases')) expect(listed.text, seed).toBe(last);
    if (error !== null) expect(error.length, seed).toBeLessThan(600);
    for (const path of PATHS) {
      const response = await world.get(path, { now });
      if (response.status !== 404) expectSafe(response, `${seed} ${path}`);
    }
    last = listed.text;
  }
  await world.order({ hostile: null, state: { remaining: 60 } });
  expect(await world.refresh(NOW + (ROUNDS + 1) * 7200)).toBeNull();
  expect((await world.get('releases')).body.items.map(({ tag_name }: { tag_name: string }) => tag_name)).toEqual(
    before.body.items.map(({ tag_name }: { tag_name: string }) => tag_name),
  );
});
