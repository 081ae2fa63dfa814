import { Base64Writer, base64Length } from './base64-writer.ts';

/** Bytes from which a chunk is passed on. */
const CHUNK_BYTES = 128 * 1024;
/** Room behind it for the longest piece: 64 KiB in base64, or a text of 32 Ki characters. */
const SPARE_BYTES = 128 * 1024;

/** Gathers text and base64 as bytes, in one buffer that is used again for each chunk. Pieces must fit into its spare room. */
export class ChunkWriter {
  readonly #bytes = new Uint8Array(CHUNK_BYTES + SPARE_BYTES);
  readonly #encoder = new TextEncoder();
  readonly #base64 = new Base64Writer();
  #used = 0;

  /** Whether the chunk must be taken before more is added. */
  get isFull(): boolean {
    return this.#used >= CHUNK_BYTES;
  }

  text(text: string): void {
    this.#used += this.#encoder.encodeInto(text, this.#bytes.subarray(this.#used)).written;
  }

  /** A piece of something longer in base64. */
  base64(piece: Uint8Array): void {
    if (base64Length(piece.length) > SPARE_BYTES) throw new RangeError('part exceeds the chunk size');
    this.#used = this.#base64.write(piece, this.#bytes, this.#used);
  }

  /** The end of what was given in pieces. */
  endBase64(): void {
    this.#used = this.#base64.end(this.#bytes, this.#used);
  }

  /** Collected bytes; valid until the next write. */
  take(): Uint8Array {
    const chunk = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    return chunk;
  }
}
