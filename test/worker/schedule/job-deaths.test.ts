import { evictAllDurableObjects } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { storeDueWork } from '../../faults/due-work.ts';
import { tryJobDeaths } from '../../faults/job-kills.ts';
import { restoreWorld, stateOf, takeWorld, type World } from '../../faults/world.ts';
import { enableAllFeatures } from '../../support/endpoints.ts';
import { FIRST_INSTANT } from '../../support/requests.ts';

const variables = Object.assign({}, ...inject('upstreams').map(({ vars }) => vars)) as Record<string, string>;
/** Uses of a binding that are tried: every one of these jobs is part of `npm run test:long`. */
const SAMPLES: Readonly<Record<string, number>> = { 'tokens-expiring': 2, 'giveaways-step': 9, 'rate-limit-digest': 2 };
let world: World;

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await enableAllFeatures();
  await storeDueWork(FIRST_INSTANT);
  world = await takeWorld();
});
afterAll(() => vi.restoreAllMocks());

describe('restoreWorld', () => {
  it('leaves nothing of objects that the runtime evicted', async () => {
    for (const id of ['gate-1', 'gate-2']) await env.TOKEN_GATES.getByName(id).erase();
    await evictAllDurableObjects();
    await restoreWorld(world);
    expect((await stateOf(world, /^RATE_LIMITS$/)).filter((line) => line.startsWith('TOKEN_GATES'))).toEqual([]);
  });
});

describe('a job that dies at a use of a binding', () => {
  it.each(Object.entries(SAMPLES))(
    '%s: ends, when it runs again, in the state of a run that nothing disturbed',
    { timeout: 180_000 },
    async (name, every) => {
      const varies = /"signature":"[^"]*"/g;
      let seen = 0;
      const pick = () => {
        seen += 1;
        return seen % every === 0;
      };
      const { problems, tried } = await tryJobDeaths(name, world, { now: FIRST_INSTANT, variables, varies, pick });
      expect([problems, tried > 0]).toEqual([[], true]);
    },
  );
});
