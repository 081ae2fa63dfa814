import type { BackupNote, PIECES, STATE, StoredBackupState } from './areas/backup/backup.service.ts';
import type { Piece } from './areas/backup/backup-files.store.ts';
import type { PARSER_VERSION_KEY } from './areas/codexes/indexer/codex-index.object.ts';
import type { IndexRun } from './areas/codexes/indexer/index-run.service.ts';
import type { CONFIRMED_IDS, TEST_OFFSET } from './areas/events/coordinator.object.ts';
import type { Newest } from './areas/events/framing.domain.ts';
import type { NEWEST_KEY, OpenRequest, SLOT_PREFIX as SHARD_SLOT_PREFIX } from './areas/events/shard.object.ts';
import type { JOB, LAST_PLACE } from './areas/leaderboards/ingest/ingest.object.ts';
import type { QueuedJob } from './areas/leaderboards/ingest/ingest-queue.service.ts';
import type { FIRST_IMPORT_DONE, RUN, RunState } from './areas/mods-catalog/mirror/mirror.store.ts';
import type { HISTORY } from './areas/service-status/status.object.ts';
import type { RunningSync } from './areas/updates/sync/archive-sync.object.ts';
import type { Round, WINDOWS } from './areas/webhooks/sending/sender.object.ts';
import type { StoredWindows } from './areas/webhooks/sending/sender.service.ts';
import type * as service from './index.ts';
import type { OBJECT_REPEATS } from './object-repeats.ts';
import type { RESERVATIONS_KEY, StoredReservation } from './platform/access/limits/reservations.ts';
import type { COUNTERS_KEY, StoredState } from './platform/access/limits/stored-counters.ts';
import type { SLOT_PREFIX, StoredSlot } from './platform/access/limits/stored-slots.ts';
import type { SlotHandle } from './platform/access/policy/stream-slot.ts';
import type { StoredCopy, TOKEN_COPY_KEY } from './platform/access/tokens/token-gate.object.ts';
import type { StoredUsage, TOKEN_USAGE_KEY } from './platform/access/usage/token-usage.ts';
import { contract } from './platform/durable/contract.ts';
import type { PROGRESS, Progress } from './platform/durable/step-runner.ts';
import type { ENTRY, Entry } from './platform/http/idempotency/idempotency.object.ts';

type Repeats = typeof OBJECT_REPEATS;
type Steps<Note> = Record<typeof PROGRESS, Progress<Note>>;
type Counters = Record<typeof COUNTERS_KEY, StoredState>;
type Slots = Record<typeof SLOT_PREFIX, StoredSlot>;

// Workers and objects of different versions meet during a deployment. `npm run deploy` and `npm run check -- objects` compare these contracts
// with released/objects.json.

export const RateLimitObject = contract<
  service.RateLimitObject,
  Counters & Slots & Record<typeof RESERVATIONS_KEY, StoredReservation[]>,
  Repeats['RATE_LIMITS']
>();
export const TokenGateObject = contract<
  service.TokenGateObject,
  Counters & Slots & Record<typeof TOKEN_COPY_KEY, StoredCopy> & Record<typeof TOKEN_USAGE_KEY, StoredUsage>,
  Repeats['TOKEN_GATES']
>();
export const IdempotencyObject = contract<service.IdempotencyObject, Record<typeof ENTRY, Entry>, Repeats['IDEMPOTENCY']>();
export const EventCoordinatorObject = contract<
  service.EventCoordinatorObject,
  Record<typeof TEST_OFFSET, number> & Record<typeof CONFIRMED_IDS, Record<string, number>>,
  Repeats['EVENT_COORDINATOR']
>();
/** `request`: the body that opens a stream. */
export const EventShardObject = contract<
  service.EventShardObject & { request(body: OpenRequest): void },
  Record<typeof NEWEST_KEY, Newest> & Record<typeof SHARD_SLOT_PREFIX, SlotHandle>,
  Repeats['EVENT_SHARDS']
>();
export const BoardsIngestObject = contract<
  service.BoardsIngestObject,
  Steps<{ step: 'round' }> & Record<typeof JOB, QueuedJob> & Record<typeof LAST_PLACE, number>,
  Repeats['BOARDS_INGEST']
>();
// biome-ignore lint/complexity/noBannedTypes: this object stores tables only
export const ModDownloadsObject = contract<service.ModDownloadsObject, {}, Repeats['MOD_DOWNLOADS']>();
export const ModsMirrorObject = contract<
  service.ModsMirrorObject,
  Steps<{ step: 'take' }> & Record<typeof RUN, RunState> & Record<typeof FIRST_IMPORT_DONE, boolean>,
  Repeats['MODS_MIRROR']
>();
export const ArchiveSyncObject = contract<service.ArchiveSyncObject, Steps<RunningSync>, Repeats['ARCHIVE_SYNC']>();
export const CodexIndexObject = contract<
  service.CodexIndexObject,
  Steps<IndexRun> & Record<typeof PARSER_VERSION_KEY, number>,
  Repeats['CODEX_INDEX']
>();
export const WebhookSenderObject = contract<
  service.WebhookSenderObject,
  Steps<Round> & Record<typeof WINDOWS, StoredWindows>,
  Repeats['WEBHOOK_SENDERS']
>();
export const ServiceStatusObject = contract<service.ServiceStatusObject, Record<typeof HISTORY, string>, Repeats['SERVICE_STATUS']>();
export const BackupObject = contract<
  service.BackupObject,
  Steps<BackupNote> & Record<typeof STATE, StoredBackupState> & Record<typeof PIECES, Piece[]>,
  Repeats['BACKUP']
>();
