import { gunzipSync, gzipSync } from 'node:zlib';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';

/** Lower-case names of players who were active between a capture and the previous one. */
export interface ActiveNames {
  put(anchor: UnixSeconds, names: ReadonlySet<string>): Promise<void>;
  /** Null if nothing is stored for the capture. */
  get(anchor: UnixSeconds): Promise<ReadonlySet<string> | null>;
  deleteBefore(instant: UnixSeconds): Promise<void>;
}

const FOLDER = 'reports/active/';
const keyOf = (anchor: UnixSeconds) => `${FOLDER}${anchor}.gz`;

export function createActiveNames(bucket: R2Bucket): ActiveNames {
  return {
    async put(anchor, names) {
      await bucket.put(keyOf(anchor), gzipSync([...names].join('\n')));
    },

    async get(anchor) {
      const object = await bucket.get(keyOf(anchor));
      if (!object) return null;
      const text = gunzipSync(await object.arrayBuffer()).toString('utf8');
      return new Set(text === '' ? [] : text.split('\n'));
    },

    async deleteBefore(instant) {
      const { objects } = await bucket.list({ prefix: FOLDER });
      const old = objects.map(({ key }) => key).filter((key) => Number.parseInt(key.slice(FOLDER.length), 10) < instant);
      if (old.length > 0) await bucket.delete(old);
    },
  };
}
