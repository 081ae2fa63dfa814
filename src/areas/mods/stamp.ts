import { ArtifactFault, type ArtifactStamper } from '../../game/artifact.ts';
import { utf8Bytes } from '../../platform/kit/values/utf8.ts';
import { ByteWriter } from './byte-writer.domain.ts';
import { MAX_BODY_BYTES, MAX_PROPERTIES } from './tmod.data.ts';
import { readHeader } from './tmod-header.domain.ts';
import { beginHeader, endHeader } from './tmod-layout.domain.ts';

/** Sets properties in the header of a `.tmod` file; the file table and the contents stay the same bytes. Throws `ArtifactFault`. */
export const stampArtifact: ArtifactStamper = (bytes, stamp) => {
  const { version, headerSize, properties, entries } = readHeader(bytes);
  const stamped = new Map(properties);
  for (const [name, value] of Object.entries(stamp)) stamped.set(name, utf8Bytes(value));
  if (stamped.size > MAX_PROPERTIES) throw new ArtifactFault(`the header must have at most ${MAX_PROPERTIES} properties`);
  const [firstEntry] = entries();
  const out = new ByteWriter();
  beginHeader(out, stamped);
  out.bytes(bytes.subarray(firstEntry?.at ?? headerSize, headerSize));
  const header = endHeader(out, version, stamped.size);
  const rest = bytes.subarray(headerSize);
  if (header.length + rest.length > MAX_BODY_BYTES) throw new ArtifactFault(`the stamped file has more than ${MAX_BODY_BYTES} bytes`);
  const file = new Uint8Array(header.length + rest.length);
  file.set(header);
  file.set(rest, header.length);
  return file;
};
