import type { IngestLog, IngestReport } from '../../../platform/http/pipeline/receipt.ts';
import { bind } from '../../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import { crossesReset, isLasting, isPlayerBoard, parseResetOverrides } from '../boards/boards.domain.ts';
import type { CaptureObjects, Version } from '../captures/capture-objects.store.ts';
import type { Capture, CapturesStore, StagedBoard } from '../captures/captures.store.ts';
import { deletePackIfEmpty } from '../captures/packing.service.ts';
import { PlayerShardBuilder, shardCount } from '../captures/player-shards.domain.ts';
import { type BoardMeta, captureLosses, createDumpReader, createLineSplitter, type DumpReport, type Rows } from '../dump.domain.ts';
import { INSERT_NAME, MAX_LINE_LENGTH, OBJECT_CONCURRENCY } from '../leaderboards.data.ts';
import type { RawDumps } from './raw-dumps.store.ts';

/** Result of `writeDump`. */
interface WrittenDump {
  metas: BoardMeta[];
  staged: StagedBoard[];
  entries: number;
  playerShards: number;
  report: DumpReport;
}

/** Row count and first row. The name is a copy: a slice of a line would keep the whole line in memory. */
interface BoardSize {
  entries: number;
  leaderName: string | null;
  leaderScore: number | null;
}

/** Writes the rows of a dump to the objects of a version, line by line: one board is in memory at a time. */
async function writeDump(text: ReadableStream<string>, version: Version, objects: CaptureObjects): Promise<WrittenDump> {
  const reader = createDumpReader();
  const splitter = createLineSplitter(MAX_LINE_LENGTH);
  const players = new PlayerShardBuilder();
  const flight = createInFlight(OBJECT_CONCURRENCY);
  const sizes = new Map<number, BoardSize>();

  async function processLine(line: string | null): Promise<void> {
    if (line === null) return reader.skipLongLine();
    const board = reader.read(line);
    if (!board) return;
    sizes.set(board.uuid, sizeOf(board.rows));
    if (board.rows.ranks.length === 0) return;
    // The name of a club may be that of a player.
    if (isPlayerBoard(board.uuid)) players.add(board.uuid, board.rows);
    await flight.start(() => objects.putBoard(version, board.uuid, board.rows));
  }

  for await (const chunk of text) for (const line of splitter.push(chunk)) await processLine(line);
  for (const line of splitter.end()) await processLine(line);
  const entries = sumOf(sizes);
  const playerShards = shardCount(entries);
  for (let shard = 0; shard < playerShards; shard += 1) {
    const rows = players.drainShard(shard, playerShards);
    if (rows !== null) await flight.start(() => objects.putPlayers(version, shard, rows));
  }
  await flight.finish();
  const metas = reader.metas();
  return { metas, staged: metas.map((meta) => stagedBoard(meta, sizes)), entries, playerShards, report: reader.report() };
}

function sizeOf({ ranks, names, scores }: Rows): BoardSize {
  const [name] = names;
  return { entries: ranks.length, leaderName: name === undefined ? null : [...name].join(''), leaderScore: scores[0] ?? null };
}

function stagedBoard({ uuid, contestType }: BoardMeta, sizes: ReadonlyMap<number, BoardSize>): StagedBoard {
  return { uuid, contestType, ...(sizes.get(uuid) ?? { entries: 0, leaderName: null, leaderScore: null }) };
}

function sumOf(sizes: ReadonlyMap<number, BoardSize>): number {
  let sum = 0;
  for (const { entries } of sizes.values()) sum += entries;
  return sum;
}

/** A received dump to create a capture from. Stored in the queue. */
export interface IngestTask {
  /** Also the version of the capture, so that a retry writes the same objects. */
  id: string;
  anchor: UnixSeconds;
  rawKey: string;
  /** SHA-256 of the dump. */
  digest: string;
  bytes: number;
  isBackfill: boolean;
  /** Replay of a stored dump, even if its capture has the same text. */
  isReplay?: boolean;
  receivedAt: UnixSeconds;
  userId: string | null;
  tokenId: string | null;
}

export interface IngestOutcome {
  accepted: boolean;
  message: string;
  /** Captures with new rows or a new predecessor. */
  changed: UnixSeconds[];
}

interface IngestServiceDeps {
  captures: CapturesStore;
  objects: CaptureObjects;
  raw: RawDumps;
  log: IngestLog;
  settings: SettingsSource;
}

