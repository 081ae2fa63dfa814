import { describe, expect, it } from 'vitest';
import { createAuthProbe, createGameSockets } from '../../../src/areas/game-status/probes.upstream.ts';
import type { Fault } from '../../support/upstreams/faults.ts';
import type { SocketBehaviour } from '../../support/upstreams/game-sockets.ts';
import { testUpstream } from '../../support/upstreams/test-upstream.ts';
import { gameServers, HOST } from './game-servers.ts';

const OPENER = new Uint8Array(37).fill(9);
const sockets = createGameSockets();
const signal = new AbortController().signal;

/** Behaviours in which the server does not close the connection. With others, the test waits for the end. */
const HOLDING: readonly SocketBehaviour[] = ['held', 'held-after-reply', 'drips'];

async function probe(behaviour: SocketBehaviour, changes: { opener?: Uint8Array | null; holdSeconds?: number } = {}) {
  const game = await gameServers();
  await game.socketsBehave({ eu: behaviour });
  // A server that never stops sending is dropped at the timeout of the attempt; the hold time ends the other attempts.
  const times = { timeoutSeconds: behaviour === 'drips' ? 1 : 10, holdSeconds: HOLDING.includes(behaviour) ? 0.2 : 10 };
  const target = { host: HOST, port: game.ports.eu, opener: OPENER, ...times, ...changes };
  const started = performance.now();
  const check = await sockets.probe(target);
  return { check, opened: await game.opened(), took: performance.now() - started };
}

describe('game socket probe', () => {
  it.each<[SocketBehaviour, boolean, string | null]>([
    ['held', true, null],
    ['held-after-reply', true, null],
    ['drips', true, null],
    ['dropped', false, 'dropped'],
    ['dropped-after-reply', false, 'dropped'],
    ['talks-then-closes', true, null],
    ['floods', true, null],
    ['reset', true, null],
    ['refused', false, 'refused'],
  ])('classifies a socket that is %s', async (behaviour, online, error) => {
    const { check, opened } = await probe(behaviour);
    expect(check).toMatchObject({ online, error, host: HOST, probe: 'deep' });
    expect(check.latencyMs).toBeGreaterThanOrEqual(0);
    expect(opened).toEqual(behaviour === 'refused' ? [] : [{ environment: 'eu', opener: '09'.repeat(37) }]);
  });

  it.each<[SocketBehaviour, boolean]>([
    ['held', true],
    ['dropped', true],
    ['refused', false],
  ])('classifies a socket that is %s by the connection alone', async (behaviour, online) => {
    const { check, opened } = await probe(behaviour, { opener: null });
    expect(check).toMatchObject({ online, probe: 'connect' });
    expect(opened).toEqual([]);
  });

  it('waits for the configured hold time after the last data', async () => {
    const { took } = await probe('held', { holdSeconds: 0.5 });
    expect(took).toBeGreaterThan(480);
    const talking = await probe('drips', { holdSeconds: 0.8 });
    expect(talking.took).toBeGreaterThan(900);
    expect(talking.took).toBeLessThan(10_000);
  });

  it.each([
    ['', 6560],
    [HOST, 0],
    [HOST, -1],
  ])('does not probe "%s" port %i', async (host, port) => {
    expect(await sockets.probe({ host, port, opener: OPENER, timeoutSeconds: 1, holdSeconds: 0.2 })).toMatchObject({
      online: false,
      error: 'not_configured',
      latencyMs: null,
    });
  });

  it('reports dns for an invalid host name', async () => {
    const check = await sockets.probe({ host: 'invalid host', port: 6560, opener: null, timeoutSeconds: 1, holdSeconds: 0.2 });
    expect(check).toMatchObject({ online: false, error: 'dns' });
  });

  it('reports whether a connection succeeds', async () => {
    const game = await gameServers();
    await game.socketsBehave({ us: 'refused' });
    expect(await sockets.canConnect(HOST, game.ports.eu, 1)).toBe(true);
    expect(await sockets.canConnect(HOST, game.ports.us, 1)).toBe(false);
  });
});

describe('authentication gateway probe', () => {
  const probeAuth = createAuthProbe(testUpstream());

  it('reports online for a genuine response', async () => {
    const game = await gameServers();
    expect(await probeAuth(game.authUrl, 10, signal)).toMatchObject({ online: true, httpStatus: 400, error: null });
    expect((await game.authCalls()).map(({ method }) => method)).toEqual(['GET']);
  });

  it('reports online for a genuine login rejection', async () => {
    const game = await gameServers();
    await game.authBehaves('login');
    expect(await probeAuth(game.authUrl, 10, signal)).toMatchObject({ online: true, httpStatus: 401, error: null });
    const calls = await game.authCalls();
    expect(calls.map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(calls[1]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it('reports down for a bare 404', async () => {
    const game = await gameServers();
    await game.authBehaves('bare');
    expect(await probeAuth(game.authUrl, 10, signal)).toMatchObject({ online: false, httpStatus: 404, error: 'HTTP 404' });
  });

  it('reports down for a server error, even a genuine one', async () => {
    const game = await gameServers();
    await game.authBehaves('error');
    expect(await probeAuth(game.authUrl, 10, signal)).toMatchObject({ online: false, httpStatus: 500, error: 'HTTP 500' });
    expect(await game.authCalls()).toHaveLength(1);
  });

  it.each<[Fault, string]>([
    ['timeout', 'timeout'],
    ['reset', 'unreachable'],
    ['html', 'HTTP 200'],
    ['empty', 'HTTP 200'],
    ['error-500', 'HTTP 500'],
    ['busy-429', 'HTTP 429'],
    ['redirect-private', 'HTTP 302'],
    ['redirect-loop', 'HTTP 302'],
    ['huge-declared', 'too_large'],
  ])('reports down with the fault %s', async (fault, error) => {
    const game = await gameServers();
    await game.authFails({ fault });
    const check = await probeAuth(game.authUrl, fault === 'timeout' ? 0.4 : 10, signal);
    expect(check).toMatchObject({ online: false, error });
    expect((await game.authCalls()).length).toBeLessThanOrEqual(2);
  });

  it('reports down for a closed port and an invalid URL', async () => {
    expect(await probeAuth('http://127.0.0.1:9/', 1, signal)).toMatchObject({ online: false, httpStatus: null, error: 'unreachable' });
    expect(await probeAuth('nonsense', 1, signal)).toMatchObject({ online: false, httpStatus: null, error: 'bad_address' });
  });

  it('is never skipped after failures', async () => {
    const game = await gameServers();
    await game.authFails({ fault: 'error-500' });
    for (let round = 0; round < 12; round += 1) await probeAuth(game.authUrl, 10, signal);
    expect(await game.authCalls()).toHaveLength(12);
    await game.authFails({ fault: null });
    expect((await probeAuth(game.authUrl, 10, signal)).online).toBe(true);
  });
});
