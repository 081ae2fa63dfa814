import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';

const LINES = 500;

describe('console of the tests', () => {
  // If the file does not end, the runtime stops here, and a run prints that it did not respond.
  it('does not keep the file from ending while an object still prints lines', async () => {
    let printed = 0;
    await runInDurableObject(env.EVENT_COORDINATOR.getByName('prints'), (_, state) => {
      const print = async () => {
        for (; printed < LINES; printed += 1) {
          await scheduler.wait(1);
          console.log(`line ${printed}`);
        }
      };
      state.waitUntil(print());
    });
    await eventually(() => printed > 0);
    expect(printed).toBeLessThan(LINES);
  });
});
