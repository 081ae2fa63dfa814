import { log } from '../../platform/logging.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { ANCHOR_TIMEOUT_SECONDS, type Environment } from './game-status.data.ts';
import { bytesOfHex, type DrawBytes, randomOpener } from './opener.domain.ts';
import type { AuthProbe, GameSockets } from './probes.ts';
import { byEnvironment, type GameCheck, type GameStatus, mayBeOwnOutage, statusOf } from './verdict.domain.ts';

export interface ProberDeps {
  auth: AuthProbe;
  sockets: GameSockets;
  drawBytes: DrawBytes;
  /** Unrelated places that tell an outage of the game from one of our own. */
  anchors: readonly { host: string; port: number }[];
  /** Waits so many milliseconds, or less when the signal aborts. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** One round of probes; null when it must not count, as we seem to be cut off from the world. */
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
export function createProber({ auth, sockets, drawBytes, anchors, pause }: ProberDeps): Prober {
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

  async function isCutOff(): Promise<boolean> {
    const answers = await Promise.all(anchors.map(({ host, port }) => sockets.answers(host, port, ANCHOR_TIMEOUT_SECONDS)));
    return !answers.includes(true);
  }

  return async (settings, now, signal) => {
    const targets = targetsOf(settings);
    const [authCheck, eu, us, pts] = await Promise.all([
      repeated(settings, signal, () => auth(settings.gameStatusAuthUrl, settings.gameStatusTimeoutSeconds, signal)),
      repeated(settings, signal, () => probeGame(settings, targets.eu)),
      repeated(settings, signal, () => probeGame(settings, targets.us)),
      repeated(settings, signal, () => probeGame(settings, targets.pts)),
    ]);
    const games = { eu, us, pts };
    if (mayBeOwnOutage(authCheck, games) && (await isCutOff())) {
      log({ level: 'warn', message: 'probe round discarded: neither the game nor any unrelated address answers' });
      return null;
    }
    return { ...statusOf(authCheck, games, now), checkedAt: now };
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
