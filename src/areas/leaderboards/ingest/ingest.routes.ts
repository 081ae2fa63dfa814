import { createHash } from 'node:crypto';
import { createGzip } from 'node:zlib';
import { z } from '@hono/zod-openapi';
import { adminAccess, masterAccess } from '../../../platform/access/policy/policy.ts';
import type { Reserve } from '../../../platform/http/bodies/body.ts';
import { integer, string } from '../../../platform/http/bodies/body-schemas.ts';
import { type FormLimits, readForm } from '../../../platform/http/bodies/multipart.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { senderOf } from '../../../platform/http/pipeline/logged-insert.ts';
import { booleanWithDefault, integerWithDefault, requiredInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import { cutPage, NextCursor, textOfCursor } from '../../../platform/http/replies/page.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { badRequest, notFound } from '../../../platform/kit/errors/api-error.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { anchorForInsert } from '../anchors.domain.ts';
import { flag } from '../boards/boards.schemas.ts';
import type { CapturesStore } from '../captures/captures.store.ts';
import { DELETE_NAME, INSERT_NAME, MAX_DUMP_BYTES } from '../leaderboards.data.ts';
import type { IngestTask } from './ingest.service.ts';
import type { IngestClient } from './ingest-client.service.ts';
import type { RawDumps, StoredDump } from './raw-dumps.store.ts';

const toggle = (description: string) => booleanWithDefault({ default: false, example: false, description });

export const InsertQuery = z.object({
  timestamp: z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be an integer (unix seconds)')
    .transform(Number)
    .optional()
    .openapi({
      type: 'integer',
      description:
        'Time when the boards were captured (unix seconds), truncated to the minute; midnight UTC means 11:00 of the date once that time has passed. Defaults to the start of the game day. At most 5 minutes in the future, and at most 14 days old unless `backfill`.',
      example: 1_773_140_400,
    }),
  backfill: toggle('Accepts captures of any age, complete or not.'),
  sync: toggle('Responds only after the capture is readable.'),
});

const DeleteQuery = z.object({
  anchor: requiredInteger({
    min: 1,
    max: 999_999_999_999,
    description: 'Anchor of the capture (unix seconds, exact match).',
    example: 1_773_136_800,
  }),
  recompute: booleanWithDefault({
    default: true,
    example: true,
    description: 'Recomputes figures derived from this capture and the next one.',
  }),
});

const DeletedBody = z
  .object({
    deleted: flag('`false`: capture not found.', true),
    anchor: integer('Requested anchor (unix seconds).', 1_773_136_800),
    entries_deleted: integer('Number of rows of the capture.', 598_211),
    recompute: flag('Whether activity is recomputed.', true),
  })
  .openapi('LeaderboardCaptureDeleted', { description: 'Result of a deletion.' });

/** Form parts for the OpenAPI document; `readForm` streams the form. */
const DumpForm = z
  .object({
    file: z.any().openapi({ type: 'string', format: 'binary', description: 'Text file; the form has at most 20 MiB.', example: '' }),
  })
  .openapi('LeaderboardDumpForm', { description: 'A leaderboard dump.' });

const InsertedBody = z
  .object({
    accepted: flag('`false`: nothing was stored; see `message`.', true),
    bytes: integer('Size of the dump.', 17_204_331),
    message: string('Result of the insert.', 'received'),
  })
  .openapi('LeaderboardInserted', { description: 'Result of a dump insert.' });

const DUMP_EXAMPLE = '001773154800/1773140400-6f1c6a3e-0d8e-4a59-8c7b-3f6f4f1f0a11';
const ANCHOR_EXAMPLE = 1_773_140_400;
const MAX_DUMP_KEY_LENGTH = 200;

const dump = z.string().max(MAX_DUMP_KEY_LENGTH).openapi({ description: 'Key of the dump.', example: DUMP_EXAMPLE });
const anchor = integer('Anchor of the capture (unix seconds).', ANCHOR_EXAMPLE);

const DumpsQuery = z.object({
  limit: integerWithDefault({ min: 1, max: 200, default: 50, description: 'Maximum number of items on the page, 1 to 200.', example: 50 }),
  cursor: z
    .string()
    .max(MAX_DUMP_KEY_LENGTH * 2)
    .optional()
    .openapi({ description: 'The `next_cursor` of the previous page.', example: 'WyIwMDE3NzMxNTQ4MDAvMTc3MzE0MDQwMC1hIl0' }),
});

const DumpBody = z
  .object({
    dump,
    anchor,
    received_at: integer('Time when the dump was received (unix seconds).', 1_773_154_800),
    size: integer('Compressed size in bytes.', 7_500_000),
  })
  .openapi('LeaderboardDump', { description: 'A stored raw dump.' });

const DumpsBody = z
  .object({
    items: z.array(DumpBody).openapi({ description: 'Newest first.' }),
    count: integer('Number of items in this response.', 1),
    total: integer('Total number of stored dumps.', 1),
    next_cursor: NextCursor,
  })
  .openapi('LeaderboardDumps', { description: 'A page of stored dumps.' });

const ReplayBody = z.object({ dump: dump.min(1) }).openapi('LeaderboardReplay', { description: 'A dump to replay.' });

const ReplayAccepted = z
  .object({
    accepted: z.literal(true).openapi({ description: 'Always true.', example: true }),
    dump,
    anchor,
  })
  .openapi('LeaderboardReplayAccepted', { description: 'The dump was queued.' });

function toDumpBody({ dump, anchor, receivedAt, size }: StoredDump): z.infer<typeof DumpBody> {
  return { dump, anchor, received_at: receivedAt, size };
}

/** An uploaded dump, compressed while it is received: the uncompressed text is never in memory as a whole. */
interface UploadedDump {
  gzip: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the uncompressed text, lower-case hex. */
  digest: string;
  /** Size of the uncompressed text. */
  bytes: number;
}

const FILE_FIELD = 'file';
/** Fast: raw dumps are stored for a month only, and the client waits for the response. */
const COMPRESSION_LEVEL = 1;
const LIMITS: FormLimits = { total: MAX_DUMP_BYTES, file: MAX_DUMP_BYTES, files: 1, field: 1024, fields: 5, seconds: 120 };

/** Reads the form part `file`. Throws 400 if it is missing or empty, and the errors of `readForm`. */
async function readDumpUpload(request: Request, reserve: Reserve): Promise<UploadedDump> {
  const hash = createHash('sha256');
  const gzip = createGzip({ level: COMPRESSION_LEVEL });
  const compressed: Uint8Array[] = [];
  let bytes = 0;
  const done = new Promise<void>((resolve, reject) => {
    gzip.on('data', (chunk: Uint8Array) => compressed.push(chunk));
    gzip.on('end', resolve);
    gzip.on('error', reject);
  });
  const addChunk = (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    hash.update(chunk);
    gzip.write(chunk);
  };
  try {
    await readForm(request, LIMITS, reserve, new Map([[FILE_FIELD, addChunk]]));
  } catch (error) {
    gzip.destroy();
    throw error;
  }
  if (bytes === 0) {
    gzip.destroy();
    throw badRequest('file is required and must contain the text of the dump');
  }
  gzip.end();
  await done;
  return { gzip: concatenated(compressed), digest: hash.digest('hex'), bytes };
}

/** Joins the chunks and empties the list: each chunk can be collected as soon as it is copied. */
function concatenated(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** The compressed dump, and its copy for R2. */
const MEMORY_FACTOR = 2;

interface InsertRouteDeps {
  raw: RawDumps;
  ingest: IngestClient;
}

const DESCRIPTION = `Imports a dump of all leaderboards from the form part \`file\`: UTF-8 text, one board per line; other lines are ignored.

The response 202 means that the dump was received. It becomes a capture in the background, within seconds, and replaces any capture of its anchor atomically. The receipt (\`GET /v1/ingest/{id}\`, id in the header \`X-Ingest-ID\`) lists the dropped lines. A live capture with fewer boards or rows than the previous one is rejected in the background; its raw dump is stored.`;

/** `POST /v1/leaderboards/insert`. */
export function createInsertEndpoint({ raw, ingest }: InsertRouteDeps): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/leaderboards/insert',
    operationId: 'insertLeaderboards',
    tag: 'Leaderboards',
    summary: 'Insert a leaderboard dump',
    description: DESCRIPTION,
    access: masterAccess(INSERT_NAME),
    log: INSERT_NAME,
    feature: 'featureLeaderboardsEnabled',
    query: InsertQuery,
    rawBody: { contentTypes: ['multipart/form-data'], description: 'The multipart form.', schema: DumpForm },
    bodyLimit: MAX_DUMP_BYTES,
    memory: MEMORY_FACTOR,
    errors: ['service_unavailable'],
    ok: {
      status: 202,
      description: 'Received.',
      schema: InsertedBody,
      otherStatuses: { 200: 'Processed (`sync`); `accepted` states whether the capture was stored.' },
    },
  }).handle(async ({ request, reserve, receipt, query, caller, now }) => {
    const { id } = receipt;
    const anchor = applyRule('query', query, () => anchorForInsert(query.timestamp, query.backfill, now));
    const { gzip, digest, bytes } = await readDumpUpload(request, reserve);
    const metadata = { digest, bytes, isBackfill: query.backfill };
    const rawKey = await raw.put({ anchor, id, receivedAt: now, gzip, metadata });
    const task: IngestTask = { id, anchor, rawKey, ...metadata, receivedAt: now, ...senderOf(caller) };
    // A received dump is logged after processing.
    await receipt.open();
    if (query.sync) {
      const { accepted, message } = await ingest.processNow(task);
      return json({ accepted, bytes, message }, { status: 200, accepted });
    }
    await ingest.enqueue([{ kind: 'ingest', task }]);
    return json({ accepted: true, bytes, message: 'received' });
  });
}

