import type { JobContext } from '../../platform/schedule/job.ts';
import { createTtlCache, type TtlCache } from '../../platform/storage/ttl-cache.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { GameStatusRepository } from './game-status.repository.ts';
import type { Prober } from './prober.service.ts';
import type { GameStatus } from './verdict.domain.ts';

/** Cache TTL in the isolate for the event stream, in milliseconds. */
const READ_CACHE_TTL_MS = 2000;
/** The scheduler ticks once a minute and not always on the second: a round this much early is not too early. */
const TICK_SLACK_SECONDS = 30;

export interface GameStatusServiceDeps {
  repository: GameStatusRepository;
  prober: Prober;
  /** Called after each valid round is stored. */
  onRound(status: GameStatus, now: UnixSeconds): Promise<void>;
}

export interface GameStatusService {
  /**
   * Probes once; a run of the schedule only after the interval of the settings has passed. An outage of the prober's own
   * leaves the status as it is and ends the open segments at the last good probe.
   */
  round(context: JobContext): Promise<void>;
  /** The last round as it is stored; null before the first. */
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
      if (!status) return repository.endSegments(now);
      if (!(await repository.save(status, interval))) return;
      stored.invalidate();
      await onRound(status, now);
    },
  };
}
