import type { JobContext } from '../../platform/durable/schedule/job.ts';
import { log } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { createRevalidatingCache } from '../../platform/storage/memory-caches.ts';
import { ANCHOR_TIMEOUT_SECONDS, type Environment, OPENER_HEADER, OPENER_KEY_LENGTH } from './game-status.data.ts';
import type { GameStatusStore } from './game-status.store.ts';
import type { AuthProbe, GameSockets, NameLookup } from './probes.upstream.ts';
import { type AuthCheck, byEnvironment, combineResults, type GameCheck, type GameStatus, isAllOffline } from './status.domain.ts';

/** Cache TTL in the isolate for the event stream, in milliseconds. */
const READ_CACHE_TTL_MS = 2000;
/** Tolerance of the interval in seconds: the cron trigger runs once a minute, but not on the exact second. */
const TICK_SLACK_SECONDS = 30;

interface GameStatusServiceDeps {
  store: GameStatusStore;
  prober: Prober;
  /** Runs after each stored round. */
  onRound(status: GameStatus, now: UnixSeconds): Promise<void>;
}

export function createGameStatusService({ store, prober, onRound }: GameStatusServiceDeps) {
  const stored = createRevalidatingCache(() => store.find(), READ_CACHE_TTL_MS);

  async function isDue(intervalSeconds: number, now: UnixSeconds): Promise<boolean> {
    const checkedAt = (await store.find())?.checkedAt ?? null;
    return checkedAt === null || Math.abs(now - checkedAt) >= intervalSeconds - TICK_SLACK_SECONDS;
  }

  return {
    /** The last stored round; null before the first one. */
    stored,

    /**
     * Runs a round of probes. Scheduled runs wait for the interval of the settings. When the prober itself is offline, the round is
     * discarded.
     */
    async round({ settings, now, signal, isManual }: JobContext): Promise<void> {
      const { gameStatusProbeIntervalSeconds: interval } = settings;
      if (!isManual && interval > 2 * TICK_SLACK_SECONDS && !(await isDue(interval, now))) return;
      const status = await prober(settings, now, signal);
      if (!status) return;
      // A round of another run, started later, is stored: this one is older and reports nothing.
      if (!(await store.save(status, interval))) return;
      stored.invalidate();
      await onRound(status, now);
    },
  };
}

