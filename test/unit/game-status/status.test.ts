import { describe, expect, it } from 'vitest';
import type { Status } from '../../../src/areas/game-status/game-status.data.ts';
import { createOpener, isPublicName, parseAnchors, parseHex } from '../../../src/areas/game-status/prober.service.ts';
import {
  type AuthCheck,
  combineResults,
  deepProbeResult,
  type GameCheck,
  isAllOffline,
  isOwnReply,
  overallStatus,
  statusOfBoth,
  statusStreamSignature,
  UNPROBED,
} from '../../../src/areas/game-status/status.domain.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';

const probe = { received: 0, closed: false, reset: false, held: false };
const authUp: AuthCheck = { online: true, httpStatus: 200, latencyMs: 40, error: null };
const authAnswering404: AuthCheck = { online: false, httpStatus: 404, latencyMs: 40, error: 'HTTP 404' };
const authGone: AuthCheck = { online: false, httpStatus: null, latencyMs: 8000, error: 'timeout' };

function game(error: GameCheck['error']): GameCheck {
  return { online: error === null, host: 'game.example', port: 6560, latencyMs: 12, error, probe: 'deep' };
}

describe('deepProbeResult, createOpener and parseHex', () => {
  it.each([
    ['holds still', { held: true }, true],
    ['holds still after a few bytes', { held: true, received: 39 }, true],
    ['hangs up at once', { closed: true }, false],
    ['hangs up after 39 bytes', { closed: true, received: 39 }, false],
    ['hangs up after 256 bytes', { closed: true, received: 256 }, false],
    ['hangs up after 257 bytes', { closed: true, received: 257 }, null],
    ['sends 32,767 bytes and hangs up', { closed: true, received: 32_767 }, null],
    ['sends 32,768 bytes', { received: 32_768 }, true],
    ['sends 32,768 bytes and hangs up', { closed: true, received: 32_768 }, true],
    ['resets', { reset: true }, null],
    ['resets after 39 bytes', { reset: true, received: 39 }, null],
    ['does nothing that could be told', {}, null],
  ])('classifies a server that %s', (_, seen, isOnline) => {
    expect(deepProbeResult({ ...probe, ...seen })).toBe(isOnline);
  });

  it('creates an opener of 37 bytes, 32 of them random', () => {
    const opener = createOpener((count) => new Uint8Array(count).fill(7));
    expect(opener).toHaveLength(37);
    expect([...opener.subarray(0, 6)]).toEqual([0x20, 0, 0, 0, 0, 7]);
  });

  it('parses the stored bytes', () => {
    expect([...(parseHex('20000000fF') ?? [])]).toEqual([0x20, 0, 0, 0, 255]);
    for (const text of ['', '2', 'zz', '20 00', '0x20']) expect(parseHex(text)).toBeNull();
  });
});

describe('isGenuineResponse', () => {
  it('recognizes the gateway by header or body', () => {
    expect(isOwnReply(['content-type', 'x-trionworlds-request'], '')).toBe(true);
    expect(isOwnReply(['X-TrionWorlds-Anything'], '')).toBe(true);
    expect(isOwnReply(['content-type'], '<p>Signature: abc</p>')).toBe(true);
    expect(isOwnReply(['content-type', 'x-trion'], '404 page not found')).toBe(false);
    expect(isOwnReply([], '')).toBe(false);
  });
});

