import { gunzipSync, gzipSync } from 'node:zlib';
import pMap from 'p-map';
import { bind } from '../../../platform/kit/bind.ts';
import { joinBytes } from '../../../platform/kit/values/bytes.ts';
import type { Rows } from '../dump.domain.ts';
import { OBJECT_CONCURRENCY } from '../leaderboards.data.ts';
import { type BoardColumns, decodeColumns, encodeColumns } from './board-rows.domain.ts';
import type { Capture, PackKind } from './captures.store.ts';

/** Byte ranges of the objects in a pack, from the end of the directory. */
type Directory = Record<string, [offset: number, length: number]>;

const LENGTH_BYTES = 4;

/** Joins stored objects: length of the directory (4 bytes, big-endian), directory as JSON, the objects unchanged. */
export function encodePack(parts: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const directory: Directory = {};
  let offset = 0;
  for (const [name, bytes] of parts) {
    directory[name] = [offset, bytes.length];
    offset += bytes.length;
  }
  const head = new TextEncoder().encode(JSON.stringify(directory));
  const headLength = new Uint8Array(LENGTH_BYTES);
  new DataView(headLength.buffer).setUint32(0, head.length);
  return joinBytes([headLength, head, ...parts.values()]);
}

/** Byte ranges of the objects in a pack, from its start; null if `start` ends before the directory does. */
export function readDirectory(start: Uint8Array): Map<string, { offset: number; length: number }> | null {
  if (start.length < LENGTH_BYTES) return null;
  const base = LENGTH_BYTES + new DataView(start.buffer, start.byteOffset).getUint32(0);
  if (start.length < base) return null;
  const directory = JSON.parse(new TextDecoder().decode(start.subarray(LENGTH_BYTES, base))) as Directory;
  return new Map(Object.entries(directory).map(([name, [offset, length]]) => [name, { offset: base + offset, length }]));
}

/** LRU cache bounded by the total number of rows. */
export class RowCache<Value> {
  readonly #entries = new Map<string, { value: Value; rows: number }>();
  readonly #capacity: number;
  #rows = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, rows: number): void {
    this.#rows += rows - (this.#entries.get(key)?.rows ?? 0);
    this.#entries.delete(key);
    this.#entries.set(key, { value, rows });
    for (const [oldest, entry] of this.#entries) {
      if (this.#rows <= this.#capacity || oldest === key) return;
      this.#entries.delete(oldest);
      this.#rows -= entry.rows;
    }
  }
}

/** Fields in the keys of the objects of a capture version. */
export type Version = Pick<Capture, 'anchor' | 'version'>;
/** Fields that locate the objects of a capture, packed or not. */
type CaptureLocation = Pick<Capture, 'anchor' | 'version' | 'boardPack' | 'playerPack'>;

/** Rows of captures in object storage: one compressed object per board, and one per player shard. */
export type CaptureObjects = ReturnType<typeof createCaptureObjects>;

/** Bytes read to get the directory of a pack; larger than any directory. */
const DIRECTORY_BYTES = 4096;
/** Maximum rows of decoded boards that an isolate caches: about 10 MB. */
const MAX_CACHED_ROWS = 120_000;
/** Limit of R2 for one delete. */
const MAX_DELETED_KEYS = 1000;
const KINDS: readonly PackKind[] = ['boards', 'players'];

const folderOf = (kind: PackKind, anchor: number) => `${kind}/${anchor}/`;
const keyOf = (kind: PackKind, { anchor, version }: Version, name: number) => `${folderOf(kind, anchor)}${version}/${name}.gz`;
const packFolder = (kind: PackKind, pack: string) => `packs/${kind}/${pack}/`;
const packKey = (kind: PackKind, pack: string, name: number) => `${packFolder(kind, pack)}${name}`;
const packOf = (kind: PackKind, capture: CaptureLocation) => (kind === 'boards' ? capture.boardPack : capture.playerPack);

/** Twice as fast as the default level, and the result is only slightly larger. */
const COMPRESSION_LEVEL = 3;

const compressed = (text: string): Uint8Array => gzipSync(text, { level: COMPRESSION_LEVEL });
const textOf = (bytes: Uint8Array): string => gunzipSync(bytes).toString('utf8');

interface CaptureObjectsContext {
  bucket: R2Bucket;
  cache: RowCache<BoardColumns>;
}

export function createCaptureObjects(bucket: R2Bucket) {
  const cache = new RowCache<BoardColumns>(MAX_CACHED_ROWS);
  const context: CaptureObjectsContext = { bucket, cache };
  return bind(context, {
    bytes,
    putBoard,
    putPlayers,
    board,
    boardText,
    players,
    putPack,
    deleteOtherVersions,
    deleteVersions,
    deletePack,
  });
}

