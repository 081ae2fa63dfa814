import type { Job } from '../../../platform/durable/schedule/job.ts';
import { SECONDS_PER_HOUR } from '../../../platform/kit/time/clock.ts';
import { isDelveRefreshHour } from '../delves/delves.domain.ts';
import { RELAY_SOURCES } from './relays.data.ts';
import type { RelaysService } from './relays.service.ts';

const CHAOS_TIMEOUT_SECONDS = 60;
const DELVES_TIMEOUT_SECONDS = 110;

/** Jobs that fetch community data. `chaosEverySeconds`: interval of the chaos chest job. */
export function createRelayJobs(relays: RelaysService, chaosEverySeconds: number): Job[] {
  return [
    {
      name: 'chaos-chest-relay',
      schedule: { everySeconds: chaosEverySeconds },
      timeoutSeconds: CHAOS_TIMEOUT_SECONDS,
      sources: [RELAY_SOURCES.chaosChest],
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
      sources: [RELAY_SOURCES.delves],
      availability({ featureDelvesEnabled, delvesSourceUrl }) {
        if (!featureDelvesEnabled) return 'disabled';
        return delvesSourceUrl === '' ? 'unconfigured' : 'enabled';
      },
      run: ({ now, settings, signal }) =>
        relays.refreshDelves({ url: settings.delvesSourceUrl, referer: settings.delvesSourceReferer }, now, signal),
    },
  ];
}
