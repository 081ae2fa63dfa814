import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenWorld, DATABASE_COMMANDS, type DatabaseCommand } from '../support/token-failures.ts';
import { PLATFORM_FAULTS } from '../support/upstreams/platform/platform.ts';

const COMMANDS = Object.keys(DATABASE_COMMANDS) as DatabaseCommand[];

let world: Awaited<ReturnType<typeof createTokenWorld>>;
beforeAll(async () => {
  world = await createTokenWorld();
}, 120_000);
afterAll(() => world.stop());

describe.each(COMMANDS)('npm run %s --remote', (command) => {
  it.each(PLATFORM_FAULTS)('says what stands at every request to the platform, and can be run again: %s', async (fault) => {
    const requests = await world.whole(command);
    let failed = 0;
    for (let at = 0; at < requests.length; at += 1) if (await world.tryFault(command, { at, fault })) failed += 1;
    console.log(`${command}: ${requests.length} requests, ${fault}: ${failed} failures of the command\n${requests.join('\n')}`);
    expect(failed).toBeGreaterThan(0);
  });
});
