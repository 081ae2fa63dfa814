import {
  ArtifactFault,
  type ArtifactInspector,
  type ArtifactPacker,
  type ArtifactPathReader,
  type ArtifactStamper,
} from '../../game/artifact.ts';
import { utf8Bytes, utf8Text } from '../../platform/kit/values/bytes.ts';
import { normalizePath } from './packed-path.domain.ts';
import {
  AUTHOR_PROPERTY,
  DEFAULT_VERSION,
  FIXED_HEADER_BYTES,
  LOADER_LABEL,
  LOADER_PROPERTY,
  MAX_BODY_BYTES,
  MAX_PATH_BYTES,
  MAX_PROPERTIES,
  PREVIEW_PROPERTY,
  STREAM_START_BYTES,
  STREAM_TAIL,
  TITLE_PROPERTY,
  ZLIB_HEAD,
} from './tmod.data.ts';
import { contentNeeds, readHeader, readHeaderSize } from './tmod-header.domain.ts';
import { ByteWriter, beginHeader, createRuns, endHeader, writeEntry, writeHeader } from './tmod-layout.domain.ts';

/** Streams files in one container of the `.tmod` format, whose paths keep their case. One chunk of a file is in memory at a time. */
export const packArtifacts: ArtifactPacker = (given, files) => {
  const properties = new Map([...given, [LOADER_PROPERTY, LOADER_LABEL] as const].map(([name, value]) => [name, utf8Bytes(value)]));
  const { header, length } = writeHeader({ version: DEFAULT_VERSION, properties, files });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield header;
    yield new Uint8Array(ZLIB_HEAD);
    const runs = createRuns();
    for (const { size, open } of files) {
      for await (const chunk of open()) yield* runs.push(chunk);
      yield* runs.pad(size);
    }
    yield* runs.end();
    yield new Uint8Array(STREAM_TAIL);
  }
  return { length, chunks };
};

/** Paths of the packed files, without the preview image that the header names. Reads only the header. Throws `ArtifactFault`. */
export const readArtifactPaths: ArtifactPathReader = async (read, size) => {
  const headerSize = readHeaderSize(await read({ offset: 0, length: Math.min(size, FIXED_HEADER_BYTES) }), size);
  const header = readHeader(await read({ offset: 0, length: Math.min(size, headerSize + STREAM_START_BYTES) }), size);
  const preview = normalizePath(utf8Text(header.properties.get(PREVIEW_PROPERTY) ?? new Uint8Array(0)) ?? '');
  return [...header.entries()].map(({ path }) => normalizePath(path)).filter((path) => path !== preview);
};

/** Applies the checks of `POST /v1/mods/read`. Throws `ArtifactFault`. */
export const inspectArtifact: ArtifactInspector = async (bytes) => {
  const header = readHeader(bytes);
  contentNeeds(header);
  // `readHeader` has checked that values are UTF-8.
  const properties = Object.fromEntries([...header.properties].map(([name, value]) => [name, utf8Text(value) ?? '']));
  const textOf = (name: string) => (Object.hasOwn(properties, name) ? (properties[name] ?? null) : null);
  return {
    title: textOf(TITLE_PROPERTY),
    author: textOf(AUTHOR_PROPERTY),
    properties,
    fileCount: header.fileCount,
    headerSize: header.headerSize,
  };
};

/**
 * Sets properties in the header of a `.tmod` file; the contents stay the same bytes, as does the file table unless it was repaired.
 * Throws `ArtifactFault`.
 */
export const stampArtifact: ArtifactStamper = (bytes, stamp) => {
  const { version, headerSize, properties, entries, isRepaired } = readHeader(bytes);
  const stamped = new Map(properties);
  for (const [name, value] of Object.entries(stamp)) stamped.set(name, utf8Bytes(value));
  if (stamped.size > MAX_PROPERTIES) throw new ArtifactFault(`the header must have at most ${MAX_PROPERTIES} properties`);
  const [firstEntry] = entries();
  const out = new ByteWriter();
  beginHeader(out, stamped);
  if (isRepaired) {
    for (const entry of entries()) {
      if (utf8Bytes(entry.path).length > MAX_PATH_BYTES) throw new ArtifactFault(`a path has more than ${MAX_PATH_BYTES} bytes`);
      writeEntry(out, entry);
    }
  } else {
    out.bytes(bytes.subarray(firstEntry?.at ?? headerSize, headerSize));
  }
  const header = endHeader(out, version, stamped.size);
  const rest = bytes.subarray(headerSize);
  if (header.length + rest.length > MAX_BODY_BYTES) throw new ArtifactFault(`the stamped file has more than ${MAX_BODY_BYTES} bytes`);
  const file = new Uint8Array(header.length + rest.length);
  file.set(header);
  file.set(rest, header.length);
  return file;
};