/** Creates captures from dumps. Every step is idempotent; one final write publishes the capture. */
export type IngestService = ReturnType<typeof createIngestService>;

export function createIngestService(deps: IngestServiceDeps) {
  return bind(deps, { process: processDump, cleanUp, logFailure });
}

async function processDump(deps: IngestServiceDeps, task: IngestTask): Promise<IngestOutcome> {
  const stored = await deps.captures.find(task.anchor);
  if (stored?.version === task.id) return finish(deps, task, `${countsOf(stored)}, after a retry`, reportOfStored(stored));
  if (stored?.digest === task.digest && !task.isReplay) {
    const outcome = { accepted: true, message: `the same dump is already stored: ${countsOf(stored)}`, changed: [] };
    return logOutcome(deps, task, outcome, reportOfStored(stored));
  }
  const text = await deps.raw.open(task.rawKey);
  if (!text) return logOutcome(deps, task, refusal('raw dump not found'));
  const written = await writeDump(text, { anchor: task.anchor, version: task.id }, deps.objects);
  const fault =
    written.metas.length === 0 ? 'dump contains no board' : await findIncompleteness(deps, task, written, await deps.settings.current());
  if (fault !== null) {
    // Rejected before anything was published: the stored version stays.
    await deleteOtherVersions(deps, task.anchor, stored?.version ?? null);
    return logOutcome(deps, task, refusal(`${fault}${notesOf(written)}`), reportOf(written, false));
  }
  await deps.captures.stage(task.anchor, task.id, written.staged);
  const capture = {
    anchor: task.anchor,
    version: task.id,
    digest: task.digest,
    boards: written.staged.length,
    entries: written.entries,
    playerShards: written.playerShards,
    visibleAt: task.receivedAt,
    rawKey: task.rawKey,
  };
  // The only visible write. A step that fails before it is retried with the same version; one that fails after it ends in `finish`.
  await deps.captures.publish(capture, written.metas);
  if (stored) await deleteEmptyPacks(deps, stored);
  return finish(deps, task, `${countsOf(capture)}${notesOf(written)}`, reportOf(written, true));
}

/** Cleans up after publication and logs the result. */
async function finish(deps: IngestServiceDeps, task: IngestTask, message: string, report: IngestReport): Promise<IngestOutcome> {
  await deleteOtherVersions(deps, task.anchor, task.id);
  const next = await deps.captures.firstAfter(task.anchor);
  return logOutcome(deps, task, { accepted: true, message, changed: next ? [task.anchor, next.anchor] : [task.anchor] }, report);
}

/** Deletes packs that no capture is in. */
async function deleteEmptyPacks(
  { captures, objects }: IngestServiceDeps,
  { boardPack, playerPack }: Pick<Capture, 'boardPack' | 'playerPack'>,
): Promise<void> {
  for (const [kind, pack] of [
    ['boards', boardPack],
    ['players', playerPack],
  ] as const) {
    if (pack !== null) await deletePackIfEmpty(kind, pack, { captures, objects });
  }
}

/** Deletes every version of an anchor except the published one. */
async function deleteOtherVersions({ captures, objects }: IngestServiceDeps, anchor: UnixSeconds, version: string | null): Promise<void> {
  await captures.deleteOtherVersions(anchor, version);
  await objects.deleteOtherVersions(anchor, version);
}

/** Reason why a live capture is incomplete; null if it is complete or not checked. */
async function findIncompleteness(
  { captures }: IngestServiceDeps,
  task: IngestTask,
  { staged }: WrittenDump,
  rules: Settings,
): Promise<string | null> {
  if (task.isBackfill || !rules.leaderboardsGuardEnabled) return null;
  const before = await captures.newestUntil(task.anchor);
  if (!before || before.boards < rules.leaderboardsGuardMinBoards) return null;
  const overrides = parseResetOverrides(rules.leaderboardsResetOverrides);
  // A weekly reset is also a daily one. Only boards that never reset are compared across it.
  const isCompared = crossesReset('daily', before.anchor, task.anchor) ? (uuid: number) => isLasting(uuid, overrides) : () => true;
  const previous = new Map([...(await captures.countRows(before))].filter(([uuid]) => isCompared(uuid)));
  const losses = captureLosses(new Map(staged.map(({ uuid, entries }) => [uuid, entries])), previous, {
    maxMissing: rules.leaderboardsGuardMaxMissing,
    minEntries: rules.leaderboardsGuardMinEntries,
    collapseFraction: rules.leaderboardsGuardCollapseFrac,
  });
  if (!losses) return null;
  const { missingBoards, collapsedBoards } = losses;
  return `incomplete capture: missing boards ${listOf(missingBoards)}; collapsed boards ${listOf(collapsedBoards)}`;
}

