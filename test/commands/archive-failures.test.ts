import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorld } from '../support/archive/import-failures.ts';

/** One of so many calls fails; test/long tries each. */
const STEP = 5;
const LONG = { timeout: 240_000 };

let world: Awaited<ReturnType<typeof createImportWorld>>;
beforeAll(async () => {
  world = await createImportWorld();
});
afterAll(() => world.stop());

describe.each(['import', 'sync'] as const)('archive -- %s', (kind) => {
  it('says what stands when the database fails, and completes the version when it is run again', LONG, async () => {
    const whole = await world.whole(kind);
    let failed = 0;
    for (let at = 0; at < whole.calls; at += STEP)
      if (await world.tryCall(kind, whole.rows, at, at % 2 === 0 ? 'refused' : 'lost', true)) failed += 1;
    expect(failed).toBeGreaterThan(0);
  });

  it('says what stands when the bucket fails, and completes the version when it is run again', LONG, async () => {
    const whole = await world.whole(kind);
    expect(await world.tryPut(kind, whole.rows, 0)).toBe(true);
  });
});

describe('archive -- sync', () => {
  it('says what stands when the patch network fails, and completes the version when it is run again', LONG, async () => {
    const whole = await world.whole('sync');
    expect(await world.tryRequest(whole.rows, 0, 'status 503')).toBe(true);
    expect(await world.tryRequest(whole.rows, 1, 'other bytes')).toBe(true);
    expect(await world.tryRequest(whole.rows, 2, 'other bytes')).toBe(true);
  });
});

describe('archive -- import', () => {
  it('says what stands when a file disappears, and completes the version when it is run again', LONG, async () => {
    const whole = await world.whole('import');
    await world.empty();
    const remove = () => rmSync(join(world.dir, 'prefabs'), { recursive: true, force: true });
    const work = world.run('import', world.archive, remove);
    await world.failureOf(work, 'removed file');
    world.writeFolder();
    await world.expectSecondRun('import', whole.rows, 'removed file');
  });
});
