import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { delveWeekAt } from '../delves/delves.domain.ts';
import type { DelvesRepository } from '../delves/delves.repository.ts';
import type { DelvesUpstream } from '../delves/delves.upstream.ts';
import { delveRules } from '../schedules.data.ts';
import type { CapturesRepository } from './captures.repository.ts';
import type { ChaosRelayUpstream } from './chaos-relay.upstream.ts';

/** Relays of community data. A failed refresh keeps the stored data. */
export interface RelaysService {
  /** Fetches and stores the item of the chaos chest. */
  refreshChaosChest(url: string, now: UnixSeconds, signal: AbortSignal): Promise<void>;
  /** Fetches and stores the floors of the current delve week. */
  refreshDelves(source: { url: string; referer: string }, now: UnixSeconds, signal: AbortSignal): Promise<void>;
}

export interface RelaysServiceDeps {
  chaosRelay: ChaosRelayUpstream;
  captures: Pick<CapturesRepository, 'saveChaosChestRelay'>;
  delvesRelay: DelvesUpstream;
  delves: Pick<DelvesRepository, 'save'>;
  /** Runs after each stored item, even if it is the same. */
  onChaosRelay(now: UnixSeconds): Promise<void>;
}

export function createRelaysService({ chaosRelay, captures, delvesRelay, delves, onChaosRelay }: RelaysServiceDeps): RelaysService {
  return {
    async refreshChaosChest(url, now, signal) {
      const item = await chaosRelay.fetch(url, signal);
      await captures.saveChaosChestRelay({ ...item, fetchedAt: now });
      await onChaosRelay(now);
    },

    async refreshDelves(source, now, signal) {
      const week = delveWeekAt(now, delveRules);
      await delves.save(week, await delvesRelay.fetch(source, week, signal), now);
    },
  };
}
