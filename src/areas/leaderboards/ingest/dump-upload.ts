import { createHash } from 'node:crypto';
import { createGzip } from 'node:zlib';
import { badRequest } from '../../../platform/errors/api-error.ts';
import { type FormLimits, readForm } from '../../../platform/http/bodies/multipart.ts';
import { MAX_DUMP_BYTES } from '../leaderboards.data.ts';

/** A dump as it came, compressed on the way in: it is never whole in memory. */
export interface UploadedDump {
  gzip: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the text, lower-case hex. */
  digest: string;
  /** Length of the text. */
  bytes: number;
}

const FILE_FIELD = 'file';
/** Fast: raw dumps are stored for a month only, and the client waits for the response. */
const COMPRESSION_LEVEL = 1;
const LIMITS: FormLimits = { total: MAX_DUMP_BYTES, file: MAX_DUMP_BYTES, files: 1, field: 1024, fields: 5, seconds: 120 };

/** Reads the part `file` of a form. Throws 400 when it is missing or empty, and as `readForm` does. */
export async function readDumpUpload(request: Request): Promise<UploadedDump> {
  const hash = createHash('sha256');
  const gzip = createGzip({ level: COMPRESSION_LEVEL });
  const compressed: Uint8Array[] = [];
  let bytes = 0;
  const done = new Promise<void>((resolve, reject) => {
    gzip.on('data', (chunk: Uint8Array) => compressed.push(chunk));
    gzip.on('end', resolve);
    gzip.on('error', reject);
  });
  const take = (piece: Uint8Array) => {
    bytes += piece.byteLength;
    hash.update(piece);
    gzip.write(piece);
  };
  try {
    await readForm(request, LIMITS, new Map([[FILE_FIELD, take]]));
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
  return { gzip: joined(compressed), digest: hash.digest('hex'), bytes };
}

function joined(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  // Each chunk is released as soon as it is copied.
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
