import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createNameCheck } from '../../../../src/areas/webhooks/signed/signed.upstream.ts';
import type { ResolverState } from '../../../support/upstreams/name-resolver.ts';
import { upstreamSession } from '../../../support/upstreams/session.ts';
import { testUpstream } from '../../../support/upstreams/test-upstream.ts';

const HOST = 'hooks.example.com';
const PUBLIC = { A: '93.184.216.34', AAAA: '2606:2800:220:1:248:1893:25c8:1946' };
const upstream = testUpstream();

/** A name check against a resolver stub that returns these addresses for `HOST`. */
async function checkOf(addresses?: ResolverState['names'][string]) {
  const resolver = upstreamSession('name-resolver');
  await resolver.order({ state: { names: addresses ? { [HOST]: addresses } : {} } });
  return { resolver, check: createNameCheck(upstream, resolver.vars.DNS_OVER_HTTPS_URL ?? '') };
}

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

describe('createNameCheck', () => {
  it.each([PUBLIC, { A: PUBLIC.A }, { AAAA: PUBLIC.AAAA }, { A: ['8.8.8.8', '1.1.1.1'] }])('accepts %j', async (addresses) => {
    const { resolver, check } = await checkOf(addresses);
    expect(await check(HOST)).toBe('public');
    const calls = await resolver.calls();
    expect(calls.map(({ query }) => [query.name, query.type]).sort()).toEqual([
      [`${HOST}.`, 'A'],
      [`${HOST}.`, 'AAAA'],
    ]);
    expect(calls[0]?.headers.accept).toBe('application/dns-json');
  });

  it.each([
    { A: '127.0.0.1' },
    { A: '169.254.169.254' },
    { A: ['93.184.216.34', '10.0.0.1'] },
    { ...PUBLIC, AAAA: '::1' },
    { ...PUBLIC, AAAA: ['2606:2800:220:1:248:1893:25c8:1946', 'fd00::1'] },
    { AAAA: '::ffff:192.168.0.1' },
    { AAAA: '64:ff9b::a00:1' },
    { A: '0' },
    { A: '' },
  ])('rejects %j', async (addresses) => {
    const { check } = await checkOf(addresses);
    expect(await check(HOST)).toBe('private');
  });

  it.each([undefined, {}])('returns unknown for a name without addresses (%j)', async (addresses) => {
    const { check } = await checkOf(addresses);
    expect(await check(HOST)).toBe('unknown');
  });

  it.each(['error-500', 'reset', 'html', 'empty', 'huge', 'truncated', 'redirect-loop', 'redirect-private', 'busy-429'] as const)(
    'is unavailable after %s',
    async (fault) => {
      const { resolver, check } = await checkOf(PUBLIC);
      await resolver.order({ fault });
      expect(await check(HOST)).toBe('unavailable');
    },
  );

  it('returns unavailable when one of the two queries fails', async () => {
    const { resolver, check } = await checkOf(PUBLIC);
    await resolver.order({ fault: 'error-500', times: 1 });
    expect(await check(HOST)).toBe('unavailable');
    expect(await check(HOST)).toBe('public');
  });

  it('returns unavailable without a resolver', async () => {
    expect(await createNameCheck(upstream, '')(HOST)).toBe('unavailable');
    expect(await createNameCheck(upstream, 'http://127.0.0.1:1/dns-query')(HOST)).toBe('unavailable');
  });
});
