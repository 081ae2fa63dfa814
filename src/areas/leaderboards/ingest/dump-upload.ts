import { createHash } from 'node:crypto';
import { createGzip } from 'node:zlib';
import type { Reserve } from '../../../platform/http/bodies/body.ts';
import { type FormLimits, readForm } from '../../../platform/http/bodies/multipart.ts';
import { badRequest } from '../../../platform/kit/errors/api-error.ts';
import { MAX_DUMP_BYTES } from '../leaderboards.data.ts';

/** An uploaded dump, compressed while it is received: the uncompressed text is never in memory as a whole. */
export interface UploadedDump {
  gzip: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the uncompressed text, lower-case hex. */
  digest: string;
  /** Size of the uncompressed text. */
  bytes: number;
}

const FILE_FIELD = 'file';
/** Fast: raw dumps are stored for a month only, and the client waits for the response. */
const COMPRESSION_LEVEL = 1;
const LIMITS: FormLimits = { total: MAX_DUMP_BYTES, file: MAX_DUMP_BYTES, files: 1, field: 1024, fields: 5, seconds: 120 };

/** Reads the form part `file`. Throws 400 if it is missing or empty, and the errors of `readForm`. */
export async function readDumpUpload(request: Request, reserve: Reserve): Promise<UploadedDump> {
  const hash = createHash('sha256');
  const gzip = createGzip({ level: COMPRESSION_LEVEL });
  const compressed: Uint8Array[] = [];
  let bytes = 0;
  const done = new Promise<void>((resolve, reject) => {
    gzip.on('data', (chunk: Uint8Array) => compressed.push(chunk));
    gzip.on('end', resolve);
    gzip.on('error', reject);
  });
  const addChunk = (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    hash.update(chunk);
    gzip.write(chunk);
  };
  try {
    await readForm(request, LIMITS, reserve, new Map([[FILE_FIELD, addChunk]]));
  } catch (error) {
    gzip.destroy();
    throw error;
  }
  if (bytes === 0) {
    gzip.destroy();
    throw badRequest('file is required and must contain the text of the dump');
  }
  gzip.end();
  await done;
  return { gzip: concatenated(compressed), digest: hash.digest('hex'), bytes };
}

/** Joins the chunks and empties the list: each chunk can be collected as soon as it is copied. */
function concatenated(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
