import { z } from '@hono/zod-openapi';
import { ArtifactFault } from '../../game/artifact.ts';
import { MOD_CATEGORIES } from '../../game/mod-categories.data.ts';
import { titleFilename } from '../../game/mod-filename.domain.ts';
import { tokenAccess, tokenlessAccess } from '../../platform/access/policy/policy.ts';
import { bodyChunks, checkJsonType, malformedJson, readBytes } from '../../platform/http/bodies/body.ts';
import { integer } from '../../platform/http/bodies/body-schemas.ts';
import type { MemoryPool, Reservation } from '../../platform/http/bodies/memory-pool.ts';
import { streamBody } from '../../platform/http/bodies/stream-body.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { booleanWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { attachment } from '../../platform/http/replies/file-reply.ts';
import { json, type RawReply } from '../../platform/http/replies/reply.ts';
import { badRequest, bodyTooLarge } from '../../platform/kit/errors/api-error.ts';
import { applyRule } from '../../platform/kit/errors/input-fault.ts';
import { utf8Text } from '../../platform/kit/values/bytes.ts';
import { MalformedJson } from '../../platform/kit/values/json-reader.ts';
import { readBuildRequest } from './build-request.domain.ts';
import { openContents } from './file-contents.domain.ts';
import { inflated } from './inflate.service.ts';
import { modFilename } from './packed-path.domain.ts';
import { readJsonChunks } from './read-json.service.ts';
import { DEFAULT_VERSION, FIXED_HEADER_BYTES, MAX_BODY_BYTES, MAX_VERSION, STREAM_START_BYTES, TITLE_PROPERTY } from './tmod.data.ts';
import { readHeader, readHeaderSize } from './tmod-header.domain.ts';
import { prepareTmod } from './tmod-layout.domain.ts';

export const CategoriesBody = z
  .object({
    categories: z
      .array(
        z
          .object({
            name: z.string().openapi({ description: 'Name in the `tags` property.', example: 'Wings' }),
            bit: integer('Bit in the `flags` property.', 8192),
          })
          .openapi('ModCategory', { description: 'A mod category.' }),
      )
      .openapi({ description: 'Categories in bit order.' }),
  })
  .openapi('ModCategories', { description: 'Mod categories. Bits never change; new ones are appended.' });

const ReadQuery = z.object({
  metadata_only: booleanWithDefault({
    default: false,
    example: true,
    description: 'Omit contents and skip decoding the stream.',
  }),
});

const FileEntry = z
  .object({
    path: z.string().openapi({
      description: 'Path in lower case with forward slashes. Not sanitised otherwise: validate before writing to disk.',
      example: 'ui/tiny.swf',
    }),
    stored_path: z.string().optional().openapi({ description: 'Stored path, if different.', example: 'UI\\Tiny.SWF' }),
    index: integer('Stored value; 0 in every known file.', 0),
    offset: integer('Offset in the decoded stream.', 0),
    size: integer('Stored size in bytes.', 5),
    checksum: integer('Stored checksum (a 32-bit FNV-1a variant).', 2_510_041_067),
    content_base64: z.string().optional().openapi({
      description: 'Content in the stream, possibly shorter than `size`. Absent with `metadata_only`.',
      example: 'YWJjZGU=',
    }),
    checksum_ok: z
      .boolean()
      .optional()
      .openapi({ description: 'Whether the file is complete and its checksum matches. Absent with `metadata_only`.', example: true }),
  })
  .openapi('TmodFileEntry', { description: 'A packed file.' });

export const ReadBody = z
  .object({
    version: integer('Version of the format.', 1),
    header_size: integer('Size of the header in bytes.', 110),
    properties: z.record(z.string(), z.string()).openapi({
      description: 'Properties in order; the last value of a repeated one.',
      example: { title: 'Tiny', author: 'Me', tags: 'Wings', modLoader: 'ServiceAPI', flags: '8192' },
    }),
    file_count: integer('Number of packed files.', 1),
    files: z.array(FileEntry).openapi({ description: 'Packed files, in the order of the table.' }),
    metadata_only: z.boolean().openapi({ description: 'Whether the contents were omitted.', example: false }),
    flags: z.number().int().openapi({ description: 'Integer of the `flags` property; 0 if absent.', example: 8192 }),
    categories: z.array(z.string()).openapi({ description: 'Categories set in `flags`.', example: ['Wings'] }),
    header_repaired: z.boolean().openapi({
      description: 'Whether the lengths in the header count characters, as an older writer did, and were read so. The format counts bytes.',
      example: false,
    }),
  })
  .openapi('TmodRead', { description: 'Contents of a `.tmod` file.' });

