import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { composeApp } from '../../src/composition.ts';
import { prepare } from '../contract/prepare.ts';
import { storeDueWork } from '../faults/due-work.ts';
import { tryJobDeaths } from '../faults/job-kills.ts';
import { shardOf, shareOf } from '../faults/share.ts';
import { takeWorld, type World } from '../faults/world.ts';
import { FIRST_INSTANT } from '../support/requests.ts';

await prepare();

const NOW = FIRST_INSTANT;
/** What each draw of a giveaway and of the clock changes. */
const VARIES = /"signature":"[^"]*"/g;
const variables = Object.assign({}, ...inject('upstreams').map(({ vars }) => vars)) as Record<string, string>;
const names = composeApp(env).jobs.map(({ name }) => name);
let world: World;

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await storeDueWork(NOW);
  // The runs of a job send more requests than the hourly limit of the mock allows.
  const { url } = inject('upstreams').find(({ name }) => name === 'clientapp') ?? {};
  await fetch(`${url}/control`, { method: 'PUT', body: JSON.stringify({ state: { remaining: 100_000 } }) });
  world = await takeWorld();
});
afterAll(() => vi.restoreAllMocks());

describe('a job that dies before or after a use of a binding', () => {
  it.each(shardOf(names))(
    '%s: ends, when it runs again, in the state of a run that nothing disturbed',
    async (name) => {
      const { problems } = await tryJobDeaths(name, world, { now: NOW, variables, pick: shareOf(name), varies: VARIES });
      expect(problems).toEqual([]);
    },
    600_000,
  );
});