describe('game status', () => {
  it('follows the table of the specification', () => {
    expect(statusOfBoth(false, false)).toBe('down');
    expect(statusOfBoth(false, true)).toBe('down');
    expect(statusOfBoth(true, false)).toBe('maintenance');
    expect(statusOfBoth(true, true)).toBe('online');
  });

  it.each([
    ['online', 'online', 'online'],
    ['down', 'down', 'down'],
    ['maintenance', 'maintenance', 'maintenance'],
    ['online', 'down', 'maintenance'],
    ['online', 'maintenance', 'maintenance'],
    ['maintenance', 'down', 'maintenance'],
    ['online', 'unknown', 'online'],
    ['unknown', 'down', 'down'],
    ['unknown', 'unknown', 'unknown'],
  ] as [Status, Status, Status][])('combines eu %s and us %s to %s', (eu, us, overall) => {
    expect(overallStatus({ eu: { status: eu }, us: { status: us }, pts: { status: 'down' } })).toBe(overall);
    expect(overallStatus({ eu: { status: us }, us: { status: eu } })).toBe(overall);
  });

  it('is unknown overall without region results, regardless of the test environment', () => {
    expect(overallStatus({})).toBe('unknown');
    expect(overallStatus({ pts: { status: 'online' } })).toBe('unknown');
    expect(overallStatus({ us: { status: 'online' } })).toBe('online');
  });

  it('is derived from a probe round', () => {
    const status = combineResults(authUp, { eu: game(null), us: game('dropped'), pts: game('not_configured') }, 1_773_156_600);
    expect(status.overall).toBe('maintenance');
    expect(status.environments.eu).toMatchObject({ status: 'online', online: true });
    expect(status.environments.us).toMatchObject({ status: 'maintenance', online: false });
    expect(status.environments.pts).toMatchObject({ status: 'unknown', online: false });
    expect(statusStreamSignature(status)).toBe('maintenance:online:maintenance:unknown');
    const down = combineResults(authGone, { eu: game(null), us: game(null), pts: game('not_configured') }, 1);
    expect(statusStreamSignature(down)).toBe('down:down:down:down');
    expect(down.environments.eu.online).toBe(true);
  });

  it('is unknown before the first round', () => {
    expect(statusStreamSignature(UNPROBED)).toBe('unknown:unknown:unknown:unknown');
    expect(UNPROBED).toMatchObject({ auth: null, checkedAt: null, environments: { eu: { online: false, game: null } } });
  });
});

describe('isAllOffline', () => {
  const all = (error: GameCheck['error']) => ({ eu: game(error), us: game(error), pts: game(error) });

  it('returns true when the gateway and every probed environment are offline', () => {
    for (const auth of [authGone, authAnswering404]) {
      expect(isAllOffline(auth, all('timeout'))).toBe(true);
      expect(isAllOffline(auth, { ...all('refused'), pts: game('not_configured') })).toBe(true);
    }
  });

  it('returns false when any target is online', () => {
    expect(isAllOffline(authUp, all('timeout'))).toBe(false);
    expect(isAllOffline(authGone, all(null))).toBe(false);
    expect(isAllOffline(authGone, { ...all('refused'), us: game(null) })).toBe(false);
  });
});

describe('parseAnchors', () => {
  it('parses host:port pairs and skips invalid ones', () => {
    expect(parseAnchors(' dns.example:443,9.9.9.9:53 ,, nonsense, x:0, y:65536, z:, :5')).toEqual([
      { host: 'dns.example', port: 443 },
      { host: '9.9.9.9', port: 53 },
    ]);
    expect(parseAnchors('')).toEqual([]);
  });

  it('returns at most the number of concurrent connections', () => {
    expect(parseAnchors(Array.from({ length: 50 }, (_, index) => `host${index}:1`).join())).toHaveLength(6);
  });

  it('has two default anchors outside the platform network', () => {
    const hosts = parseAnchors(DEFAULT_SETTINGS.gameStatusAnchors).map(({ host }) => host);
    expect(hosts).toHaveLength(2);
    expect(hosts.join()).not.toMatch(/cloudflare|1\.1\.1\.1/);
  });
});

describe('isPublicName', () => {
  it.each([
    ['game.example', true],
    ['game.example.', true],
    ['127.0.0.1', false],
    ['::1', false],
    ['[::1]', false],
    ['localhost', false],
    ['a.localhost', false],
    ['', false],
  ])('classifies %j', (host, expected) => {
    expect(isPublicName(host)).toBe(expected);
  });
});
