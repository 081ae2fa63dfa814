import type { Job } from '../../platform/durable/schedule/job.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import type { Popularity } from './catalog/popularity.service.ts';
import { MIRROR_SOURCES } from './catalog.data.ts';
import type { Announcements } from './insert/announcements.service.ts';

export interface CatalogJobsDeps {
  announcements: Pick<Announcements, 'drain'>;
  popularity: Popularity;
  /** Starts or resumes a mirror run; `atOnce` skips the pause before its next step. */
  startMirror(atOnce: boolean): Promise<void>;
  /** Whether the URL of the community catalog is configured. */
  isMirrorConfigured: boolean;
}

const TIMEOUT_SECONDS = 60;
const LIST_TIMEOUT_SECONDS = 240;

export function createCatalogJobs({ announcements, popularity, startMirror, isMirrorConfigured }: CatalogJobsDeps): Job[] {
  return [
    {
      name: 'mods-popularity',
      schedule: { everySeconds: SECONDS_PER_HOUR },
      timeoutSeconds: TIMEOUT_SECONDS,
      run: ({ now }) => popularity.refresh(now),
    },
    {
      name: 'mods-announce',
      schedule: { everySeconds: SECONDS_PER_MINUTE, text: 'every 60 s, for releases whose event was not published' },
      timeoutSeconds: TIMEOUT_SECONDS,
      run: (context) => announcements.drain(context),
    },
    {
      name: 'mods-mirror',
      schedule: { everySeconds: SECONDS_PER_DAY, text: 'daily, in steps' },
      timeoutSeconds: LIST_TIMEOUT_SECONDS,
      sources: Object.values(MIRROR_SOURCES),
      availability: ({ modsMirrorEnabled }) => (modsMirrorEnabled ? (isMirrorConfigured ? 'enabled' : 'unconfigured') : 'disabled'),
      run: ({ isManual }) => startMirror(isManual),
    },
  ];
}
