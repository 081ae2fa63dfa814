import type { Job } from '../../../platform/durable/schedule/job.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { DelvesStore } from '../delves/delves.store.ts';
import { DELVES_RELAY, type DelvesUpstream } from '../delves/delves.upstream.ts';
import { delveWeekAt, isDelveRefreshHour } from '../schedules/delves.domain.ts';
import { delveRules } from '../schedules/schedules.data.ts';
import { CHAOS_RELAY, type ChaosRelayUpstream } from './chaos-relay.upstream.ts';
import type { ReportsStore } from './reports.store.ts';

const CHAOS_TIMEOUT_SECONDS = 60;
const DELVES_TIMEOUT_SECONDS = 110;

/** Jobs that fetch community data. `chaosEverySeconds`: interval of the chaos chest job. */
export function createRelayJobs(relays: RelaysService, chaosEverySeconds: number): Job[] {
  return [
    {
      name: 'chaos-chest-relay',
      schedule: { everySeconds: chaosEverySeconds },
      timeoutSeconds: CHAOS_TIMEOUT_SECONDS,
      sources: [CHAOS_RELAY],
      availability: ({ chaosRelayUrl }) => (chaosRelayUrl === '' ? 'unconfigured' : 'enabled'),
      run: ({ now, settings, signal }) => relays.refreshChaosChest(settings.chaosRelayUrl, now, signal),
    },
    {
      name: 'delves-relay',
      schedule: {
        everySeconds: SECONDS_PER_HOUR,
        when: isDelveRefreshHour,
        text: 'hourly on the game day Monday, otherwise daily at 11:00 UTC',
      },
      timeoutSeconds: DELVES_TIMEOUT_SECONDS,
      sources: [DELVES_RELAY],
      availability({ featureDelvesEnabled, delvesSourceUrl }) {
        if (!featureDelvesEnabled) return 'disabled';
        return delvesSourceUrl === '' ? 'unconfigured' : 'enabled';
      },
      run: ({ now, settings, signal }) =>
        relays.refreshDelves({ url: settings.delvesSourceUrl, referer: settings.delvesSourceReferer }, now, signal),
    },
  ];
}

/** Relays of community data. A failed refresh keeps the stored data. */
type RelaysService = ReturnType<typeof createRelaysService>;

interface RelaysServiceDeps {
  chaosRelay: ChaosRelayUpstream;
  reports: Pick<ReportsStore, 'saveChaosChestRelay'>;
  delvesRelay: DelvesUpstream;
  delves: Pick<DelvesStore, 'save'>;
  /** Runs after each stored item, even if it is the same. */
  onChaosRelay(now: UnixSeconds): Promise<void>;
}

export function createRelaysService({ chaosRelay, reports, delvesRelay, delves, onChaosRelay }: RelaysServiceDeps) {
  return {
    /** Fetches and stores the item of the chaos chest. */
    async refreshChaosChest(url: string, now: UnixSeconds, signal: AbortSignal): Promise<void> {
      const item = await chaosRelay.fetch(url, signal);
      await reports.saveChaosChestRelay({ ...item, fetchedAt: now });
      await onChaosRelay(now);
    },

    /** Fetches and stores the floors of the current delve week. */
    async refreshDelves(source: { url: string; referer: string }, now: UnixSeconds, signal: AbortSignal): Promise<void> {
      const week = delveWeekAt(now, delveRules);
      await delves.save(week, await delvesRelay.fetch(source, week, signal), now);
    },
  };
}
