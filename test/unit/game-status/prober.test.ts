import { describe, expect, it } from 'vitest';
import { createProber, type ProberDeps } from '../../../src/areas/game-status/prober.service.ts';
import type { SocketTarget } from '../../../src/areas/game-status/probes.upstream.ts';
import type { AuthCheck, GameCheck } from '../../../src/areas/game-status/status.domain.ts';
import type { Settings } from '../../../src/platform/settings/settings.data.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';

const NOW = 1_773_156_600;
const UP: AuthCheck = { online: true, httpStatus: 200, latencyMs: 5, error: null };
const GONE: AuthCheck = { online: false, httpStatus: null, latencyMs: 5, error: 'timeout' };
const ANCHORS = 'one.example:443,two.example:443';

/** A prober with stubs. `errorsOf`: errors of the attempts on a host in turn; null: online. */
function fixture(
  options: { auth?: AuthCheck[]; errorsOf?: Record<string, GameCheck['error'][]>; anchors?: string[]; known?: string[] } = {},
) {
  const seen = { targets: [] as SocketTarget[], pauses: [] as number[], auths: 0, anchors: [] as string[], lookups: [] as string[] };
  const tries: Record<string, number> = {};
  const deps: ProberDeps = {
    hasAddresses: async (_, host) => {
      seen.lookups.push(host);
      return options.known?.includes(host) ?? null;
    },
    randomBytes: (count) => new Uint8Array(count).fill(0xab),
    pause: async (milliseconds) => {
      seen.pauses.push(milliseconds);
    },
    auth: async () => {
      seen.auths += 1;
      return options.auth?.[seen.auths - 1] ?? options.auth?.at(-1) ?? UP;
    },
    sockets: {
      async probe(target) {
        seen.targets.push(target);
        const { host, port } = target;
        const made = tries[host] ?? 0;
        tries[host] = made + 1;
        const errors = options.errorsOf?.[host] ?? [null];
        const error = host === '' ? 'not_configured' : errors[made] === undefined ? (errors.at(-1) ?? null) : errors[made];
        return { online: error === null, host, port, latencyMs: 3, error, probe: target.opener ? 'deep' : 'connect' };
      },
      async canConnect(host) {
        seen.anchors.push(host);
        return (options.anchors ?? ['one.example']).includes(host);
      },
    },
  };
  const prober = createProber(deps);
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    gameStatusAnchors: ANCHORS,
    gameStatusEuHost: 'eu',
    gameStatusUsHost: 'us',
    gameStatusPtsHost: 'pts',
  };
  const run = (changes: Partial<Settings> = {}, signal = new AbortController().signal) => prober({ ...settings, ...changes }, NOW, signal);
  return { seen, run, targetOf: (host: string) => seen.targets.find((target) => target.host === host) };
}

describe('probe round', () => {
  it('probes each target once when all are online', async () => {
    const { seen, run } = fixture();
    expect(await run()).toMatchObject({ overall: 'online', checkedAt: NOW });
    expect([seen.auths, seen.targets.map(({ host }) => host), seen.pauses]).toEqual([1, ['eu', 'us', 'pts'], []]);
  });

  it('sends the configured opener', async () => {
    const { run, targetOf } = fixture();
    await run({ gameStatusGameHoldSeconds: 2.5, gameStatusTimeoutSeconds: 4 });
    expect(targetOf('eu')).toMatchObject({ port: 6560, holdSeconds: 2.5, timeoutSeconds: 4 });
    expect([...(targetOf('eu')?.opener ?? [])]).toEqual([0x20, 0, 0, 0, 0, ...Array(32).fill(0xab)]);
    expect(targetOf('pts')?.opener).toBeNull();
  });

  it('sends the stored bytes if configured, and random ones if those are invalid', async () => {
    const { run, targetOf } = fixture();
    await run({ gameStatusGameRandomOpener: false, gameStatusUsHelloHex: 'nonsense', gameStatusPtsHelloHex: '0aff' });
    expect(targetOf('eu')?.opener).toHaveLength(37);
    expect(targetOf('eu')?.opener?.[5]).toBe(0x3d);
    expect(targetOf('us')?.opener?.[5]).toBe(0xab);
    expect([...(targetOf('pts')?.opener ?? [])]).toEqual([0x0a, 0xff]);
  });

  it('only connects when the deep probe is disabled', async () => {
    const { run, targetOf } = fixture();
    await run({ gameStatusGameDeepProbe: false });
    expect([targetOf('eu')?.opener, targetOf('us')?.opener]).toEqual([null, null]);
  });

  it('succeeds when any attempt succeeds', async () => {
    const { seen, run } = fixture({ auth: [GONE, GONE, UP], errorsOf: { eu: ['dropped', 'timeout', null], us: ['refused', null] } });
    const status = await run();
    expect(status).toMatchObject({ overall: 'online', auth: { online: true } });
    expect(seen.auths).toBe(3);
    expect(seen.pauses).toEqual(Array(5).fill(2000));
  });

  it('makes the configured number of attempts and reports the last failure', async () => {
    const { seen, run } = fixture({ errorsOf: { eu: ['timeout', 'refused', 'dropped'] } });
    const status = await run();
    expect(status?.environments.eu).toMatchObject({ status: 'maintenance', game: { error: 'dropped' } });
    expect(status?.overall).toBe('maintenance');
    expect(seen.targets.filter(({ host }) => host === 'eu')).toHaveLength(3);
    const once = fixture({ errorsOf: { eu: ['timeout', null] } });
    expect((await once.run({ gameStatusProbeAttempts: 1 }))?.environments.eu.status).toBe('maintenance');
    expect(once.seen.pauses).toEqual([]);
  });

  it('does not retry unconfigured targets or after the deadline', async () => {
    const { seen, run } = fixture();
    const status = await run({ gameStatusEuHost: '  ' });
    expect(status?.environments.eu).toMatchObject({ status: 'unknown', game: { error: 'not_configured' } });
    expect(seen.pauses).toEqual([]);
    const late = fixture({ errorsOf: { us: ['timeout'] } });
    await late.run({}, AbortSignal.abort());
    expect(late.seen.targets).toHaveLength(3);
  });
});

