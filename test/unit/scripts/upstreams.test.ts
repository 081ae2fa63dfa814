import { expect, it } from 'vitest';
import { UPSTREAM_SERVERS } from '../../support/upstreams/registry.ts';

it('gives every mock service a unique name and port', () => {
  const names = UPSTREAM_SERVERS.map(({ name }) => name);
  const ports = UPSTREAM_SERVERS.map(({ port }) => port);
  expect(names).toEqual([...new Set(names)]);
  expect(ports).toEqual([...new Set(ports)]);
});