const BuildProperties = z
  .object({
    title: z.string().optional().openapi({ description: 'Title. The game requires the file to be named after it.', example: 'Tiny' }),
    author: z.string().optional().openapi({ description: 'Author; separate several with commas.', example: 'Me' }),
    notes: z.string().optional().openapi({ description: 'Notes.', example: 'A small mod.' }),
    modVersion: z.string().optional().openapi({ description: 'Version of the mod.', example: '1.0' }),
    tags: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .openapi({ description: 'Categories, comma-separated or as a list.', example: 'Wings' }),
    flags: z
      .union([z.string(), z.number().int()])
      .optional()
      .openapi({ description: 'Bits of the categories; derived from `tags` if absent.', example: 8192 }),
  })
  .catchall(z.unknown())
  .openapi('TmodProperties', {
    description: 'Properties, stored in the order sent. `modLoader` is always overwritten. Any other names are allowed, with text values.',
  });

/** Schema for the OpenAPI document; `readBuildRequest` parses the request. */
const BuildInput = z
  .object({
    version: z
      .number()
      .int()
      .min(0)
      .max(MAX_VERSION)
      .optional()
      .openapi({
        description: `Version of the format; defaults to ${DEFAULT_VERSION}.`,
        example: DEFAULT_VERSION,
      }),
    properties: BuildProperties.optional(),
    files: z
      .array(
        z
          .object({
            path: z.string().openapi({
              description: 'Path in the game, at most 255 bytes; stored in lower case with forward slashes.',
              example: 'ui/tiny.swf',
            }),
            content_base64: z
              .string()
              .openapi({ description: 'Content as base64: standard alphabet, padded, no white space.', example: 'YWJjZGU=' }),
          })
          .openapi('TmodBuildFile', { description: 'A file to pack.' }),
      )
      .openapi({ description: 'Files to pack, at least one, in the order of the table.' }),
  })
  .openapi('TmodBuildInput', { description: 'Contents of a new `.tmod` file.' });

const shared = {
  method: 'post',
  tag: 'Mods',
  access: tokenAccess('mods:read'),
  bodyLimit: MAX_BODY_BYTES,
  isStateless: true,
} as const;

const READ_DESCRIPTION = `Reads a \`.tmod\` file. Nothing is stored.

Every packed file is verified against its checksum (\`checksum_ok\`); the stream is read as zlib or with the fixed framing, whichever matches more checksums. Wrong checksums, entries beyond the end of the stream and unsafe paths are reported, not rejected. An invalid header returns 400 with offset and field. A header whose lengths count characters is repaired if it can be read in exactly one way (\`header_repaired\`). At most 32 MiB are decoded.`;

const BUILD_DESCRIPTION = `Builds a \`.tmod\` file. Nothing is stored. The same input always returns the same bytes.

\`modLoader\` is always \`ServiceAPI\`. If \`tags\` contains categories and \`flags\` is absent, \`flags\` is added.`;

/** The tools of `/v1/mods`. `memory` limits the memory of concurrent requests. */
export function createModToolEndpoints(memory: MemoryPool): Endpoint[] {
  return [readRoute(memory), buildRoute(memory), categoriesRoute];
}

const categoriesRoute = defineRoute({
  method: 'get',
  tag: 'Mods',
  access: tokenlessAccess('mods:read'),
  path: '/v1/mods/categories',
  operationId: 'listModCategories',
  summary: 'List mod categories',
  description: 'Lists the mod categories with their bits in the `flags` property of a `.tmod` file.',
  ok: { description: 'All categories.', schema: CategoriesBody },
}).handle(() => json({ categories: [...MOD_CATEGORIES] }));

function readRoute(memory: MemoryPool): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/mods/read',
    operationId: 'readMod',
    summary: 'Read a .tmod file',
    description: READ_DESCRIPTION,
    query: ReadQuery,
    rawBody: { contentTypes: ['application/octet-stream'], description: 'The file, at most 20 MiB, with any content type.' },
    errors: ['service_unavailable'],
    ok: { description: 'Contents of the file.', schema: ReadBody },
  }).handle((input) => withReservation(memory, input, input.query.metadata_only ? readMetadata : readContents));
}

