import pMap from 'p-map';
import { gameDayNumber, gameDayStart, SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { sha256Of } from '../../../platform/storage/content-store.ts';
import { MAX_PACKED_CAPTURES, OBJECT_CONCURRENCY } from '../leaderboards.data.ts';
import { type CaptureObjects, encodePack } from './capture-objects.store.ts';
import type { Capture, CapturesStore, PackKind } from './captures.store.ts';

/** Captures of one game day to pack: one object per board, or per player shard, for all of them. */
export interface PackTask {
  kind: PackKind;
  anchors: UnixSeconds[];
}

export type PackingService = ReturnType<typeof createPackingService>;

/** Maximum number of captures per kind and run; the rest waits for the next run. */
const PLANNED_CAPTURES = 400;

/** Deletes a pack that no capture is in. */
export async function deletePackIfEmpty(
  kind: PackKind,
  pack: string,
  { captures, objects }: { captures: CapturesStore; objects: CaptureObjects },
): Promise<void> {
  if ((await captures.countInPack(kind, pack)) === 0) await objects.deletePack(kind, pack);
}

/**
 * Name of the pack of a group, unique for its captures and their versions. The objects of a pack are therefore never overwritten with
 * other bytes: a reader takes the directory and a capture with two requests.
 */
async function contentName(group: readonly Capture[]): Promise<string> {
  return sha256Of(new TextEncoder().encode(JSON.stringify(group.map(({ anchor, version }) => [anchor, version]))));
}

export function createPackingService(captures: CapturesStore, objects: CaptureObjects) {
  async function packOne(kind: PackKind, group: readonly Capture[], pack: string, name: number): Promise<void> {
    const parts = new Map<string, Uint8Array>();
    for (const capture of group) {
      const bytes = await objects.bytes(kind, capture, name);
      if (bytes) parts.set(String(capture.anchor), bytes);
    }
    if (parts.size > 0) await objects.putPack(kind, pack, name, encodePack(parts));
  }

  async function namesOf(kind: PackKind, group: readonly Capture[]): Promise<number[]> {
    if (kind === 'players') return Array.from({ length: Math.max(...group.map(({ playerShards }) => playerShards)) }, (_, shard) => shard);
    return captures.listBoards(group);
  }

  return {
    /** Lists pending packs: players after the end of their game day, boards at the configured age. */
    async plan(settings: Settings, now: UnixSeconds): Promise<PackTask[]> {
      const today = gameDayStart(now);
      const limits = { players: today, boards: today - settings.leaderboardsRepackDays * SECONDS_PER_DAY };
      const tasks: PackTask[] = [];
      for (const kind of ['players', 'boards'] as const) {
        const pending = await captures.listUnpacked(kind, limits[kind], PLANNED_CAPTURES);
        const days = Map.groupBy(pending, ({ anchor }) => gameDayNumber(anchor));
        for (const group of days.values()) {
          const anchors = group.map(({ anchor }) => anchor);
          for (let at = 0; at < anchors.length; at += MAX_PACKED_CAPTURES) {
            tasks.push({ kind, anchors: anchors.slice(at, at + MAX_PACKED_CAPTURES) });
          }
        }
      }
      return tasks;
    },

    /** Packs without loss. Idempotent: a retry after a crash writes the same objects. */
    async pack({ kind, anchors }: PackTask): Promise<void> {
      const group = await captures.listByAnchors(anchors);
      const [first] = group;
      if (!first) return;
      const pack = `${gameDayStart(first.anchor)}/${await contentName(group)}`;
      const packs = new Set(group.map((capture) => (kind === 'boards' ? capture.boardPack : capture.playerPack)));
      // Skipped on a retry after a crash.
      if (packs.size > 1 || !packs.has(pack)) {
        const names = await namesOf(kind, group);
        await pMap(names, (name) => packOne(kind, group, pack, name), { concurrency: OBJECT_CONCURRENCY });
        await captures.setPack(kind, group, pack);
      }
      // After the captures name the pack: a reader finds the rows in one of the two at any time.
      await objects.deleteVersions(kind, group);
      for (const previous of packs) {
        if (previous !== null && previous !== pack) await deletePackIfEmpty(kind, previous, { captures, objects });
      }
    },
  };
}
