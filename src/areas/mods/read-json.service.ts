import { Buffer } from 'node:buffer';
import { namesOfFlags } from '../../game/mod-categories.domain.ts';
import { utf8Bytes, utf8Pieces } from '../../platform/kit/values/bytes.ts';
import { type Contents, createEntryCheck } from './file-contents.domain.ts';
import { normalizePath } from './packed-path.domain.ts';
import type { TmodEntry, TmodHeader } from './tmod-header.domain.ts';
import { flagsOf } from './tmod-properties.domain.ts';

/** Bytes encoded per step: a multiple of three, and small, so that the intermediate text is short-lived. */
const STEP_BYTES = 12 * 1024;
const GROUP_BYTES = 3;

/** Maximum base64 length of a number of bytes, including pending ones. */
function base64Length(length: number): number {
  return Math.ceil((length + GROUP_BYTES - 1) / GROUP_BYTES) * 4;
}

/** Streaming base64 encoder for chunks of any length. */
export class Base64Writer {
  readonly #encoder = new TextEncoder();
  /** Up to two bytes of an incomplete group. */
  #pending: number[] = [];

  /** Encodes all complete groups into `out` at offset `at`. Returns the end offset. */
  write(bytes: Uint8Array, out: Uint8Array, at: number): number {
    let start = 0;
    let next = at;
    if (this.#pending.length > 0) {
      while (this.#pending.length < GROUP_BYTES && start < bytes.length) this.#pending.push(bytes[start++] ?? 0);
      if (this.#pending.length < GROUP_BYTES) return at;
      next = this.#writeText(Uint8Array.from(this.#pending), out, at);
    }
    const groupsEnd = start + Math.floor((bytes.length - start) / GROUP_BYTES) * GROUP_BYTES;
    for (; start < groupsEnd; start += STEP_BYTES)
      next = this.#writeText(bytes.subarray(start, Math.min(groupsEnd, start + STEP_BYTES)), out, next);
    this.#pending = [...bytes.subarray(groupsEnd)];
    return next;
  }

  /** Encodes the pending bytes with padding. Returns the end offset. */
  end(out: Uint8Array, at: number): number {
    const last = Uint8Array.from(this.#pending);
    this.#pending = [];
    return this.#writeText(last, out, at);
  }

  #writeText({ buffer, byteOffset, length }: Uint8Array, out: Uint8Array, at: number): number {
    const text = Buffer.from(buffer as ArrayBuffer, byteOffset, length).toString('base64');
    return at + this.#encoder.encodeInto(text, out.subarray(at)).written;
  }
}

/** Size from which a chunk is full. */
const CHUNK_BYTES = 128 * 1024;
/** Spare bytes for the longest single write: 64 KiB as base64, or a text of 32 Ki characters. */
const SPARE_BYTES = 128 * 1024;

/** Collects text and base64 as bytes, in one buffer that all chunks share. A single write must fit into the spare bytes. */
class ChunkWriter {
  readonly #bytes = new Uint8Array(CHUNK_BYTES + SPARE_BYTES);
  readonly #encoder = new TextEncoder();
  readonly #base64 = new Base64Writer();
  #used = 0;

  /** Whether `flush` is required before the next write. */
  get isFull(): boolean {
    return this.#used >= CHUNK_BYTES;
  }

  text(text: string): void {
    this.#used += this.#encoder.encodeInto(text, this.#bytes.subarray(this.#used)).written;
  }

  /** Writes a part of a longer base64 text. */
  base64(part: Uint8Array): void {
    if (base64Length(part.length) > SPARE_BYTES) throw new RangeError('part exceeds the chunk size');
    this.#used = this.#base64.write(part, this.#bytes, this.#used);
  }

  /** Ends the base64 text. */
  endBase64(): void {
    this.#used = this.#base64.end(this.#bytes, this.#used);
  }

  /** Returns the collected bytes and starts a new chunk. The bytes are valid until the next write. */
  flush(): Uint8Array {
    const chunk = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    return chunk;
  }
}

/**
 * Streams the response of a read; without contents, that of `metadata_only`. Chunks share their memory: each is valid only
 * until the next one is requested.
 */
export async function* readJsonChunks(header: TmodHeader, contents: Contents | null): AsyncGenerator<Uint8Array> {
  const out = new ChunkWriter();
  out.text(`{"version":${header.version},"header_size":${header.headerSize},"properties":{`);
  for (const text of propertyTexts(header)) {
    out.text(text);
    if (out.isFull) yield out.flush();
  }
  out.text(`},"file_count":${header.fileCount},"files":[`);
  let separator = '';
  for (const entry of header.entries()) {
    out.text(separator + entryHead(entry));
    separator = ',';
    if (contents) {
      const check = createEntryCheck(entry);
      out.text(',"content_base64":"');
      for (let read = 0; read < entry.size; ) {
        const next = contents.slice(entry.offset + read, entry.size - read);
        // No await for available bytes: it would take longer than the rest of the work for a small entry.
        const slice = next instanceof Promise ? await next : next;
        if (slice.length === 0) break;
        read += slice.length;
        check.update(slice);
        out.base64(slice);
        if (out.isFull) yield out.flush();
      }
      out.endBase64();
      out.text(`","checksum_ok":${check.isValid()}`);
    }
    out.text('}');
    if (out.isFull) yield out.flush();
  }
  const flags = flagsOf(header);
  out.text(`],"metadata_only":${contents === null},"flags":${flags},"categories":${JSON.stringify(namesOfFlags(flags))}`);
  out.text(`,"header_repaired":${header.isRepaired}}`);
  yield out.flush();
}

function* propertyTexts({ properties }: TmodHeader): Generator<string> {
  let separator = '"';
  for (const [name, value] of properties) {
    yield separator;
    yield* escaped(utf8Bytes(name));
    yield '":"';
    yield* escaped(value);
    yield '"';
    separator = ',"';
  }
}

/** Content of a JSON string, in parts. */
function* escaped(bytes: Uint8Array): Generator<string> {
  for (const piece of utf8Pieces(bytes)) yield JSON.stringify(piece).slice(1, -1);
}

function entryHead({ path: storedPath, index, offset, size, checksum }: TmodEntry): string {
  const path = normalizePath(storedPath);
  const stored = path === storedPath ? '' : `"stored_path":${JSON.stringify(storedPath)},`;
  return `{"path":${JSON.stringify(path)},${stored}"index":${index},"offset":${offset},"size":${size},"checksum":${checksum}`;
}
