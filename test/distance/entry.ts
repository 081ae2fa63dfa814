import { createSimulator, wrapObjects } from '../../scripts/lib/distance/simulator.ts';
import * as service from '../../src/index.ts';

/** The distance between the tests and the bindings. */
export const simulator = createSimulator();

export const {
  RateLimitObject,
  TokenGateObject,
  IdempotencyObject,
  EventCoordinatorObject,
  EventShardObject,
  BoardsIngestObject,
  ModDownloadsObject,
  ModsMirrorObject,
  ArchiveSyncObject,
  CodexIndexObject,
  WebhookSenderObject,
  ServiceStatusObject,
} = wrapObjects(service, simulator);

export default service.default;
