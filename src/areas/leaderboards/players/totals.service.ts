import pMap from 'p-map';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { CaptureObjects } from '../captures/capture-objects.store.ts';
import type { Capture, CapturesStore } from '../captures/captures.store.ts';
import { groupByObject, type PlayerRows, type SeenRange } from '../captures/player-rows.service.ts';
import { type PlayerRow, rowsInShard, shardOf } from '../captures/player-shards.domain.ts';
import { OBJECT_CONCURRENCY } from '../leaderboards.data.ts';
import { addAppearance, decodeTotals, encodeTotals, findTotal, type PlayerTotal, type Totals } from './totals.domain.ts';
import type { TotalsKind, TotalsStore } from './totals.store.ts';

/** Adds captures up to `until` to the totals, shard by shard. Stored in the queue. */
export interface TotalsTask {
  until: UnixSeconds;
  /** Next shard; null before the first step. */
  shard: number | null;
  /** Number of changes that a rebuild from empty totals includes; null: no rebuild. */
  rebuildOf: number | null;
}

/** Maximum number of captures that one step reads, summed over the shards. */
const STEP_READS = 240;

/** Updates the totals. Runs in the Durable Object that writes captures, so captures do not change concurrently. */
export function createTotalsWriter({
  captures,
  objects,
  totals,
}: {
  captures: CapturesStore;
  objects: CaptureObjects;
  totals: TotalsStore;
}) {
  /** Adds captures to a shard. Returns how many, and whether the shard is complete. */
  async function addToShard(kind: TotalsKind, shard: number, until: UnixSeconds, limit: number) {
    const stored = await totals.readShard(kind, shard);
    if (stored.until >= until) return { read: 0, isDone: true };
    const listed = await captures.listAfter({ after: stored.until, until, limit });
    const isDone = listed.length < limit;
    const sums: Totals = decodeTotals(stored.text);
    for (const [anchor, rows] of await rowsOf(listed, shard)) {
      for (const [key, own] of rows) addAppearance(sums, key, anchor, own);
    }
    await totals.putShard(kind, shard, { until: isDone ? until : (listed.at(-1)?.anchor ?? until), text: encodeTotals(sums) });
    return { read: listed.length, isDone };
  }

  /** Rows of a shard by capture, oldest first, and by player. */
  async function rowsOf(listed: readonly Capture[], shard: number): Promise<Map<UnixSeconds, Map<string, PlayerRow[]>>> {
    const rows = new Map<UnixSeconds, Map<string, PlayerRow[]>>(listed.map(({ anchor }) => [anchor, new Map()]));
    await pMap(
      groupByObject(listed),
      async (group) => {
        const { playerShards } = group[0] as Capture;
        const texts = await objects.players(group, Math.floor((shard * playerShards) / totals.shards));
        for (const [anchor, text] of texts) {
          const players = rows.get(anchor);
          for (const { key, rows: own } of rowsInShard(text)) {
            if (shardOf(key, totals.shards) === shard) players?.set(key, [...(players.get(key) ?? []), ...own]);
          }
        }
      },
      { concurrency: OBJECT_CONCURRENCY },
    );
    return rows;
  }

  async function start({ until }: TotalsTask): Promise<TotalsTask> {
    const state = await totals.readState();
    const isRebuild = state.changes > state.rebuiltChanges;
    if (isRebuild) await totals.deleteRebuilt();
    // Before the first shard is written: a change of a capture that this task adds counts.
    await totals.putState({ ...state, until: Math.max(state.until, until) });
    return { until, shard: 0, rebuildOf: isRebuild ? state.changes : null };
  }

  return {
    /** Runs one bounded, idempotent step. Returns the remaining task, or null when it is done. */
    async add(task: TotalsTask): Promise<TotalsTask | null> {
      if (task.shard === null) return start(task);
      const { rebuildOf } = task;
      const kind = rebuildOf === null ? 'current' : 'rebuilt';
      let { shard } = task;
      for (let readsLeft = STEP_READS; shard < totals.shards && readsLeft > 0; ) {
        const { read, isDone } = await addToShard(kind, shard, task.until, readsLeft);
        readsLeft -= Math.max(1, read);
        if (!isDone) continue;
        if (rebuildOf !== null) await totals.putShard('current', shard, await totals.readShard('rebuilt', shard));
        shard += 1;
      }
      if (shard < totals.shards) return { ...task, shard };
      // Only now: a rebuild that is interrupted, or lost with its task, is due until another one is complete.
      if (rebuildOf !== null) await totals.putState({ ...(await totals.readState()), rebuiltChanges: rebuildOf });
      return null;
    },

    /** Records a new or deleted capture. If the totals cover its anchor, the next task rebuilds them. */
    async noteChange(anchor: UnixSeconds): Promise<void> {
      const state = await totals.readState();
      if (anchor <= state.until) await totals.putState({ ...state, changes: state.changes + 1 });
    },
  };
}

/** Maximum number of captures after the totals that a lookup adds. Normally those of one game day. */
export const MAX_NEWER_CAPTURES = 192;

/**
 * Totals of a player, including captures that are not added yet; null if no capture has the name. `newest`: the newest captures, newest
 * first, at least `MAX_NEWER_CAPTURES` of them. They are read at the same time as the totals.
 */
export async function readTotal(
  key: string,
  newest: Promise<readonly Capture[]>,
  { totals, rows }: { totals: TotalsStore; rows: PlayerRows },
): Promise<PlayerTotal | null> {
  const [{ until, text }, captures] = await Promise.all([totals.readShard('current', shardOf(key, totals.shards)), newest]);
  const stored = findTotal(text, key);
  const sums: Totals = new Map(stored ? [[key, stored]] : []);
  const newer = await rows.at(key, captures.filter(({ anchor }) => anchor > until).slice(0, MAX_NEWER_CAPTURES));
  for (const { capture, rows: own } of newer.sort((one, other) => one.capture.anchor - other.capture.anchor)) {
    addAppearance(sums, key, capture.anchor, own);
  }
  return sums.get(key) ?? null;
}

/**
 * The captures that can have a player on a board, or on any; null while the totals are outdated. A name that is in no capture would
 * otherwise be searched in an object of every game day.
 */
export async function readSeenRange(key: string, uuid: number | undefined, totals: TotalsStore): Promise<SeenRange | null> {
  const [{ changes, rebuiltChanges }, { until, text }] = await Promise.all([
    totals.readState(),
    totals.readShard('current', shardOf(key, totals.shards)),
  ]);
  if (changes > rebuiltChanges) return null;
  const boards = [...(findTotal(text, key)?.boards.values() ?? [])].filter((board) => uuid === undefined || board.uuid === uuid);
  const from = boards.reduce((first, { firstSeen }) => Math.min(first, firstSeen), Number.MAX_SAFE_INTEGER);
  return { until, from, to: boards.reduce((last, { lastSeen }) => Math.max(last, lastSeen), 0) };
}
