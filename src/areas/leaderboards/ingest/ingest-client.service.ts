import type { NamedObjects } from '../../../platform/storage/regional-objects.ts';
import type { BoardsIngestObject } from './ingest.object.ts';
import type { IngestOutcome, IngestTask } from './ingest.service.ts';
import type { IngestJob } from './ingest-queue.service.ts';

/** Client of the Durable Object that processes dumps. */
export type IngestClient = ReturnType<typeof createIngestClient>;

const NAME = 'ingest';

export function createIngestClient(objects: NamedObjects<BoardsIngestObject>) {
  return {
    enqueue: (jobs: readonly IngestJob[]): Promise<void> => objects.getByName(NAME).enqueue(jobs),
    /** Waits until the dump is processed. */
    processNow: (task: IngestTask): Promise<IngestOutcome> => objects.getByName(NAME).processNow(task),
  };
}
