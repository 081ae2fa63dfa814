import { log } from '../../platform/logging.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { anchorsIn } from './anchors.domain.ts';
import { ANCHOR_TIMEOUT_SECONDS, type Environment } from './game-status.data.ts';
import { hostIn, isResolvedName } from './names.domain.ts';
import { bytesOfHex, type DrawBytes, randomOpener } from './opener.domain.ts';
import type { AuthProbe, GameSockets, NameLookup } from './probes.ts';
import { type AuthCheck, byEnvironment, type GameCheck, type GameStatus, hasFailure, statusOf } from './verdict.domain.ts';

export interface ProberDeps {
  auth: AuthProbe;
  sockets: GameSockets;
  drawBytes: DrawBytes;
  resolves: NameLookup;
  /** Waits so many milliseconds, or less when the signal aborts. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/**
 * One round of probes; null for an outage of the prober's own, of which nothing may be recorded: something failed, and so did
 * every anchor.
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

/** Probes the gateway and every environment side by side. */
export function createProber({ auth, sockets, resolves, drawBytes, pause }: ProberDeps): Prober {
  /** Tries until one succeeds: any success counts, and only the last failure is shown. */
  async function repeated<Check extends { online: boolean; error: string | null }>(
    settings: Settings,
    signal: AbortSignal,
    probe: () => Promise<Check>,
  ): Promise<Check> {
    for (let made = 1; ; made += 1) {
      const check = await probe();
      const isFinal = check.online || check.error === 'not_configured' || made >= settings.gameStatusProbeAttempts;
      if (isFinal || signal.aborted) return check;
      await pause(settings.gameStatusProbeRetryDelaySeconds * 1000, signal);
    }
  }

  function probeGame(settings: Settings, { host, port, helloHex }: Target): Promise<GameCheck> {
    const isDeep = settings.gameStatusGameDeepProbe && helloHex !== '';
    const stored = settings.gameStatusGameRandomOpener ? null : bytesOfHex(helloHex);
    return sockets.probe({
      host,
      port,
      opener: isDeep ? (stored ?? randomOpener(drawBytes)) : null,
      timeoutSeconds: settings.gameStatusTimeoutSeconds,
      holdSeconds: settings.gameStatusGameHoldSeconds,
    });
  }

  /** Without anchors every round counts. */
  async function isCutOff({ gameStatusAnchors }: Settings): Promise<boolean> {
    const anchors = anchorsIn(gameStatusAnchors);
    const answers = await Promise.all(anchors.map(({ host, port }) => sockets.answers(host, port, ANCHOR_TIMEOUT_SECONDS)));
    return anchors.length > 0 && !answers.includes(true);
  }

  /** A check whose host turned out to have no address, as such. */
  async function named<Check extends AuthCheck | GameCheck>(
    { gameStatusResolverUrl }: Settings,
    host: string,
    check: Check,
    signal: AbortSignal,
  ): Promise<Check> {
    const isUnclear = check.error === 'refused' || check.error === 'unreachable' || check.error === 'timeout';
    if (!isUnclear || gameStatusResolverUrl === '' || !isResolvedName(host)) return check;
    return (await resolves(gameStatusResolverUrl, host, signal)) === false ? { ...check, error: 'dns' } : check;
  }

  return async (settings, now, signal) => {
    const targets = targetsOf(settings);
    const [authCheck, eu, us, pts] = await Promise.all([
      repeated(settings, signal, () => auth(settings.gameStatusAuthUrl, settings.gameStatusTimeoutSeconds, signal)),
      repeated(settings, signal, () => probeGame(settings, targets.eu)),
      repeated(settings, signal, () => probeGame(settings, targets.us)),
      repeated(settings, signal, () => probeGame(settings, targets.pts)),
    ]);
    if (hasFailure(authCheck, { eu, us, pts }) && (await isCutOff(settings))) {
      log({ level: 'warn', message: 'probe round discarded: no anchor responds, the prober itself is offline' });
      return null;
    }
    const [namedAuth, namedEu, namedUs, namedPts] = await Promise.all([
      named(settings, hostIn(settings.gameStatusAuthUrl), authCheck, signal),
      named(settings, targets.eu.host, eu, signal),
      named(settings, targets.us.host, us, signal),
      named(settings, targets.pts.host, pts, signal),
    ]);
    return { ...statusOf(namedAuth, { eu: namedEu, us: namedUs, pts: namedPts }, now), checkedAt: now };
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
