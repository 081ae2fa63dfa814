import { expect, it } from 'vitest';
import { UPSTREAM_SERVERS } from '../../support/upstreams/registry.ts';

it('every stand-in has a name and a port of its own, so that all can run side by side', () => {
  const names = UPSTREAM_SERVERS.map(({ name }) => name);
  const ports = UPSTREAM_SERVERS.map(({ port }) => port);
  expect(names).toEqual([...new Set(names)]);
  expect(ports).toEqual([...new Set(ports)]);
});
