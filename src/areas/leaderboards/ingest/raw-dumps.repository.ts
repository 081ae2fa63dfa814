import { deleteObjectsBefore, instantKey } from '../../../platform/storage/dated-objects.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';

/** A dump that was kept. */
export interface StoredDump {
  /** Names the dump among all. */
  dump: string;
  anchor: UnixSeconds;
  receivedAt: UnixSeconds;
  /** Bytes it takes, compressed. */
  size: number;
}

/** Metadata of a raw dump. */
export interface DumpText {
  /** SHA-256, lower-case hex. */
  digest: string;
  bytes: number;
  /** It was sent as the past of the boards, which no capture before it judges. */
  isBackfill: boolean;
}

/** Dumps as they were uploaded, compressed: what a capture can be made from again. */
export interface RawDumps {
  /** Stores a compressed dump and returns its key. */
  put(dump: { anchor: UnixSeconds; id: string; receivedAt: UnixSeconds; gzip: Uint8Array<ArrayBuffer>; text: DumpText }): Promise<string>;
  /** Text of a dump as a stream; null if missing. */
  open(key: string): Promise<ReadableStream<string> | null>;
  /** Every dump, newest first. */
  list(): Promise<StoredDump[]>;
  /** A dump by its name, with its key; null when it is not kept. */
  find(dump: string): Promise<(StoredDump & DumpText & { key: string }) | null>;
  /** Deletes dumps received before an instant; the keys that went. */
  deleteBefore(instant: UnixSeconds): Promise<string[]>;
}

const PREFIX = 'raw/';
const SUFFIX = '.cfg.gz';
const NAME = /^(\d{12})\/(\d+)-[\w-]+$/;
/** Pages of a listing, of 1000 dumps each: far more than a month has. */
const MAX_PAGES = 20;

const keyOf = (dump: string) => `${PREFIX}${dump}${SUFFIX}`;

export function createRawDumps(bucket: R2Bucket): RawDumps {
  return {
    async put({ anchor, id, receivedAt, gzip, text: { digest, bytes, isBackfill } }) {
      const key = `${instantKey(PREFIX, receivedAt)}/${anchor}-${id}${SUFFIX}`;
      const customMetadata = { digest, bytes: String(bytes), backfill: String(isBackfill) };
      await bucket.put(key, gzip, { httpMetadata: { contentType: 'application/gzip' }, customMetadata });
      return key;
    },

    async open(key) {
      const object = await bucket.get(key);
      // Invalid bytes become the replacement character: one odd name must not cost a whole dump.
      if (!object) return null;
      return object.body.pipeThrough(new DecompressionStream('gzip')).pipeThrough(new TextDecoderStream());
    },

    async list() {
      const dumps: StoredDump[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const listed = await bucket.list({ prefix: PREFIX, ...(cursor === undefined ? {} : { cursor }) });
        dumps.push(...listed.objects.flatMap((object) => describe(object) ?? []));
        if (!listed.truncated) break;
        cursor = listed.cursor;
      }
      return dumps.reverse();
    },

    async find(dump) {
      const object = NAME.test(dump) ? await bucket.head(keyOf(dump)) : null;
      const described = object && describe(object);
      if (!object || !described) return null;
      const { digest = '', bytes, backfill } = object.customMetadata ?? {};
      return { ...described, key: object.key, digest, bytes: Number(bytes ?? 0), isBackfill: backfill === 'true' };
    },

    deleteBefore: (instant) => deleteObjectsBefore(bucket, PREFIX, instant),
  };
}

/** Metadata in the key of a dump; null for an invalid key. */
function describe({ key, size }: Pick<R2Object, 'key' | 'size'>): StoredDump | null {
  const dump = key.slice(PREFIX.length, -SUFFIX.length);
  const [, receivedAt, anchor] = NAME.exec(dump) ?? [];
  return receivedAt === undefined ? null : { dump, anchor: Number(anchor), receivedAt: Number(receivedAt), size };
}
