import { utf8Bytes, utf8Pieces, utf8Text } from '../../platform/kit/values/utf8.ts';
import { categoriesOfFlags, readFlags } from './categories.domain.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { type Contents, createEntryCheck } from './contents.ts';
import { normalizePath } from './packed-path.domain.ts';
import { FLAGS_PROPERTY } from './tmod.data.ts';
import type { TmodEntry, TmodHeader } from './tmod-header.domain.ts';

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
  out.text(`],"metadata_only":${contents === null},"flags":${flags},"categories":${JSON.stringify(categoriesOfFlags(flags))}}`);
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

/** Integer of the `flags` property. */
export function flagsOf({ properties }: TmodHeader): number {
  const bytes = properties.get(FLAGS_PROPERTY);
  // Longer values are not valid integers.
  return readFlags(bytes && bytes.length <= 1000 ? (utf8Text(bytes) ?? undefined) : undefined);
}

function entryHead({ path: storedPath, index, offset, size, checksum }: TmodEntry): string {
  const path = normalizePath(storedPath);
  const stored = path === storedPath ? '' : `"stored_path":${JSON.stringify(storedPath)},`;
  return `{"path":${JSON.stringify(path)},${stored}"index":${index},"offset":${offset},"size":${size},"checksum":${checksum}`;
}
