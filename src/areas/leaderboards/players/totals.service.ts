import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { Capture, CapturesRepository } from '../captures/captures.repository.ts';
import { type PlayerRow, rowsInShard, shardOf } from '../captures/player-shards.domain.ts';
import { mapInFlight } from '../ingest/in-flight.ts';
import { OBJECT_CONCURRENCY } from '../leaderboards.data.ts';
import { bySource, type PlayerRows } from './player-rows.service.ts';
import { addAppearance, decodeTotals, encodeTotals, findTotal, type PlayerTotal, type Totals } from './totals.domain.ts';
import type { TotalsKind, TotalsRepository } from './totals.repository.ts';

/** Captures up to `until` that are missing from the totals, shard by shard. */
export interface TotalsTask {
  until: UnixSeconds;
  /** The part that is next; null: none has begun. */
  shard: number | null;
  /** From nothing, as captures that were added have changed. */
  isRebuild: boolean;
}

/** Updates the totals. Runs in the object that writes captures, so none changes concurrently. */
export interface TotalsWriter {
  /** Does a bounded step; the task that is left, null when it is done. Repeating a step changes nothing. */
  add(task: TotalsTask): Promise<TotalsTask | null>;
  /** Records a new or deleted capture: totals that cover its time are rebuilt with the next task. */
  noteChange(anchor: UnixSeconds): Promise<void>;
}

/** Captures that one step reads, counted for each part. */
const STEP_READS = 240;

export function createTotalsWriter({
  captures,
  objects,
  totals,
}: {
  captures: CapturesRepository;
  objects: CaptureObjects;
  totals: TotalsRepository;
}): TotalsWriter {
  /** Adds captures to a part; how many, and whether none is left. */
  async function addToPart(kind: TotalsKind, shard: number, until: UnixSeconds, limit: number) {
    const part = await totals.part(kind, shard);
    if (part.until >= until) return { read: 0, isDone: true };
    const listed = await captures.following({ after: part.until, until, limit });
    const isDone = listed.length < limit;
    const sums: Totals = decodeTotals(part.text);
    for (const [anchor, rows] of await rowsOf(listed, shard)) {
      for (const [key, own] of rows) addAppearance(sums, key, anchor, own);
    }
    await totals.putPart(kind, shard, { until: isDone ? until : (listed.at(-1)?.anchor ?? until), text: encodeTotals(sums) });
    return { read: listed.length, isDone };
  }

  /** The rows of a part by capture, oldest first, and by player. */
  async function rowsOf(listed: readonly Capture[], shard: number): Promise<Map<UnixSeconds, Map<string, PlayerRow[]>>> {
    const rows = new Map<UnixSeconds, Map<string, PlayerRow[]>>(listed.map(({ anchor }) => [anchor, new Map()]));
    await mapInFlight(bySource(listed), OBJECT_CONCURRENCY, async (group) => {
      const { playerShards } = group[0] as Capture;
      const texts = await objects.players(group, Math.floor((shard * playerShards) / totals.shards));
      for (const [anchor, text] of texts) {
        const players = rows.get(anchor);
        for (const { key, rows: own } of rowsInShard(text)) {
          if (shardOf(key, totals.shards) === shard) players?.set(key, [...(players.get(key) ?? []), ...own]);
        }
      }
    });
    return rows;
  }

  async function begin(task: TotalsTask): Promise<TotalsTask> {
    const state = await totals.state();
    const isRebuild = task.isRebuild || state.isStale;
    if (isRebuild) await totals.removeRebuilt();
    // Later changes are recorded separately.
    await totals.putState({ until: Math.max(state.until, task.until), isStale: false });
    return { ...task, isRebuild, shard: 0 };
  }

  return {
    async add(task) {
      if (task.shard === null) return begin(task);
      const kind = task.isRebuild ? 'rebuilt' : 'current';
      let { shard } = task;
      for (let left = STEP_READS; shard < totals.shards && left > 0; ) {
        const { read, isDone } = await addToPart(kind, shard, task.until, left);
        left -= Math.max(1, read);
        if (!isDone) continue;
        if (task.isRebuild) await totals.putPart('current', shard, await totals.part('rebuilt', shard));
        shard += 1;
      }
      return shard < totals.shards ? { ...task, shard } : null;
    },

    async noteChange(anchor) {
      const state = await totals.state();
      if (anchor <= state.until && !state.isStale) await totals.putState({ ...state, isStale: true });
    },
  };
}

/** Captures newer than the totals that one look-up adds: those of a game day, unless the job is behind. */
const MAX_NEWER_CAPTURES = 192;

/** The totals of a player, captures that were not added yet included; null for a name that no capture has. */
export async function readTotal(
  key: string,
  { totals, captures, rows }: { totals: TotalsRepository; captures: CapturesRepository; rows: PlayerRows },
): Promise<PlayerTotal | null> {
  const { until, text } = await totals.part('current', shardOf(key, totals.shards));
  const stored = findTotal(text, key);
  const sums: Totals = new Map(stored ? [[key, stored]] : []);
  const newer = await rows.at(key, await captures.list({ from: until + 1, limit: MAX_NEWER_CAPTURES }));
  for (const { capture, rows: own } of newer.sort((one, other) => one.capture.anchor - other.capture.anchor)) {
    addAppearance(sums, key, capture.anchor, own);
  }
  return sums.get(key) ?? null;
}
