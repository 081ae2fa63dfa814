import { gunzipSync, gzipSync } from 'node:zlib';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { MAX_PLAYER_SHARDS } from '../leaderboards.data.ts';

/** One shard of the totals. */
interface TotalsShard {
  /** Newest capture in the shard; 0 for none. */
  until: UnixSeconds;
  text: string;
}

/** The totals include captures up to `until`. They are outdated while more of these captures have changed than a rebuild has included. */
interface TotalsState {
  until: UnixSeconds;
  /** Number of changes of included captures. */
  changes: number;
  /** The number at the start of the last rebuild that was completed. */
  rebuiltChanges: number;
}

/** `current`: totals for reads; `rebuilt`: totals of a rebuild in progress. */
export type TotalsKind = 'current' | 'rebuilt';

/** Totals of all players in object storage, in shards by name hash. */
export type TotalsStore = ReturnType<typeof createTotalsStore>;

export const TOTALS_FOLDER = 'totals/';
const STATE_KEY = `${TOTALS_FOLDER}state`;
const FOLDERS: Readonly<Record<TotalsKind, string>> = { current: `${TOTALS_FOLDER}current/`, rebuilt: `${TOTALS_FOLDER}rebuilt/` };
const COMPRESSION_LEVEL = 3;

const keyOf = (kind: TotalsKind, shard: number) => `${FOLDERS[kind]}${shard}.gz`;

export function createTotalsStore(bucket: R2Bucket, shards = MAX_PLAYER_SHARDS) {
  return {
    /** Number of shards. */
    shards,

    async readState(): Promise<TotalsState> {
      const { until = 0, changes = 0, rebuilt = 0 } = (await bucket.head(STATE_KEY))?.customMetadata ?? {};
      return { until: Number(until), changes: Number(changes), rebuiltChanges: Number(rebuilt) };
    },

    async putState({ until, changes, rebuiltChanges }: TotalsState): Promise<void> {
      const customMetadata = { until: String(until), changes: String(changes), rebuilt: String(rebuiltChanges) };
      await bucket.put(STATE_KEY, '', { customMetadata });
    },

    /** Reads a shard; empty if it was never written. */
    async readShard(kind: TotalsKind, shard: number): Promise<TotalsShard> {
      const object = await bucket.get(keyOf(kind, shard));
      if (!object) return { until: 0, text: '' };
      return { until: Number(object.customMetadata?.until), text: gunzipSync(await object.arrayBuffer()).toString('utf8') };
    },

    async putShard(kind: TotalsKind, shard: number, { until, text }: TotalsShard): Promise<void> {
      await bucket.put(keyOf(kind, shard), gzipSync(text, { level: COMPRESSION_LEVEL }), { customMetadata: { until: String(until) } });
    },

    /** Deletes the shards of an earlier rebuild. */
    async deleteRebuilt(): Promise<void> {
      // One page lists all of them: there are fewer shards than keys on a page.
      const { objects } = await bucket.list({ prefix: FOLDERS.rebuilt });
      await bucket.delete(objects.map(({ key }) => key));
    },
  };
}
