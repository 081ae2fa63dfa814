import { gunzipSync, gzipSync } from 'node:zlib';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { GainBand } from './clusters.domain.ts';

export interface StoredReport {
  /** Digest of the inputs of the report: capture and rules. */
  basis: string;
  /** Response body as JSON. */
  body: string;
}

export const REPORT_KEY = 'reports/anomalies.json';

/** Stores the anomaly report. It is computed in the background because it reads every board of a capture. */
export function createAnomalyReports(bucket: R2Bucket) {
  return {
    async put({ basis, body }: StoredReport): Promise<void> {
      await bucket.put(REPORT_KEY, body, { customMetadata: { basis } });
    },
    async get(): Promise<StoredReport | null> {
      const object = await bucket.get(REPORT_KEY);
      return object && { basis: object.customMetadata?.basis ?? '', body: await object.text() };
    },
  };
}

export const ACTIVE_FOLDER = 'reports/active/';
export const BANDS_FOLDER = 'reports/bands/';

/** Stores one value for each hour, compressed, by the anchor of its capture. */
function createHourlyStore<Value>(bucket: R2Bucket, folder: string, encode: (value: Value) => string, decode: (text: string) => Value) {
  const keyOf = (anchor: UnixSeconds) => `${folder}${anchor}.gz`;
  return {
    async put(anchor: UnixSeconds, value: Value): Promise<void> {
      await bucket.put(keyOf(anchor), gzipSync(encode(value)));
    },

    /** Null if nothing is stored for the capture. */
    async get(anchor: UnixSeconds): Promise<Value | null> {
      const object = await bucket.get(keyOf(anchor));
      return object && decode(gunzipSync(await object.arrayBuffer()).toString('utf8'));
    },

    async delete(anchor: UnixSeconds): Promise<void> {
      await bucket.delete(keyOf(anchor));
    },

    async deleteBefore(instant: UnixSeconds): Promise<void> {
      const { objects } = await bucket.list({ prefix: folder });
      const old = objects.map(({ key }) => key).filter((key) => Number.parseInt(key.slice(folder.length), 10) < instant);
      if (old.length > 0) await bucket.delete(old);
    },
  };
}

export type ActiveNames = ReturnType<typeof createActiveNames>;

/** Stores the lower-case names of players who were active between a capture and the previous one. */
export const createActiveNames = (bucket: R2Bucket) =>
  createHourlyStore<ReadonlySet<string>>(
    bucket,
    ACTIVE_FOLDER,
    (names) => [...names].join('\n'),
    (text) => new Set(text === '' ? [] : text.split('\n')),
  );

/** Bands of nearly equal gains between a capture and the previous one, by board. Names are keys of `comparedName`. */
export type HourBands = { uuid: number; bands: GainBand[] }[];

export type HourBandsStore = ReturnType<typeof createHourBands>;

/** Stores the bands of each hour for the search for clusters. */
export const createHourBands = (bucket: R2Bucket) =>
  createHourlyStore<HourBands>(bucket, BANDS_FOLDER, JSON.stringify, (text) => JSON.parse(text) as HourBands);
