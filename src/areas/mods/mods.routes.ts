import { ArtifactFault } from '../../game/artifact.ts';
import { tokenAccess, tokenlessAccess } from '../../platform/access/policy/policy.ts';
import { checkJsonType, malformedJson, readBytes } from '../../platform/http/bodies/body.ts';
import type { MemoryBudget, Reservation } from '../../platform/http/bodies/memory-budget.ts';
import { streamBody } from '../../platform/http/bodies/stream-body.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { attachment } from '../../platform/http/replies/file-reply.ts';
import { json, type RawReply } from '../../platform/http/replies/reply.ts';
import { badRequest } from '../../platform/kit/errors/api-error.ts';
import { applyRule } from '../../platform/kit/errors/input-fault.ts';
import { utf8Text } from '../../platform/kit/values/bytes.ts';
import { MalformedJson } from '../../platform/kit/values/json-reader.ts';
import { readBodyHead } from './body-head.service.ts';
import { readBuildRequest } from './build-request.domain.ts';
import { categoryBits } from './categories.domain.ts';
import { openContents } from './file-contents.service.ts';
import { BuildInput, CategoriesBody, ReadBody, ReadQuery } from './mods.schemas.ts';
import { modFilename } from './packed-path.domain.ts';
import { readJsonChunks } from './read-json.service.ts';
import { MAX_BODY_BYTES, TITLE_PROPERTY } from './tmod.data.ts';
import { readHeader } from './tmod-header.domain.ts';
import { prepareTmod } from './tmod-layout.domain.ts';

const shared = {
  method: 'post',
  tag: 'Mods',
  access: tokenAccess('mods:read'),
  bodyLimit: MAX_BODY_BYTES,
  isStateless: true,
} as const;

const READ_DESCRIPTION = `Reads a \`.tmod\` file. Nothing is stored.

Every packed file is verified against its checksum (\`checksum_ok\`); the stream is read as zlib or with the fixed framing, whichever matches more checksums. Wrong checksums, entries beyond the end of the stream and unsafe paths are reported, not rejected. An invalid header returns 400 with offset and field. At most 32 MiB are decoded.`;

const BUILD_DESCRIPTION = `Builds a \`.tmod\` file. Nothing is stored. The same input always returns the same bytes.

\`modLoader\` is always \`ServiceAPI\`. If \`tags\` contains categories and \`flags\` is absent, \`flags\` is added.`;

/** The tools of `/v1/mods`. `memory` limits the memory of concurrent requests. */
export function createModToolEndpoints(memory: MemoryBudget): Endpoint[] {
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
}).handle(() => json({ categories: [...categoryBits] }));

function readRoute(memory: MemoryBudget): Endpoint {
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

function buildRoute(memory: MemoryBudget): Endpoint {
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
  memory: MemoryBudget,
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
  const contents = await openContents(file, header, reservation);
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
    headers: { 'Content-Disposition': attachment(modFilename(title)) },
    body: streamBody(chunks(), { length, reservation, waitUntil }),
  };
}

/** Reads the body into reserved memory. */
async function readReserved(request: Request, reservation: Reservation): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBytes(request, MAX_BODY_BYTES, (amount) => reservation.grow(amount));
  reservation.own(bytes);
  return bytes;
}
