import pMap from 'p-map';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { MAX_PLAYER_OBJECTS, OBJECT_CONCURRENCY } from '../leaderboards.data.ts';
import type { CaptureObjects } from './capture-objects.store.ts';
import type { Capture, CapturesStore } from './captures.store.ts';
import { findInShard, type PlayerRow, shardOf } from './player-shards.domain.ts';

/** Rows of a player at a capture. */
export interface Appearance {
  capture: Capture;
  rows: PlayerRow[];
}

/** Of the captures up to `until`, those that can have rows of a player: between `from` and `to`. */
export interface SeenRange {
  until: UnixSeconds;
  from: UnixSeconds;
  to: UnixSeconds;
}

/** Reads the rows of one player from the player shards of captures. */
export type PlayerRows = ReturnType<typeof createPlayerRows>;

/** Captures per query. */
const CAPTURES_PAGE = 192;

export function createPlayerRows({ captures, objects }: { captures: CapturesStore; objects: CaptureObjects }) {
  /** Rows of a player at the listed captures, in their order. Captures in the same pack are read with one object. */
  async function at(key: string, listed: readonly Capture[]): Promise<Appearance[]> {
    const appearances = await pMap(
      groupByObject(listed),
      async (group) => {
        const texts = await textsOf(group, shardOf(key, group[0]?.playerShards ?? 1));
        return group.flatMap((capture) => {
          const rows = findInShard(texts.get(capture.anchor) ?? '', key);
          return rows.length > 0 ? [{ capture, rows }] : [];
        });
      },
      { concurrency: OBJECT_CONCURRENCY },
    );
    return appearances.flat();
  }

  /** Retries the lookup of captures that were packed or replaced in the meantime. */
  async function textsOf(group: readonly Capture[], shard: number): Promise<Map<number, string>> {
    const texts = await objects.players(group, shard);
    if (texts.size === group.length) return texts;
    const missing = group.filter(({ anchor }) => !texts.has(anchor));
    const now = await captures.listByAnchors(missing.map(({ anchor }) => anchor));
    const moved = now.filter((capture) => {
      const before = missing.find(({ anchor }) => anchor === capture.anchor);
      return before && (before.version !== capture.version || before.playerPack !== capture.playerPack);
    });
    for (const retried of groupByObject(moved)) for (const [anchor, text] of await objects.players(retried, shard)) texts.set(anchor, text);
    return texts;
  }

  /**
   * Rows at or after `from`, newest first. Stops at `limit` rows or after `MAX_PLAYER_OBJECTS` objects. `first`: the captures of that
   * range, or the newest of them, if they are read already; at least a page unless there are fewer. `seen`: asked once the newest captures
   * do not have enough rows; null: any capture can have rows.
   */
  async function newest(
    key: string,
    { uuid, from = 0, limit }: { uuid?: number | undefined; from?: UnixSeconds; limit: number },
    { first, seen }: { first?: readonly Capture[]; seen?(): Promise<SeenRange | null> } = {},
  ): Promise<Appearance[]> {
    let appearances: Appearance[] = [];
    let read = 0;
    let range: SeenRange | null = null;
    let isAsked = false;
    const canHave = ({ anchor }: Capture) => range === null || anchor > range.until || (anchor >= range.from && anchor <= range.to);
    let listed = first ?? (await captures.list({ from, uuid, limit: CAPTURES_PAGE }));
    while (read < MAX_PLAYER_OBJECTS) {
      const groups = groupByObject(listed);
      for (let start = 0; start < groups.length && read < MAX_PLAYER_OBJECTS; start += OBJECT_CONCURRENCY) {
        const batch = groups.slice(start, start + OBJECT_CONCURRENCY);
        if (hasEnoughRows(appearances, limit, batch[0]?.[0])) return appearances;
        if (read > 0 && !isAsked) {
          range = (await seen?.()) ?? null;
          isAsked = true;
        }
        const wanted = batch.flat().filter(canHave);
        if (wanted.length === 0) continue;
        const more = await at(key, wanted);
        read += batch.length;
        appearances.push(...more.map((appearance) => filterByBoard(appearance, uuid)).filter((appearance) => appearance.rows.length > 0));
        appearances = appearances.sort((one, other) => other.capture.anchor - one.capture.anchor);
      }
      const last = listed.at(-1);
      if (!last || listed.length < CAPTURES_PAGE) break;
      if (range !== null && last.anchor <= range.until && last.anchor <= range.from) break;
      const before = range !== null && last.anchor <= range.until ? Math.min(last.anchor, range.to + 1) : last.anchor;
      listed = await captures.list({ from, before, uuid, limit: CAPTURES_PAGE });
    }
    return appearances;
  }

  return { at, newest };
}

/** Whether there are `limit` rows and the next capture is older than the last of them. */
function hasEnoughRows(appearances: readonly Appearance[], limit: number, next: Capture | undefined): boolean {
  let rows = 0;
  for (const appearance of appearances) {
    rows += appearance.rows.length;
    if (rows >= limit) return !next || next.anchor < appearance.capture.anchor;
  }
  return false;
}

/** Groups captures by the object that contains their players: a pack, or an object of one capture. */
export function groupByObject(listed: readonly Capture[]): Capture[][] {
  return [
    ...Map.groupBy(listed, ({ anchor, playerPack, playerShards }) =>
      playerPack === null ? anchor : `${playerPack}:${playerShards}`,
    ).values(),
  ];
}

function filterByBoard(appearance: Appearance, uuid: number | undefined): Appearance {
  return uuid === undefined ? appearance : { ...appearance, rows: appearance.rows.filter((row) => row.uuid === uuid) };
}
