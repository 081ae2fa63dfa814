import { env } from 'cloudflare:workers';
import { createIngestLog } from '../../../src/areas/ingest/ingest.store.ts';
import { ingestLog } from '../../../src/areas/ingest/ingest.tables.ts';
import { createActiveNames, createHourBands } from '../../../src/areas/leaderboards/anomalies/anomalies.store.ts';
import { createBoardsStore } from '../../../src/areas/leaderboards/boards/boards.store.ts';
import { BACKFILL_KEYS, createBackfillStatus } from '../../../src/areas/leaderboards/captures/backfill.store.ts';
import { createCaptureObjects } from '../../../src/areas/leaderboards/captures/capture-objects.store.ts';
import { createCapturesStore } from '../../../src/areas/leaderboards/captures/captures.store.ts';
import type { DuplicatesTask } from '../../../src/areas/leaderboards/duplicates/duplicates.service.ts';
import { createDuplicatesStore } from '../../../src/areas/leaderboards/duplicates/duplicates.store.ts';
import { duplicateSightings, playerDuplicates } from '../../../src/areas/leaderboards/duplicates/duplicates.tables.ts';
import type { IngestTask } from '../../../src/areas/leaderboards/ingest/ingest.service.ts';
import type { JobStorage, QueuedJob } from '../../../src/areas/leaderboards/ingest/ingest-queue.service.ts';
import { createRawDumps } from '../../../src/areas/leaderboards/ingest/raw-dumps.store.ts';
import { boardCaptures, boards, captureBoards } from '../../../src/areas/leaderboards/leaderboards.tables.ts';
import { createTotalsStore } from '../../../src/areas/leaderboards/players/totals.store.ts';
import type { RenamesTask } from '../../../src/areas/leaderboards/renames/renames.service.ts';
import { createRenamesStore } from '../../../src/areas/leaderboards/renames/renames.store.ts';
import { playerRenames } from '../../../src/areas/leaderboards/renames/renames.tables.ts';
import type { Settings } from '../../../src/platform/settings/settings.data.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { columnsOf } from '../../support/board-rows.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { type Row, storedKeys } from './dumps.ts';

export const db = createDatabase(env.DB);

/** New stores of the area over the bindings of the test, with empty caches. */
export function newStores() {
  return {
    captures: createCapturesStore(db),
    boards: createBoardsStore(db),
    objects: createCaptureObjects(env.BOARDS),
    raw: createRawDumps(env.BOARDS),
    totals: createTotalsStore(env.BOARDS),
    activeNames: createActiveNames(env.BOARDS),
    hourBands: createHourBands(env.BOARDS),
    log: createIngestLog(db),
    renames: createRenamesStore(db),
    renamesBackfill: createBackfillStatus<RenamesTask>(env.BOARDS, BACKFILL_KEYS.renames),
    duplicates: createDuplicatesStore(db),
    duplicatesBackfill: createBackfillStatus<DuplicatesTask>(env.BOARDS, BACKFILL_KEYS.duplicates),
  };
}

export const fixedSettings = (more: Partial<Settings> = {}) => {
  const settings = { ...DEFAULT_SETTINGS, ...more };
  return { current: () => settings, invalidate: () => {} };
};

export async function clearStorage(): Promise<void> {
  await db.batch([
    db.delete(boardCaptures),
    db.delete(boards),
    db.delete(captureBoards),
    db.delete(ingestLog),
    db.delete(playerRenames),
    db.delete(playerDuplicates),
    db.delete(duplicateSightings),
  ]);
  const keys = await storedKeys();
  for (let at = 0; at < keys.length; at += 1000) await env.BOARDS.delete(keys.slice(at, at + 1000));
}

/** A queue of jobs in memory. */
export function memoryJobs() {
  const jobs = new Map<number, QueuedJob>();
  let last = 0;
  const storage: JobStorage = {
    list: () => [...jobs.values()].sort((one, other) => one.place - other.place),
    put: (job) => void jobs.set(job.place, job),
    remove: (place) => void jobs.delete(place),
    nextPlace: () => (last += 1),
  };
  return { jobs, storage };
}

/** Stores a raw dump like an upload, and returns its task. */
export async function receive(text: string, anchor: number, id: string, more: Partial<IngestTask> = {}): Promise<IngestTask> {
  const stream = new Response(text).body?.pipeThrough(new CompressionStream('gzip')) ?? null;
  const gzip = new Uint8Array(await new Response(stream).arrayBuffer());
  const described = { digest: id, bytes: text.length, isBackfill: false };
  const rawKey = await newStores().raw.put({ anchor, id, receivedAt: anchor, gzip, metadata: described });
  const sender = { userId: null, tokenId: null };
  return { id, anchor, rawKey, ...described, receivedAt: anchor, ...sender, ...more };
}

/** Boards of a capture by uuid. */
export interface BoardsAt {
  anchor: number;
  boards: Record<number, readonly Row[]>;
}

/** Stores captures without dumps and player shards: the ingest of a hundred dumps takes seconds. */
export async function storeCaptures(all: readonly BoardsAt[]): Promise<void> {
  const { objects } = newStores();
  const statements = all.flatMap(({ anchor, boards: byUuid }) => {
    const version = `v${anchor}`;
    const rows = Object.entries(byUuid).map(([uuid, { length }]) => ({ uuid: Number(uuid), anchor, version, entries: length }));
    const counts = { boards: rows.length, entries: rows.reduce((sum, { entries }) => sum + entries, 0), playerShards: 0 };
    return [
      db.insert(boardCaptures).values({ anchor, version, digest: version, ...counts, visibleAt: anchor }),
      db.insert(captureBoards).values(rows),
      ...rows.map(({ uuid }) =>
        db
          .insert(boards)
          .values({ uuid, nameId: '', name: `BOARD ${uuid}`, categoryId: '', category: 'META', anchor })
          .onConflictDoNothing(),
      ),
    ];
  });
  await db.batch(statements as [(typeof statements)[number], ...typeof statements]);
  for (const { anchor, boards: byUuid } of all) {
    for (const [uuid, rows] of Object.entries(byUuid)) {
      await objects.putBoard({ anchor, version: `v${anchor}` }, Number(uuid), columnsOf(rows));
    }
  }
}

/** Contents of database and bucket as text, for comparisons. */
export async function areaState(): Promise<string> {
  const rows = await db.batch([db.select().from(boardCaptures), db.select().from(boards), db.select().from(captureBoards)]);
  return JSON.stringify([rows, (await storedKeys()).sort()]);
}

/** Published rows of each board at an anchor. */
export async function visibleRows(anchor: number): Promise<Record<number, unknown>> {
  const { boards: repository, objects } = newStores();
  const seen: Record<number, unknown> = {};
  for (const { board, capture, entries } of await repository.listAt([anchor])) {
    const rows = await objects.board(capture, board.uuid);
    seen[board.uuid] = { entries, names: rows?.names, scores: rows?.scores };
  }
  return seen;
}
