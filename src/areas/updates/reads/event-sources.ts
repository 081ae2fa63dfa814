import type { EventSource } from '../../../platform/events/event-source.ts';
import { gameUpdateEvent } from '../events.ts';
import type { AnnouncementsRepository } from '../sync/announcements.repository.ts';
import { EVENT_BRANCH } from '../updates.data.ts';

/** Event source of the archive: the newest version of the live branch. */
export function createUpdateEventSources(announcements: Pick<AnnouncementsRepository, 'newestVersion'>): EventSource[] {
  return [
    {
      type: gameUpdateEvent.type,
      feature: 'featureUpdatesEnabled',
      async stateAt() {
        const version = await announcements.newestVersion(EVENT_BRANCH);
        const { gameUpdateBody } = await import('./updates.bodies.ts');
        return version && { body: gameUpdateBody(version), signature: `${version.branch}:${version.ordinal}` };
      },
    },
  ];
}
