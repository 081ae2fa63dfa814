import { log } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { ANCHOR_TIMEOUT_SECONDS, type Environment } from './game-status.data.ts';
import { createOpener, type DrawBytes, hostOf, isPublicName, parseAnchors, parseHex } from './prober.domain.ts';
import type { AuthProbe, GameSockets, NameLookup } from './probes.upstream.ts';
import { type AuthCheck, byEnvironment, combineResults, type GameCheck, type GameStatus, isAllOffline } from './verdict.domain.ts';

export interface ProberDeps {
  auth: AuthProbe;
  sockets: GameSockets;
  drawBytes: DrawBytes;
  hasAddresses: NameLookup;
  /** Waits, or returns early when the signal aborts. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/**
 * Runs a round of probes. Null when the prober itself is offline: every probe failed and no anchor responds. Such a round must not be
 * recorded.
 */
export type Prober = (
  settings: Settings,
  now: UnixSeconds,
  signal: AbortSignal,
) => Promise<(GameStatus & { checkedAt: UnixSeconds }) | null>;

interface Target {
  host: string;
  port: number;
  helloHex: string;
}

/** Probes the gateway and all environments concurrently. */
export function createProber({ auth, sockets, hasAddresses, drawBytes, pause }: ProberDeps): Prober {
  /** Retries until an attempt succeeds. Returns the success or the last failure. */
  async function withRetries<Check extends { online: boolean; error: string | null }>(
    settings: Settings,
    signal: AbortSignal,
    probe: () => Promise<Check>,
  ): Promise<Check> {
    for (let attempt = 1; ; attempt += 1) {
      const check = await probe();
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
      opener: isDeep ? (stored ?? createOpener(drawBytes)) : null,
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
