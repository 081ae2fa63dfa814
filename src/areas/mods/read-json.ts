import { Buffer } from 'node:buffer';
import { categoriesOfFlags, readFlags } from './categories.domain.ts';
import { type Contents, createEntryCheck } from './contents.ts';
import { shownPath } from './packed-path.domain.ts';
import { FLAGS_PROPERTY } from './tmod.data.ts';
import type { TmodEntry, TmodHeader } from './tmod-header.domain.ts';
import { utf8Pieces, utf8Text } from './utf8.domain.ts';

const OUTPUT_BYTES = 128 * 1024;
/** Bytes that become base64 at once: a multiple of three, so that no padding comes but at the end. */
const STAGE_BYTES = 48 * 1024;
const BATCH_LENGTH = 32 * 1024;

/**
 * The answer to a read, chunk by chunk. A chunk is only valid until the next one is asked for: they share their memory.
 * Without contents it is that of `metadata_only`.
 */
export async function* readJsonChunks(header: TmodHeader, contents: Contents | null): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const output = new Uint8Array(OUTPUT_BYTES);
  let used = 0;
  for await (const text of jsonTexts(header, contents)) {
    for (let rest = text; rest !== ''; ) {
      const { read, written } = encoder.encodeInto(rest, output.subarray(used));
      used += written;
      rest = rest.slice(read);
      if (rest === '') break;
      yield output.subarray(0, used);
      used = 0;
    }
  }
  yield output.subarray(0, used);
}

async function* jsonTexts(header: TmodHeader, contents: Contents | null): AsyncGenerator<string> {
  const batch = new TextBatch();
  const stage = new Base64Stage();
  batch.add(`{"version":${header.version},"header_size":${header.headerSize},"properties":{`);
  for (const text of propertyTexts(header)) {
    batch.add(text);
    if (batch.isFull) yield batch.take();
  }
  batch.add(`},"file_count":${header.fileCount},"files":[`);
  let separator = '';
  for (const entry of header.entries()) {
    batch.add(separator + entryHead(entry));
    separator = ',';
    if (contents) {
      const check = createEntryCheck(entry);
      batch.add(',"content_base64":"');
      for (let read = 0; read < entry.size; ) {
        const found = contents.slice(entry.offset + read, entry.size - read);
        const slice = found instanceof Promise ? await found : found;
        if (slice.length === 0) break;
        read += slice.length;
        check.update(slice);
        batch.add(stage.add(slice));
        if (batch.isFull) yield batch.take();
      }
      batch.add(`${stage.end()}","checksum_ok":${check.isRight()}`);
    }
    batch.add('}');
    if (batch.isFull) yield batch.take();
  }
  const flags = flagsOf(header);
  batch.add(`],"metadata_only":${contents === null},"flags":${flags},"categories":${JSON.stringify(categoriesOfFlags(flags))}}`);
  yield batch.take();
}

function* propertyTexts({ properties }: TmodHeader): Generator<string> {
  let separator = '"';
  for (const [name, value] of properties) {
    yield separator;
    yield* escaped(Buffer.from(name));
    yield '":"';
    yield* escaped(value);
    yield '"';
    separator = ',"';
  }
}

/** The inside of a JSON string, in pieces. */
function* escaped(bytes: Uint8Array): Generator<string> {
  for (const piece of utf8Pieces(bytes)) yield JSON.stringify(piece).slice(1, -1);
}

/** The integer of the `flags` property. */
export function flagsOf({ properties }: TmodHeader): number {
  const bytes = properties.get(FLAGS_PROPERTY);
  // No integer that counts is longer.
  return readFlags(bytes && bytes.length <= 1000 ? (utf8Text(bytes) ?? undefined) : undefined);
}

function entryHead({ path, index, offset, size, checksum }: TmodEntry): string {
  const shown = shownPath(path);
  const stored = shown === path ? '' : `"stored_path":${JSON.stringify(path)},`;
  return `{"path":${JSON.stringify(shown)},${stored}"index":${index},"offset":${offset},"size":${size},"checksum":${checksum}`;
}

/** Gathers texts: many small ones would cost more to pass on than to make. */
class TextBatch {
  #text = '';

  get isFull(): boolean {
    return this.#text.length >= BATCH_LENGTH;
  }

  add(text: string): void {
    this.#text += text;
  }

  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/** Turns bytes that come in pieces of any length into base64. */
class Base64Stage {
  readonly #stage = Buffer.alloc(STAGE_BYTES);
  #used = 0;

  /** As much of what came so far as makes whole groups, when there is enough of it. */
  add(bytes: Uint8Array): string {
    let text = '';
    for (let start = 0; start < bytes.length; ) {
      const piece = bytes.subarray(start, start + STAGE_BYTES - this.#used);
      this.#stage.set(piece, this.#used);
      this.#used += piece.length;
      start += piece.length;
      if (this.#used === STAGE_BYTES) text += this.end();
    }
    return text;
  }

  /** What is left, padded. */
  end(): string {
    const text = this.#stage.toString('base64', 0, this.#used);
    this.#used = 0;
    return text;
  }
}
