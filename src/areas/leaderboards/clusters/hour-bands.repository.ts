import { gunzipSync, gzipSync } from 'node:zlib';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { GainBand } from './co-movement.domain.ts';

/** Bands of nearly equal gains between a capture and the previous one, by board. Names are keys of `comparedName`. */
export type HourBands = { uuid: number; bands: GainBand[] }[];

export type HourBandsStore = ReturnType<typeof createHourBands>;

const FOLDER = 'reports/bands/';
const keyOf = (anchor: UnixSeconds) => `${FOLDER}${anchor}.gz`;

/** Stores the bands of each hour for the search for clusters. */
export function createHourBands(bucket: R2Bucket) {
  return {
    async put(anchor: UnixSeconds, bands: HourBands): Promise<void> {
      await bucket.put(keyOf(anchor), gzipSync(JSON.stringify(bands)));
    },

    /** Null if nothing is stored for the capture. */
    async get(anchor: UnixSeconds): Promise<HourBands | null> {
      const object = await bucket.get(keyOf(anchor));
      return object && (JSON.parse(gunzipSync(await object.arrayBuffer()).toString('utf8')) as HourBands);
    },

    async deleteBefore(instant: UnixSeconds): Promise<void> {
      const { objects } = await bucket.list({ prefix: FOLDER });
      const old = objects.map(({ key }) => key).filter((key) => Number.parseInt(key.slice(FOLDER.length), 10) < instant);
      if (old.length > 0) await bucket.delete(old);
    },
  };
}
