import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenWorld, DATABASE_COMMANDS, type DatabaseCommand } from '../support/token-failures.ts';

const LONG = { timeout: 240_000 };
const COMMANDS = Object.keys(DATABASE_COMMANDS) as DatabaseCommand[];

let world: Awaited<ReturnType<typeof createTokenWorld>>;
beforeAll(async () => {
  world = await createTokenWorld();
});
afterAll(() => world.stop());

/** test/long fails each request in each way. */
describe('a command on the deployed database', () => {
  it.each(COMMANDS)('says what stands when the platform fails, and can be run again: %s', LONG, async (command) => {
    expect(await world.tryFault(command, { at: command === 'token' ? 2 : 0, fault: 'reset', lasts: true })).toBe(true);
  });
});
