import type { IngestLog } from '../../../platform/ingest/ingest-log.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { crossesReset } from '../boards/resets.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { Capture, CapturesRepository } from '../captures/captures.repository.ts';
import { INSERT_NAME } from '../leaderboards.data.ts';
import { type WrittenDump, writeDump } from './dump-writing.service.ts';
import { captureVerdict } from './guard.domain.ts';
import type { RawDumps } from './raw-dumps.repository.ts';

/** A dump that was received and is to become a capture. */
export interface IngestTask {
  /** Also the version of what it writes, so that repeating it writes the same objects again. */
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
  /** Captures whose rows, or whose predecessor, are new. */
  changed: UnixSeconds[];
}

export interface IngestServiceDeps {
  captures: CapturesRepository;
  objects: CaptureObjects;
  raw: RawDumps;
  log: IngestLog;
  settings: SettingsSource;
}

/** Creates captures from dumps. Every step is idempotent; one final write makes the capture visible. */
export interface IngestService {
  process(task: IngestTask): Promise<IngestOutcome>;
  /** Deletes what a removed capture left; a capture that took its place stays. */
  cleanUp(removed: Pick<Capture, 'anchor' | 'boardPack' | 'playerPack'>): Promise<void>;
  /** Notes that a dump could not be processed however often it was tried. Its text is kept. */
  giveUp(task: IngestTask, error: string): Promise<void>;
}

export function createIngestService({ captures, objects, raw, log, settings }: IngestServiceDeps): IngestService {
  async function process(task: IngestTask): Promise<IngestOutcome> {
    const stored = await captures.find(task.anchor);
    if (stored?.version === task.id) return finished(task, `${countsOf(stored)}, after a retry`);
    if (stored?.digest === task.digest && !task.isReplay) {
      return closed(task, { accepted: true, message: `the same dump is already stored: ${countsOf(stored)}`, changed: [] });
    }
    const text = await raw.open(task.rawKey);
    if (!text) return closed(task, refusal('raw dump not found'));
    const written = await writeDump(text, { anchor: task.anchor, version: task.id }, objects);
    const fault = written.metas.length === 0 ? 'dump contains no board' : await faultOf(task, written, await settings.current());
    if (fault !== null) {
      await sweep(task.anchor, stored?.version ?? null);
      return closed(task, refusal(`${fault}${notesOf(written)}`));
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
    if (stored) await dropEmptyPacks(stored);
    return finished(task, `${countsOf(capture)}${notesOf(written)}`);
  }

  /** Follow-up work after publication. */
  async function finished(task: IngestTask, message: string): Promise<IngestOutcome> {
    await sweep(task.anchor, task.id);
    const next = await captures.firstAfter(task.anchor);
    return closed(task, { accepted: true, message, changed: next ? [task.anchor, next.anchor] : [task.anchor] });
  }

  /** Deletes the packs a replaced capture lay in, once no other capture lies in them. */
  async function dropEmptyPacks({ boardPack, playerPack }: Pick<Capture, 'boardPack' | 'playerPack'>): Promise<void> {
    for (const [kind, pack] of [
      ['boards', boardPack],
      ['players', playerPack],
    ] as const) {
      if (pack !== null && (await captures.countInPack(kind, pack)) === 0) await objects.removePack(kind, pack);
    }
  }

  /** Lets go of every version of an anchor but the one that readers see. */
  async function sweep(anchor: UnixSeconds, version: string | null): Promise<void> {
    await captures.dropOthers(anchor, version);
    await objects.removeOthers(anchor, version);
  }

  /** Reason why a live capture looks incomplete; null if complete or not checked. */
  async function faultOf(task: IngestTask, { staged }: WrittenDump, rules: Settings): Promise<string | null> {
    if (task.isBackfill || !rules.leaderboardsGuardEnabled) return null;
    const before = await captures.newestUntil(task.anchor);
    // Daily boundaries are weekly ones too.
    if (!before || before.boards < rules.leaderboardsGuardMinBoards || crossesReset('daily', before.anchor, task.anchor)) return null;
    const verdict = captureVerdict(new Map(staged.map(({ uuid, entries }) => [uuid, entries])), await captures.counts(before), {
      maxMissing: rules.leaderboardsGuardMaxMissing,
      minEntries: rules.leaderboardsGuardMinEntries,
      collapseFraction: rules.leaderboardsGuardCollapseFrac,
    });
    if (!verdict) return null;
    const { missingBoards, collapsedBoards } = verdict;
    return `incomplete capture: missing boards ${listOf(missingBoards)}; collapsed boards ${listOf(collapsedBoards)}`;
  }

  async function closed(task: IngestTask, outcome: IngestOutcome): Promise<IngestOutcome> {
    const { accepted, message } = outcome;
    await record(task, accepted ? { summary: message, error: null } : { summary: null, error: message });
    return outcome;
  }

  async function record(task: IngestTask, texts: { summary: string | null; error: string | null }) {
    const { anchor, rawKey, receivedAt, userId, tokenId, isReplay = false } = task;
    const named = (text: string | null) => text && `anchor ${anchor}: ${isReplay ? `replay of ${rawKey}: ` : ''}${text}`;
    await log.record({ endpoint: INSERT_NAME, now: receivedAt, userId, tokenId, summary: named(texts.summary), error: named(texts.error) });
  }

  async function cleanUp({ anchor, ...packs }: Pick<Capture, 'anchor' | 'boardPack' | 'playerPack'>): Promise<void> {
    await sweep(anchor, (await captures.find(anchor))?.version ?? null);
    await dropEmptyPacks(packs);
  }

  return { process, cleanUp, giveUp: (task, error) => record(task, { summary: null, error: `${error}; raw dump kept as ${task.rawKey}` }) };
}

function refusal(message: string): IngestOutcome {
  return { accepted: false, message, changed: [] };
}

function countsOf({ boards, entries }: Pick<Capture, 'boards' | 'entries'>): string {
  return `${boards} boards, ${entries} entries`;
}

const LISTED = 20;

function listOf(uuids: readonly number[]): string {
  if (uuids.length === 0) return 'none';
  return uuids.length > LISTED ? `${uuids.slice(0, LISTED).join(', ')} and ${uuids.length - LISTED} more` : uuids.join(', ');
}

/** Dropped data of the dump, for the log. */
function notesOf({ report }: WrittenDump): string {
  const { droppedLines, droppedEntries, notes } = report;
  if (droppedLines + droppedEntries === 0) return '';
  return `; dropped ${droppedLines} lines and ${droppedEntries} entries: ${notes.join('; ')}`;
}