export interface ProberDeps {
  auth: AuthProbe;
  sockets: GameSockets;
  randomBytes: RandomBytes;
  hasAddresses: NameLookup;
  /** Waits, or returns early when the signal aborts. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/**
 * Runs a round of probes. Null when the prober itself is offline: every probe failed and no anchor responds. Such a round must not be
 * recorded.
 */
type Prober = (settings: Settings, now: UnixSeconds, signal: AbortSignal) => Promise<(GameStatus & { checkedAt: UnixSeconds }) | null>;

interface Target {
  host: string;
  port: number;
  helloHex: string;
}

/** Probes the gateway and all environments concurrently. */
export function createProber({ auth, sockets, hasAddresses, randomBytes, pause }: ProberDeps): Prober {
  /** Retries until an attempt succeeds. Returns the success or the last failure. */
  async function withRetries<Check extends { online: boolean; error: string | null }>(
    settings: Settings,
    signal: AbortSignal,
    probe: () => Promise<Check>,
  ): Promise<Check> {
    for (let attempt = 1; ; attempt += 1) {
      const check = await probe();
      // One success decides: a lost packet must not look like an outage.
      const isFinal = check.online || check.error === 'not_configured' || attempt >= settings.gameStatusProbeAttempts;
      if (isFinal || signal.aborted) return check;
      await pause(settings.gameStatusProbeRetryDelaySeconds * 1000, signal);
    }
  }

  function probeGame(settings: Settings, { host, port, helloHex }: Target): Promise<GameCheck> {
    const isDeep = settings.gameStatusGameDeepProbe && helloHex !== '';
    const stored = settings.gameStatusGameRandomOpener ? null : parseHex(helloHex);
    return sockets.probe({
      host,
      port,
      opener: isDeep ? (stored ?? createOpener(randomBytes)) : null,
      timeoutSeconds: settings.gameStatusTimeoutSeconds,
      holdSeconds: settings.gameStatusGameHoldSeconds,
    });
  }

  /** Whether no anchor responds. False without anchors. */
  async function isOffline({ gameStatusAnchors }: Settings): Promise<boolean> {
    const anchors = parseAnchors(gameStatusAnchors);
    const responses = await Promise.all(anchors.map(({ host, port }) => sockets.canConnect(host, port, ANCHOR_TIMEOUT_SECONDS)));
    return anchors.length > 0 && !responses.includes(true);
  }

  /** Sets the error to `dns` when the host name does not resolve. */
  async function withDnsError<Check extends AuthCheck | GameCheck>(
    { gameStatusResolverUrl }: Settings,
    host: string,
    check: Check,
    signal: AbortSignal,
  ): Promise<Check> {
    const isUnclear = check.error === 'refused' || check.error === 'unreachable' || check.error === 'timeout';
    if (!isUnclear || gameStatusResolverUrl === '' || !isPublicName(host)) return check;
    return (await hasAddresses(gameStatusResolverUrl, host, signal)) === false ? { ...check, error: 'dns' } : check;
  }

  return async (settings, now, signal) => {
    const targets = targetsOf(settings);
    const [authCheck, eu, us, pts] = await Promise.all([
      withRetries(settings, signal, () => auth(settings.gameStatusAuthUrl, settings.gameStatusTimeoutSeconds, signal)),
      withRetries(settings, signal, () => probeGame(settings, targets.eu)),
      withRetries(settings, signal, () => probeGame(settings, targets.us)),
      withRetries(settings, signal, () => probeGame(settings, targets.pts)),
    ]);
    if (isAllOffline(authCheck, { eu, us, pts }) && (await isOffline(settings))) {
      log({ level: 'warn', message: 'probe round discarded: no anchor responds, the prober itself is offline' });
      return null;
    }
    const [namedAuth, namedEu, namedUs, namedPts] = await Promise.all([
      withDnsError(settings, hostOf(settings.gameStatusAuthUrl), authCheck, signal),
      withDnsError(settings, targets.eu.host, eu, signal),
      withDnsError(settings, targets.us.host, us, signal),
      withDnsError(settings, targets.pts.host, pts, signal),
    ]);
    return { ...combineResults(namedAuth, { eu: namedEu, us: namedUs, pts: namedPts }, now), checkedAt: now };
  };
}

function targetsOf(settings: Settings): Record<Environment, Target> {
  const targets: Record<Environment, Target> = {
    eu: { host: settings.gameStatusEuHost, port: settings.gameStatusEuPort, helloHex: settings.gameStatusEuHelloHex },
    us: { host: settings.gameStatusUsHost, port: settings.gameStatusUsPort, helloHex: settings.gameStatusUsHelloHex },
    pts: { host: settings.gameStatusPtsHost, port: settings.gameStatusPtsPort, helloHex: settings.gameStatusPtsHelloHex },
  };
  return byEnvironment((environment) => ({ ...targets[environment], host: targets[environment].host.trim() }));
}

interface Anchor {
  host: string;
  port: number;
}

const ANCHOR = /^([^\s:]+):(\d{1,5})$/;
const MAX_PORT = 65_535;
/** Maximum number of concurrent connections of a Worker invocation. */
const MAX_ANCHORS = 6;

/** Parses the anchors of the setting: `host:port`, separated by commas. Invalid entries are ignored. */
export function parseAnchors(text: string): Anchor[] {
  return text
    .split(',')
    .flatMap((entry): Anchor[] => {
      const [, host, port] = ANCHOR.exec(entry.trim()) ?? [];
      return host !== undefined && Number(port) > 0 && Number(port) <= MAX_PORT ? [{ host, port: Number(port) }] : [];
    })
    .slice(0, MAX_ANCHORS);
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Whether a host is resolved by public DNS: not an IP address and not localhost. */
export function isPublicName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name !== '' && !IPV4.test(name) && !name.includes(':') && name !== 'localhost' && !name.endsWith('.localhost');
}

/** Host of a URL; empty when invalid. */
export function hostOf(address: string): string {
  return URL.parse(address)?.hostname ?? '';
}

/** Returns `count` random bytes. */
type RandomBytes = (count: number) => Uint8Array;

/** Client hello of the game with a random key, as the game client sends it. */
export function createOpener(randomBytes: RandomBytes): Uint8Array {
  return Uint8Array.from([...OPENER_HEADER, ...randomBytes(OPENER_KEY_LENGTH)]);
}

/** Bytes of a hexadecimal text; null when invalid. */
export function parseHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
