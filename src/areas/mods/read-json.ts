import { categoriesOfFlags, readFlags } from './categories.domain.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { type Contents, createEntryCheck } from './contents.ts';
import { shownPath } from './packed-path.domain.ts';
import { FLAGS_PROPERTY } from './tmod.data.ts';
import type { TmodEntry, TmodHeader } from './tmod-header.domain.ts';
import { utf8Bytes, utf8Pieces, utf8Text } from './utf8.domain.ts';

/**
 * Response of a read in chunks. A chunk is valid only until the next one is requested: chunks share their memory.
 * Without contents it is that of `metadata_only`.
 */
export async function* readJsonChunks(header: TmodHeader, contents: Contents | null): AsyncGenerator<Uint8Array> {
  const out = new ChunkWriter();
  out.text(`{"version":${header.version},"header_size":${header.headerSize},"properties":{`);
  for (const text of propertyTexts(header)) {
    out.text(text);
    if (out.isFull) yield out.take();
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
        const found = contents.slice(entry.offset + read, entry.size - read);
        // Waiting for what is there already would take longer than all the rest of a small entry.
        const slice = found instanceof Promise ? await found : found;
        if (slice.length === 0) break;
        read += slice.length;
        check.update(slice);
        out.base64(slice);
        if (out.isFull) yield out.take();
      }
      out.endBase64();
      out.text(`","checksum_ok":${check.isRight()}`);
    }
    out.text('}');
    if (out.isFull) yield out.take();
  }
  const flags = flagsOf(header);
  out.text(`],"metadata_only":${contents === null},"flags":${flags},"categories":${JSON.stringify(categoriesOfFlags(flags))}}`);
  yield out.take();
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