async function logOutcome(
  deps: IngestServiceDeps,
  task: IngestTask,
  outcome: IngestOutcome,
  report: IngestReport | null = null,
): Promise<IngestOutcome> {
  const { accepted, message } = outcome;
  await record(deps, task, accepted ? { summary: message, error: null } : { summary: null, error: message }, report);
  return outcome;
}

async function record(
  { log }: IngestServiceDeps,
  task: IngestTask,
  texts: { summary: string | null; error: string | null },
  report: IngestReport | null = null,
) {
  const { id, anchor, rawKey, receivedAt, userId, tokenId, isReplay = false } = task;
  const named = (text: string | null) => text && `anchor ${anchor}: ${isReplay ? `replay of ${rawKey}: ` : ''}${text}`;
  await log.record({
    endpoint: INSERT_NAME,
    now: receivedAt,
    receiptId: id,
    userId,
    tokenId,
    summary: named(texts.summary),
    error: named(texts.error),
    ...report,
  });
}

/** Deletes the objects of a deleted capture; a newer capture of the same anchor stays. */
async function cleanUp(deps: IngestServiceDeps, { anchor, ...packs }: Pick<Capture, 'anchor' | 'boardPack' | 'playerPack'>): Promise<void> {
  await deleteOtherVersions(deps, anchor, (await deps.captures.find(anchor))?.version ?? null);
  await deleteEmptyPacks(deps, packs);
}

/** Logs that the last retry of a dump failed. The raw dump stays stored. */
const logFailure = (deps: IngestServiceDeps, task: IngestTask, error: string): Promise<void> =>
  record(deps, task, { summary: null, error: `${error}; raw dump stored as ${task.rawKey}` });

function refusal(message: string): IngestOutcome {
  return { accepted: false, message, changed: [] };
}

function countsOf({ boards, entries }: Pick<Capture, 'boards' | 'entries'>): string {
  return `${boards} boards, ${entries} entries`;
}

const MAX_LISTED_BOARDS = 20;

function listOf(uuids: readonly number[]): string {
  if (uuids.length === 0) return 'none';
  return uuids.length > MAX_LISTED_BOARDS
    ? `${uuids.slice(0, MAX_LISTED_BOARDS).join(', ')} and ${uuids.length - MAX_LISTED_BOARDS} more`
    : uuids.join(', ');
}

/** Rows of a dump for its receipt; a dropped line counts as one row. */
function reportOf({ entries, report }: WrittenDump, isStored: boolean): IngestReport {
  const { droppedLines, droppedEntries, hiddenCharacters, problems } = report;
  const received = entries + droppedLines + droppedEntries;
  const accepted = isStored ? entries : 0;
  return { counts: { received, accepted, ignored: 0, rejected: received - accepted }, problems, hiddenCharacters };
}

/** Rows of a capture that was stored before. */
function reportOfStored({ entries }: Pick<Capture, 'entries'>): IngestReport {
  return { counts: { received: entries, accepted: entries, ignored: 0, rejected: 0 }, problems: [] };
}

/** Text on dropped lines and entries, for the log. */
function notesOf({ report }: WrittenDump): string {
  const { droppedLines, droppedEntries, problems } = report;
  if (droppedLines + droppedEntries === 0) return '';
  const listed = problems.map(({ line, reason }) => `line ${line} ${reason}`);
  return `; dropped ${droppedLines} lines and ${droppedEntries} entries: ${listed.join('; ')}`;
}

/** Runs work with bounded concurrency. After a failure the next `start` or `finish` throws the first error. */
function createInFlight(limit: number) {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;

  function check(): void {
    if (failure) throw failure.error;
  }

  return {
    /** Waits for a free slot, then starts the work without waiting for its end. */
    async start(work: () => Promise<void>): Promise<void> {
      while (running.size >= limit) await Promise.race(running);
      check();
      const run = work()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => running.delete(run));
      running.add(run);
    },
    /** Waits for all started work. */
    async finish(): Promise<void> {
      await Promise.all(running);
      check();
    },
  };
}