function buildRoute(memory: MemoryPool): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/mods/build',
    operationId: 'buildMod',
    summary: 'Build a .tmod file',
    description: BUILD_DESCRIPTION,
    rawBody: { contentTypes: ['application/json'], description: 'Contents of the new file, at most 20 MiB of JSON.', schema: BuildInput },
    errors: ['validation_error', 'service_unavailable'],
    ok: { contentTypes: ['application/octet-stream'], description: 'The file.' },
  }).handle((input) => withReservation(memory, input, build));
}

/** A request with reserved memory, which is released when the response is sent. */
interface ReservedRequest {
  request: Request;
  reservation: Reservation;
  waitUntil(promise: Promise<unknown>): void;
}

async function withReservation(
  memory: MemoryPool,
  { request, waitUntil }: Omit<ReservedRequest, 'reservation'>,
  work: (reserved: ReservedRequest) => Promise<RawReply>,
): Promise<RawReply> {
  const reservation = memory.open(request.signal);
  try {
    return await work({ request, reservation, waitUntil });
  } catch (error) {
    reservation.release();
    if (error instanceof ArtifactFault) throw badRequest(error.message);
    throw error instanceof MalformedJson ? malformedJson() : error;
  }
}

async function readMetadata({ request, reservation, waitUntil }: ReservedRequest): Promise<RawReply> {
  const { bytes, length } = await readBodyHead(request.body, reservation);
  const chunks = readJsonChunks(readHeader(bytes, length), null);
  return { kind: 'raw', contentType: 'application/json', body: streamBody(chunks, { reservation, waitUntil }) };
}

async function readContents({ request, reservation, waitUntil }: ReservedRequest): Promise<RawReply> {
  const file = await readReserved(request, reservation);
  const header = readHeader(file);
  const contents = await openContents(file, header, { memory: reservation, inflated });
  const onEnd = () => void contents.close();
  const body = streamBody(readJsonChunks(header, contents), { reservation, onEnd, waitUntil });
  return { kind: 'raw', contentType: 'application/json', body };
}

async function build({ request, reservation, waitUntil }: ReservedRequest): Promise<RawReply> {
  checkJsonType(request.headers.get('Content-Type'));
  const bytes = await readReserved(request, reservation);
  const plan = applyRule('body', undefined, () => readBuildRequest(bytes));
  const { length, chunks } = prepareTmod(plan);
  const title = utf8Text(plan.properties.get(TITLE_PROPERTY) ?? new Uint8Array(0)) ?? '';
  return {
    kind: 'raw',
    contentType: 'application/octet-stream',
    headers: { 'Content-Disposition': attachment(titleFilename(title) ?? modFilename(title), modFilename(title)) },
    body: streamBody(chunks(), { length, reservation, waitUntil }),
  };
}

/** Reads the body into reserved memory. */
async function readReserved(request: Request, reservation: Reservation): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBytes(request, MAX_BODY_BYTES, (amount) => reservation.grow(amount));
  reservation.own(bytes);
  return bytes;
}

/** Header and start of the stream of a body, and the length of the whole body. */
interface BodyHead {
  bytes: Uint8Array;
  length: number;
}

/**
 * Reads a `.tmod` file to its end and keeps only its start, so that the packed files use no memory. Throws 413 over the
 * limit.
 */
async function readBodyHead(body: ReadableStream<Uint8Array> | null, reservation: Reservation): Promise<BodyHead> {
  let length = 0;
  let kept = FIXED_HEADER_BYTES;
  let isSizeKnown = false;
  let bytes = new Uint8Array(FIXED_HEADER_BYTES);
  let used = 0;
  for await (const chunk of body ? bodyChunks(body) : []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
    for (let start = 0; start < chunk.length && used < kept; ) {
      const part = chunk.subarray(start, start + kept - used);
      bytes.set(part, used);
      used += part.length;
      start += part.length;
      if (used < FIXED_HEADER_BYTES || isSizeKnown) continue;
      isSizeKnown = true;
      kept = declaredHeaderSize(bytes) + STREAM_START_BYTES;
      reservation.grow(kept);
      const head = new Uint8Array(kept);
      head.set(bytes);
      bytes = head;
    }
  }
  return { bytes: bytes.subarray(0, used), length };
}

/** Header size in the fixed part of a header; the size of the fixed part if the value is invalid. */
function declaredHeaderSize(fixed: Uint8Array): number {
  try {
    return readHeaderSize(fixed, MAX_BODY_BYTES);
  } catch {
    return FIXED_HEADER_BYTES;
  }
}
