import { gunzipSync, gzipSync } from 'node:zlib';
import type { Rows } from '../ingest/dump-line.domain.ts';
import { type BoardColumns, decodeColumns, encodeColumns } from './board-columns.domain.ts';
import type { Capture, PackKind } from './captures.repository.ts';
import { readDirectory } from './pack.domain.ts';
import { RowCache } from './row-cache.domain.ts';

/** Key parts of the objects of a capture version. */
export type Version = Pick<Capture, 'anchor' | 'version'>;
/** A capture with the packs it may lie in. */
export type Placed = Pick<Capture, 'anchor' | 'version' | 'boardPack' | 'playerPack'>;

/** The rows of captures in object storage: one compressed object for each board, and for each part of the players. */
export interface CaptureObjects {
  putBoard(version: Version, uuid: number, rows: Rows): Promise<void>;
  putPlayers(version: Version, shard: number, text: string): Promise<void>;
  /** Rows of a board; null if the object is missing. */
  board(capture: Placed, uuid: number): Promise<BoardColumns | null>;
  /** Text of a board's rows, not cached; null if the object is missing. */
  boardText(capture: Placed, uuid: number): Promise<string | null>;
  /** The texts of one part of the players, by anchor, of captures that lie in the same pack or of a single one. */
  players(captures: readonly Placed[], shard: number): Promise<Map<number, string>>;
  /** The bytes of an object as they are stored, to be packed. */
  bytes(kind: PackKind, capture: Placed, name: number): Promise<Uint8Array | null>;
  putPack(kind: PackKind, pack: string, name: number, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Deletes what other versions of an anchor wrote; with null, what all did. */
  removeOthers(anchor: number, version: string | null): Promise<void>;
  /** Deletes the objects of a version that were packed. */
  removeVersion(kind: PackKind, version: Version): Promise<void>;
  removePack(kind: PackKind, pack: string): Promise<void>;
}

/** Enough for the directory of a pack. */
const DIRECTORY_BYTES = 4096;
/** Rows of decoded boards that an isolate keeps: about 10 MB. */
const MAX_CACHED_ROWS = 120_000;
const DELETED_AT_ONCE = 1000;
const KINDS: readonly PackKind[] = ['boards', 'players'];

const folderOf = (kind: PackKind, anchor: number) => `${kind}/${anchor}/`;
const keyOf = (kind: PackKind, { anchor, version }: Version, name: number) => `${folderOf(kind, anchor)}${version}/${name}.gz`;
const packFolder = (kind: PackKind, pack: string) => `packs/${kind}/${pack}/`;
const packKey = (kind: PackKind, pack: string, name: number) => `${packFolder(kind, pack)}${name}`;
const packOf = (kind: PackKind, capture: Placed) => (kind === 'boards' ? capture.boardPack : capture.playerPack);

/** Little larger than with more effort, and twice as quick. */
const COMPRESSION_LEVEL = 3;

const compressed = (text: string): Uint8Array => gzipSync(text, { level: COMPRESSION_LEVEL });
const textOf = (bytes: Uint8Array): string => gunzipSync(bytes).toString('utf8');

export function createCaptureObjects(bucket: R2Bucket): CaptureObjects {
  const kept = new RowCache<BoardColumns>(MAX_CACHED_ROWS);

  async function whole(key: string, range?: R2Range): Promise<Uint8Array | null> {
    const object = await bucket.get(key, range ? { range } : {});
    return object && new Uint8Array(await object.arrayBuffer());
  }

  /** One capture out of a pack: its directory first, then that part alone. */
  async function fromPack(key: string, anchor: number): Promise<Uint8Array | null> {
    const start = await whole(key, { offset: 0, length: DIRECTORY_BYTES });
    const directory = start && readDirectory(start);
    const part = directory?.get(String(anchor));
    return part ? whole(key, part) : null;
  }

  function bytes(kind: PackKind, capture: Placed, name: number): Promise<Uint8Array | null> {
    const pack = packOf(kind, capture);
    return pack === null ? whole(keyOf(kind, capture, name)) : fromPack(packKey(kind, pack, name), capture.anchor);
  }

  async function remove(prefix: string, isUnwanted: (key: string) => boolean): Promise<void> {
    let cursor: string | undefined;
    do {
      const page = await bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
      const keys = page.objects.map(({ key }) => key).filter(isUnwanted);
      for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) await bucket.delete(keys.slice(at, at + DELETED_AT_ONCE));
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }

  return {
    bytes,

    async putBoard(version, uuid, rows) {
      await bucket.put(keyOf('boards', version, uuid), compressed(encodeColumns(rows)));
    },

    async putPlayers(version, shard, text) {
      await bucket.put(keyOf('players', version, shard), compressed(text));
    },

    async board(capture, uuid) {
      // A version is never written twice with other rows, so what was read once stays true.
      const cacheKey = `${capture.version}/${uuid}`;
      const known = kept.get(cacheKey);
      if (known) return known;
      const stored = await bytes('boards', capture, uuid);
      if (!stored) return null;
      const columns = decodeColumns(textOf(stored));
      kept.set(cacheKey, columns, columns.scores.length);
      return columns;
    },

    async boardText(capture, uuid) {
      const stored = await bytes('boards', capture, uuid);
      return stored && textOf(stored);
    },

    async players(captures, shard) {
      const texts = new Map<number, string>();
      const pack = captures[0]?.playerPack ?? null;
      if (pack === null) {
        for (const capture of captures) {
          const stored = await bytes('players', capture, shard);
          if (stored) texts.set(capture.anchor, textOf(stored));
        }
        return texts;
      }
      const stored = await whole(packKey('players', pack, shard));
      const directory = stored && readDirectory(stored);
      for (const { anchor } of captures) {
        const part = directory?.get(String(anchor));
        if (stored && part) texts.set(anchor, textOf(stored.subarray(part.offset, part.offset + part.length)));
      }
      return texts;
    },

    async putPack(kind, pack, name, packed) {
      await bucket.put(packKey(kind, pack, name), packed);
    },

    async removeOthers(anchor, version) {
      for (const kind of KINDS) {
        const wanted = version === null ? null : `${folderOf(kind, anchor)}${version}/`;
        await remove(folderOf(kind, anchor), (key) => wanted === null || !key.startsWith(wanted));
      }
    },

    removeVersion: (kind, { anchor, version }) => remove(`${folderOf(kind, anchor)}${version}/`, () => true),
    removePack: (kind, pack) => remove(packFolder(kind, pack), () => true),
  };
}
