import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { portFrom, requireFreePort } from '../../../scripts/lib/ports.ts';

describe('portFrom', () => {
  it.each([
    [undefined, 8787],
    ['', 8787],
    [' 9000 ', 9000],
    ['65535', 65_535],
  ])('reads %j as %d', (value, port) => expect(portFrom(value)).toBe(port));

  it.each(['0', '65536', '-1', '80a', '1e3', '0x50', '8787.5'])('throws for %j', (value) => {
    expect(() => portFrom(value)).toThrow(/PORT must be/);
  });
});

describe('requireFreePort', () => {
  it('throws while a server listens on the port, and returns once it has stopped', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    await expect(requireFreePort(port)).rejects.toThrow(`Port ${port} is in use`);
    await new Promise((resolve) => server.close(resolve));
    await expect(requireFreePort(port)).resolves.toBeUndefined();
  });
});
