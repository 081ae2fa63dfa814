import { defineArea } from '../../platform/area.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { IngestLog } from '../../platform/ingest/ingest-log.ts';
import type { Scheduler } from '../../platform/schedule/scheduler.ts';
import type { SettingsRepository } from '../../platform/settings/settings.repository.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import { createConfigEndpoints } from './config.routes.ts';
import { createIngestEndpoint } from './ingest.routes.ts';
import { createJobEndpoints } from './jobs.routes.ts';

export interface AdminAreaDeps {
  scheduler(): Scheduler;
  /** The settings as this isolate remembers them, and as they are stored. */
  settings: SettingsSource;
  stored: SettingsRepository;
  ingestLog: IngestLog;
}

/** What administrators see and do; hidden from the OpenAPI document. */
export function createAdminArea({ scheduler, settings, stored, ingestLog }: AdminAreaDeps): { endpoints: Endpoint[] } {
  return { endpoints: [...createJobEndpoints(scheduler), ...createConfigEndpoints(stored, settings), createIngestEndpoint(ingestLog)] };
}

export const adminArea = defineArea({
  create({ settings, storedSettings, ingestLog, service }) {
    return createAdminArea({ scheduler: service.scheduler, settings, stored: storedSettings, ingestLog });
  },
});
