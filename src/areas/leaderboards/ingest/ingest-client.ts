import type { NamedObjects } from '../../../platform/storage/regional-objects.ts';
import type { BoardsIngestObject } from './ingest.object.ts';
import type { IngestOutcome, IngestTask } from './ingest.service.ts';
import type { IngestJob } from './ingest-queue.ts';

/** Client of the Durable Object that processes dumps. */
export interface IngestClient {
  enqueue(jobs: readonly IngestJob[]): Promise<void>;
  /** Waits until the dump is processed. */
  processNow(task: IngestTask): Promise<IngestOutcome>;
}

const NAME = 'ingest';

export function createIngestClient(objects: NamedObjects<BoardsIngestObject>): IngestClient {
  return {
    enqueue: (jobs) => objects.getByName(NAME).enqueue(jobs),
    processNow: (task) => objects.getByName(NAME).processNow(task),
  };
}