async function readObject({ bucket }: CaptureObjectsContext, key: string, range?: R2Range): Promise<Uint8Array | null> {
  const object = await bucket.get(key, range ? { range } : {});
  return object && new Uint8Array(await object.arrayBuffer());
}

/** Reads one capture from a pack: first the directory, then the byte range of the capture. */
async function readFromPack(deps: CaptureObjectsContext, key: string, anchor: number): Promise<Uint8Array | null> {
  const start = await readObject(deps, key, { offset: 0, length: DIRECTORY_BYTES });
  const directory = start && readDirectory(start);
  const part = directory?.get(String(anchor));
  return part ? readObject(deps, key, part) : null;
}

/** Compressed bytes of an object; null if missing. */
function bytes(deps: CaptureObjectsContext, kind: PackKind, capture: CaptureLocation, name: number): Promise<Uint8Array | null> {
  const pack = packOf(kind, capture);
  return pack === null ? readObject(deps, keyOf(kind, capture, name)) : readFromPack(deps, packKey(kind, pack, name), capture.anchor);
}

async function listKeys({ bucket }: CaptureObjectsContext, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    keys.push(...page.objects.map(({ key }) => key));
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return keys;
}

async function deleteKeys({ bucket }: CaptureObjectsContext, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += MAX_DELETED_KEYS) await bucket.delete(keys.slice(at, at + MAX_DELETED_KEYS));
}

async function putBoard({ bucket }: CaptureObjectsContext, version: Version, uuid: number, rows: Rows): Promise<void> {
  await bucket.put(keyOf('boards', version, uuid), compressed(encodeColumns(rows)));
}

async function putPlayers({ bucket }: CaptureObjectsContext, version: Version, shard: number, text: string): Promise<void> {
  await bucket.put(keyOf('players', version, shard), compressed(text));
}

/** Rows of a board; null if the object is missing. */
async function board(deps: CaptureObjectsContext, capture: CaptureLocation, uuid: number): Promise<BoardColumns | null> {
  // The rows of a version never change, so cached rows need no invalidation.
  const cacheKey = `${capture.version}/${uuid}`;
  const cached = deps.cache.get(cacheKey);
  if (cached) return cached;
  const stored = await bytes(deps, 'boards', capture, uuid);
  if (!stored) return null;
  const columns = decodeColumns(textOf(stored));
  deps.cache.set(cacheKey, columns, columns.scores.length);
  return columns;
}

/** Encoded rows of a board, not cached; null if the object is missing. */
async function boardText(deps: CaptureObjectsContext, capture: CaptureLocation, uuid: number): Promise<string | null> {
  const stored = await bytes(deps, 'boards', capture, uuid);
  return stored && textOf(stored);
}

/** Text of a player shard by anchor. The captures must be in the same pack, or be a single one. */
async function players(deps: CaptureObjectsContext, captures: readonly CaptureLocation[], shard: number): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  const pack = captures[0]?.playerPack ?? null;
  if (pack === null) {
    for (const capture of captures) {
      const stored = await bytes(deps, 'players', capture, shard);
      if (stored) texts.set(capture.anchor, textOf(stored));
    }
    return texts;
  }
  const stored = await readObject(deps, packKey('players', pack, shard));
  const directory = stored && readDirectory(stored);
  for (const { anchor } of captures) {
    const part = directory?.get(String(anchor));
    if (stored && part) texts.set(anchor, textOf(stored.subarray(part.offset, part.offset + part.length)));
  }
  return texts;
}

async function putPack(
  { bucket }: CaptureObjectsContext,
  kind: PackKind,
  pack: string,
  name: number,
  packed: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await bucket.put(packKey(kind, pack, name), packed);
}

/** Deletes the objects of all other versions of an anchor; null: of all versions. */
async function deleteOtherVersions(deps: CaptureObjectsContext, anchor: number, version: string | null): Promise<void> {
  for (const kind of KINDS) {
    const publishedPrefix = version === null ? null : `${folderOf(kind, anchor)}${version}/`;
    const keys = await listKeys(deps, folderOf(kind, anchor));
    await deleteKeys(
      deps,
      keys.filter((key) => publishedPrefix === null || !key.startsWith(publishedPrefix)),
    );
  }
}

/** Deletes the unpacked objects of versions. */
async function deleteVersions(deps: CaptureObjectsContext, kind: PackKind, versions: readonly Version[]): Promise<void> {
  const listed = await pMap(versions, ({ anchor, version }) => listKeys(deps, `${folderOf(kind, anchor)}${version}/`), {
    concurrency: OBJECT_CONCURRENCY,
  });
  await deleteKeys(deps, listed.flat());
}

const deletePack = async (deps: CaptureObjectsContext, kind: PackKind, pack: string): Promise<void> =>
  deleteKeys(deps, await listKeys(deps, packFolder(kind, pack)));