describe('probe round with failures', () => {
  const all = () => ({ auth: [GONE], errorsOf: { eu: ['timeout' as const], us: ['timeout' as const], pts: ['refused' as const] } });

  it.each([
    ['nothing responds', all()],
    ['only a network in between responds', { ...all(), auth: [{ ...GONE, httpStatus: 404, error: 'HTTP 404' }] }],
  ])('is discarded when no anchor responds: %s', async (_, options) => {
    const { seen, run } = fixture({ ...options, anchors: [] });
    expect(await run()).toBeNull();
    expect(seen.anchors.sort()).toEqual(['one.example', 'two.example']);
    expect(seen.lookups).toEqual([]);
  });

  it.each([
    ['a region', { errorsOf: { us: ['refused' as const] } }, { us: { status: 'maintenance' } }],
    ['the gateway', { auth: [GONE] }, { eu: { status: 'down' } }],
    [
      'everything but one region',
      { ...all(), errorsOf: { us: ['timeout' as const], pts: ['timeout' as const] } },
      { eu: { status: 'down' } },
    ],
  ])('is recorded without connecting to anchors when only %s fails', async (_, options, environments) => {
    const { seen, run } = fixture({ ...options, anchors: [] });
    expect(await run()).toMatchObject({ environments });
    expect(seen.anchors).toEqual([]);
  });

  it('is recorded when an anchor responds', async () => {
    const { run } = fixture({ ...all(), anchors: ['two.example'] });
    expect(await run()).toMatchObject({ overall: 'down', environments: { pts: { status: 'down' } } });
  });

  it('is recorded without anchors', async () => {
    const { seen, run } = fixture({ ...all(), anchors: [] });
    expect(await run({ gameStatusAnchors: '' })).toMatchObject({ overall: 'down' });
    expect(seen.anchors).toEqual([]);
  });

  it('distinguishes an unresolvable name from a refused or timed-out connection', async () => {
    const hosts = { gameStatusEuHost: 'eu.example', gameStatusUsHost: 'us.example', gameStatusPtsHost: '192.0.2.1' };
    const errorsOf = { 'eu.example': ['refused' as const], 'us.example': ['timeout' as const], '192.0.2.1': ['refused' as const] };
    const { seen, run } = fixture({ errorsOf, known: ['us.example'] });
    expect((await run(hosts))?.environments).toMatchObject({
      eu: { game: { error: 'dns' } },
      us: { game: { error: 'timeout' } },
      pts: { game: { error: 'refused' } },
    });
    expect(seen.lookups.sort()).toEqual(['eu.example', 'us.example']);
  });

  it('keeps the connection error when the resolver fails', async () => {
    const { run } = fixture({ errorsOf: { 'eu.example': ['refused'] } });
    expect((await run({ gameStatusEuHost: 'eu.example' }))?.environments.eu.game?.error).toBe('refused');
    const without = fixture({ errorsOf: { 'eu.example': ['refused'] }, known: [] });
    expect((await without.run({ gameStatusEuHost: 'eu.example', gameStatusResolverUrl: '' }))?.environments.eu.game?.error).toBe('refused');
    expect(without.seen.lookups).toEqual([]);
  });
});

describe('probe round without failures', () => {
  it('does not connect to anchors', async () => {
    const { seen, run } = fixture({ anchors: [] });
    expect(await run()).toMatchObject({ overall: 'online' });
    expect(seen.anchors).toEqual([]);
  });
});
