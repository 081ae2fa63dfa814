import type { IngestLog, IngestReport } from '../../../platform/http/pipeline/receipt.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import { crossesReset } from '../boards/resets.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { Capture, CapturesRepository } from '../captures/captures.repository.ts';
import { deletePackIfEmpty } from '../captures/packing.service.ts';
import { INSERT_NAME } from '../leaderboards.data.ts';
import { type WrittenDump, writeDump } from './dump-writing.service.ts';
import { captureVerdict } from './guard.domain.ts';
import type { RawDumps } from './raw-dumps.repository.ts';

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

export interface IngestServiceDeps {
  captures: CapturesRepository;
  objects: CaptureObjects;
  raw: RawDumps;
  log: IngestLog;
  settings: SettingsSource;
}

/** Creates captures from dumps. Every step is idempotent; one final write publishes the capture. */
export interface IngestService {
  process(task: IngestTask): Promise<IngestOutcome>;
  /** Deletes the objects of a deleted capture; a newer capture of the same anchor stays. */
  cleanUp(removed: Pick<Capture, 'anchor' | 'boardPack' | 'playerPack'>): Promise<void>;
  /** Logs that the last retry of a dump failed. The raw dump stays stored. */
  logFailure(task: IngestTask, error: string): Promise<void>;
}

export function createIngestService({ captures, objects, raw, log, settings }: IngestServiceDeps): IngestService {
  async function process(task: IngestTask): Promise<IngestOutcome> {
    const stored = await captures.find(task.anchor);
    if (stored?.version === task.id) return finish(task, `${countsOf(stored)}, after a retry`, reportOfStored(stored));
    if (stored?.digest === task.digest && !task.isReplay) {
      const outcome = { accepted: true, message: `the same dump is already stored: ${countsOf(stored)}`, changed: [] };
      return logOutcome(task, outcome, reportOfStored(stored));
    }
    const text = await raw.open(task.rawKey);
    if (!text) return logOutcome(task, refusal('raw dump not found'));
    const written = await writeDump(text, { anchor: task.anchor, version: task.id }, objects);
    const fault = written.metas.length === 0 ? 'dump contains no board' : await findIncompleteness(task, written, await settings.current());
    if (fault !== null) {
      await deleteOtherVersions(task.anchor, stored?.version ?? null);
      return logOutcome(task, refusal(`${fault}${notesOf(written)}`), reportOf(written, false));
    }
    await captures.stage(task.anchor, task.id, written.staged);
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
    await captures.publish(capture, written.metas);
    if (stored) await deleteEmptyPacks(stored);
    return finish(task, `${countsOf(capture)}${notesOf(written)}`, reportOf(written, true));
  }

  /** Cleans up after publication and logs the result. */
  async function finish(task: IngestTask, message: string, report: IngestReport): Promise<IngestOutcome> {
    await deleteOtherVersions(task.anchor, task.id);
    const next = await captures.firstAfter(task.anchor);
    return logOutcome(task, { accepted: true, message, changed: next ? [task.anchor, next.anchor] : [task.anchor] }, report);
  }

  /** Deletes packs that no capture is in. */
  async function deleteEmptyPacks({ boardPack, playerPack }: Pick<Capture, 'boardPack' | 'playerPack'>): Promise<void> {
    for (const [kind, pack] of [
      ['boards', boardPack],
      ['players', playerPack],
    ] as const) {
      if (pack !== null) await deletePackIfEmpty(kind, pack, { captures, objects });
    }
  }

  /** Deletes every version of an anchor except the published one. */
  async function deleteOtherVersions(anchor: UnixSeconds, version: string | null): Promise<void> {
    await captures.deleteOtherVersions(anchor, version);
    await objects.deleteOtherVersions(anchor, version);
  }

  /** Reason why a live capture is incomplete; null if it is complete or not checked. */
  async function findIncompleteness(task: IngestTask, { staged }: WrittenDump, rules: Settings): Promise<string | null> {
    if (task.isBackfill || !rules.leaderboardsGuardEnabled) return null;
    const before = await captures.newestUntil(task.anchor);
    // A weekly reset is also a daily one.
    if (!before || before.boards < rules.leaderboardsGuardMinBoards || crossesReset('daily', before.anchor, task.anchor)) return null;
    const verdict = captureVerdict(new Map(staged.map(({ uuid, entries }) => [uuid, entries])), await captures.countRows(before), {
      maxMissing: rules.leaderboardsGuardMaxMissing,
      minEntries: rules.leaderboardsGuardMinEntries,
      collapseFraction: rules.leaderboardsGuardCollapseFrac,
    });
    if (!verdict) return null;
    const { missingBoards, collapsedBoards } = verdict;
    return `incomplete capture: missing boards ${listOf(missingBoards)}; collapsed boards ${listOf(collapsedBoards)}`;
  }

  async function logOutcome(task: IngestTask, outcome: IngestOutcome, report: IngestReport | null = null): Promise<IngestOutcome> {
    const { accepted, message } = outcome;
    await record(task, accepted ? { summary: message, error: null } : { summary: null, error: message }, report);
    return outcome;
  }

  async function record(task: IngestTask, texts: { summary: string | null; error: string | null }, report: IngestReport | null = null) {
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

  async function cleanUp({ anchor, ...packs }: Pick<Capture, 'anchor' | 'boardPack' | 'playerPack'>): Promise<void> {
    await deleteOtherVersions(anchor, (await captures.find(anchor))?.version ?? null);
    await deleteEmptyPacks(packs);
  }

  return {
    process,
    cleanUp,
    logFailure: (task, error) => record(task, { summary: null, error: `${error}; raw dump stored as ${task.rawKey}` }),
  };
}

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
  const { droppedLines, droppedEntries, problems } = report;
  const received = entries + droppedLines + droppedEntries;
  const accepted = isStored ? entries : 0;
  return { counts: { received, accepted, ignored: 0, rejected: received - accepted }, problems };
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
