import { expect, it } from 'vitest';
import { runNode } from '../../../scripts/lib/commands.ts';
import { withPatience } from '../../support/eventually.ts';

it('stops a command after its time', async () => {
  const endless = "console.log('begun'); require('node:net').createServer().listen(0, '127.0.0.1')";
  const { code, output } = await withPatience(runNode('-e', [endless], { timeoutMs: 500 }), 'the command ends');
  expect([code, output.trim().split('\n').at(-1)]).toEqual([124, 'stopped: no end after 1 s']);
});
