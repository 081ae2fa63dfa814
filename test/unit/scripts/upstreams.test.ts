import { expect, it } from 'vitest';
import { UPSTREAM_SERVERS } from '../../support/upstreams/registry.ts';

it('every stand-in has a name and a port of its own, so that all can run side by side', () => {
  for (const values of [UPSTREAM_SERVERS.map(({ name }) => name), UPSTREAM_SERVERS.map(({ port }) => port)]) {
    expect(values).toEqual([...new Set(values)]);
  }
});
