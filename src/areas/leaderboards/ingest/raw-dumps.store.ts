import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { deleteObjectsBefore, instantKey } from '../../../platform/storage/dated-objects.ts';

/** A stored dump. */
export interface StoredDump {
  /** Name of the dump: its key without prefix and suffix. */
  dump: string;
  anchor: UnixSeconds;
  receivedAt: UnixSeconds;
  /** Compressed size in bytes. */
  size: number;
}

/** Metadata of a raw dump. */
interface DumpMetadata {
  /** SHA-256 of the uncompressed text, lower-case hex. */
  digest: string;
  /** Size of the uncompressed text. */
  bytes: number;
  /** Inserted with `backfill`: the completeness check is skipped. */
  isBackfill: boolean;
}

/** Uploaded dumps, compressed; a capture can be recreated from its dump. */
export type RawDumps = ReturnType<typeof createRawDumps>;

const PREFIX = 'raw/';
const SUFFIX = '.cfg.gz';
const NAME = /^(\d{12})\/(\d+)-[\w-]+$/;
/** Maximum pages of a listing, 1000 dumps each: far more than a month of dumps. */
const MAX_PAGES = 20;

const keyOf = (dump: string) => `${PREFIX}${dump}${SUFFIX}`;

export function createRawDumps(bucket: R2Bucket) {
  return {
    /** Stores a compressed dump and returns its key. */
    async put({
      anchor,
      id,
      receivedAt,
      gzip,
      metadata: { digest, bytes, isBackfill },
    }: {
      anchor: UnixSeconds;
      id: string;
      receivedAt: UnixSeconds;
      gzip: Uint8Array<ArrayBuffer>;
      metadata: DumpMetadata;
    }): Promise<string> {
      const key = `${instantKey(PREFIX, receivedAt)}/${anchor}-${id}${SUFFIX}`;
      const customMetadata = { digest, bytes: String(bytes), backfill: String(isBackfill) };
      await bucket.put(key, gzip, { httpMetadata: { contentType: 'application/gzip' }, customMetadata });
      return key;
    },

    /** Streams the text of a dump; null if missing. */
    async open(key: string): Promise<ReadableStream<string> | null> {
      const object = await bucket.get(key);
      if (!object) return null;
      // Invalid UTF-8 becomes the replacement character: one malformed name does not fail the dump.
      return object.body.pipeThrough(new DecompressionStream('gzip')).pipeThrough(new TextDecoderStream());
    },

    /** All dumps, newest first. */
    async list(): Promise<StoredDump[]> {
      const dumps: StoredDump[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const listed = await bucket.list({ prefix: PREFIX, ...(cursor === undefined ? {} : { cursor }) });
        dumps.push(...listed.objects.flatMap((object) => parseKey(object) ?? []));
        if (!listed.truncated) break;
        cursor = listed.cursor;
      }
      return dumps.reverse();
    },

    /** A dump by name, with its key; null if it is not stored. */
    async find(dump: string): Promise<(StoredDump & DumpMetadata & { key: string }) | null> {
      const object = NAME.test(dump) ? await bucket.head(keyOf(dump)) : null;
      const described = object && parseKey(object);
      if (!object || !described) return null;
      const { digest = '', bytes, backfill } = object.customMetadata ?? {};
      return { ...described, key: object.key, digest, bytes: Number(bytes ?? 0), isBackfill: backfill === 'true' };
    },

    /** Deletes dumps received before an instant and returns their keys. */
    deleteBefore: (instant: UnixSeconds): Promise<string[]> => deleteObjectsBefore(bucket, PREFIX, instant),
  };
}

/** Parses the key of a dump; null for an invalid key. */
function parseKey({ key, size }: Pick<R2Object, 'key' | 'size'>): StoredDump | null {
  const dump = key.slice(PREFIX.length, -SUFFIX.length);
  const [, receivedAt, anchor] = NAME.exec(dump) ?? [];
  return receivedAt === undefined ? null : { dump, anchor: Number(anchor), receivedAt: Number(receivedAt), size };
}
