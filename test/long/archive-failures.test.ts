import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorld, NETWORK_FAULTS } from '../support/archive/import-failures.ts';

let world: Awaited<ReturnType<typeof createImportWorld>>;
beforeAll(async () => {
  world = await createImportWorld();
}, 120_000);
afterAll(() => world.stop());

describe.each(['import', 'sync'] as const)('archive -- %s', (kind) => {
  it.each([
    ['refused', false],
    ['refused', true],
    ['lost', false],
    ['lost', true],
  ] as const)(
    'says what stands at every call of the database, and completes the version when it is run again: %s, lasting: %s',
    async (fault, lasts) => {
      const whole = await world.whole(kind);
      let failed = 0;
      for (let at = 0; at < whole.calls; at += 1) if (await world.tryCall(kind, whole.rows, at, fault, lasts)) failed += 1;
      console.log(`${kind}: ${whole.calls} calls, ${fault}${lasts ? ', lasting' : ''}: ${failed} failures of the command`);
      expect(failed).toBeGreaterThan(0);
    },
  );

  it('says what stands at every put of the bucket, and completes the version when it is run again', async () => {
    const whole = await world.whole(kind);
    let puts = 0;
    while (await world.tryPut(kind, whole.rows, puts)) puts += 1;
    console.log(`${kind}: ${puts} puts`);
    expect(puts).toBeGreaterThan(0);
  });
});

describe('archive -- sync', () => {
  it.each(NETWORK_FAULTS)(
    'says what stands at every request to the patch network, and completes the version when it is run again: %s',
    async (fault) => {
      const whole = await world.whole('sync');
      for (let at = 0; at < whole.requests; at += 1) expect(await world.tryRequest(whole.rows, at, fault), `request ${at}`).toBe(true);
      console.log(`sync: ${whole.requests} requests, ${fault}`);
    },
  );

  it.each([0, 1, 2])('ends when request %i of the patch network hangs, and completes the version when it is run again', async (at) => {
    const whole = await world.whole('sync');
    expect(await world.tryRequest(whole.rows, at, 'hangs')).toBe(true);
  });
});