interface DumpRouteDeps {
  raw: RawDumps;
  ingest: IngestClient;
  newId(): string;
}

const shared = { tag: 'Administration', access: adminAccess, surface: 'portal', hidden: true } as const;

/** `/admin/leaderboards`: list and replay stored dumps. */
export function createDumpEndpoints(deps: DumpRouteDeps): Endpoint[] {
  return [createDumpsEndpoint(deps), createReplayEndpoint(deps)];
}

function createDumpsEndpoint({ raw }: DumpRouteDeps): Endpoint {
  return defineRoute({
    ...shared,
    method: 'get',
    path: '/admin/leaderboards/dumps',
    operationId: 'listLeaderboardDumps',
    summary: 'List stored dumps',
    description: 'Lists the stored raw leaderboard dumps, newest first.',
    query: DumpsQuery,
    errors: ['bad_request'],
    ok: { description: 'A page of dumps.', schema: DumpsBody },
  }).handle(async ({ query: { limit, cursor } }) => {
    const before = textOfCursor(cursor);
    const stored = await raw.list();
    const rest = before === undefined ? stored : stored.filter(({ dump }) => dump < before);
    const { rows, nextCursor } = cutPage(rest, limit, ({ dump }) => dump);
    return json({ items: rows.map(toDumpBody), count: rows.length, total: stored.length, next_cursor: nextCursor });
  });
}

