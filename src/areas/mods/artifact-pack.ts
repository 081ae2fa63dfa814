import type { ArtifactPacker, ArtifactPathReader } from '../../game/artifact.ts';
import { utf8Bytes, utf8Text } from '../../platform/kit/values/utf8.ts';
import { normalizePath } from './packed-path.domain.ts';
import {
  DEFAULT_VERSION,
  FIXED_HEADER_BYTES,
  LOADER_LABEL,
  LOADER_PROPERTY,
  PREVIEW_PROPERTY,
  STREAM_TAIL,
  ZLIB_HEAD,
} from './tmod.data.ts';
import { readHeader, readHeaderSize } from './tmod-header.domain.ts';
import { createRuns, writeHeader } from './tmod-layout.domain.ts';

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
  const header = readHeader(await read({ offset: 0, length: headerSize }), size);
  const preview = normalizePath(utf8Text(header.properties.get(PREVIEW_PROPERTY) ?? new Uint8Array(0)) ?? '');
  return [...header.entries()].map(({ path }) => normalizePath(path)).filter((path) => path !== preview);
};
