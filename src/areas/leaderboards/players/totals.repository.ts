import { gunzipSync, gzipSync } from 'node:zlib';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { MAX_PLAYER_SHARDS } from '../leaderboards.data.ts';

/** One part of the totals, and the newest capture that is in it. */
export interface TotalsPart {
  until: UnixSeconds;
  text: string;
}

/** The totals cover captures up to `until`; `isStale`: one of them changed since it was added. */
export interface TotalsState {
  until: UnixSeconds;
  isStale: boolean;
}

/** The totals that readers see, or those that are being rebuilt. */
export type TotalsKind = 'current' | 'rebuilt';

/** The totals of all players in object storage, in parts by name hash. */
export interface TotalsRepository {
  /** Number of parts. */
  readonly shards: number;
  state(): Promise<TotalsState>;
  putState(state: TotalsState): Promise<void>;
  /** A part; without captures when it was never written. */
  part(kind: TotalsKind, shard: number): Promise<TotalsPart>;
  putPart(kind: TotalsKind, shard: number, part: TotalsPart): Promise<void>;
  /** Deletes what an earlier rebuild left. */
  removeRebuilt(): Promise<void>;
}

const STATE_KEY = 'totals/state';
const FOLDERS: Readonly<Record<TotalsKind, string>> = { current: 'totals/current/', rebuilt: 'totals/rebuilt/' };
const COMPRESSION_LEVEL = 3;

const keyOf = (kind: TotalsKind, shard: number) => `${FOLDERS[kind]}${shard}.gz`;

export function createTotalsRepository(bucket: R2Bucket, shards = MAX_PLAYER_SHARDS): TotalsRepository {
  return {
    shards,

    async state() {
      const { until, stale } = (await bucket.head(STATE_KEY))?.customMetadata ?? {};
      return { until: Number(until ?? 0), isStale: stale === 'true' };
    },

    async putState({ until, isStale }) {
      await bucket.put(STATE_KEY, '', { customMetadata: { until: String(until), stale: String(isStale) } });
    },

    async part(kind, shard) {
      const object = await bucket.get(keyOf(kind, shard));
      if (!object) return { until: 0, text: '' };
      return { until: Number(object.customMetadata?.until), text: gunzipSync(await object.arrayBuffer()).toString('utf8') };
    },

    async putPart(kind, shard, { until, text }) {
      await bucket.put(keyOf(kind, shard), gzipSync(text, { level: COMPRESSION_LEVEL }), { customMetadata: { until: String(until) } });
    },

    async removeRebuilt() {
      // One page holds them all: there are fewer parts than a page has keys.
      const { objects } = await bucket.list({ prefix: FOLDERS.rebuilt });
      await bucket.delete(objects.map(({ key }) => key));
    },
  };
}