function createReplayEndpoint({ raw, ingest, newId }: DumpRouteDeps): Endpoint {
  return defineRoute({
    ...shared,
    method: 'post',
    path: '/admin/leaderboards/replay',
    operationId: 'replayLeaderboardDump',
    summary: 'Replay a stored dump',
    description:
      'Processes a stored dump again. The resulting capture replaces the current one of its anchor, unless it is rejected as incomplete. The insert log holds the result. Idempotent.',
    body: ReplayBody,
    errors: ['not_found'],
    ok: { status: 202, description: 'The dump was queued.', schema: ReplayAccepted },
  }).handle(async ({ body: { dump }, caller, now }) => {
    const stored = await raw.find(dump);
    if (!stored) throw notFound('dump not found');
    const { key, anchor, digest, bytes, isBackfill } = stored;
    const task = { id: newId(), anchor, rawKey: key, digest, bytes, isBackfill, isReplay: true, receivedAt: now, ...senderOf(caller) };
    await ingest.enqueue([{ kind: 'ingest', task }]);
    return json({ accepted: true as const, dump, anchor });
  });
}

interface DeleteRouteDeps {
  captures: CapturesStore;
  ingest: IngestClient;
}

/** `POST /v1/leaderboards/delete-anchor`. */
export function createDeleteEndpoint({ captures, ingest }: DeleteRouteDeps): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/leaderboards/delete-anchor',
    operationId: 'deleteLeaderboardCapture',
    tag: 'Leaderboards',
    summary: 'Delete a capture',
    description:
      'Deletes one capture, effective immediately; its time becomes a gap. With `recompute`, the activity of the windows around the capture is recomputed in the background, and the player totals with the next daily rebuild. The raw dump stays until its normal expiry.',
    access: masterAccess(DELETE_NAME),
    log: DELETE_NAME,
    feature: 'featureLeaderboardsEnabled',
    query: DeleteQuery,
    ok: { description: 'Result of the deletion.', schema: DeletedBody },
  }).handle(async ({ query: { anchor, recompute } }) => {
    const removed = await captures.remove(anchor);
    const { boardPack = null, playerPack = null, entries = 0 } = removed ?? {};
    // Also if there was no capture: an earlier request may have failed before it queued the cleanup.
    await ingest.enqueue([{ kind: 'removed', task: { anchor, boardPack, playerPack, isRecomputed: recompute } }]);
    const deleted = removed !== null;
    const outcome = { summary: `anchor ${anchor}: ${entries} entries deleted` };
    return json({ deleted, anchor, entries_deleted: entries, recompute }, { accepted: deleted, outcome });
  });
}
