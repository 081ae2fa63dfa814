import type { JobContext } from '../../platform/durable/schedule/job.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { createTtlCache, type TtlCache } from '../../platform/storage/memory-caches.ts';
import type { GameStatusRepository } from './game-status.store.ts';
import type { Prober } from './prober.service.ts';
import type { GameStatus } from './verdict.domain.ts';

/** Cache TTL in the isolate for the event stream, in milliseconds. */
const READ_CACHE_TTL_MS = 2000;
/** Tolerance of the interval in seconds: the cron trigger runs once a minute, but not on the exact second. */
const TICK_SLACK_SECONDS = 30;

interface GameStatusServiceDeps {
  repository: GameStatusRepository;
  prober: Prober;
  /** Runs after each stored round. */
  onRound(status: GameStatus, now: UnixSeconds): Promise<void>;
}

interface GameStatusService {
  /**
   * Runs a round of probes. Scheduled runs wait for the interval of the settings. When the prober itself is offline, the round is
   * discarded.
   */
  round(context: JobContext): Promise<void>;
  /** The last stored round; null before the first one. */
  stored: TtlCache<GameStatus | null>;
}

export function createGameStatusService({ repository, prober, onRound }: GameStatusServiceDeps): GameStatusService {
  const stored = createTtlCache(() => repository.find(), READ_CACHE_TTL_MS);

  async function isDue(intervalSeconds: number, now: UnixSeconds): Promise<boolean> {
    const checkedAt = (await repository.find())?.checkedAt ?? null;
    return checkedAt === null || Math.abs(now - checkedAt) >= intervalSeconds - TICK_SLACK_SECONDS;
  }

  return {
    stored,

    async round({ settings, now, signal, isManual }) {
      const { gameStatusProbeIntervalSeconds: interval } = settings;
      if (!isManual && interval > 2 * TICK_SLACK_SECONDS && !(await isDue(interval, now))) return;
      const status = await prober(settings, now, signal);
      if (!status) return;
      if (!(await repository.save(status, interval))) return;
      stored.invalidate();
      await onRound(status, now);
    },
  };
}
