import { expect, it } from 'vitest';
import { runNode } from '../../../scripts/lib/commands.ts';

it('stops a command after its time, also one whose child keeps the output open', async () => {
  const program =
    "require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: 'inherit' }); console.log('begun')";
  const startedAt = performance.now();
  const { code, output } = await runNode('-e', [program], { timeoutMs: 1500 });
  expect([code, output.trim().split('\n').at(-1)]).toEqual([124, 'stopped: no end after 2 s']);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});
