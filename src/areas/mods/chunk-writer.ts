import { Base64Writer, base64Length } from './base64-writer.ts';

/** Size from which a chunk is full. */
const CHUNK_BYTES = 128 * 1024;
/** Spare bytes for the longest single write: 64 KiB as base64, or a text of 32 Ki characters. */
const SPARE_BYTES = 128 * 1024;

/** Collects text and base64 as bytes, in one buffer that all chunks share. A single write must fit into the spare bytes. */
export class ChunkWriter {
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
